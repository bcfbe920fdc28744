package dev.pail.cli.command.store;

import dev.pail.Escapes;
import dev.pail.KeyNotAllowedException;
import dev.pail.ShardFormat;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Stores;
import dev.pail.cli.command.history.MergeRulesCommand;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.content.merge.ValueKind;
import dev.pail.keys.KeyCodec;
import dev.pail.keys.Name;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.files.InitOptions;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Updated;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes a repository. */
public final class InitCommand extends Command {
    private static final Option.Text FORMAT = Option.text(
                    "FORMAT", "v0 (the specification), v1 or v2; else v0.", "--format")
            .offering("v0", "v1", "v2");

    private static final Option.WholeNumber MAX_SIZE =
            Option.number("BYTES", "v0: the largest size of a shard; else 524288.", "--max-size");

    private static final Option.WholeNumber MAX_KEY_LENGTH =
            Option.number("N", "v0: the largest length of a key within a shard; else 64.", "--max-key-length");

    private static final Option.WholeNumber MAX_KEY_SIZE =
            Option.number("BYTES", "v1, v2: the largest size of a key; else 4096.", "--max-key-size");

    private static final Option.Text BLOCKS = Option.text(
                    "KIND",
                    "Where blocks go: files, one for each block, which other tools can read; or segments, a few large files, which"
                            + " take about the bytes that a version changed. Else files. For a folder only.",
                    "--blocks")
            .offering("files", "segments");

    private static final Option.Text EVENTS = Option.text(
                    "KIND",
                    "Whether changes have author, message and time in their events, which every copy of the history has: described; or plain,"
                            + " for programs of version 0.2.0. Else described.",
                    "--events")
            .offering("described", "plain");

    private static final Option.Texts MERGE_RULES = Option.texts(
            "TEXT",
            "PREFIX=KIND, as in docs/=text: merge inside values whose keys start with PREFIX, as pail merge-rules set PREFIX KIND does. May be repeated.",
            "--merge-rules");

    private static final Option.Text NAMESPACE_CODEC = Option.text(
                    "CODEC",
                    "How the keys of namespaces are written, as --codec of put says, here from now on. For a folder only.",
                    "--namespace-codec")
            .offering("hex:!", "delimited:!", "length-prefixed");

    public InitCommand() {
        super(
                "init",
                "Makes a repository with an empty pail: .pail here, or the folder or URL that -C names.",
                "The URL of a repository in a PostgreSQL database has no password: give that in PGPASSWORD, or in ~/.pgpass. It is",
                "  postgresql://USER@HOST:PORT/DATABASE?repository=NAME",
                "That of a repository in a bucket of S3 has no keys: they are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or where the tools of",
                "AWS look for them. It is",
                "  s3://BUCKET/PREFIX?region=NAME (and endpoint=URL for another store than that of AWS)");
        takes(FORMAT, MAX_SIZE, MAX_KEY_LENGTH, MAX_KEY_SIZE, BLOCKS, EVENTS, MERGE_RULES);
        takesCodec(this);
        examples(
                "  pail init",
                "  pail -C /data/photos.pail init --format v1",
                "  pail -C /data/log.pail init --blocks segments",
                "  pail init --merge-rules docs/=text --merge-rules config/=json",
                "  pail -C 'postgresql://app@db/store?repository=notes' init",
                "  pail -C 's3://my-bucket/notes?region=eu-west-1' init");
    }

