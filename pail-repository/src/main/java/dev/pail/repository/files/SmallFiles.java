package dev.pail.repository.files;

import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.UUID;

/** Reads and replaces files of a few lines. */
final class SmallFiles {
    /** More than the file of a head of 1,000 events needs. */
    static final int MAX_SIZE = 64 * 1024;

    private static final String TEMPORARY = ".tmp-";

    private SmallFiles() {}

    /**
     * The bytes of a file.
     *
     * @throws IllegalArgumentException if it is none, or has more than a few lines
     */
    static byte[] read(Disk disk, Path file) throws IOException {
        return read(disk, file, MAX_SIZE);
    }

    /**
     * The bytes of a file.
     *
     * @throws IllegalArgumentException if it is none, or has more bytes than there may be
     */
    static byte[] read(Disk disk, Path file, int maxSize) throws IOException {
        Disk.FileStatus status = disk.status(file).orElseThrow(() -> new NoSuchFileException(file.toString()));
        if (!status.isFile()) {
            throw new IllegalArgumentException("it is no file");
        }
        if (status.size() > maxSize) {
            throw new IllegalArgumentException(status.size() + " bytes, where there should be a few lines");
        }
        return disk.read(file, maxSize);
    }

    /** An unused name for a file that will replace another. */
    static Path temporary(Path file) {
        return file.resolveSibling(TEMPORARY + UUID.randomUUID());
    }

    static boolean isTemporary(Path file) {
        return String.valueOf(file.getFileName()).startsWith(TEMPORARY);
    }

    /** Replaces a file atomically. Rule REP16. */
    static void replace(Disk disk, Path file, byte[] bytes) throws IOException {
        Path temporary = temporary(file);
        Disk.write(disk, temporary, bytes);
        replace(disk, file, temporary);
    }

    /** Replaces a file in a folder of derived ones, which is made if it is not there. After a loss of power, either file may be there, or none. */
    static void replaceUnsynced(Disk disk, Path file, byte[] bytes) throws IOException {
        disk.createDirectory(Disk.parent(file));
        Path temporary = temporary(file);
        Disk.write(disk, temporary, bytes);
        rename(disk, temporary, file);
    }

    private static void rename(Disk disk, Path temporary, Path file) throws IOException {
        try {
            disk.rename(temporary, file);
        } catch (IOException e) {
            Disk.deleteQuietly(disk, temporary, e);
            throw e;
        }
    }

    /** Replaces a file atomically. If the disk has no space for the bytes, replaces it with an empty file, which needs none. */
    static void replaceOrEmpty(Disk disk, Path file, byte[] bytes) throws IOException {
        Path temporary = temporary(file);
        try {
            Disk.write(disk, temporary, bytes);
        } catch (IOException e) {
            temporary = temporary(file);
            try {
                Disk.write(disk, temporary, new byte[0]);
            } catch (IOException again) {
                e.addSuppressed(again);
                throw e;
            }
        }
        replace(disk, file, temporary);
    }

    private static void replace(Disk disk, Path file, Path temporary) throws IOException {
        rename(disk, temporary, file);
        syncName(disk, file, "replaced");
    }

    /** Removes a file, if it exists. */
    static void remove(Disk disk, Path file) throws IOException {
        disk.delete(file);
        syncName(disk, file, "removed");
    }

    private static void syncName(Disk disk, Path file, String done) throws IOException {
        try {
            disk.syncDirectory(Disk.parent(file));
        } catch (IOException e) {
            throw new IOException(
                    "it was " + done + ", which may be undone if the power is lost: " + StoreIOException.reason(e), e);
        }
    }
}
