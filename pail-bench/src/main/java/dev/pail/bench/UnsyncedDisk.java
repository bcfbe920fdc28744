package dev.pail.bench;

import dev.pail.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The disk of this machine, on which nothing is made safe: what files have is the same, and takes less time. */
final class UnsyncedDisk implements Disk {
    private final Disk disk = Disk.system();

    /** A file that is not made safe. */
    private record UnsyncedFile(WritableFile file) implements WritableFile {
        @Override
        public void write(byte[] bytes) throws IOException {
            file.write(bytes);
        }

        @Override
        public void seek(long position) throws IOException {
            file.seek(position);
        }

        @Override
        public void force() {}

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    @Override
    public void force(Path file) {}

    @Override
    public void forceFolder(Path folder) {}

    @Override
    public WritableFile create(Path file) throws IOException {
        return new UnsyncedFile(disk.create(file));
    }

    @Override
    public WritableFile append(Path file) throws IOException {
        return new UnsyncedFile(disk.append(file));
    }

    @Override
    public void truncate(Path file, long size) throws IOException {
        disk.truncate(file, size);
    }

    @Override
    public ReadableFile open(Path file) throws IOException {
        return disk.open(file);
    }

    @Override
    public byte[] read(Path file, int maxSize) throws IOException {
        return disk.read(file, maxSize);
    }

    @Override
    public Optional<Facts> facts(Path file) throws IOException {
        return disk.facts(file);
    }

    @Override
    public boolean exists(Path file) {
        return disk.exists(file);
    }

    @Override
    public boolean isFolder(Path folder) {
        return disk.isFolder(folder);
    }

    @Override
    public void touch(Path file, Instant time) throws IOException {
        disk.touch(file, time);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        disk.rename(from, to);
    }

    @Override
    public void createFolder(Path folder) throws IOException {
        disk.createFolder(folder);
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        return disk.list(folder);
    }

    @Override
    public void delete(Path file) throws IOException {
        disk.delete(file);
    }

    @Override
    public Optional<Lock> tryLock(Path file, String holder) throws IOException {
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
