package dev.pail.cli.text;

import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The lines of files and of standard input. */
public final class TextInputs {
    private TextInputs() {}

    /** The lines of what a parameter names; where it is not given, of standard input. */
    public static Lines of(Terminal terminal, @Nullable String given) {
        return of(terminal, given, '\n');
    }

    /** The same, where something else ends a line. */
    public static Lines of(Terminal terminal, @Nullable String given, char ending) {
        String name = name(given);
        long size = Inputs.size(terminal, name);
        return new Lines(
                size < 0 ? new RewindableInput(Inputs.open(terminal, name)) : new Reopened(terminal, name),
                name,
                size,
                ending);
    }

    /** The lines of what a parameter names, or of standard input, as {@link #of(Terminal, String)}: but they are read only once. */
    public static Lines once(Terminal terminal, @Nullable String given) {
        String name = name(given);
        return new Lines(new Once(Inputs.open(terminal, name)), name, Inputs.size(terminal, name), '\n');
    }

    private static String name(@Nullable String given) {
        return given == null ? Inputs.STANDARD : given;
    }

    /** What is not kept, so that it may have no end. */
    private record Once(InputStream open) implements Lines.Source {
        @Override
        public void close() throws IOException {
            open.close();
        }
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
}
