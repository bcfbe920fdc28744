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
import dev.pail.repository.model.Note;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** One of the commands. Built without reflection, which would be most of the time that it takes to start up. */
public abstract class Command {
    /** The variable that names the store. */
    public static final String STORE = "PAIL_STORE";

    /** The variable that names the author of changes. */
    private static final String AUTHOR = "PAIL_AUTHOR";

    /** The setting that names the author where the variable does not. */
    public static final String AUTHOR_SETTING = "author";

    private static final String MESSAGE = "--message";

    private static final String AT = "--at";
    private static final String NAMESPACE = "--namespace";
    private static final String CODEC = "--codec";

    private final CommandSpec spec;
    private final Map<String, Command> actions = new HashMap<>();

    /** @param description what it does, in lines; one that is indented is printed as it is */
    protected Command(String name, String... description) {
        spec = CommandSpec.create().name(name);
        spec.usageMessage().description(paragraphs(description).toArray(String[]::new));
        spec.usageMessage().footerHeading(Globals.SEE);
        Globals.addUnlistedTo(spec);
    }

    /** The first sentence, which is all that the list of the commands shows, and the others. */
    private static List<String> paragraphs(String... lines) {
        StringBuilder text = new StringBuilder();
        boolean wasIndented = false;
        for (String line : lines) {
            boolean isIndented = line.startsWith(" ");
            text.append(isIndented || wasIndented ? "\n" : " ").append(line);
            wasIndented = isIndented;
        }
        int end = text.indexOf(". ");
        return end < 0
                ? List.of(text.substring(1))
                : List.of(text.substring(1, end + 1), text.substring(end + ". ".length()));
    }

    public final CommandSpec spec() {
        return spec;
    }

    /** Adds a command whose name is given behind the name of this one. */
    protected final void action(Command action) {
        String name = action.spec.name();
        actions.put(name, action);
        spec.addSubcommand(name, action.spec);
    }

    /** The action with this name. */
    public final @Nullable Command action(String name) {
        return actions.get(name);
    }

    protected final void flag(String description, String... names) {
        spec.addOption(OptionSpec.builder(names)
                .type(boolean.class)
                .arity("0")
                .description(description)
                .build());
    }

    public final void option(Class<?> type, String label, String description, String... names) {
        spec.addOption(OptionSpec.builder(names)
                .type(type)
                .arity("1")
                .paramLabel(label)
                .description(description)
                .build());
    }

    /** An option that may be given several times: {@link Call#options} has what was given. */
    protected final void repeatedOption(String label, String description, String name) {
        spec.addOption(OptionSpec.builder(name)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .arity("1")
                .paramLabel(label)
                .description(description)
                .build());
    }

    /** The option that chooses a version to read: {@link Call#versions} heeds it. */
    protected final void readsAt() {
        option(String.class, "REVISION", "Read this version: " + Versions.HOW + ".", AT);
    }

    /** The options that are bounds of a range of keys: {@link Call#bounded} heeds them. */
    public final void hasBounds() {
        option(String.class, "KEY", "Only greater keys.", "--gt");
        option(String.class, "KEY", "Only this key and greater ones.", "--gte");
        option(String.class, "KEY", "Only lesser keys.", "--lt");
        option(String.class, "KEY", "Only this key and lesser ones.", "--lte");
    }

    /** The option that says which namespace keys are in: {@link Call#key} and {@link Call#namespace} heed it. */
    protected final void inNamespace() {
        option(
                String.class,
                "PATH",
                "Keys are those in this namespace: a, or a/b for the namespace b within a.",
                NAMESPACE);
        option(
                String.class,
                "CODEC",
                "How the keys of namespaces are written: hex:S, delimited:S or length-prefixed; S is one character or 0x00 to 0xff. Else as the"
                        + " setting namespace-codec says, else hex.",
                CODEC);
    }

    /** The option that says why a change was made: {@link Call#toWrite} puts it in the log. */
    protected final void takesMessage() {
        option(String.class, "MESSAGE", "Say why, for pail log.", "-m", MESSAGE);
    }

    /**
     * Adds a parameter behind the ones that are there.
     *
     * @param arity how many there are: {@code 1}, {@code 0..1}, {@code 1..*}
     */
    protected final void parameter(String label, String arity, String description) {
        int index = spec.positionalParameters().size();
        boolean several = arity.endsWith("*");
        spec.addPositional(PositionalParamSpec.builder()
                .index(several ? index + "..*" : Integer.toString(index))
                .type(several ? List.class : String.class)
                .auxiliaryTypes(String.class)
                .arity(arity)
                .required(!arity.startsWith("0"))
                .paramLabel(label)
                .description(description)
                .build());
    }

