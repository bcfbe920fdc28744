package dev.pail.repository;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.disk.Disk;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A pail on disk: a folder that holds
 *
 * <pre>
 * config        what the repository is: layout version, shard format and its settings
 * blocks/       one file a block, as {@link DirectoryBlockStore} has it
 * heads/NAME    a branch: the root that it stands at
 * LOCK          held by whoever writes
 * </pre>
 *
 * <p>A head is replaced at once, and after all blocks of the new version are safe. Readers need no lock: a {@link Pail} that
 * was read stays as it is. Safe for use by several threads and processes.
 */
public final class Repository implements AutoCloseable {
    /** The branch that every repository has. */
    public static final String MAIN = "main";

    private static final Pattern BRANCH = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final int MAX_FILE = 64 * 1024;
    private static final long PAUSE_MILLISECONDS = 20;

    private final Disk disk;
    private final Path folder;
    private final Configuration configuration;
    private final DirectoryBlockStore blocks;
    private final Duration patience;

    /** The version that was last seen: reading on with it finds its shards decoded. */
    private volatile @Nullable Pail last;

    private Repository(Disk disk, Path folder, Configuration configuration, Duration patience) {
        this.disk = disk;
        this.folder = folder;
        this.configuration = configuration;
        this.blocks = DirectoryBlockStore.open(disk, folder.resolve("blocks"));
        this.patience = patience;
    }

    /**
     * Makes a repository with an empty pail.
     *
     * @param folder the repository's own folder; the one around it must be there
     * @throws RepositoryException if it is a repository already
     */
    public static Repository init(Path folder, ShardFormat format) {
        return init(Disk.system(), folder, format);
    }

    static Repository init(Disk disk, Path folder, ShardFormat format) {
        Repository repository = new Repository(disk, folder, new Configuration(format), Duration.ZERO);
        Path config = folder.resolve("config");
        try {
            if (disk.facts(config).isPresent()) {
                throw new RepositoryException(
                        RepositoryException.Reason.PRESENT,
                        "a repository already: " + folder,
                        "use it, or choose another folder with: pail -C DIR init",
                        null);
            }
            disk.createFolder(folder);
            disk.createFolder(folder.resolve("heads"));
            disk.forceFolder(folder);
            Pail empty = Pail.create(repository.blocks, format);
            repository.writeHead(MAIN, empty.root());
            repository.replace(config, repository.configuration.toBytes());
            disk.forceFolder(Disk.around(folder));
        } catch (IOException e) {
            throw new StoreIOException("cannot make a repository", folder.toString(), e);
        }
        return open(disk, folder, Duration.ofSeconds(10));
    }

    /**
     * The repository in a folder. Whoever finds it locked waits for ten seconds.
     *
     * @throws RepositoryException if it is none, or is of a layout that is not known
     */
    public static Repository open(Path folder) {
        return open(folder, Duration.ofSeconds(10));
    }

    /**
     * The repository in a folder.
     *
     * @param patience how long to wait for the lock where another writer holds it
     * @throws RepositoryException if it is none, or is of a layout that is not known
     */
    public static Repository open(Path folder, Duration patience) {
        return open(Disk.system(), folder, patience);
    }

    static Repository open(Disk disk, Path folder, Duration patience) {
        Path config = folder.resolve("config");
        try {
            return new Repository(disk, folder, Configuration.parse(disk.read(config, MAX_FILE)), patience);
        } catch (NoSuchFileException e) {
            throw new RepositoryException(
                    RepositoryException.Reason.ABSENT, "no repository: " + folder, "make one with: pail init", e);
        } catch (IllegalArgumentException e) {
            throw new RepositoryException(
                    RepositoryException.Reason.DAMAGED,
                    "cannot read the configuration: " + config + ": " + e.getMessage(),
                    "is this a repository of a newer version?",
                    e);
        } catch (IOException e) {
            throw new StoreIOException("cannot read the configuration", config.toString(), e);
        }
    }

    /** The nearest repository {@code .pail} in a folder or one around it. */
    public static Optional<Path> find(Path start) {
        for (Path at = start.toAbsolutePath(); at != null; at = at.getParent()) {
            Path folder = at.resolve(".pail");
            if (Disk.system().isFolder(folder)) {
                return Optional.of(folder);
            }
        }
        return Optional.empty();
    }

    /** The repository's own folder. */
    public Path folder() {
        return folder;
    }

