package dev.pail.cli.command;

import dev.pail.Escapes;
import dev.pail.KeyRange;
import dev.pail.MissingBlockException;
import dev.pail.Namespace;
import dev.pail.Pail;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.text.Lines;
import dev.pail.ipld.Cid;
import dev.pail.keys.KeyCodec;
import dev.pail.keys.Name;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Note;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** What a command was called with. */
public final class Call {
    /** The variable that names the store. */
    public static final String STORE = "PAIL_STORE";

    /** The setting that names the author where the variable does not. */
    public static final String AUTHOR_SETTING = "author";

    /** The variable that names the author of changes. */
    public static final String AUTHOR = "PAIL_AUTHOR";

    /** The variable for the time of events, so that equal changes make equal events. */
    private static final String TIME = "SOURCE_DATE_EPOCH";

    /** Chooses the version to read, in {@link #versions}. */
    public static final Option.Text AT = Option.text("REVISION", "Read this version: " + Versions.HOW + ".", "--at");

    /** Says why a change was made, in the log of {@link #toWrite}. */
    static final Option.Text MESSAGE = Option.text("MESSAGE", "Say why, for pail log.", "-m", "--message");

    /** Says which namespace keys are in, to {@link #key} and {@link #namespace}. */
    static final Option.Text NAMESPACE = Option.text(
            "PATH", "Keys are those in this namespace: a, or a/b for the namespace b within a.", "--namespace");

    static final Option.Text CODEC = Option.text(
                    "CODEC",
                    "How the keys of namespaces are written: hex:S, delimited:S or length-prefixed; S is one character or 0x00 to 0xff. Else as the"
                            + " setting namespace-codec says, else hex.",
                    "--codec")
            .offering("hex:!", "delimited:!", "length-prefixed");

    public static final Option.Text GT = Option.text("KEY", "Only greater keys.", "--gt");
    public static final Option.Text GTE = Option.text("KEY", "Only this key and greater ones.", "--gte");
    public static final Option.Text LT = Option.text("KEY", "Only lesser keys.", "--lt");
    public static final Option.Text LTE = Option.text("KEY", "Only this key and lesser ones.", "--lte");

    private final ParseResult arguments;
    private final Globals globals;
    private final Terminal terminal;

    /** How the repository writes the keys of namespaces, as its settings say. */
    private @Nullable String namespaceCodec;

    private final Runner runner;

    public Call(ParseResult arguments, Globals globals, Terminal terminal) {
        this(arguments, globals, terminal, (other, words) -> {
            throw new IllegalStateException("this call runs no other command");
        });
    }

    /** @param runner runs other commands */
    public Call(ParseResult arguments, Globals globals, Terminal terminal, Runner runner) {
        this.arguments = arguments;
        this.globals = globals;
        this.terminal = terminal;
        this.runner = runner;
    }

    /** Runs a command line in this process. */
    @FunctionalInterface
    public interface Runner {
        /** Returns the exit status. */
        int run(Terminal terminal, String... arguments);
    }

    /** What runs other commands of this process. */
    public Runner runner() {
        return runner;
    }

    public ParseResult arguments() {
        return arguments;
    }

    public Globals globals() {
        return globals;
    }

    public Terminal terminal() {
        return terminal;
    }

    public String parameter(int index) {
        String value = optionalParameter(index);
        if (value == null) {
            throw new IllegalStateException("parameter " + index + " is not there");
        }
        return value;
    }

    @Nullable
    public String optionalParameter(int index) {
        return arguments.matchedPositionalValue(index, null);
    }

    public List<String> parameters(int index) {
        return arguments.matchedPositionalValue(index, List.of());
    }

    public boolean isGiven(Option option) {
        return arguments.hasMatchedOption(option.toString());
    }

    public boolean get(Option.Flag flag) {
        return arguments.matchedOptionValue(flag.toString(), false);
    }