    protected final void examples(String... lines) {
        spec.usageMessage().footerHeading(Globals.SEE + "%nExamples:%n").footer(lines);
    }

    /** Does it and returns the exit status. */
    public abstract int run(Call call);

    /** What a command was called with. */
    public record Call(ParseResult arguments, Globals globals, Terminal terminal) {
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

        public boolean flag(String name) {
            return arguments.matchedOptionValue(name, false);
        }

        @Nullable
        public String option(String name) {
            return arguments.matchedOptionValue(name, null);
        }

        /** All that was given for an option that may be given several times. */
        public List<String> options(String name) {
            return arguments.matchedOptionValue(name, List.of());
        }

        @Nullable
        public Long number(String name) {
            return arguments.matchedOptionValue(name, null);
        }

        /** The most that an option asks for; without it, there is no bound. */
        public long limit(String name) {
            Long limit = number(name);
            if (limit != null && limit < 0) {
                throw Failure.usage(name + " is 0 or more, not " + limit);
            }
            return limit == null ? Long.MAX_VALUE : limit;
        }

        /** Of a range, what is within the bounds that were given. */
        public KeyRange bounded(KeyRange range) {
            KeyRange bounded = range;
            String gt = option("--gt");
            bounded = gt == null ? bounded : bounded.after(gt);
            String gte = option("--gte");
            bounded = gte == null ? bounded : bounded.from(gte);
            String lt = option("--lt");
            bounded = lt == null ? bounded : bounded.before(lt);
            String lte = option("--lte");
            return lte == null ? bounded : bounded.through(lte);
        }

        /** Whether the command is for a namespace. */
        public boolean isInNamespace() {
            return option(NAMESPACE) != null;
        }

        /** The namespace that the command is for, or null for the pail itself. */
        @Nullable
        public Namespace namespace(Pail pail) {
            String path = option(NAMESPACE);
            if (path == null) {
                if (option(CODEC) != null) {
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
            String given = option(CODEC);
            if (given != null) {
                return codec(CODEC, given);
            }
            String setting = terminal.namespaceCodec;
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
            return named == null ? current(repository) : named;
        }

        /** The current branch, which is there unless the file that names it is damaged: then nothing may be made under that name. */
        public static String current(Repository repository) {
            String current = repository.branches().current();
            while (!repository.branches().contains(current)) {
                // Who removes a branch has made another the current one before.
                String last = current;
                current = repository.branches().current();
                if (current.equals(last)) {
                    throw new Failure.Found(
                            Exit.DAMAGED,
                            "damaged-repository",
                            "the current branch is not there: " + whereCurrent(repository) + " names " + current,
                            "choose one with: pail switch NAME; there are: "
                                    + String.join(", ", repository.branches().names()));
                }
            }
            return current;
        }

        private static String whereCurrent(Repository repository) {
            return FileRepository.of(repository)
                    .map(files -> files.folder().resolve("branch").toString())
                    .orElseGet(() -> repository.refs().location());
        }

        /** The repository that the command is for. */
        public Repository repository() {
            String url = url();
            Repository opened = url == null ? Stores.open(store(), patience()) : Stores.open(terminal, url, patience());
            if (arguments.commandSpec().findOption(CODEC) != null) {
                terminal.namespaceCodec = FileRepository.of(opened)
                        .flatMap(FileRepository::namespaceCodec)
                        .orElse(null);
            }
            return opened;
        }

        /** How long to wait for another writer. */
        public Duration patience() {
            return Duration.ofSeconds(globals.lockTimeout());
        }

        /** The same, to be changed: the log gets the author and the message. */
        public Repository toWrite() {
            Repository repository = repository();
            try {
                String author = terminal.environment(AUTHOR);
                Note by = author == null
                        ? note("author in config", configuredAuthor(repository), null)
                        : note(AUTHOR, author, null);
                Note why = note(MESSAGE, null, option(MESSAGE));
                return repository.withNote(new Note(by.author(), why.message()));
            } catch (RuntimeException e) {
                repository.close();
                throw e;
            }
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
            if (!isCarFile()) {
                Repository repository = repository();
                try {
                    return new RepositoryVersions(repository, branch(repository), option(AT));
                } catch (RuntimeException e) {
                    repository.close();
                    throw e;
                }
            }
            if (globals.branch() != null) {
                throw Failure.usage("a CAR file has no branches: " + store());
            }
            return CarFile.open(store(), option(AT));
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
                terminal.alert(
                        "left out " + blocks + (blocks == 1 ? " linked block that is " : " linked blocks that are ")
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
            return new Progress(
                    terminal.showsProgress(globals.output().progress()) ? terminal : null, what, bytes, size);
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
}