    @Override
    public int run(Call call) {
        String given = call.namedStore();
        String branch = call.globals().branch();
        if (branch != null && !branch.equals(Repository.MAIN)) {
            throw Failure.usage("init makes the branch " + Repository.MAIN + " and no other");
        }
        Map<String, Set<ValueKind>> rules = rules(call);
        String url = call.url();
        if (url != null) {
            return makeAt(call, url, rules);
        }
        Path folder = call.terminal().path(given == null ? ".pail" : given);
        if (Files.isRegularFile(folder)) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "no-such-repository",
                    "cannot make a repository: " + folder + " is a file, not a folder",
                    "choose a folder with: pail -C DIR init; a CAR file is only read, or taken in with: pail import FILE");
        }
        if (given == null) {
            checkOutside(call.terminal().folder());
        }
        BlockStorage storage = storage(call, BlockStorage.FILES);
        InitOptions options = options(format(call), storage, codec(call, format(call)), !isPlain(call));
        try (Repository repository = FileRepository.init(folder, options)) {
            put(repository, rules);
            print(call.terminal(), repository, folder.toAbsolutePath().toString(), storage);
            return Exit.DONE;
        }
    }

    /** A repository in the folder of another would hide that from the commands that are called there. */
    private static void checkOutside(Path current) {
        Optional<Path> around = FileRepository.find(current);
        if (around.isPresent() && !around.get().endsWith(".pail")) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "already-exists",
                    "this folder is in a repository: " + around.get(),
                    "use it as it is; for a repository of its own, name the folder with: pail -C DIR init");
        }
    }

    /** The option for the setting of a new repository that says how keys of namespaces are written. */
    public static void takesCodec(Command command) {
        command.takes(NAMESPACE_CODEC);
    }

    /** The options for a new repository in a folder. */
    public static InitOptions options(
            ShardFormat format, BlockStorage storage, @Nullable String codec, boolean isDescribed) {
        InitOptions options = InitOptions.of(format).withStorage(storage);
        InitOptions described = isDescribed ? options : options.withPlainEvents();
        return codec == null ? described : described.withNamespaceCodec(codec);
    }

    private static Map<String, Set<ValueKind>> rules(Call call) {
        Map<String, Set<ValueKind>> rules = new LinkedHashMap<>();
        for (String rule : call.get(MERGE_RULES)) {
            int end = rule.lastIndexOf('=');
            if (end < 0) {
                throw Failure.usage(MERGE_RULES + " is PREFIX=KIND, not " + Escapes.brief(rule));
            }
            rules.put(rule.substring(0, end), MergeRulesCommand.kinds(rule.substring(end + 1)));
        }
        if (!rules.isEmpty() && isPlain(call)) {
            throw Failure.usage(MERGE_RULES + " is not for " + EVENTS + " plain: version 0.2.0 merges without rules");
        }
        return rules;
    }

    private static void put(Repository repository, Map<String, Set<ValueKind>> rules) {
        if (!rules.isEmpty()) {
            Updated unused = repository.update(
                    Repository.MAIN, "merge-rules", pail -> MergeRulesCommand.changed(pail, all -> all.putAll(rules)));
        }
    }

    private static boolean isPlain(Call call) {
        String given = call.get(EVENTS);
        if (given != null && !given.equals("plain") && !given.equals("described")) {
            throw Failure.usage(EVENTS + " is described or plain, not " + Escapes.brief(given));
        }
        return "plain".equals(given);
    }

    /** The name of the codec for namespaces; null if the option is absent. */
    public static @Nullable String codec(Call call, ShardFormat format) {
        String name = call.get(NAMESPACE_CODEC);
        if (name == null) {
            return null;
        }
        KeyCodec codec = Call.codec(NAMESPACE_CODEC.toString(), name);
        try {
            Name any = Name.of("a");
            format.checkKey(codec.encode(List.of(any, any), any));
            return name;
        } catch (KeyNotAllowedException e) {
            throw Failure.usage(NAMESPACE_CODEC + ": the format does not take its keys: " + e.rule());
        }
    }

    private static int makeAt(Call call, String url, Map<String, Set<ValueKind>> rules) {
        for (Option.Text option : List.of(BLOCKS, NAMESPACE_CODEC)) {
            if (call.get(option) != null) {
                throw Failure.usage(option + " is for a repository in a folder");
            }
        }
        Set<Need> needs = isPlain(call) ? Set.of() : Set.of(Need.EVENTS);
        try (Repository repository = Stores.init(url, format(call), needs, call.patience())) {
            put(repository, rules);
            print(call.terminal(), repository, url, null);
            return Exit.DONE;
        }
    }

    /** @param storage where its blocks go; null, if it is not in a folder */
    private static void print(Terminal terminal, Repository repository, String place, @Nullable BlockStorage storage) {
        String root = repository.root(Repository.MAIN).toString();
        String format = repository.format().name();
        terminal.changed = "made " + place;
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("repository", place);
                json.writeStringField("format", format);
                if (storage != null) {
                    json.writeStringField("blocks", name(storage));
                }
                json.writeStringField("root", root);
            });
        } else if (!terminal.quiet) {
            terminal.note("made " + place + ", format " + format + " (" + cost(repository.format()) + ")"
                    + (storage == null ? "" : ", blocks in " + name(storage)));
            terminal.print(root);
        }
    }

    /** What a format takes and costs, in a few words. */
    private static String cost(ShardFormat format) {
        return format.name().equals("v0")
                ? "any key; a change to a large map writes up to 512 KiB. For large maps with ASCII keys take v1"
                : "ASCII keys; a change writes a few KB";
    }

    private static String name(BlockStorage storage) {
        return storage.name().toLowerCase(Locale.ROOT);
    }

    /**
     * The kind of block storage that the option asks for.
     *
     * @param standard the answer if the option is absent
     */
    public static BlockStorage storage(Call call, BlockStorage standard) {
        String given = call.get(BLOCKS);
        if (given == null) {
            return standard;
        }
        for (BlockStorage storage : BlockStorage.values()) {
            if (name(storage).equals(given.toLowerCase(Locale.ROOT))) {
                return storage;
            }
        }
        throw Failure.usage("--blocks is files or segments, not \"" + given + "\"");
    }

    private static ShardFormat format(Call call) {
        String name = call.get(FORMAT);
        name = name == null ? "v0" : name.toLowerCase(Locale.ROOT);
        Map<String, Integer> configuration;
        try {
            configuration = new LinkedHashMap<>(ShardFormat.named(name).configuration());
        } catch (IllegalArgumentException e) {
            throw Failure.usage("--format is v0, v1 or v2, not \"" + name + "\"");
        }
        set(call, configuration, "maxSize", MAX_SIZE);
        set(call, configuration, "maxKeyLength", MAX_KEY_LENGTH);
        set(call, configuration, "maxKeySize", MAX_KEY_SIZE);
        try {
            return ShardFormat.of(name, configuration);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(String.valueOf(e.getMessage()));
        }
    }

    private static void set(Call call, Map<String, Integer> configuration, String name, Option.WholeNumber option) {
        Long given = call.get(option);
        if (given == null) {
            return;
        }
        if (!configuration.containsKey(name)) {
            throw Failure.usage(option + " is for another format");
        }
        if (given != given.intValue()) {
            throw Failure.usage(option + " is out of range: " + given);
        }
        configuration.put(name, given.intValue());
    }
}