    @Nullable
    public String get(Option.Text option) {
        return arguments.matchedOptionValue(option.toString(), null);
    }

    /** All that was given for an option that may be given several times. */
    public List<String> get(Option.Texts option) {
        return arguments.matchedOptionValue(option.toString(), List.of());
    }

    @Nullable
    public Long get(Option.WholeNumber option) {
        return arguments.matchedOptionValue(option.toString(), null);
    }

    /** Whether nothing is to be changed. */
    public boolean isDryRun() {
        return arguments.matchedOptionValue("--dry-run", false);
    }

    /** The most that an option asks for; without it, there is no bound. */
    public long limit(Option.WholeNumber option) {
        Long limit = get(option);
        if (limit != null && limit < 0) {
            throw Failure.usage(option.first() + " is 0 or more, not " + limit);
        }
        return limit == null ? Long.MAX_VALUE : limit;
    }

    /** Of a range, what is within the bounds that were given. */
    public KeyRange bounded(KeyRange range) {
        KeyRange bounded = range;
        String gt = get(GT);
        bounded = gt == null ? bounded : bounded.after(gt);
        String gte = get(GTE);
        bounded = gte == null ? bounded : bounded.from(gte);
        String lt = get(LT);
        bounded = lt == null ? bounded : bounded.before(lt);
        String lte = get(LTE);
        return lte == null ? bounded : bounded.through(lte);
    }

    /** Whether the command is for a namespace. */
    public boolean isInNamespace() {
        return get(NAMESPACE) != null;
    }

    /** The namespace that the command is for, or null for the pail itself. */
    @Nullable
    public Namespace namespace(Pail pail) {
        String path = get(NAMESPACE);
        if (path == null) {
            if (get(CODEC) != null) {
                throw Failure.usage(CODEC + " is for keys of namespaces: give " + NAMESPACE + " too");
            }
            return null;
        }
        List<String> names = List.of(path.split("/", -1));
        if (names.contains("")) {
            throw Failure.usage("a name in " + NAMESPACE + " is empty: " + Escapes.brief(path));
        }
        return pail.namespace(codec(pail), names.stream().map(Name::of).toList());
    }

    /** How the keys of namespaces are written. */
    public KeyCodec codec(Pail pail) {
        String given = get(CODEC);
        if (given != null) {
            return codec(CODEC.toString(), given);
        }
        String setting = namespaceCodec;
        return setting == null ? pail.format().keyCodec() : codec("namespace-codec in config", setting);
    }

    public static KeyCodec codec(String source, String name) {
        try {
            return KeyCodec.named(name);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(source + ": " + e.getMessage());
        }
    }

    /** The key of the pail for a key as the user has it. */
    public String key(Pail pail, String key) {
        Namespace namespace = namespace(pail);
        return namespace == null ? key : namespace.key(key);
    }

    /** The branch that the command is for. */
    public String branch(Repository repository) {
        String named = globals.branch();
        return named == null ? Stores.currentBranch(repository) : named;
    }

    /** The repository that the command is for. Blocks that are lost in a folder are read from its remotes. */
    public Repository repository() {
        Repository opened = bareRepository();
        return Stores.part(terminal, opened)
                .or(() -> FileRepository.of(opened)
                        .map(files -> opened.readingThrough(new HealingSource(terminal, files::remotes))))
                .orElse(opened);
    }

    /** The same for an exchange, which fetches by itself what a remote has. A part reads through its remote all the same. */
    public Repository exchangingRepository() {
        return Stores.throughRemote(terminal, bareRepository());
    }

    /** The same, without its remotes: for commands that look after what is here. */
    public Repository bareRepository() {
        String url = url();
        Repository opened = url == null ? Stores.open(store(), patience()) : Stores.open(terminal, url, patience());
        if (arguments.commandSpec().findOption(CODEC.toString()) != null) {
            namespaceCodec = FileRepository.of(opened)
                    .flatMap(FileRepository::namespaceCodec)
                    .orElse(null);
        }
        return opened;
    }

