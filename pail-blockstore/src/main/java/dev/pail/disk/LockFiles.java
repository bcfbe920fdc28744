package dev.pail.disk;

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
 * The locks of this process, by the files that stand for them. A kernel lock belongs to the process and goes when any of its
 * channels on the file is closed, so a file is open once here, by whatever name. Those that were used last stay open, for who
 * takes the same lock for each put.
 */
final class LockFiles {
    private static final int MOST_OPEN = 8;
    private static final int MOST_HOLDER = 1000;

    private static final class LockFile {
        final Path path;
        final RandomAccessFile opened;
        String holder = "";

        @Nullable
        FileLock lock;

        /** Whether Java may take it for held, although it is not, until it is closed: that is left to the next one who tries. */
        boolean unsure;

        LockFile(Path path, RandomAccessFile opened) {
            this.path = path;
            this.opened = opened;
        }

        /** Writes who holds it, if that is not there: to write it anew would make the next sync of any file slower. */
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

    /** Lets go of a lock of the kernel. */
    interface Unlocking {
        void unlock(FileLock lock) throws IOException;
    }

    private final Unlocking unlocking;

    /** By what the system knows a file by; those that were used last at the end. */
    private final Map<Object, LockFile> files = new LinkedHashMap<>(16, 0.75f, true);

    LockFiles() {
        this(FileLock::release);
    }

    LockFiles(Unlocking unlocking) {
        this.unlocking = unlocking;
    }

    /** What a file is known by, whatever it is called; null if there is none. */
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
            // Another process was about to take it, too.
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

    /** Lets go of a lock; where that fails, by closing the file, with which it goes, too. */
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

    private void close(LockFile file) throws IOException {
        file.unsure = true;
        FileDescriptor descriptor = file.opened.getFD();
        IOException failed = null;
        try {
            // The file's own close lets go of the lock first, and where that fails again, leaves it open for good.
            new FileOutputStream(descriptor).close();
        } catch (IOException e) {
            failed = e;
        }
        if (descriptor.valid()) {
            throw failed != null ? failed : new IOException("cannot be closed");
        }
        files.values().remove(file);
    }

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
