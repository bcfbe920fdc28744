package dev.pail.testkit.disk;

import dev.pail.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A disk with a fault: of the calls that the fault concerns, one fails, or all from one on.
 *
 * <pre>{@code
 * FaultyDisk disk = new FaultyDisk(new CrashDisk(), Fault.SYNC, 1, false); // the first sync fails
 * BlockStore store = DirectoryBlockStore.open(disk, Path.of("/store"));
 * Assertions.assertThrows(StoreIOException.class, () -> store.put(Block.of(Cid.RAW, new byte[] {1})));
 * FaultyDisk.Failed failed = disk.failed().orElseThrow(); // the call, and its file
 * }</pre>
 */
public final class FaultyDisk implements Disk {
    private final Disk disk;
    private final Fault fault;
    private final long failing;
    private final boolean forever;
    private long calls;
    private final List<Failed> failed = new ArrayList<>();
    private final List<Fault.Call> made = new ArrayList<>();

    /** A call that has failed. */
    public record Failed(Fault.Call call, Path file) {}

    /** @param failing which of the calls that the fault concerns fails, from 1; 0 for none */
    public FaultyDisk(Disk disk, Fault fault, long failing, boolean forever) {
        this.disk = disk;
        this.fault = fault;
        this.failing = failing;
        this.forever = forever;
    }

    /** Returns the number of calls so far that the fault concerns. */
    public synchronized long calls() {
        return calls;
    }

    /** Returns all calls that the fault concerns, in order. */
    public synchronized List<Fault.Call> made() {
        return List.copyOf(made);
    }

    /** The first call that has failed. */
    public synchronized Optional<Failed> failed() {
        return failed.stream().findFirst();
    }

    /** All calls that have failed, in order. */
    public synchronized List<Failed> allFailed() {
        return List.copyOf(failed);
    }

    private interface Action<T> {
        T run() throws IOException;
    }

    private interface Effect {
        void run() throws IOException;
    }

    private synchronized boolean isFailing(Fault.Call call) {
        if (!fault.isOf(call)) {
            return false;
        }
        calls++;
        made.add(call);
        return failing > 0 && (forever ? calls >= failing : calls == failing);
    }

    private synchronized IOException error(Fault.Call call, Path file) {
        failed.add(new Failed(call, file));
        return fault.error(file);
    }

    private <T> T call(Fault.Call call, Path file, Action<T> action) throws IOException {
        boolean fails = isFailing(call);
        if (fails && fault != Fault.BEHIND) {
            throw error(call, file);
        }
        T result = action.run();
        if (fails) {
            IOException error = error(call, file);
            if (result instanceof AutoCloseable open) {
                closeQuietly(open);
            }
            throw error;
        }
        return result;
    }

    private static void closeQuietly(AutoCloseable open) throws IOException {
        try {
            open.close();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }

    private void run(Fault.Call call, Path file, Effect effect) throws IOException {
        call(call, file, () -> {
            effect.run();
            return true;
        });
    }

    /** A file is always closed in fact: what fails is only what is said of it. */
    private void closeAnyway(Fault.Call call, Path file, Effect effect) throws IOException {
        boolean fails = isFailing(call);
        effect.run();
        if (fails) {
            throw error(call, file);
        }
    }

    /** Returns how many of {@code length} bytes fit before the disk is full: none, all but one, or a number between. */
    private int partOf(int length) {
        return (int) (failing % 3 * Math.max(0, length - 1) / 2);
    }

    private final class Faulty implements WritableFile {
        private final WritableFile file;
        private final Path path;

        Faulty(WritableFile file, Path path) {
            this.file = file;
            this.path = path;
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            if (fault != Fault.SHORT_WRITE) {
                run(Fault.Call.WRITE, path, () -> file.write(bytes));
                return;
            }
            boolean fails = isFailing(Fault.Call.WRITE);
            file.write(fails ? Arrays.copyOf(bytes, partOf(bytes.length)) : bytes);
            if (fails) {
                throw error(Fault.Call.WRITE, path);
            }
        }

        @Override
        public void seek(long position) throws IOException {
            file.seek(position);
        }

        @Override
        public void sync() throws IOException {
            run(Fault.Call.SYNC, path, file::sync);
        }

        @Override
        public void close() throws IOException {
            closeAnyway(Fault.Call.CLOSE, path, file::close);
        }
    }

    private final class FaultyReadable implements ReadableFile {
        private final ReadableFile file;
        private final Path path;

        FaultyReadable(ReadableFile file, Path path) {
            this.file = file;
            this.path = path;
        }

        @Override
        public int read(long position, byte[] target, int from, int length) throws IOException {
            return call(Fault.Call.READ, path, () -> file.read(position, target, from, length));
        }

        @Override
        public long size() throws IOException {
            return call(Fault.Call.SIZE, path, file::size);
        }

        @Override
        public void close() throws IOException {
            closeAnyway(Fault.Call.CLOSE_READABLE, path, file::close);
        }
    }

    @Override
    public ReadableFile open(Path file) throws IOException {
        return call(Fault.Call.OPEN, file, () -> new FaultyReadable(disk.open(file), file));
    }

    @Override
    public WritableFile create(Path file) throws IOException {
        return call(Fault.Call.CREATE, file, () -> new Faulty(disk.create(file), file));
    }

    @Override
    public WritableFile append(Path file) throws IOException {
        return call(Fault.Call.APPEND, file, () -> new Faulty(disk.append(file), file));
    }

    @Override
    public void truncate(Path file, long size) throws IOException {
        run(Fault.Call.TRUNCATE, file, () -> disk.truncate(file, size));
    }

    @Override
    public byte[] read(Path file, int maxSize) throws IOException {
        return call(Fault.Call.READ, file, () -> disk.read(file, maxSize));
    }

    @Override
    public Optional<FileStatus> status(Path file) throws IOException {
        return call(Fault.Call.STATUS, file, () -> disk.status(file));
    }

    @Override
    public boolean exists(Path file) {
        return disk.exists(file);
    }

    @Override
    public boolean isDirectory(Path folder) {
        return disk.isDirectory(folder);
    }

    @Override
    public void sync(Path file) throws IOException {
        run(Fault.Call.SYNC, file, () -> disk.sync(file));
    }

    @Override
    public void setMtime(Path file, Instant time) throws IOException {
        run(Fault.Call.SET_MTIME, file, () -> disk.setMtime(file, time));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        run(Fault.Call.RENAME, to, () -> disk.rename(from, to));
    }

    @Override
    public void syncDirectory(Path folder) throws IOException {
        run(Fault.Call.SYNC_DIRECTORY, folder, () -> disk.syncDirectory(folder));
    }

    @Override
    public void createDirectory(Path folder) throws IOException {
        run(Fault.Call.CREATE_DIRECTORY, folder, () -> disk.createDirectory(folder));
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        return call(Fault.Call.LIST, folder, () -> disk.list(folder));
    }

    @Override
    public void delete(Path file) throws IOException {
        run(Fault.Call.DELETE, file, () -> disk.delete(file));
    }

    @Override
    public Optional<Lock> tryLock(Path file, String holder) throws IOException {
        return call(Fault.Call.LOCK, file, () -> disk.tryLock(file, holder));
    }

    @Override
    public String holder(Path file) {
        return disk.holder(file);
    }

    @Override
    public Instant now() {
        return disk.now();
    }

    @Override
    public void pause(long milliseconds) {
        disk.pause(milliseconds);
    }
}
