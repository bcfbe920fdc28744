package dev.pail.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Files and folders, with what it takes to keep them through a loss of power. What was written to a file is safe when
 * {@link WritableFile#force} returned; that a file has its name, when {@link #forceFolder} returned for its folder.
 *
 * <p>All methods may be called by several threads at once, and are not disturbed by an interrupt.
 */
public interface Disk {
    /** The disk of this machine. */
    static Disk system() {
        return SystemDisk.INSTANCE;
    }

    /** The folder around a file or folder; of the root, itself. */
    static Path around(Path path) {
        Path absolute = path.toAbsolutePath();
        Path parent = absolute.getParent();
        return parent == null ? absolute : parent;
    }

    /** What is known of a regular file. */
    record FileFacts(long size, Instant modified) {}

    /** A file that is being written. */
    interface WritableFile extends AutoCloseable {
        /** Writes all of these bytes. */
        void write(byte[] bytes) throws IOException;

        /** Makes safe what was written. */
        void force() throws IOException;

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

    /** The bytes of a file, of which there must be no more than {@code maxSize}. */
    byte[] read(Path file, int maxSize) throws IOException;

    /** What is known of a file. Empty if there is nothing of this name; links are not followed. */
    Optional<FileFacts> facts(Path file) throws IOException;

    /** Whether there is a folder of this name. */
    boolean isFolder(Path folder);

    /** Makes safe what is in a file already. */
    void force(Path file) throws IOException;

    /** Gives a file another name, at once and in the place of a file that had it. */
    void rename(Path from, Path to) throws IOException;

    /** Makes safe which names are in a folder. */
    void forceFolder(Path folder) throws IOException;

    /** Creates a folder, if it is not there, in one that is. */
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