    /** How long to wait for another writer. */
    public Duration patience() {
        return Duration.ofSeconds(globals.lockTimeout());
    }

    /** The same, to be changed: its log and its events get the author and the message. */
    public Repository toWrite() {
        return toWrite(repository());
    }

    /** A repository to be changed, as {@link #toWrite()}. Closed if that fails. */
    public Repository toWrite(Repository repository) {
        try {
            return noted(repository, () -> null);
        } catch (RuntimeException e) {
            repository.close();
            throw e;
        }
    }

    /**
     * A repository with the author and the message of its changes. Closing it closes the other.
     *
     * @param message gives the message of described events if the call has none; null for none
     */
    public Repository noted(Repository repository, Supplier<@Nullable String> message) {
        boolean isDescribed = repository.refs().needs().contains(Need.EVENTS);
        String given = get(MESSAGE);
        Note why = note(MESSAGE.toString(), null, given == null && isDescribed ? message.get() : given);
        Note note = new Note(author(repository, isDescribed).author(), why.message());
        String time = terminal.environment(TIME);
        return time == null ? repository.withNote(note) : repository.withNote(note, seconds(time));
    }

    /** The time of reproducible builds: whole seconds since 1970. */
    private static Instant seconds(String text) {
        if (!text.matches("[0-9]{1,12}")) {
            throw Failure.usage(TIME + " is a number of seconds since 1970, not " + Escapes.brief(text));
        }
        return Instant.ofEpochSecond(Long.parseLong(text));
    }

    /**
     * The author that the call, the repository or git names. That of git is for described events alone: in a repository of an older layout,
     * a note makes a layout that old programs refuse, so only a user who asks for an author gets it.
     */
    private Note author(Repository repository, boolean isDescribed) {
        String named = terminal.environment(AUTHOR);
        if (named != null) {
            return note(AUTHOR, named, null);
        }
        Note configured = note("author in config", configuredAuthor(repository), null);
        return configured.isEmpty() && isDescribed ? GitAuthor.note(terminal) : configured;
    }

    private static @Nullable String configuredAuthor(Repository repository) {
        return FileRepository.of(repository)
                .map(files -> files.settings().get(AUTHOR_SETTING))
                .orElse(null);
    }

    private static Note note(String source, @Nullable String author, @Nullable String message) {
        try {
            return Note.of(author, message);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(source + ": " + e.getMessage());
        }
    }

    /** The versions that the command reads: those of the repository, or of a CAR file. */
    public Versions versions() {
        return versions(this::repository);
    }

    /** As {@link #versions()}, with the repository that the command opens. */
    public Versions versions(Supplier<Repository> opening) {
        terminal.kept = () -> "nothing was changed";
        String place = place();
        if (!isCarFile() && !Servers.isGateway(place)) {
            Repository repository = opening.get();
            try {
                return new RepositoryVersions(repository, branch(repository), get(AT));
            } catch (RuntimeException e) {
                repository.close();
                throw e;
            }
        }
        if (globals.branch() != null) {
            throw Failure.usage((url() == null ? "a CAR file" : "a gateway") + " has no branches: " + place);
        }
        return url() == null ? CarFile.open(store(), get(AT)) : Servers.gateway(terminal, place, get(AT));
    }

    /**
     * What only a repository in a folder has.
     *
     * @param what the command needs of it, for the message
     */
    public FileRepository files(Repository repository, String what) {
        return FileRepository.of(repository)
                .orElseThrow(() -> new Failure.Found(
                        Exit.USAGE,
                        "usage",
                        "only a repository in a folder has " + what + ", not " + place(),
                        "copy it to a folder with: pail copy " + word(place()) + " DIR"));
    }

