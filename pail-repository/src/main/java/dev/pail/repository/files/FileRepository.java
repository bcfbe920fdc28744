package dev.pail.repository.files;

import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.blockstore.Durability;
import dev.pail.blockstore.SegmentBlockStore;
import dev.pail.disk.Disk;
import dev.pail.lock.WriterLock;
import dev.pail.repository.Repository;
import dev.pail.repository.collect.CollectionPlace;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.Part;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Tracking;
import dev.pail.repository.spi.RepositoryStores;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Repositories in folders: opens, creates and finds them ({@link #open(Path)}, {@link #init(Path, ShardFormat)}, {@link #find}). An
 * instance has what only a repository in a folder has: the folder, its settings, the addresses of its remotes.
 *
 * <p>The folder holds, as {@code spec/repository.md} says (rules REP1 to REP24):
 *
 * <pre>
 * config        what the repository is: layout version, shard format and its settings
 * blocks/       one file a block, as {@link DirectoryBlockStore} has it
 * heads/NAME    a branch: the CIDs of the newest events of its clock, one a line; empty, if there are none yet
 * logs/NAME     what moved the branch, when, from and to where: a line for each move
 * tags/NAME     a tag: as a head, but it stays where it is
 * remotes/      where branches of remotes stood, a folder for each remote
 * branch        the name of the current branch, if it is not {@code main}
 * segments/     blocks that have no file of their own, as {@link SegmentBlockStore} has them
 * trash/        blocks that nothing needs, before they are deleted; laid out as blocks/
 * derived/      roots of heads of several events, which can be computed again
 * gc            what the garbage collector has left behind
 * LOCK          held by the writer
 * </pre>
 *
 * <p>Immutable. Safe for use by several threads, as long as the repository is open.
 *
 * <pre>{@code
 * try (Repository repository = FileRepository.open(folder)) {
 *     FileRepository files = FileRepository.of(repository).orElseThrow(); // empty for one in memory
 *     System.out.println(files.folder() + ": " + files.blockStorage());
 * }
 * }</pre>
 */
public final class FileRepository {
    /** How long a writer waits for the lock by default. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The name of a repository's folder, by which {@link #find} finds it. */
    private static final String OWN_FOLDER = ".pail";

    private static final String REMOTE = "remote.";
    private static final String URL = ".url";
    private static final String ID = ".id";

    private final RepositoryFolder folder;
    private final Configuration configuration;
    private final WriterLock lock;
    private final FileBlocks blocks;
    private final FileRefs refs;

    private FileRepository(Disk disk, Path path, Configuration configuration, Duration patience) {
        this.folder = new RepositoryFolder(disk, path);
        this.configuration = configuration;
        this.lock = new WriterLock(disk, path, patience);
        this.blocks = new FileBlocks(folder, configuration.storage(), configuration.packs(), patience);
        this.refs = new FileRefs(folder, lock, this);
    }

    private RepositoryStores stores() {
        return new RepositoryStores(refs, blocks, configuration.format());
    }

    /**
     * Creates a repository in a folder, with an empty pail.
     *
     * @param folder the repository's own folder; its parent must exist
     * @throws RepositoryException if the folder is a repository already
     * @throws StoreIOException if the repository cannot be created
     */
    public static Repository init(Path folder, ShardFormat format) {
        return init(folder, format, BlockStorage.FILES);
    }

    /**
     * Creates a repository in a folder, with an empty pail.
     *
     * @param folder the repository's own folder; its parent must exist
     * @param storage how the repository stores blocks
     * @throws RepositoryException if the folder is a repository already
     * @throws StoreIOException if the repository cannot be created
     */
    public static Repository init(Path folder, ShardFormat format, BlockStorage storage) {
        return init(folder, InitOptions.of(format).withStorage(storage));
    }

    /**
     * As {@link #init(Path, ShardFormat, BlockStorage)}, with all options.
     *
     * @param folder the repository's own folder; its parent must exist
     */
    public static Repository init(Path folder, InitOptions options) {
        Objects.requireNonNull(folder, "folder");
        return init(Disk.system(), folder, options);
    }

    /**
     * As {@link #open(Path, Duration)}. A writer waits up to ten seconds for the lock.
     *
     * @param folder the repository's own folder, usually {@code .pail}; {@link #find} looks for one
     */
    public static Repository open(Path folder) {
        return open(folder, PATIENCE);
    }

    /**
     * Opens the repository in a folder.
     *
     * @param folder the repository's own folder, usually {@code .pail}; {@link #find} looks for one
     * @param patience how long a writer waits for the lock if another holds it; zero or less for no wait
     * @throws RepositoryException if the folder is no repository, or is a damaged one: of an unknown layout, without {@code heads}, with
     *     something else in the place of a folder, or without {@code config} although {@link Repository#MAIN} has moved (spec rule REP1)
     * @throws StoreIOException if the folder cannot be read
     */
    public static Repository open(Path folder, Duration patience) {
        Objects.requireNonNull(patience, "patience");
        return open(Disk.system(), folder, patience);
    }

    /**
     * Opens the repository in a folder, with or without durable updates. With {@link Durability#NONE}, no update waits for the disk.
     * Updates then survive the end of the process, but a loss of power may leave a branch whose blocks are missing. For tests, and for
     * data that can be made again.
     *
     * @param durability {@link Durability#BATCH} here means the same as {@link Durability#SYNC}: an update is a batch
     */
    public static Repository open(Path folder, Durability durability) {
        return open(
                Objects.requireNonNull(durability, "durability") == Durability.NONE ? Disk.unsynced() : Disk.system(),
                Objects.requireNonNull(folder, "folder"),
                PATIENCE);
    }

    /**
     * Finds the nearest repository around a folder. For the folder and each of its parents, that is the folder {@code .pail} in it,
     * or the folder itself if it is a repository. A broken link of this name counts too: its target may only be unmounted, and a repository farther out would be the
     * wrong one.
     */
    public static Optional<Path> find(Path start) {
        Disk disk = Disk.system();
        for (Path at = start.toAbsolutePath(); at != null; at = at.getParent()) {
            Path folder = at.resolve(OWN_FOLDER);
            if (disk.isDirectory(folder) || leadsToNothing(folder)) {
                return Optional.of(folder);
            }
            if (isRepository(disk, at)) {
                return Optional.of(at);
            }
        }
        return Optional.empty();
    }

    /** Whether a folder has what each repository has. Other programs have files named config, too. */
    private static boolean isRepository(Disk disk, Path folder) {
        return disk.exists(config(folder))
                && disk.isDirectory(folder.resolve("heads"))
                && disk.isDirectory(folder.resolve("logs"));
    }

    /** Returns a named folder if it is a repository itself, else the repository {@code .pail} in it. */
    public static Path in(Path named) {
        Path within = named.resolve(OWN_FOLDER);
        Disk disk = Disk.system();
        return !disk.exists(config(named)) && disk.exists(config(within)) ? within : named;
    }

    private static boolean leadsToNothing(Path link) {
        try {
            return Disk.system().status(link).isPresent() && !Disk.system().exists(link);
        } catch (IOException e) {
            return false;
        }
    }

    /** The files of a repository, if it is in a folder. */
    public static Optional<FileRepository> of(Repository repository) {
        return repository.refs() instanceof FileRefs refs ? Optional.of(refs.storage()) : Optional.empty();
    }

    /** As {@link #init(Path, ShardFormat, BlockStorage)}, on any disk. */
    public static Repository init(Disk disk, Path folder, ShardFormat format, BlockStorage storage) {
        return init(disk, folder, InitOptions.of(format).withStorage(storage));
    }

    /** As {@link #init(Path, InitOptions)}, on any disk. */
    public static Repository init(Disk disk, Path folder, InitOptions options) {
        Objects.requireNonNull(disk, "disk");
        Objects.requireNonNull(folder, "folder");
        byte[] settings = Configuration.of(options).toBytes();
        byte[] config = options.namespaceCodec()
                .map(codec -> Configuration.with(settings, Configuration.NAMESPACE_CODEC, codec))
                .orElse(settings);
        try {
            checkNone(disk, folder);
            disk.createDirectory(folder);
            disk.syncDirectory(Disk.parent(folder));
        } catch (NoSuchFileException e) {
            throw new StoreIOException(
                    "cannot make a repository", folder.toString(), "the folder around it is not there", e);
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot make a repository", folder, e);
        }
        FileRepository made = new FileRepository(disk, folder, Configuration.parse(config), PATIENCE);
        try (Repository repository = Repository.open(made.stores())) {
            made.lock.holding(() -> made.fill(repository, config));
        }
        return open(disk, folder, PATIENCE);
    }

    /** Writes all that a repository has, the configuration last: it counts from then on. */
    private void fill(Repository made, byte[] config) {
        Disk disk = folder.disk();
        try {
            // Another one may have been made since.
            checkNone(disk, folder.path());
            refs.branchFiles().init();
            Pail unused = Pail.create(made.blocks(), configuration.format());
            SmallFiles.replace(disk, config(folder.path()), Configuration.identified(config));
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot make a repository", folder.path(), e);
        }
    }

    private static void checkNone(Disk disk, Path folder) throws IOException {
        if (disk.status(config(folder)).isPresent()) {
            throw new RepositoryException(
                    RepositoryException.Reason.EXISTS,
                    "a repository already: " + folder,
                    "use it, or choose another folder with: pail -C DIR init",
                    null);
        }
    }

    private static Path config(Path folder) {
        return folder.resolve("config");
    }

    /** As {@link #open(Path, Duration)}, on any disk. */
    public static Repository open(Disk disk, Path folder, Duration patience) {
        return Repository.open(stores(disk, folder, patience));
    }

    static RepositoryStores stores(Disk disk, Path folder, Duration patience) {
        Objects.requireNonNull(patience, "patience");
        Path config = config(folder);
        RepositoryFolder opened = new RepositoryFolder(disk, folder);
        BranchFiles branches = new BranchFiles(opened);
        try {
            byte[] bytes = SmallFiles.read(disk, config);
            opened.checkFolders();
            branches.checkPresent();
            return new FileRepository(disk, folder, Configuration.parse(bytes), patience).stores();
        } catch (NoSuchFileException e) {
            throw absent(disk, folder, branches, e);
        } catch (IllegalArgumentException e) {
            throw RepositoryException.damaged(
                    "cannot read the configuration: " + config + ": " + e.getMessage(),
                    "if a newer version has made it, install a newer pail; else restore the file from a copy",
                    e);
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot read the configuration", config, e);
        }
    }

    /** @throws RepositoryException if the folder is a repository that has lost its configuration */
    private static RepositoryException absent(Disk disk, Path folder, BranchFiles branches, NoSuchFileException error) {
        try {
            branches.checkUnused();
        } catch (IOException e) {
            // A file that cannot be read is no branch.
            error.addSuppressed(e);
        }
        Path within = folder.resolve(OWN_FOLDER);
        return new RepositoryException(
                RepositoryException.Reason.NO_REPOSITORY,
                "no repository: " + folder,
                disk.isDirectory(within)
                        ? "name the one in it: pail -C " + word(within)
                        : "make one with: pail -C " + word(folder) + " init",
                error);
    }

    /** A path as a word for a shell. */
    private static String word(Path path) {
        String text = path.toString();
        return text.matches("[\\w./+@%=:,-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /** The repository's own folder. */
    public Path folder() {
        return folder.path();
    }

    /** How new blocks are kept here. */
    public BlockStorage blockStorage() {
        return configuration.storage();
    }

    /**
     * The settings in {@code config}, by their names, in order (spec rule REP3), as they are now.
     *
     * @throws RepositoryException if the file is damaged
     */
    public SortedMap<String, String> settings() {
        try {
            return Configuration.settings(folder.configuration());
        } catch (IllegalArgumentException e) {
            throw damagedConfiguration(e);
        }
    }

    /**
     * Changes the setting {@code author}: the author of changes for which no other is named. Repositories that are open need not see it.
     *
     * @param author empty to remove it
     * @throws IllegalArgumentException if no author can have this name: see {@link Note}
     */
    public void setAuthor(Optional<String> author) {
        Note checked = new Note(author, Optional.empty());
        lock.holding(() -> {
            folder.configure(bytes -> Configuration.with(
                    bytes, Configuration.AUTHOR, checked.author().orElse(null)));
            return author;
        });
    }

    /** What readers of this repository must understand, as of when it was opened. */
    public Set<Need> needs() {
        return configuration.needs();
    }

    /**
     * Allows described events (spec rule DE11). Version 0.2.0 does not read the repository any more. This cannot be taken back.
     * Repositories that are open need not see it.
     */
    public void describeEvents() {
        lock.holding(() -> {
            folder.configure(bytes -> Configuration.needing(bytes, Need.EVENTS));
            return Need.EVENTS;
        });
    }

    /**
     * Returns what this part of a repository has; empty if it is no part.
     *
     * @throws RepositoryException if the configuration is damaged
     */
    public Optional<Part> part() {
        try {
            return Configuration.parse(folder.configuration()).part();
        } catch (IllegalArgumentException e) {
            throw damagedConfiguration(e);
        }
    }

    /** Makes this a part: the remote promises all blocks that are absent from then on. */
    public void setPart(Part part) {
        Objects.requireNonNull(part, "part");
        lock.holding(() -> {
            folder.configure(bytes -> Configuration.promised(bytes, part));
            return part;
        });
    }

    /** Makes this no part any more. The caller has seen that nothing is left out. */
    public void setWhole() {
        lock.holding(() -> {
            folder.configure(Configuration::whole);
            return this;
        });
    }

    private RepositoryException damagedConfiguration(IllegalArgumentException cause) {
        return RepositoryException.damaged(
                "cannot read the configuration: " + config(folder.path()) + ": " + cause.getMessage(),
                "restore it from a copy",
                cause);
    }

    /** Returns the setting {@code namespace-codec}: the name of the codec for namespaces (spec rule N14), if it has one. */
    public Optional<String> namespaceCodec() {
        return Optional.ofNullable(settings().get(Configuration.NAMESPACE_CODEC));
    }

    /** The addresses of the remotes, by their names, in order: the settings {@code remote.NAME.url}. */
    public SortedMap<String, String> remotes() {
        SortedMap<String, String> remotes = new TreeMap<>();
        settings().forEach((setting, value) -> {
            String name = setting.startsWith(REMOTE) && setting.endsWith(URL)
                    ? setting.substring(REMOTE.length(), Math.max(REMOTE.length(), setting.length() - URL.length()))
                    : "";
            if (Tracking.isRemoteName(name)) {
                remotes.put(name, value);
            }
        });
        return remotes;
    }

    /**
     * Changes the address of a remote. The first one makes the layout 3 (spec rule REP25).
     *
     * @param address empty to remove the remote
     * @throws IllegalArgumentException if no remote can have this name, or the address is not one line of text
     */
    public void setRemote(String name, Optional<String> address) {
        Objects.requireNonNull(address, "address");
        if (!Tracking.isRemoteName(name)) {
            throw new IllegalArgumentException("not the name of a remote: " + Escapes.brief(name));
        }
        if (address.isPresent()
                && (address.get().isBlank() || address.get().chars().anyMatch(Character::isISOControl))) {
            throw new IllegalArgumentException("not an address: " + Escapes.brief(address.get()));
        }
        lock.holding(() -> {
            folder.extendLayout();
            folder.configure(bytes -> Configuration.with(bytes, REMOTE + name + URL, address.orElse(null)));
            if (address.isEmpty()) {
                folder.configure(bytes -> Configuration.with(bytes, REMOTE + name + ID, null));
            }
            return name;
        });
    }

    /** Returns the id of the repository that was at the address of a remote at the last exchange, if it told one. */
    public Optional<String> remoteId(String name) {
        return Optional.ofNullable(settings().get(REMOTE + Objects.requireNonNull(name, "name") + ID));
    }

    /**
     * Records the id of the repository at the address of a remote.
     *
     * @param id as the remote tells it
     * @throws IllegalArgumentException if there is no such remote, or this is no id
     */
    public void setRemoteId(String name, String id) {
        if (!Configuration.isId(id) || !remotes().containsKey(name)) {
            throw new IllegalArgumentException(
                    "not the id of a remote: " + Escapes.brief(name) + ", " + Escapes.brief(id));
        }
        lock.holding(() -> {
            folder.configure(bytes -> Configuration.with(bytes, REMOTE + name + ID, id));
            return name;
        });
    }

    /** What all blocks take. Looks at each of them. */
    public StorageStatistics statistics() {
        return blocks.storage();
    }

    /** What moves blocks between files and segments. */
    public Packing packing() {
        CollectionPlace place = new CollectionPlace(refs, blocks.swept(), configuration.format(), blocks.erasures());
        return new Packing(blocks, lock, folder, place);
    }

    /**
     * The files in {@code heads} and {@code tags} that are neither branches nor tags, such as the copies that a sync tool leaves
     * (spec rule REP17). They are ignored, except that the garbage collector keeps the events that they name.
     */
    public List<Path> foreignFiles() {
        return refs.foreignFiles();
    }
}
