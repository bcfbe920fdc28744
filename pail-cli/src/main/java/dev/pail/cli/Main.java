package dev.pail.cli;

import dev.pail.cli.command.Call;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Interruption;
import dev.pail.cli.terminal.JavaFailure;
import dev.pail.cli.terminal.Terminal;
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
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Starts the command {@code pail}. */
public final class Main {
    private static final char REPLACEMENT = '\ufffd';

    private Main() {}

    /** Runs a command line and exits with its status. */
    public static void main(String[] arguments) throws IOException {
        // The waiting thread rethrows the failure of a thread of a pool, and says it in one line.
        Thread main = Thread.currentThread();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
            if (thread == main) {
                end(error);
            }
        });
        if (System.getenv(JavaFailure.TRACE) == null) {
            // To find a logger takes Java longer than many commands.
            System.setProperty("dev.pail.log", "off");
        }
        new FirstTimes().start();
        // The launcher says what nothing in Java does: which streams are terminals, and which were closed.
        String closed = System.getProperty("pail.closed", "");
        Interruption interruption = new Interruption();
        Terminal terminal = new Terminal(
                new Terminal.Streams(
                        input(closed, interruption),
                        output(closed),
                        new FileOutputStream(FileDescriptor.err),
                        terminals(System.getProperty("pail.terminals", ""))),
                System.getenv(),
                Path.of("").toAbsolutePath());
        terminal.isOfProcess = true;
        terminal.watch(interruption);
        Runtime.getRuntime().addShutdownHook(interruption);
        int status = run(terminal, arguments);
        terminal.close();
        interruption.end();
        System.exit(status);
    }

    /** Ends a process in which nothing more may work, such as one without its libraries. Java's own exit status would be an answer. */
    private static void end(Throwable error) {
        try {
            if (System.getenv(JavaFailure.TRACE) != null) {
                error.printStackTrace();
            }
            JavaFailure failure = JavaFailure.of(error);
            System.err.println("error: " + failure.message().replaceAll("\\p{Cntrl}", "?"));
            System.err.println("hint: " + failure.hint());
        } finally {
            Runtime.getRuntime().halt(Exit.FAILED);
        }
    }

    /** @param names of the streams that are terminals, of {@code in}, {@code out} and {@code err} */
    private static Set<Terminal.Standard> terminals(String names) {
        Set<Terminal.Standard> terminals = EnumSet.noneOf(Terminal.Standard.class);
        if (names.contains("in")) {
            terminals.add(Terminal.Standard.IN);
        }
        if (names.contains("out")) {
            terminals.add(Terminal.Standard.OUT);
        }
        if (names.contains("err")) {
            terminals.add(Terminal.Standard.ERR);
        }
        return terminals;
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

    private static InputStream input(String closed, Interruption interruption) throws IOException {
        InputStream in = closed.contains("in")
                ? InputStream.nullInputStream()
                : new BufferedInputStream(interruption.watched(new FileInputStream(FileDescriptor.in)));
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

    public static int run(Terminal terminal, String... arguments) {
        try {
            checkExact(terminal);
            return Cli.run(terminal, exact(arguments));
        } catch (CharacterCodingException e) {
            Failure failure =
                    Failure.usage("an argument is not UTF-8").failure().withHelp("pail help");
            terminal.json = Cli.isJsonAskedFor(arguments);
            return fail(terminal, failure);
        } catch (Failure.Found e) {
            terminal.json = Cli.isJsonAskedFor(arguments);
            return fail(terminal, e.failure());
        } catch (Error e) {
            // Java's own exit status would be an answer.
            terminal.trace(e);
            JavaFailure failure = JavaFailure.of(e);
            terminal.json |= Cli.isJsonAskedFor(arguments);
            return fail(terminal, new Failure(Exit.FAILED, failure.code(), failure.message(), failure.hint()));
        }
    }

    private static int fail(Terminal terminal, Failure failure) {
        terminal.fail(failure);
        return failure.exit();
    }

    /** Refuses names for which Java has others, as it replaces what is not UTF-8: something else may have those. */
    private static void checkExact(Terminal terminal) {
        if (isReplaced(terminal.folder().toString()) && !isCurrent(terminal.folder())) {
            throw new Failure.Found(Exit.FAILED, "io", "the name of the current folder is not UTF-8", null);
        }
        String store = terminal.environment(Call.STORE);
        if (store != null && isReplaced(store) && !isExact(Call.STORE + "=" + store)) {
            throw new Failure.Found(Exit.FAILED, "io", Call.STORE + " is not UTF-8", null);
        }
    }

    private static boolean isReplaced(String name) {
        return name.indexOf(REPLACEMENT) >= 0;
    }

    private static boolean isCurrent(Path folder) {
        try {
            return Files.isSameFile(Path.of("/proc/self/cwd"), folder);
        } catch (IOException e) {
            return Files.isDirectory(folder);
        }
    }

    /** Whether this is in the environment as it is here, as far as the system tells. */
    private static boolean isExact(String variable) {
        try {
            byte[] wanted = variable.getBytes(StandardCharsets.UTF_8);
            return parts("/proc/self/environ").stream().anyMatch(given -> Arrays.equals(given, wanted));
        } catch (IOException e) {
            return true;
        }
    }

    /** What the system has in a file, where a zero byte is behind each part. */
    private static List<byte[]> parts(String file) throws IOException {
        byte[] all = Files.readAllBytes(Path.of(file));
        List<byte[]> parts = new ArrayList<>();
        for (int from = 0, i = 0; i < all.length; i++) {
            if (all[i] == 0) {
                parts.add(Arrays.copyOfRange(all, from, i));
                from = i + 1;
            }
        }
        return parts;
    }

    /** The arguments as they were given. Java replaces what does not fit its locale: then the system is asked again. */
    private static String[] exact(String... arguments) throws CharacterCodingException {
        if (!isReplaced(String.join("", arguments))) {
            return arguments;
        }
        List<byte[]> given;
        try {
            given = parts("/proc/self/cmdline");
        } catch (IOException e) {
            return arguments;
        }
        List<String> words = new ArrayList<>();
        for (byte[] word : given) {
            words.add(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(word))
                    .toString());
        }
        int first = words.size() - arguments.length;
        return first < 0 ? arguments : words.subList(first, words.size()).toArray(new String[0]);
    }
}