    /** Warns of files in the folders of branches and tags that are neither. */
    public void warnOfForeignFiles(Repository repository) {
        FileRepository storage = FileRepository.of(repository).orElse(null);
        if (storage == null) {
            return;
        }
        for (Path file : storage.foreignFiles()) {
            String kind = storage.folder().resolve("tags").equals(file.getParent()) ? "tag" : "branch";
            terminal.warn("not a " + kind + ": " + file + "; remove it with: pail " + kind + " -d "
                    + word(String.valueOf(file.getFileName())));
        }
    }

    /**
     * Warns that linked blocks were left out, even with {@code -q}: a backup must not have a hole without a word.
     *
     * @param where where they are not
     */
    public void warnOfLeftOut(long blocks, String where) {
        if (blocks > 0) {
            terminal.alert("left out " + blocks + (blocks == 1 ? " linked block that is " : " linked blocks that are ")
                    + where + "; see which with: pail verify --values");
        }
    }

    /** Warns that blocks were left out since they were erased for good. */
    public void warnOfErased(long blocks) {
        if (blocks > 0) {
            terminal.alert("left out " + blocks + (blocks == 1 ? " block that was" : " blocks that were")
                    + " erased on purpose; see when and why with: pail erase");
        }
    }

    /** A name as a word for a shell. */
    public static String word(String name) {
        return name.matches("[\\w.+@%=:,/-]+") ? name : "'" + name.replace("'", "'\\''") + "'";
    }

    /** Shows how far the work has come, if that is wanted. */
    public Progress progress(String what, Lines lines) {
        return progress(what, lines::bytes, lines.size());
    }

    /** The same for work that is not counted in bytes. */
    public Progress progress(String what) {
        return progress(what, null, -1);
    }

    /**
     * The same for work whose bytes are counted elsewhere.
     *
     * @param bytes how many were read or written; null, if that says nothing
     * @param size how many bytes there will be, or -1 where that is not known
     */
    public Progress progress(String what, @Nullable LongSupplier bytes, long size) {
        Terminal shown = terminal.showsProgress(globals.output().progress()) ? terminal : null;
        return new Progress(shown, what, bytes, size).shownWithoutSteps();
    }

    /** What is named as the store, if anything is. */
    @Nullable
    public String namedStore() {
        return globals.store() != null ? globals.store() : terminal.environment(STORE);
    }

    /** A failure that says where the block is, if its file is there under another name; else the error. */
    public RuntimeException explained(MissingBlockException error) {
        return misnamed(error.cid())
                .<RuntimeException>map(
                        hint -> new Failure.Found(Exit.DAMAGED, "missing-block", Failure.message(error), hint))
                .orElse(error);
    }

    /** What to do about a missing block whose file is there under another name. */
    public Optional<String> misnamed(Cid cid) {
        return path().flatMap(path -> MisnamedBlock.hint(path, cid));
    }

    /** The URL that is named as the store; null, if it is a folder or a CAR file. */
    @Nullable
    public String url() {
        String given = namedStore();
        return given != null && Stores.isUrl(given) ? given : null;
    }

    /** The repository's own folder, or a CAR file; empty, if a URL is named as the store, or there is none. */
    public Optional<Path> path() {
        String given = namedStore();
        if (given == null) {
            return FileRepository.find(terminal.folder());
        }
        return Stores.isUrl(given) ? Optional.empty() : Optional.of(FileRepository.in(terminal.path(given)));
    }

    /** Whether the store is a CAR file. */
    public boolean isCarFile() {
        return path().filter(Files::isRegularFile).isPresent();
    }

    /** The store, for messages. */
    public String place() {
        String url = url();
        return url == null ? store().toString() : url;
    }

    /** The repository's own folder, or a CAR file. */
    public Path store() {
        return path().orElseThrow(() -> new Failure.Found(
                Exit.FAILED,
                "no-such-repository",
                "no repository: " + terminal.folder() + " and the folders around it have no .pail",
                "make one with: pail init, or name one with -C DIR"));
    }
}
