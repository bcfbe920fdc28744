package dev.pail.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The command, or another class of these tests, as a process of its own. */
public final class Launched {
    /** What {@code bin/pail} starts Java with for a short command. With these a command takes 0.3 s, without them 0.4 s. */
    static final List<String> OPTIONS = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote");

    private final String command;
    private final Process process;
    private final CompletableFuture<byte[]> err;

    private Launched(String command, Process process) {
        this.command = command;
        this.process = process;
        this.err = CompletableFuture.supplyAsync(() -> readAll(process.getErrorStream()), Launched::inThread);
    }

    /** Not in a pool, where one process that lives long could be in the way of another. */
    private static void inThread(Runnable task) {
        Thread thread = new Thread(task, "standard error");
        thread.setDaemon(true);
        thread.start();
    }

    public static Launched pail(Path folder, String... arguments) {
        return start(builder(folder, command(Main.class, arguments)));
    }

    /** The words that run a class. */
    public static List<String> command(Class<?> main, String... arguments) {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(OPTIONS);
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        words.addAll(List.of(arguments));
        return words;
    }

    /** A process that is yet to be started, in a folder, with nothing in its environment that this command heeds, and no configuration of git. */
    public static ProcessBuilder builder(Path folder, List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
        Map<String, String> environment = builder.environment();
        List.of("PAIL_STORE", "PAIL_AUTHOR", "NO_COLOR", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "LC_ALL", "LC_CTYPE")
                .forEach(environment::remove);
        environment.put("LANG", "C.UTF-8");
        environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
        return builder;
    }

    public static Launched start(ProcessBuilder builder) {
        try {
            return new Launched(name(builder.command()), builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The words without those that any Java program is started with. */
    private static String name(List<String> words) {
        int main = words.indexOf("-cp") + 2;
        return String.join(" ", main > 1 ? words.subList(main, words.size()) : words);
    }

    public Process process() {
        return process;
    }

    /** Gives it this to read, and perhaps more later. */
    public void write(String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** A line of its standard output; nothing behind it has been read. */
    public String readLine() throws IOException {
        InputStream out = process.getInputStream();
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = out.read(); b >= 0 && b != '\n'; b = out.read()) {
            line.write(b);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    /** Its standard output up to this text; nothing behind it has been read. */
    public String readThrough(String text) throws IOException {
        InputStream out = process.getInputStream();
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        while (!read.toString(StandardCharsets.UTF_8).endsWith(text)) {
            int b = out.read();
            if (b < 0) {
                throw new AssertionError(text + " is not in: " + read.toString(StandardCharsets.UTF_8));
            }
            read.write(b);
        }
        return read.toString(StandardCharsets.UTF_8);
    }

    /** Kills it as {@code kill -9} does. What it had written can still be read. */
    public void kill() {
        process.toHandle().destroyForcibly();
    }

    /** Gives it this and nothing more to read, and waits for its end. */
    public Answer feed(byte[] in) {
        try (OutputStream to = process.getOutputStream()) {
            to.write(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return answer();
    }

    /** Reads no more of its standard output, and waits for its end. */
    public Answer close() throws IOException {
        process.getInputStream().close();
        return end(new byte[0]);
    }

    /** Waits for its end. */
    public Answer answer() {
        return end(readAll(process.getInputStream()));
    }

    private Answer end(byte[] out) {
        try {
            return new Answer(command, process.waitFor(), out, err.join());
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static byte[] readAll(InputStream stream) {
        try (stream) {
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
