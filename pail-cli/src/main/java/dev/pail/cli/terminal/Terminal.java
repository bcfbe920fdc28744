package dev.pail.cli.terminal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.Escapes;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a command talks to: standard input, output and error, the environment and the current folder. */
public final class Terminal {
    /** Loaded only when JSON is written. */
    private static final class Factory {
        static final JsonFactory JSON = new JsonFactory();

        private Factory() {}
    }

    private static final String FAINT = "\u001b[2m";
    private static final String RED = "\u001b[31m";
    private static final String GREEN = "\u001b[32m";
    private static final String PLAIN = "\u001b[0m";
    private static final List<String> STYLES = List.of(FAINT, RED, GREEN, PLAIN);

    private final InputStream in;
    private OutputStream out;
    private OutputStream err;
    private final Map<String, String> environment;
    private final Path folder;

    private final boolean inIsTerminal;
    private final boolean outIsTerminal;
    private final boolean errIsTerminal;

    /** Replaces the system's nanosecond clock in tests. */
    @Nullable
    public LongSupplier clock;

    /** What was changed: told, if what was printed about it cannot be written. */
    @Nullable
    public String changed;

    /** Says what stays if the command is interrupted now; null, if nothing was changed. */
    @Nullable
    public Supplier<String> kept;

    /** Whether the output is that of the process, so that a pager may show it. */
    public boolean isOfProcess;

    private @Nullable Interruption interruption;
    private @Nullable Pager pager;

    /** Whether the line of {@link #showTransient} is on the screen. */
    private boolean isTransientShown;

    public boolean json;
    public boolean quiet;
    private boolean color;

    /** Held while standard error is written to: a thread of its own shows progress. */
    private final Object errLock = new Object();

    /** The standard streams of a process. */
    public enum Standard {
        IN,
        OUT,
        ERR
    }

    /**
     * The standard streams.
     *
     * @param terminals those that are terminals
     */
    public record Streams(InputStream in, OutputStream out, OutputStream err, Set<Standard> terminals) {
        /** Streams that are no terminals. */
        public Streams(InputStream in, OutputStream out, OutputStream err) {
            this(in, out, err, Set.of());
        }
    }

    public Terminal(Streams streams, Map<String, String> environment, Path folder) {
        this.in = streams.in;
        this.out = new BufferedOutputStream(streams.out, 1 << 16);
        this.err = streams.err;
        this.environment = environment;
        this.folder = folder;
        this.inIsTerminal = streams.terminals.contains(Standard.IN);
        this.outIsTerminal = streams.terminals.contains(Standard.OUT);
        this.errIsTerminal = streams.terminals.contains(Standard.ERR);
    }

    /** The same for another command of this process, which reads something else. */
    public Terminal again(InputStream input) {
        flush();
        Terminal next = new Terminal(new Streams(input, out, err, terminals()), environment, folder);
        next.clock = clock;
        if (interruption != null) {
            next.watch(interruption);
        }
        return next;
    }

    private Set<Standard> terminals() {
        Set<Standard> terminals = EnumSet.noneOf(Standard.class);
        if (outIsTerminal) {
            terminals.add(Standard.OUT);
        }
        if (errIsTerminal) {
            terminals.add(Standard.ERR);
        }
        return terminals;
    }

    /** The reader of standard output has closed it. */
    public static final class Closed extends RuntimeException {}

    public InputStream in() {
        return in;
    }

    /** A path as the user gave it, seen from the current folder. */
    public Path path(String given) {
        try {
            return folder.resolve(given);
        } catch (InvalidPathException e) {
            throw new Failure.Found(Exit.FAILED, "io", "not the name of a file: " + Escapes.brief(given), null);
        }
    }

    public Path folder() {
        return folder;
    }

