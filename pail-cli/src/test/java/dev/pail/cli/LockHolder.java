package dev.pail.cli;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A program that holds the lock of a repository: from when it says so until its standard input ends. */
final class LockHolder {
    private LockHolder() {}

    /** Holds the lock of the repository whose own folder is the argument. */
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]).resolve("LOCK");
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw");
                FileLock lock = open.getChannel().lock()) {
            String holder = "process " + ProcessHandle.current().pid();
            open.setLength(0);
            open.write(holder.getBytes(StandardCharsets.US_ASCII));
            System.out.println(lock.isValid() ? "held" : "not held");
            System.in.readAllBytes();
        }
    }
}
