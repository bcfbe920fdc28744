package dev.pail.cli;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Starts the command {@code pail}. */
public final class Main {
    private Main() {}

    /** Runs a command line and exits with its status. */
    public static void main(String[] arguments) throws IOException {
        new FirstTimes().start();
        // The launcher says what nothing in Java does: which streams are terminals, and which were closed.
        String terminals = System.getProperty("pail.terminals", "");
        String closed = System.getProperty("pail.closed", "");
        Terminal terminal = new Terminal(
                input(closed),
                output(closed),
                new FileOutputStream(FileDescriptor.err),
                System.getenv(),
                Path.of("").toAbsolutePath(),
                terminals.contains("out"),
                terminals.contains("err"));
        System.exit(run(terminal, arguments));
    }

    /**
     * Does, while the arguments are read, what nearly all commands do and what takes Java long the first time: makes a hash,
     * for which Java looks up a provider and compiles its code, and parses a time.
     */
    private static final class FirstTimes extends Thread {
        private static final int SIZE = 16 << 10;

        FirstTimes() {
            setDaemon(true);
        }

        @Override
        public void run() {
            Block.of(Cid.RAW, new byte[SIZE]);
            Instant.parse("1970-01-01T00:00:00Z");
        }
    }

    private static InputStream input(String closed) throws IOException {
        InputStream in = closed.contains("in")
                ? InputStream.nullInputStream()
                : new BufferedInputStream(new FileInputStream(FileDescriptor.in));
        if (closed.contains("in")) {
            in.close();
        }
        return in;
    }

    private static OutputStream output(String closed) throws IOException {
        OutputStream out =
                closed.contains("out") ? OutputStream.nullOutputStream() : new FileOutputStream(FileDescriptor.out);
        if (closed.contains("out")) {
            out.close();
        }
        return out;
    }

    private static int run(Terminal terminal, String... arguments) {
        try {
            return Cli.run(terminal, exact(arguments));
        } catch (CharacterCodingException e) {
            return fail(terminal, Failure.usage("an argument is not UTF-8").failure());
        } catch (OutOfMemoryError e) {
            String hint = "give it more with, for example: export JDK_JAVA_OPTIONS=-Xmx8g";
            return fail(terminal, new Failure(Exit.FAILED, "memory", "not enough memory for this", hint));
        }
    }

    private static int fail(Terminal terminal, Failure failure) {
        terminal.fail(failure);
        return failure.exit();
    }

    /** The arguments as they were given. Java replaces what does not fit its locale: then the system is asked again. */
    private static String[] exact(String... arguments) throws CharacterCodingException {
        if (String.join("", arguments).indexOf('\ufffd') < 0) {
            return arguments;
        }
        byte[] given;
        try {
            given = Files.readAllBytes(Path.of("/proc/self/cmdline"));
        } catch (IOException e) {
            return arguments;
        }
        List<String> words = new ArrayList<>();
        for (int from = 0, i = 0; i < given.length; i++) {
            if (given[i] == 0) {
                words.add(StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(given, from, i - from))
                        .toString());
                from = i + 1;
            }
        }
        int first = words.size() - arguments.length;
        return first < 0 ? arguments : words.subList(first, words.size()).toArray(new String[0]);
    }
}
