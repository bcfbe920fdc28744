package dev.pail.cli.terminal;

import dev.pail.Escapes;
import dev.pail.OperationInterruptedException;
import dev.pail.StoreIOException;
import dev.pail.car.CarReader;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** What commands read: files, and standard input by the name of {@code -}. */
public final class Inputs {
    public static final String STANDARD = "-";

    private Inputs() {}

    public static InputStream open(Terminal terminal, String name) {
        if (name.equals(STANDARD)) {
            return terminal.in();
        }
        Path path = terminal.path(name);
        try {
            if (Files.isDirectory(path)) {
                throw failure("a folder, not a file", name);
            }
            return open(path);
        } catch (IOException e) {
            throw failure(name, e);
        }
    }

    /**
     * The same stream, for one thread, which ends with an exception if that thread is interrupted.
     *
     * @param bytes how many were read, counted for other threads
     */
    public static InputStream counted(InputStream in, AtomicLong bytes) {
        return new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] to, int from, int length) throws IOException {
                OperationInterruptedException.check("the reading of a file");
                int read = in.read(to, from, length);
                bytes.addAndGet(Math.max(0, read));
                return read;
            }
        };
    }

    private static InputStream open(Path path) throws IOException {
        return new BufferedInputStream(
                isStream(path) ? new FileInputStream(path.toFile()) : Files.newInputStream(path));
    }

    /** Opens a file or a stream to read it as a CAR. */
    public static CarReader car(Path path) {
        if (!isStream(path)) {
            return CarReader.open(path);
        }
        try {
            return CarReader.of(open(path), path.toString());
        } catch (IOException e) {
            throw failure(path.toString(), e);
        }
    }

    /**
     * Whether something is there that is read from one end to the other, such as a pipe that has a name. It has no position,
     * which streams of {@link Files} and channels ask for.
     */
    static boolean isStream(Path path) {
        return Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path);
    }

    /** In bytes; or -1 for what is no ordinary file. */
    public static long size(Terminal terminal, String name) {
        try {
            Path path = terminal.path(name);
            return !name.equals(STANDARD) && Files.isRegularFile(path) ? Files.size(path) : -1;
        } catch (IOException e) {
            throw failure(name, e);
        }
    }

    /** What to say when reading failed. */
    public static Failure.Found failure(String name, IOException error) {
        if (error instanceof NoSuchFileException) {
            return failure("no such file", name);
        }
        if (error instanceof AccessDeniedException) {
            return failure(StoreIOException.reason(error), name);
        }
        return new Failure.Found(
                Exit.FAILED, "io", "cannot read: " + shown(name) + ": " + StoreIOException.reason(error), null);
    }

    private static Failure.Found failure(String what, String name) {
        return new Failure.Found(Exit.FAILED, "io", what + ": " + shown(name), null);
    }

    /** What the user calls an input. */
    public static String shown(String name) {
        return name.equals(STANDARD) ? "standard input" : Escapes.printable(name);
    }
}
