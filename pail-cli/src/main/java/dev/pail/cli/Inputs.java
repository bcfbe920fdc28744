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
        return lines(call, parameter, '\n');
    }

    /** The same, where something else ends a line. */
    static Lines lines(Command.Call call, int parameter, char ending) {
        String given = call.optionalParameter(parameter);
        String name = given == null ? STANDARD : given;
        Terminal terminal = call.terminal();
        long size = size(terminal, name);
        return new Lines(size < 0 ? new Spool(open(terminal, name)) : new Reopened(terminal, name), name, size, ending);
    }

    /** A file, which can be read as often as it takes. */
    private static final class Reopened implements Lines.Source {
        private final Terminal terminal;
        private final String name;
        private InputStream in = InputStream.nullInputStream();

        Reopened(Terminal terminal, String name) {
            this.terminal = terminal;
            this.name = name;
        }

        @Override
        public InputStream open() throws IOException {
            in.close();
            in = Inputs.open(terminal, name);
            return in;
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
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
