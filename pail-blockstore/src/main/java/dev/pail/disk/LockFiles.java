package dev.pail.disk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.trace.Trace;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lock files of this process. A kernel lock belongs to the process, and closing any of its channels on the file releases it. So a
 * file is open once here, even if it has several names. The most recently used files stay open, for writers that lock for each put.
 */
final class LockFiles {
    private static final int MOST_OPEN = 8;
    private static final int MOST_HOLDER = 1000;

    /** The lock of {@link LockFiles} guards all fields. */
    private static final class LockFile {
        final Path path;
        final RandomAccessFile opened;
        String holder = "";

        @Nullable
        FileLock lock;

        /** Whether Java may report the lock as held although it is not. The next attempt closes the file first. */
        boolean unsure;

        LockFile(Path path, RandomAccessFile opened) {
            this.path = path;
            this.opened = opened;
        }

        /** Writes the holder into the file, unless it is there: writing it again would make the next sync of any file slower. */
        void name(String name) throws IOException {
            byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
            if (!Arrays.equals(content(), bytes)) {
                opened.setLength(0);
                try {
                    opened.write(bytes);
                } catch (IOException e) {
                    // A collection must get the lock of a full disk. The name is only for messages.
                    Trace.swallowed("cannot write who holds a lock, which is held all the same: " + path, e);
                    opened.setLength(0);
                }
            }
            holder = name;
        }

        byte[] content() throws IOException {
            opened.seek(0);
            byte[] content = new byte[MOST_HOLDER];
            return Arrays.copyOf(content, Math.max(0, opened.read(content)));
        }
    }

    /** Releases a kernel lock. */
    interface Unlocking {
        void unlock(FileLock lock) throws IOException;
    }

    private final Unlocking unlocking;

    /** By the identity of the file; most recently used last. */
    @GuardedBy("this")
    private final Map<Object, LockFile> files = new LinkedHashMap<>(16, 0.75f, true);

    LockFiles() {
        this(FileLock::release);
    }

    LockFiles(Unlocking unlocking) {
        this.unlocking = unlocking;
    }

    /** The identity of a file, which does not depend on its name; null if the file does not exist. */
    private static @Nullable Object identity(Path file) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!attributes.isRegularFile()) {
                throw new IOException("not a file");
            }
            Object key = attributes.fileKey();
            return key != null ? key : file.toRealPath();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static Object create(Path file) throws IOException {
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
            // Another process has just created it.
        }
        Object identity = identity(file);
        if (identity == null) {
            throw new NoSuchFileException(file.toString());
        }
        return identity;
    }

    synchronized Optional<Disk.Lock> tryLock(Path file, String holder) throws IOException {
        Object identity = identity(file);
        if (identity == null) {
            identity = create(file);
        }
        LockFile known = files.get(identity);
        if (known != null && known.unsure) {
            close(known);
            known = null;
        }
        if (known == null) {
            closeEldest();
            known = new LockFile(file, SystemDisk.openToWrite(file));
            files.put(identity, known);
        }
        return known.lock == null ? tryLock(known, holder) : Optional.empty();
    }

    @GuardedBy("this")
    private Optional<Disk.Lock> tryLock(LockFile file, String holder) throws IOException {
        FileLock lock;
        try {
            lock = file.opened.getChannel().tryLock();
        } catch (OverlappingFileLockException e) {
            return Optional.empty();
        } catch (IOException | RuntimeException | Error e) {
            file.unsure = true;
            throw e;
        }
        if (lock == null) {
            return Optional.empty();
        }
        try {
            file.name(holder);
            Optional<Disk.Lock> taken = Optional.of(() -> release(file, lock));
            file.lock = lock;
            return taken;
        } catch (IOException | RuntimeException | Error e) {
            unlock(file, lock);
            throw e;
        }
    }

    @SuppressWarnings("ReferenceEquality") // A lock that was released may have been taken anew.
    private synchronized void release(LockFile file, FileLock lock) {
        if (file.lock == lock) {
            file.lock = null;
            try {
                unlock(file, lock);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot let go of the lock: " + file.path, e);
            }
        }
    }

    /** Releases a lock. If that fails, closes the file, which releases it, too. */
    @GuardedBy("this")
    private void unlock(LockFile file, FileLock lock) throws IOException {
        try {
            unlocking.unlock(lock);
        } catch (IOException e) {
            close(file);
        } catch (RuntimeException | Error e) {
            close(file);
            throw e;
        }
    }

    @GuardedBy("this")
    private void close(LockFile file) throws IOException {
        file.unsure = true;
        FileDescriptor descriptor = file.opened.getFD();
        IOException failed = null;
        try {
            // The file's own close would release the lock first. If that failed again, the file would stay open for
            // good.
            new FileOutputStream(descriptor).close();
        } catch (IOException e) {
            failed = e;
        }
        if (descriptor.valid()) {
            throw failed != null ? failed : new IOException("cannot be closed");
        }
        files.values().remove(file);
    }

    @GuardedBy("this")
    private void closeEldest() throws IOException {
        Iterator<LockFile> eldest = files.values().iterator();
        for (int open = files.size(); open >= MOST_OPEN && eldest.hasNext(); open--) {
            LockFile file = eldest.next();
            if (file.lock == null) {
                eldest.remove();
                file.opened.close();
            }
        }
    }

    synchronized String holder(Path file) {
        try {
            Object identity = identity(file);
            LockFile known = identity == null ? null : files.get(identity);
            if (known != null && known.lock != null) {
                return known.holder;
            }
            byte[] content = known != null ? known.content() : SystemDisk.SYNCED.read(file, MOST_HOLDER);
            return new String(content, StandardCharsets.ISO_8859_1).strip();
        } catch (IOException e) {
            Trace.swallowed("cannot read who holds a lock: " + file, e);
            return "";
        }
    }
}
