package dev.pail.cli;

import dev.pail.Escapes;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What commands read: files, and standard input by the name of {@code -}. */
final class Inputs {
    static final String STANDARD = "-";

    private Inputs() {}

    static InputStream open(Terminal terminal, String name) {
        if (name.equals(STANDARD)) {
            return terminal.in();
        }
        Path path = terminal.path(name);
        try {
            if (Files.isDirectory(path)) {
                throw failure("a folder, not a file", name);
            }
            return new BufferedInputStream(Files.newInputStream(path));
        } catch (IOException e) {
            throw failure(name, e);
        }
    }

    /** The lines of what a parameter names; where it is not given, of standard input. */
    static Lines lines(Command.Call call, int parameter) {
        String given = call.optionalParameter(parameter);
        String name = given == null ? STANDARD : given;
        return new Lines(open(call.terminal(), name), name, size(call.terminal(), name));
    }

    /** In bytes; or -1 for what is no ordinary file. */
    static long size(Terminal terminal, String name) {
        try {
            Path path = terminal.path(name);
            return !name.equals(STANDARD) && Files.isRegularFile(path) ? Files.size(path) : -1;
        } catch (IOException e) {
            throw failure(name, e);
        }
    }

    /** What to say when reading failed. */
    static Failure.Found failure(String name, IOException error) {
        if (error instanceof NoSuchFileException) {
            return failure("no such file", name);
        }
        if (error instanceof AccessDeniedException) {
            return failure("permission denied", name);
        }
        return failure("cannot read", name + ": " + error.getMessage());
    }

    private static Failure.Found failure(String what, String name) {
        return new Failure.Found(
                Exit.FAILED,
                "io",
                what + ": " + (name.equals(STANDARD) ? "standard input" : Escapes.printable(name)),
                null);
    }
}