    /** The format of pails that are made here. */
    public ShardFormat format() {
        return configuration.format();
    }

    /** The blocks of all versions. Not to be closed. */
    public BlockStore blocks() {
        return blocks;
    }

    /** The version that {@link #MAIN} stands at. */
    public Pail pail() {
        return pail(MAIN);
    }

    /**
     * The version that a branch stands at.
     *
     * @throws RepositoryException if there is no such branch, or its head names nothing
     */
    public Pail pail(String branch) {
        Cid root = root(branch);
        Pail seen = last;
        if (seen != null && seen.root().equals(root)) {
            return seen;
        }
        Pail pail = Pail.open(blocks, root);
        last = pail;
        return pail;
    }

    /**
     * The root that a branch stands at. Its block is not looked for.
     *
     * @throws RepositoryException if there is no such branch, or its head names nothing
     */
    public Cid root(String branch) {
        Path file = head(branch);
        try {
            byte[] bytes = disk.read(file, MAX_FILE);
            return Cid.parse(new String(bytes, StandardCharsets.ISO_8859_1).strip());
        } catch (NoSuchFileException e) {
            throw new RepositoryException(
                    RepositoryException.Reason.ABSENT,
                    "no branch " + branch + ": " + folder,
                    "every repository has the branch " + MAIN,
                    e);
        } catch (MalformedDataException e) {
            throw new RepositoryException(
                    RepositoryException.Reason.DAMAGED,
                    "damaged head: " + file + ": " + e.getMessage(),
                    "write the CID of a root into it",
                    e);
        } catch (IOException e) {
            throw new StoreIOException("cannot read a head", file.toString(), e);
        }
    }

    private Path head(String branch) {
        if (!BRANCH.matcher(branch).matches()) {
            throw new RepositoryException(
                    RepositoryException.Reason.NAME,
                    "not the name of a branch: " + Escapes.quote(branch),
                    "letters, digits, '.', '_' and '-', at most 100, a letter or digit first",
                    null);
        }
        return folder.resolve("heads").resolve(branch);
    }

    /**
     * Changes a branch: the version that it stands at becomes the one that is made of it. Nobody else changes anything
     * meanwhile; if the change throws, nothing has changed.
     *
     * @throws StoreLockedException if another writer holds the lock for longer than there is patience
     */
    public Pail update(String branch, UnaryOperator<Pail> change) {
        Disk.Lock lock = lock();
        try {
            Pail before = pail(branch);
            Pail after = change.apply(before);
            if (!after.root().equals(before.root())) {
                writeHead(branch, after.root());
                last = after;
            }
            return after;
        } finally {
            lock.close();
        }
    }

    private Disk.Lock lock() {
        Path file = folder.resolve("LOCK");
        Instant give = disk.now().plus(patience);
        try {
            while (true) {
                Optional<Disk.Lock> lock = disk.tryLock(file, self(disk.now()));
                if (lock.isPresent()) {
                    return lock.get();
                }
                if (!disk.now().isBefore(give)) {
                    String holder = disk.holder(file);
                    throw new StoreLockedException(folder.toString(), holder.isEmpty() ? "another writer" : holder);
                }
                disk.pause(PAUSE_MILLISECONDS);
            }
        } catch (IOException e) {
            throw new StoreIOException("cannot take the lock", file.toString(), e);
        }
    }

    private static String self(Instant since) {
        return "process " + ProcessHandle.current().pid() + " since " + since;
    }

    private void writeHead(String branch, Cid root) {
        Path file = head(branch);
        try {
            replace(file, (root + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new StoreIOException("cannot move the head", file.toString(), e);
        }
    }

    /** Puts a file in the place of another, so that there is always one of the two. */
    private void replace(Path file, byte[] bytes) throws IOException {
        Path temporary = file.resolveSibling(".tmp-" + UUID.randomUUID());
        try (Disk.WritableFile out = disk.create(temporary)) {
            out.write(bytes);
            out.force();
        } catch (IOException e) {
            disk.delete(temporary);
            throw e;
        }
        try {
            disk.rename(temporary, file);
        } catch (IOException e) {
            disk.delete(temporary);
            throw e;
        }
        try {
            disk.forceFolder(Disk.around(file));
        } catch (IOException e) {
            throw new IOException("it has moved, but may move back if the power is lost now: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        blocks.close();
    }
}