    @Nullable
    public String environment(String name) {
        String value = environment.get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    /** Sets whether to use color: {@code auto}, {@code always} or {@code never}. */
    public void setColor(String when) {
        color = switch (when) {
            case "always" -> true;
            case "never" -> false;
            default -> outIsTerminal && environment("NO_COLOR") == null && !"dumb".equals(environment("TERM"));
        };
    }

    /** The time, in nanoseconds from some point. */
    long nanos() {
        LongSupplier other = clock;
        return other == null ? System.nanoTime() : other.getAsLong();
    }

    /** Whether to show progress: {@code auto}, {@code always} or {@code never}. */
    public boolean showsProgress(String when) {
        return !quiet && (when.equals("always") || (when.equals("auto") && errIsTerminal));
    }

    /** The text, faint where there is color: part of a line for {@link #printStyled}. */
    public String faint(String text) {
        return styled(FAINT, text);
    }

    /** The text in the color of what was removed: part of a line for {@link #printStyled}. */
    public String removed(String text) {
        return styled(RED, text);
    }

    /** The text in the color of what was added: part of a line for {@link #printStyled}. */
    public String added(String text) {
        return styled(GREEN, text);
    }

    private String styled(String style, String text) {
        return color ? style + text + PLAIN : text;
    }

    /** Prints a line of data. On a terminal, hidden characters but newline and tab are escaped; elsewhere the line is exact. */
    public void print(String line) {
        write(((outIsTerminal ? Escapes.printableLines(line) : line) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** As {@link #print}, of a line with parts that {@link #faint}, {@link #removed} and {@link #added} made. No other text of it may come from outside unescaped. */
    public void printStyled(String line) {
        if (!color) {
            print(line);
            return;
        }
        StringBuilder out = new StringBuilder(line.length());
        for (int from = 0; from < line.length(); ) {
            int style = styleAt(line, from);
            int next = line.indexOf('\u001b', from + Math.max(1, style));
            int to = next < 0 ? line.length() : next;
            String text = line.substring(from + style, to);
            out.append(line, from, from + style).append(outIsTerminal ? Escapes.printableLines(text) : text);
            from = to;
        }
        write(out.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    }

    /** The length of the style that begins at an index; 0 if there is none. */
    private static int styleAt(String line, int index) {
        return STYLES.stream()
                .filter(style -> line.startsWith(style, index))
                .mapToInt(String::length)
                .findFirst()
                .orElse(0);
    }

    /** Prints bytes as they are: where the command promises exact bytes, on a terminal too. */
    public void write(byte[] bytes) {
        try {
            out.write(bytes);
        } catch (IOException e) {
            throw broken(e);
        }
    }

    /** Standard output as a stream of bytes. Closing it does nothing. */
    public OutputStream data() {
        return new OutputStream() {
            @Override
            public void write(int b) {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                try {
                    out.write(bytes, from, length);
                } catch (IOException e) {
                    throw broken(e);
                }
            }
        };
    }

    /** Whether standard output is a terminal. */
    public boolean isOutTerminal() {
        return outIsTerminal;
    }

    /** Whether a user types the input and sees the output. */
    public boolean isInteractive() {
        return inIsTerminal && outIsTerminal;
    }

    /** What writes a JSON object. */
    public interface JsonBody {
        void write(JsonGenerator json) throws IOException;
    }

    /** Prints a JSON object on a line; nothing, if what writes it fails. On a terminal, hidden characters are escaped as in JSON. */
    public void printJson(JsonBody body) {
        write(json(body, Standard.OUT));
    }

    /** Prints numbers with their names: as a JSON object, or each on a line. */
    public void printNumbers(Map<String, ? extends Number> numbers) {
        if (json) {
            printJson(object -> Json.writeNumbers(object, numbers));
        } else {
            numbers.forEach((name, number) -> print(name + "\t" + number));
        }
    }

    /** Lets a pager show what is printed from now on, if there is one and standard output is a terminal. */
    public void page() {
        if (isOfProcess && outIsTerminal && pager == null) {
            pager = Pager.start(environment);
            if (pager != null) {
                endsItself();
                out = new BufferedOutputStream(pager.input(), 1 << 16);
                err = errIsTerminal ? out : err;
            }
        }
    }

    /** Says what is kept if this ends the process. */
    public void watch(Interruption by) {
        interruption = by;
        by.tellWith(this::failInterrupted);
    }

    /** Gets something that a user types: a command that waits for it ends at once when the process is asked to end. */
    public <T extends @Nullable Object> T typed(Supplier<T> source) {
        return interruption == null ? source.get() : interruption.typed(source);
    }

    /** Whether the command waits for a user who types, on the screen that has progress. */
    boolean isTyped() {
        return inIsTerminal && interruption != null && interruption.isWaiting();
    }

    /** From now on, the command ends in its own way when the process is asked to end. */
    public void endsItself() {
        if (interruption != null) {
            interruption.leave();
        }
    }

    /** Waits until the user has ended the pager, if there is one. */
    public void close() {
        if (pager != null) {
            try {
                out.close();
            } catch (IOException e) {
                // Its user has ended it before all was printed.
                return;
            } finally {
                pager.await();
            }
        }
    }

    public void flush() {
        try {
            out.flush();
        } catch (IOException e) {
            throw broken(e);
        }
    }

    private RuntimeException broken(IOException e) {
        String message = String.valueOf(e.getMessage());
        if (message.contains("Broken pipe")) {
            return new Closed();
        }
        String hint = changed == null ? null : "the change was made all the same: " + changed;
        return new Failure.Found(Exit.FAILED, "io", "cannot write to standard output: " + message, hint);
    }

    /** Whether a signal may end the command: then standard error is that of the process. */
    boolean mayEnd() {
        return interruption != null;
    }

    /** Whether the process was asked to end. */
    public boolean isInterrupted() {
        return interruption != null && interruption.isAsked();
    }

    /** Tells that the command was interrupted and what is kept, and returns the exit status. */
    public int failInterrupted() {
        if (interruption == null || interruption.isFirstToTell()) {
            failInterrupted(null);
        }
        return Exit.INTERRUPTED;
    }

    private void failInterrupted(@Nullable String otherwise) {
        String made = changed == null ? "nothing was changed" : "the change was made all the same: " + changed;
        fail(Failure.interrupted(kept != null ? kept.get() : otherwise == null ? made : otherwise));
    }

    /** Tells a failure. */
    public void fail(Failure failure) {
        if (interruption != null) {
            interruption.tells();
        }
        if (json) {
            JsonBody body = out -> {
                out.writeStringField("error", failure.message());
                out.writeStringField("code", failure.code());
                if (failure.hint() != null) {
                    out.writeStringField("hint", failure.hint());
                }
            };
            show(json(body, Standard.ERR));
            return;
        }
        boolean red = errIsTerminal && color;
        tell((red ? RED + "error:" + PLAIN + " " : "error: ") + Escapes.printable(failure.message()));
        if (failure.hint() != null) {
            tell("hint: " + Escapes.printable(failure.hint()));
        }
    }

    /** Tells where in the program a failure came from, if {@link JavaFailure#TRACE} asks for it. */
    public void trace(Throwable error) {
        if (environment(JavaFailure.TRACE) == null) {
            return;
        }
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        if (json) {
            show(json(out -> out.writeStringField("trace", text.toString()), Standard.ERR));
        } else {
            text.toString().lines().forEach(line -> tell(Escapes.printable(line.replace("\t", "    "))));
        }
    }

    /** Warns of something that does not stop the command, unless the user asked for quiet. */
    public void warn(String message) {
        if (!quiet) {
            alert(message);
        }
    }

    /** Warns of something that the user must know even with {@code -q}. */
    public void alert(String message) {
        if (json) {
            show(json(out -> out.writeStringField("warning", message), Standard.ERR));
        } else {
            tell("warning: " + Escapes.printable(message));
        }
    }

    /** Tells what to do next, unless a program reads it or the user asked for quiet. */
    public void hint(String text) {
        if (!quiet && !json) {
            flush();
            tell("hint: " + Escapes.printable(text));
        }
    }

    /** Tells what became of something that has a name, and why: with {@code --json} as data, else as something that is not. */
    public void tell(String what, String name, String why) {
        if (json) {
            printJson(line -> {
                line.writeStringField(what, name);
                line.writeStringField("message", why);
            });
        } else {
            note(what + ": " + Escapes.escape(name) + ": " + why);
        }
    }

    /** Tells something that is not data. */
    public void note(String line) {
        tell(Escapes.printable(line));
    }

    /** Shows a line on standard error that the next one writes over. */
    void showTransient(String line) {
        synchronized (errLock) {
            write(("\r" + line + "\u001b[K").getBytes(StandardCharsets.UTF_8), err);
            isTransientShown = !line.isEmpty();
        }
    }

    private void tell(String line) {
        show((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Shows what is no transient line, in place of the one that is there. */
    private void show(byte[] text) {
        synchronized (errLock) {
            if (isTransientShown) {
                showTransient("");
            }
            write(text, err);
        }
    }

    private static void write(byte[] text, OutputStream err) {
        try {
            err.write(text);
            err.flush();
        } catch (IOException e) {
            // There is nowhere left to say it.
            return;
        }
    }

    /** A line of JSON. On a terminal it has no control characters. */
    private byte[] json(JsonBody body, Standard to) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try (JsonGenerator json = Factory.JSON.createGenerator(line)) {
            json.writeStartObject();
            body.write(json);
            json.writeEndObject();
            json.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        boolean isTerminal = to == Standard.OUT ? outIsTerminal : errIsTerminal;
        return isTerminal
                ? Escapes.printableJson(line.toString(StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8)
                : line.toByteArray();
    }
}
