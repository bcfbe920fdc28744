package dev.pail.server.access;

import dev.pail.StoreIOException;
import dev.pail.repository.model.RepositoryException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A file that only its owner may read: tokens, or a private key. Immutable. */
public final class SecretFile {
    /** In bytes: more than any list of tokens and any chain of certificates takes. */
    private static final int MOST = 1 << 20;

    private static final Set<PosixFilePermission> OTHERS = EnumSet.complementOf(EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE));

    private final Path path;

    SecretFile(Path path) {
        this.path = path;
    }

    /** What differs between two states of a file. */
    record State(FileTime mtime, long size, @Nullable Object key) {
        /** A change right after this state was seen can leave the same time, so an equal state says nothing before this. */
        private static final Duration GRANULARITY = Duration.ofSeconds(2);

        /** Whether a file of this state has not changed if it has an equal state later. */
        boolean isSettled() {
            return mtime.toInstant().isBefore(Instant.now().minus(GRANULARITY));
        }
    }

    /**
     * The state of the file.
     *
     * @throws RepositoryException if others than its owner have a permission. A file system without permissions has none to check
     * @throws StoreIOException if there is no such file
     */
    State state() {
        try {
            boolean hasPermissions =
                    path.getFileSystem().supportedFileAttributeViews().contains("posix");
            BasicFileAttributes file = hasPermissions
                    ? Files.readAttributes(path, PosixFileAttributes.class)
                    : Files.readAttributes(path, BasicFileAttributes.class);
            if (file instanceof PosixFileAttributes posix
                    && posix.permissions().stream().anyMatch(OTHERS::contains)) {
                throw refused(
                        "others than its owner may use this file",
                        "give it the mode 600, and new secrets if others have read it");
            }
            return new State(file.lastModifiedTime(), file.size(), file.fileKey());
        } catch (IOException e) {
            throw new StoreIOException("cannot read", path.toString(), e);
        }
    }

    /** The bytes of the file. Throws as {@link #state} does. */
    byte[] read() {
        state();
        return readPublic(path);
    }

    /** The bytes of a file that others may read, too. */
    static byte[] readPublic(Path path) {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(MOST + 1);
            if (bytes.length > MOST) {
                throw refused(path, "more than " + MOST + " bytes", "name another file");
            }
            return bytes;
        } catch (IOException e) {
            throw new StoreIOException("cannot read", path.toString(), e);
        }
    }

    /** This file cannot be used. */
    RepositoryException refused(String why, String hint) {
        return refused(path, why, hint);
    }

    /** A file cannot be used. */
    static RepositoryException refused(Path path, String why, String hint) {
        return new RepositoryException(RepositoryException.Reason.SERVER_FILE, why + ": " + path, hint, null);
    }
}
