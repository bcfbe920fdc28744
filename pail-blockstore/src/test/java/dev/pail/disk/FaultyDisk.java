package dev.pail.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A disk of which one call fails, or all from one on: before it has done anything, or behind it. */
public final class FaultyDisk implements Disk {
    /** When a call fails. */
    public enum When {
        BEFORE,
        BEHIND
    }

    private final Disk disk;
    private final long failing;
    private final boolean forever;
    private final When when;
    private long calls;

    /** @param failing the number of the call that fails, from 1; 0 for none */
    public FaultyDisk(Disk disk, long failing, boolean forever, When when) {
        this.disk = disk;
        this.failing = failing;
        this.forever = forever;
        this.when = when;
    }

    /** How many calls there were. */
    public synchronized long calls() {
        return calls;
    }

    private interface Action<T> {
        T run() throws IOException;
    }

    private synchronized boolean isFailing() {
        calls++;
        return failing > 0 && (forever ? calls >= failing : calls == failing);
    }

    private <T> T call(String what, Path file, Action<T> action) throws IOException {
        boolean fails = isFailing();
        if (fails && when == When.BEFORE) {
            throw new IOException("injected: " + what + " " + file.getFileName());
        }
        T result = action.run();
        if (fails) {
            if (result instanceof AutoCloseable open) {
                closeQuietly(open);
            }
            throw new IOException("injected behind: " + what + " " + file.getFileName());
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

    private void run(String what, Path file, Action<?> action) throws IOException {
        call(what, file, action::run);
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
            run("write", path, () -> {
                file.write(bytes);
                return true;
            });
        }

        @Override
        public void force() throws IOException {
            run("force", path, () -> {
                file.force();
                return true;
            });
        }

        @Override
        public void close() throws IOException {
            // A file is always closed in fact: what fails is only what is said of it.
            boolean fails = isFailing();
            file.close();
            if (fails) {
                throw new IOException("injected: close " + path.getFileName());
            }
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
            return call("read", path, () -> file.read(position, target, from, length));
        }

        @Override
        public long size() throws IOException {
            return call("size", path, file::size);
        }

        @Override
        public void close() throws IOException {
            boolean fails = isFailing();
            file.close();
            if (fails) {
                throw new IOException("injected: close " + path.getFileName());
            }
        }
    }

    @Override
    public ReadableFile open(Path file) throws IOException {
        return call("open", file, () -> new FaultyReadable(disk.open(file), file));
    }

    @Override
    public WritableFile create(Path file) throws IOException {
        return call("create", file, () -> new Faulty(disk.create(file), file));
    }

    @Override
    public WritableFile append(Path file) throws IOException {
        return call("append", file, () -> new Faulty(disk.append(file), file));
    }

    @Override
    public void truncate(Path file, long size) throws IOException {
        run("truncate", file, () -> {
            disk.truncate(file, size);
            return true;
        });
    }

    @Override
    public byte[] read(Path file, int maxSize) throws IOException {
        return call("read", file, () -> disk.read(file, maxSize));
    }

    @Override
    public Optional<Facts> facts(Path file) throws IOException {
        return call("facts", file, () -> disk.facts(file));
    }

    @Override
    public boolean isFolder(Path folder) {
        return disk.isFolder(folder);
    }

    @Override
    public void force(Path file) throws IOException {
        run("force", file, () -> {
            disk.force(file);
            return true;
        });
    }

    @Override
    public void touch(Path file, Instant time) throws IOException {
        run("touch", file, () -> {
            disk.touch(file, time);
            return true;
        });
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        run("rename", to, () -> {
            disk.rename(from, to);
            return true;
        });
    }

    @Override
    public void forceFolder(Path folder) throws IOException {
        run("forceFolder", folder, () -> {
            disk.forceFolder(folder);
            return true;
        });
    }

    @Override
    public void createFolder(Path folder) throws IOException {
        run("createFolder", folder, () -> {
            disk.createFolder(folder);
            return true;
        });
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        return call("list", folder, () -> disk.list(folder));
    }

    @Override
    public void delete(Path file) throws IOException {
        run("delete", file, () -> {
            disk.delete(file);
            return true;
        });
    }

    @Override
    public Optional<Lock> tryLock(Path file, String holder) throws IOException {
        boolean fails = isFailing();
        if (fails) {
            throw new IOException("injected: lock " + file.getFileName());
        }
        return disk.tryLock(file, holder);
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
