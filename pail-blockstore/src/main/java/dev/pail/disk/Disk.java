package dev.pail.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Files and folders, with what it takes to keep them through a loss of power. What was written to a file is safe when
 * {@link WritableFile#force} returned; that a file has its name, when {@link #forceFolder} returned for its folder.
 *
 * <p>All methods may be called by several threads at once, and are not disturbed by an interrupt.
 *
 * <pre>{@code
 * Disk disk = Disk.system(); // Disk.unsynced() for tests that need not survive a loss of power
 * Path list = folder.resolve("list");
 * Disk.write(disk, list, "milk".getBytes(StandardCharsets.UTF_8)); // a new file
 * disk.forceFolder(folder); // its name is durable as well
 * byte[] bytes = disk.read(list, 1000); // at most 1000 bytes
 * }</pre>
 */
public interface Disk {
    /** The disk of this machine. */
    static Disk system() {
        return SystemDisk.SYNCED;
    }

    /**
     * The disk of the operating system, where nothing is ever forced: what was written outlasts the end of the process, but not a loss of
     * power.
     */
    static Disk unsynced() {
        return SystemDisk.UNSYNCED;
    }

    /** The folder around a file or folder; of the root, itself. */
    static Path around(Path path) {
        Path absolute = path.toAbsolutePath();
        Path parent = absolute.getParent();
        return parent == null ? absolute : parent;
    }

    /**
     * What is known of something that has a name.
     *
     * @param isFile whether it is a regular file; links are not followed
     * @param size in bytes
     */
    record Facts(boolean isFile, long size, Instant modified) {}

    /**
     * Creates a folder, if it is not there, and makes safe that it is: whoever has created it may have been killed before that. The one
     * around it must be there.
     */
    static void createSafely(Disk disk, Path folder) throws IOException {
        if (disk.isFolder(folder)) {
            forceName(disk, folder);
        } else {
            disk.createFolder(folder);
            disk.forceFolder(around(folder));
        }
    }

    /** Makes safe that a folder is there which somebody has created. */
    static void forceName(Disk disk, Path folder) throws IOException {
        try {
            disk.forceFolder(around(folder));
        } catch (AccessDeniedException e) {
            // Whoever may not read the folder around it has not created it, and cannot do more than its creator.
            return;
        }
    }

    /** Writes a file that is not there yet, and makes safe what is in it; it is removed again if that fails. */
    static void write(Disk disk, Path file, byte[] bytes) throws IOException {
        try (WritableFile out = disk.create(file)) {
            out.write(bytes);
            out.force();
        } catch (IOException e) {
            deleteQuietly(disk, file, e);
            throw e;
        }
    }

    /** Removes a file that is of no use after an error. */
    static void deleteQuietly(Disk disk, Path file, IOException error) {
        try {
            disk.delete(file);
        } catch (IOException e) {
            error.addSuppressed(e);
        }
    }

    /** Sets the time stamp of a file, and says whether that could be done: as a rule only who owns it may. */
    static boolean tryTouch(Disk disk, Path file, Instant time) {
        try {
            disk.touch(file, time);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * What tells a folder from all others for as long as a file that was in it is open, whatever name the folder has; null, if there
     * is no folder of this name, or nothing that tells it.
     */
    default @Nullable Object identity(Path folder) throws IOException {
        return null;
    }

    /** A file that is being written. */
    interface WritableFile extends AutoCloseable {
        /** Writes all of these bytes. */
        void write(byte[] bytes) throws IOException;

        /**
         * Overwrites bytes in place, from a position of the file on, and makes them safe. If the file is already that long, this costs
         * less than {@link #write} and {@link #force}, because only data changes.
         */
        default void writeSafely(long position, byte[] bytes) throws IOException {
            seek(position);
            write(bytes);
            force();
        }

        /** Goes to a position of the file, from which on is written next. */
        void seek(long position) throws IOException;

        /** Makes safe what was written. */
        void force() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** A file that is open for reading. For use by several threads at once. */
    interface ReadableFile extends AutoCloseable {
        /**
         * Reads up to so many bytes from a position of the file on.
         *
         * @return how many were read: fewer than were asked for only where the file ends
         */
        int read(long position, byte[] target, int from, int length) throws IOException;

        /** How large the file is now, in bytes. */
        long size() throws IOException;

        @Override
        void close() throws IOException;
    }

    /** A lock that is held. */
    interface Lock extends AutoCloseable {
        @Override
        void close();
    }

    /** Starts a file that is not there yet. */
    WritableFile create(Path file) throws IOException;

    /** Goes on at the end of a file, which is created if it is not there. */
    WritableFile append(Path file) throws IOException;

    /** Cuts off what is behind so many bytes of a file, and makes safe that it is gone. */
    void truncate(Path file, long size) throws IOException;

    /** Opens a file, to read parts of it. */
    ReadableFile open(Path file) throws IOException;

    /** The bytes of a file, of which there must be no more than {@code maxSize}. */
    byte[] read(Path file, int maxSize) throws IOException;

    /**
     * Whether there is something of this name. Where that is enough, nothing else should be asked of a file that is written to: a file
     * system that was asked for a file's times keeps them more exactly, and has more to write with the next sync.
     */
    boolean exists(Path file);

    /** What is known of a file. Empty if there is nothing of this name. */
    Optional<Facts> facts(Path file) throws IOException;

    /** Whether there is a folder of this name. */
    boolean isFolder(Path folder);

    /** Makes safe what is in a file already. */
    void force(Path file) throws IOException;

    /** Sets when a file is said to have been modified. That may be undone if the power is lost. */
    void touch(Path file, Instant time) throws IOException;

    /** Gives a file another name, at once and in the place of a file that had it. */
    void rename(Path from, Path to) throws IOException;

    /** Makes safe which names are in a folder. */
    void forceFolder(Path folder) throws IOException;

    /** Creates a folder, if it is not there, in one that is. A link to a folder is none. */
    void createFolder(Path folder) throws IOException;

    /** What is in a folder, in the order of the names. */
    List<Path> list(Path folder) throws IOException;

    /** Removes a file, if it is there. */
    void delete(Path file) throws IOException;

    /**
     * Takes the lock that a file stands for, if nobody has it: no other process, and nobody in this one. The file is created
     * if it is not there, and nothing else may ever open it.
     *
     * @param holder what others who want the lock can read in the file
     */
    Optional<Lock> tryLock(Path file, String holder) throws IOException;

    /** What who holds a lock wrote into its file, as far as that can be read. */
    String holder(Path file);

    /** The time of this disk's clock. */
    Instant now();

    /** Lets so much time pass. */
    void pause(long milliseconds);
}
