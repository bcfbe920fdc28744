package dev.pail.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A disk of 64 MiB in memory that a test fills and frees. If this process may not mount one, a large disk, which stays as it is. */
final class SmallDisk implements AutoCloseable {
    private final Path path;
    private final boolean isSmall;
    private final OutputStream ballast;

    private volatile boolean isFull;

    /** When the disk had space again, as {@link System#nanoTime}. */
    private volatile long freed = System.nanoTime();

    /** The fewest free bytes beside those times when the test kept the disk full. */
    private volatile long leastFree = Long.MAX_VALUE;

    private SmallDisk(Path path, boolean isSmall) throws IOException {
        this.path = path;
        this.isSmall = isSmall;
        this.ballast = Files.newOutputStream(ballast());
    }

    static SmallDisk mount(Path path) throws IOException, InterruptedException {
        Files.createDirectory(path);
        return new SmallDisk(path, AttackTest.run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", path.toString()));
    }

    private Path ballast() {
        return path.resolve("ballast");
    }

    Path path() {
        return path;
    }

    boolean isSmall() {
        return isSmall;
    }

    long free() {
        return path.toFile().getUsableSpace();
    }

    long leastFree() {
        return leastFree;
    }

    /** Looks at how much is free. */
    void look() {
        long begun = System.nanoTime();
        long free = free();
        if (!wasFull(begun)) {
            leastFree = Math.min(leastFree, free);
        }
    }

    /** Whether the test kept the disk full at some time since then, or does so now. */
    boolean wasFull(long since) {
        return isFull || freed - since > 0;
    }

    /** Fills the disk but for some bytes. */
    void fillBut(long left) {
        try {
            while (left == 0 || free() > left) {
                ballast.write(new byte[4096]);
            }
        } catch (IOException e) {
            // It is full.
        }
    }

    /** Fills the disk, also what others free meanwhile if this is called again. */
    void fill() {
        isFull = true;
        fillBut(0);
    }

    /** Frees what this took. */
    void empty() throws IOException {
        ballast.close();
        Files.delete(ballast());
        freed = System.nanoTime();
        isFull = false;
    }

    @Override
    public void close() throws IOException {
        ballast.close();
        if (isSmall) {
            try {
                AttackTest.run("umount", "-l", path.toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
