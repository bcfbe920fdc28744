package dev.pail.disk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.trace.Trace;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The disk of this machine. It uses {@link RandomAccessFile}, since an interrupt closes a channel. */
final class SystemDisk implements Disk {
    static final SystemDisk SYNCED = new SystemDisk(Syncs.DONE);

    /** The same files, without syncs. */
    static final SystemDisk UNSYNCED = new SystemDisk(Syncs.SKIPPED);

    /** Shared by both: a process cannot lock a file twice. */
    private static final LockFiles LOCKS = new LockFiles();

    /** Whether a sync reaches the disk. */
    private enum Syncs {
        DONE,
        SKIPPED
    }

    private final boolean syncs;

    private SystemDisk(Syncs syncs) {
        this.syncs = syncs == Syncs.DONE;
    }

    @Override
    public OptionalLong usableBytes(Path folder) throws IOException {
        return OptionalLong.of(Files.getFileStore(folder).getUsableSpace());
    }

    private final class SystemFile implements WritableFile {
        private final Path path;
        private final RandomAccessFile file;

        /** The same file, opened so that each write is durable. */
        private @Nullable RandomAccessFile durable;

        SystemFile(Path path, RandomAccessFile file) {
            this.path = path;
            this.file = file;
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            file.write(bytes);
        }

        @Override
        public void seek(long position) throws IOException {
            file.seek(position);
        }

        @Override
        public void writeDurably(long position, byte[] bytes) throws IOException {
            RandomAccessFile to = durable;
            if (to == null) {
                to = new RandomAccessFile(path.toFile(), syncs ? "rwd" : "rw");
                durable = to;
            }
            to.seek(position);
            Trace.Span span = syncs ? Trace.sync(path) : Trace.Span.NONE;
            to.write(bytes);
            span.close();
        }

        @Override
        public void sync() throws IOException {
            SystemDisk.this.sync(path, file);
        }

        @Override
        public void close() throws IOException {
            RandomAccessFile other = durable;
            durable = null;
            try (file) {
                if (other != null) {
                    other.close();
                }
            }
        }
    }

    private static final class SystemReadableFile implements ReadableFile {
        /** Guarded because a read moves its position. */
        @GuardedBy("this")
        private final RandomAccessFile file;

        SystemReadableFile(RandomAccessFile file) {
            this.file = file;
        }

        @Override
        public synchronized int read(long position, byte[] target, int from, int length) throws IOException {
            file.seek(position);
            int done = 0;
            while (done < length) {
                int count = file.read(target, from + done, length - done);
                if (count < 0) {
                    break;
                }
                done += count;
            }
            return done;
        }

        @Override
        public synchronized long size() throws IOException {
            return file.length();
        }

        @Override
        public synchronized void close() throws IOException {
            file.close();
        }
    }

    private void sync(Path path, RandomAccessFile file) throws IOException {
        if (syncs) {
            Trace.Span span = Trace.sync(path);
            file.getFD().sync();
            span.close();
        }
    }

    @Override
    public ReadableFile open(Path file) throws IOException {
        return new SystemReadableFile(openToRead(file));
    }

    private static RandomAccessFile openToRead(Path file) throws IOException {
        return open(file, "r", AccessMode.READ);
    }

    static RandomAccessFile openToWrite(Path file) throws IOException {
        return open(file, "rw", AccessMode.READ, AccessMode.WRITE);
    }

    private static RandomAccessFile open(Path file, String mode, AccessMode... needed) throws IOException {
        // Opening a named pipe blocks until another process writes to it.
        if (!Files.isRegularFile(file) && Files.exists(file) && !Files.isDirectory(file)) {
            throw new FileSystemException(file.toString(), null, "a pipe or a device, not a file");
        }
        try {
            return new RandomAccessFile(file.toFile(), mode);
        } catch (FileNotFoundException e) {
            // Every failure has this type; the check throws a more precise one.
            file.getFileSystem().provider().checkAccess(file, needed);
            throw Files.isDirectory(file) ? new FileSystemException(file.toString(), null, "a folder, not a file") : e;
        }
    }

    @Override
    public WritableFile create(Path file) throws IOException {
        Files.createFile(file);
        return new SystemFile(file, openToWrite(file));
    }

    @Override
    public WritableFile append(Path file) throws IOException {
        RandomAccessFile opened = openToWrite(file);
        try {
            opened.seek(opened.length());
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        return new SystemFile(file, opened);
    }

    @Override
    public void truncate(Path file, long size) throws IOException {
        try (RandomAccessFile opened = openToWrite(file)) {
            opened.setLength(Math.min(size, opened.length()));
            sync(file, opened);
        }
    }

    @Override
    public byte[] read(Path file, int maxSize) throws IOException {
        try (RandomAccessFile opened = openToRead(file)) {
            long size = opened.length();
            if (size > maxSize) {
                throw new IOException(size + " bytes, more than the " + maxSize + " that can be read");
            }
            byte[] bytes = new byte[(int) size];
            opened.readFully(bytes);
            return bytes;
        }
    }

    @Override
    public boolean exists(Path file) {
        return Files.exists(file);
    }

    @Override
    public Optional<FileStatus> status(Path file) throws IOException {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return Optional.of(new FileStatus(
                    attributes.isRegularFile(),
                    attributes.size(),
                    attributes.lastModifiedTime().toInstant()));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public @Nullable Object identity(Path folder) throws IOException {
        try {
            return Files.readAttributes(folder, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    @Override
    public boolean isDirectory(Path folder) {
        return Files.isDirectory(folder);
    }

    @Override
    public void sync(Path file) throws IOException {
        try (RandomAccessFile opened = openToRead(file)) {
            sync(file, opened);
        }
    }

    @Override
    public void setMtime(Path file, Instant time) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(time));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Opening a named pipe as a folder blocks until another process writes to it. */
    private static void checkFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder) && Files.exists(folder)) {
            throw new NotDirectoryException(folder.toString());
        }
    }

    @Override
    public void syncDirectory(Path folder) throws IOException {
        checkFolder(folder);
        if (!syncs) {
            return;
        }
        // An interrupt closes the channel, but says nothing of the disk: then it is done again.
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                    Trace.Span span = Trace.sync(folder);
                    channel.force(true);
                    span.close();
                    return;
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void createDirectory(Path folder) throws IOException {
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
        }
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        checkFolder(folder);
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            return sorted(stream);
        }
    }

    static List<Path> sorted(DirectoryStream<Path> stream) throws IOException {
        List<Path> paths = new ArrayList<>();
        try {
            stream.forEach(paths::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        Collections.sort(paths);
        return paths;
    }

    @Override
    public Optional<Watch> watch(Path folder) {
        return FolderWatch.open(folder);
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public Optional<Lock> tryLock(Path file, String holder) throws IOException {
        return LOCKS.tryLock(file, holder);
    }

    @Override
    public String holder(Path file) {
        return LOCKS.holder(file);
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public void pause(long milliseconds) {
        pause(milliseconds, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
    }

    /** Sleeps for a time in nanoseconds, unless it is interrupted. */
    interface Sleeper {
        void sleep(long nanoseconds) throws InterruptedException;
    }

    static void pause(long milliseconds, LongSupplier clock, Sleeper sleeper) {
        long end = clock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(milliseconds);
        boolean interrupted = Thread.interrupted();
        try {
            for (long left = end - clock.getAsLong(); left > 0; left = end - clock.getAsLong()) {
                try {
                    sleeper.sleep(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
