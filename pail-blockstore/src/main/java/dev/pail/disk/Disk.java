package dev.pail.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Files and folders, with the calls that make them durable. The bytes of a file survive a loss of power when {@link WritableFile#sync}
 * has returned; its name survives when {@link #syncDirectory} has returned for its folder.
 *
 * <p>Safe for use by several threads. An interrupt does not disturb a call.
 *
 * <pre>{@code
 * Disk disk = Disk.system(); // Disk.unsynced() for tests that need not survive a loss of power
 * Path list = folder.resolve("list");
 * Disk.write(disk, list, "milk".getBytes(StandardCharsets.UTF_8)); // a new file
 * disk.syncDirectory(folder); // its name is durable, too
 * byte[] bytes = disk.read(list, 1000); // at most 1000 bytes
 * }</pre>
 */
public interface Disk {
    /** The disk of this machine. */
    static Disk system() {
        return SystemDisk.SYNCED;
    }

    /**
     * The disk of this machine without syncs: what was written survives the end of the process, but not a loss of power.
     */
    static Disk unsynced() {
        return SystemDisk.UNSYNCED;
    }

    /** The folder that contains a file or folder; for the root, the root. */
    static Path parent(Path path) {
        Path absolute = path.toAbsolutePath();
        Path parent = absolute.getParent();
        return parent == null ? absolute : parent;
    }

    /**
     * The attributes of a file or folder.
     *
     * @param isFile whether it is a regular file; links are not followed
     * @param size in bytes
     * @param mtime when it was last modified
     */
    record FileStatus(boolean isFile, long size, Instant mtime) {
        /** Refuses null. */
        public FileStatus {
            Objects.requireNonNull(mtime, "mtime");
        }
    }

    /**
     * Creates a folder durably. If it exists, syncs its name: its creator may have been killed before that. Its parent must exist.
     */
    static void createDurably(Disk disk, Path folder) throws IOException {
        if (disk.isDirectory(folder)) {
            syncParent(disk, folder);
        } else {
            disk.createDirectory(folder);
            disk.syncDirectory(parent(folder));
        }
    }

    /** Syncs the name of a folder that another process may have created. */
    static void syncParent(Disk disk, Path folder) throws IOException {
        try {
            disk.syncDirectory(parent(folder));
        } catch (AccessDeniedException e) {
            // A process that may not read the parent has not created the folder, and cannot sync its name.
            return;
        }
    }

    /** Writes a new file, and syncs it. Removes it again if that fails. */
    static void write(Disk disk, Path file, byte[] bytes) throws IOException {
        Objects.requireNonNull(bytes, "bytes");
        try (WritableFile out = disk.create(file)) {
            out.write(bytes);
            out.sync();
        } catch (IOException e) {
            deleteQuietly(disk, file, e);
            throw e;
        }
    }

    /** Removes a file after an error. */
    static void deleteQuietly(Disk disk, Path file, IOException error) {
        try {
            disk.delete(file);
        } catch (IOException e) {
            error.addSuppressed(e);
        }
    }

    /** Sets the mtime of a file. Returns false if the process may not: usually only the owner may. */
    static boolean trySetMtime(Disk disk, Path file, Instant time) {
        try {
            disk.setMtime(file, time);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The bytes that can still be written in a folder; empty if this is not known. */
    default OptionalLong usableBytes(Path folder) throws IOException {
        return OptionalLong.empty();
    }

    /**
     * The identity of a folder, which does not depend on its name. Valid for as long as a file in it is open. Null if there is no such
     * folder, or the system has no identity for it.
     */
    default @Nullable Object identity(Path folder) throws IOException {
        return null;
    }

    /** A file that is being written. */
    interface WritableFile extends AutoCloseable {
        /** Writes all of these bytes. */
        void write(byte[] bytes) throws IOException;

        /**
         * Overwrites bytes from a position of the file on, and syncs them. If the file is already that long, this costs less than
         * {@link #write} and {@link #sync}, because only data changes.
         */
        default void writeDurably(long position, byte[] bytes) throws IOException {
            Objects.requireNonNull(bytes, "bytes");
            seek(position);
            write(bytes);
            sync();
        }

        /** Sets the position of the next write. */
        void seek(long position) throws IOException;

        /** Makes durable what was written. */
        void sync() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** A file that is open for reading. Safe for use by several threads. */
    interface ReadableFile extends AutoCloseable {
        /**
         * Reads up to {@code length} bytes from a position of the file.
         *
         * @return how many were read: fewer than {@code length} only at the end of the file
         */
        int read(long position, byte[] target, int from, int length) throws IOException;

        /** The current size of the file, in bytes. */
        long size() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** A lock that is held. */
    interface Lock extends AutoCloseable {
        @Override
        void close();
    }

    /** Creates a file, which must not exist. */
    WritableFile create(Path file) throws IOException;

    /** Opens a file to append to it. Creates it if it does not exist. */
    WritableFile append(Path file) throws IOException;

    /** Truncates a file to a size, and syncs it. */
    void truncate(Path file, long size) throws IOException;

    /** Opens a file for reading. */
    ReadableFile open(Path file) throws IOException;

    /** The bytes of a file. It must have at most {@code maxSize}. */
    byte[] read(Path file, int maxSize) throws IOException;

    /**
     * Whether a file or folder of this name exists. Prefer this to {@link #status} for a file that is being written: after a query of
     * its times, a file system keeps them more exactly, and the next sync has more to write.
     */
    boolean exists(Path file);

    /** The attributes of a file or folder; empty if it does not exist. */
    Optional<FileStatus> status(Path file) throws IOException;

    /** Whether a folder of this name exists. */
    boolean isDirectory(Path folder);

    /** Makes durable what was written to a file before. */
    void sync(Path file) throws IOException;

    /** Sets the mtime of a file. A loss of power may undo that. */
    void setMtime(Path file, Instant time) throws IOException;

    /** Renames a file atomically. Replaces a file that had the new name. */
    void rename(Path from, Path to) throws IOException;

    /** Makes durable which names are in a folder. */
    void syncDirectory(Path folder) throws IOException;

    /** Creates a folder, unless it exists. Its parent must exist. A link to a folder is no folder. */
    void createDirectory(Path folder) throws IOException;

    /** The files and folders in a folder, ordered by name. */
    List<Path> list(Path folder) throws IOException;

    /** Removes a file, if it exists. */
    void delete(Path file) throws IOException;

    /**
     * Takes the lock of a lock file, unless another process or another caller in this process holds it. Creates the file if it does not
     * exist. Nothing else may open the file.
     *
     * @param holder text for the file that says which process holds the lock
     */
    Optional<Lock> tryLock(Path file, String holder) throws IOException;

    /** The text that the holder of a lock wrote into its file; empty if it cannot be read. */
    String holder(Path file);

    /** The time of this disk's clock. */
    Instant now();

    /** Waits. */
    void pause(long milliseconds);

    /** Lets one reader wait until names in a folder change. Any thread may close it. */
    interface Watch extends AutoCloseable {
        /**
         * Waits until a file in the folder may have been created, replaced, changed or removed since the last call returned, or this is
         * closed.
         *
         * @param atMost the longest time to wait
         */
        void await(Duration atMost) throws InterruptedException;

        /** Whether the system gives notice of every change, by any process and any machine. */
        boolean isComplete();

        /** Ends a wait; further ones end at once. May be called twice. */
        @Override
        void close();
    }

    /** Watches a folder; empty if the system gives no notice of changes in it. */
    default Optional<Watch> watch(Path folder) {
        Objects.requireNonNull(folder, "folder");
        return Optional.empty();
    }
}
