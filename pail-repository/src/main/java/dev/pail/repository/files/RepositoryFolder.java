package dev.pail.repository.files;

import dev.pail.StoreDamagedException;
import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.repository.model.RepositoryException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a repository, for writers. After a failed write, the state on disk is unknown: so the next writer relies on nothing that
 * this object has seen before, as if the repository had just been opened. The caller of a method that writes holds the writers' lock.
 */
final class RepositoryFolder {
    private static final List<String> FOLDERS = List.of("heads", "logs", "blocks", "segments", "tags", "trash");

    private final Disk disk;
    private final Path path;

    /** How many writes have failed. */
    private final AtomicInteger failures = new AtomicInteger();

    private volatile boolean cleaned;
    private volatile boolean settled;

    /** Whether the configuration is known to have layout 3 at least. */
    private volatile boolean extended;

    /** Whether the configuration is known to have an id. */
    private volatile boolean identified;

    RepositoryFolder(Disk disk, Path path) {
        this.disk = disk;
        this.path = path;
    }

    Disk disk() {
        return disk;
    }

    Path path() {
        return path;
    }

    /** A file or a folder in it. */
    Path resolve(String name) {
        return path.resolve(name);
    }

    /**
     * Refuses the repository if one of its folders is something else (Rule REP1), or a link that leads to no folder: what is in it
     * would be taken for missing.
     */
    void checkFolders() throws IOException {
        for (String name : FOLDERS) {
            Path each = path.resolve(name);
            if (!disk.isDirectory(each) && disk.status(each).isPresent()) {
                throw RepositoryException.damaged(
                        "not a folder, and no link to one: " + each,
                        "bring back the folder, or restore it from a copy",
                        null);
            }
        }
    }

    /** How many writes have failed so far. What a caller remembers of the files counts only while this number stays. */
    int failures() {
        return failures.get();
    }

    /** Notes a failed write: nothing that was seen before counts. */
    void noteFailure() {
        failures.incrementAndGet();
        cleaned = false;
        settled = false;
        extended = false;
    }

    /** An error after which the state on disk is unknown. */
    StoreIOException failed(String what, Path where, IOException error) {
        noteFailure();
        return failure(what, where, error);
    }

    /** An error that changes nothing for those who write. */
    static StoreIOException failure(String what, Path where, IOException error) {
        return new StoreIOException(what, where.toString(), error);
    }

    /** Does what writes blocks, and notes if that fails. What fails otherwise is not to be done here. */
    void writing(Runnable action) {
        try {
            action.run();
        } catch (StoreDamagedException e) {
            // Nothing that was written failed.
            throw e;
        } catch (StoreIOException e) {
            noteFailure();
            throw e;
        }
    }

    /**
     * Puts a file in the place of another, or removes it, in folders that are made if they are not there.
     *
     * @param what what could not be done, if that fails
     */
    void write(String what, Path file, byte @Nullable [] bytes) {
        try {
            clean();
            createAround(file);
            if (bytes == null) {
                SmallFiles.remove(disk, file);
            } else {
                SmallFiles.replace(disk, file, bytes);
            }
        } catch (IOException e) {
            throw failed(what, file, e);
        }
    }

    private void createAround(Path file) throws IOException {
        Path around = Disk.parent(file);
        if (!around.equals(path.toAbsolutePath())) {
            createAround(around);
            Disk.createDurably(disk, around);
        }
    }

    /** Puts a file in the place of another in the folder itself, or an empty one if the disk has no space for the bytes. */
    void writeOrEmpty(String what, Path file, byte[] bytes) {
        try {
            clean();
            SmallFiles.replaceOrEmpty(disk, file, bytes);
        } catch (IOException e) {
            throw failed(what, file, e);
        }
    }

    /** Makes the layout 3, unless the layout before it has what a name of a branch or a tag needs. Rule REP25. */
    void checkLayout(String name) {
        if (name.contains("/")) {
            extendLayout();
        }
    }

    /** Makes the layout 3 at least: what is written next, an older program would take for damage. */
    void extendLayout() {
        if (extended) {
            return;
        }
        configure(Configuration::extended);
        try {
            // Another writer may have replaced it, and have failed to make that durable.
            disk.syncDirectory(path);
        } catch (IOException e) {
            throw failed("cannot make the configuration durable", path.resolve("config"), e);
        }
        extended = true;
    }

    /** Gives the repository an id if it has none, because an older version has made it (REP3). */
    void identify() {
        if (!identified) {
            configure(Configuration::identified);
            identified = true;
        }
    }

    /** The bytes of the configuration. */
    byte[] configuration() {
        Path config = path.resolve("config");
        try {
            return SmallFiles.read(disk, config);
        } catch (IOException e) {
            throw failure("cannot read the configuration", config, e);
        }
    }

    /** Replaces the configuration, if a function gives another one for it. */
    void configure(UnaryOperator<byte[]> change) {
        Path config = path.resolve("config");
        byte[] before = configuration();
        byte[] after;
        try {
            after = change.apply(before);
        } catch (IllegalArgumentException e) {
            throw RepositoryException.damaged(
                    "cannot read the configuration: " + config + ": " + e.getMessage(), "restore it from a copy", e);
        }
        if (!Arrays.equals(before, after)) {
            write("cannot write the configuration", config, after);
        }
    }

    /**
     * Syncs the names of the repository and of the files in it. The process that created it may have been killed before that.
     *
     * @throws StoreIOException if that failed
     */
    void settle() {
        if (settled) {
            return;
        }
        try {
            disk.syncDirectory(path);
            Disk.syncParent(disk, path);
        } catch (IOException e) {
            throw failed("cannot make the repository safe", path, e);
        }
        settled = true;
    }

    /** Settles the folder, and removes temporary files of ended writers. The caller holds the lock, so no other process is writing. */
    void clean() throws IOException {
        if (cleaned) {
            return;
        }
        settle();
        List<Path> folders = Stream.of("heads", "tags", DerivedRootFiles.FOLDER)
                .map(path::resolve)
                .filter(disk::isDirectory)
                .toList();
        for (Path each : Stream.of(Stream.of(path), folders.stream(), Trackings.folders(this))
                .flatMap(all -> all)
                .toList()) {
            for (Path file : disk.list(each)) {
                if (SmallFiles.isTemporary(file)) {
                    disk.delete(file);
                }
            }
        }
        cleaned = true;
    }
}
