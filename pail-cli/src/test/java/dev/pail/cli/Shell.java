package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.terminal.Terminal;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** Runs the command in this process, in a folder and with an environment of its own. */
public final class Shell {
    private static final long SECOND = 1_000_000_000L;

    private final Path folder;
    private final Map<String, String> environment;
    private final boolean errIsTerminal;
    private final boolean isSlow;

    private Shell(Path folder, Map<String, String> environment, boolean errIsTerminal, boolean isSlow) {
        this.folder = folder;
        this.environment = environment;
        this.errIsTerminal = errIsTerminal;
        this.isSlow = isSlow;
    }

    /** A shell in a folder, with nothing in its environment. */
    public static Shell in(Path folder) {
        return new Shell(folder, Map.of(), false, false);
    }

    /** A shell in a folder, where a repository was made with these options of {@code init}. */
    public static Shell withRepository(Path folder, String... options) {
        Shell shell = in(folder);
        assertThat(shell.run(concat("init", options)).status()).isZero();
        return shell;
    }

    public Shell withVariable(String name, String value) {
        Map<String, String> more = new TreeMap<>(environment);
        more.put(name, value);
        return new Shell(folder, more, errIsTerminal, isSlow);
    }

    /** With a clock that advances by a second at each reading. */
    public Shell withSlowClock() {
        return new Shell(folder, environment, errIsTerminal, true);
    }

    /** The same, with standard error on a terminal. */
    public Shell withSlowErrTerminal() {
        return new Shell(folder, environment, true, true);
    }

    public Path folder() {
        return folder;
    }

    public Answer run(String... arguments) {
        return feed(new byte[0], arguments);
    }

    public Answer feed(String in, String... arguments) {
        return feed(in.getBytes(StandardCharsets.UTF_8), arguments);
    }

    public Answer feed(byte[] in, String... arguments) {
        return feed(new ByteArrayInputStream(in), arguments);
    }

    public Answer feed(InputStream in, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                new Terminal.Streams(in, out, err, errIsTerminal ? Set.of(Terminal.Standard.ERR) : Set.of()),
                environment,
                folder);
        if (isSlow) {
            AtomicLong now = new AtomicLong();
            terminal.clock = () -> now.addAndGet(SECOND);
        }
        int status = Cli.run(terminal, arguments);
        return new Answer("pail " + String.join(" ", arguments), status, out.toByteArray(), err.toByteArray());
    }

    /** Gives keys their values, each in a change of its own: {@code "a", 1, "b", 2}. */
    public void put(Object... keysAndNumbers) {
        for (int i = 0; i < keysAndNumbers.length; i += 2) {
            run("put", "--", (String) keysAndNumbers[i], cid((int) keysAndNumbers[i + 1]))
                    .done();
        }
    }

    public String root() {
        return run("root").done().line();
    }

    /** All keys, exactly. */
    public List<String> keys() {
        return run("ls", "--json").done().json().stream()
                .map(entry -> entry.get("key").asText())
                .toList();
    }

    /** All shards as {@code tree --json} tells them. */
    public List<JsonNode> shards() {
        return run("tree", "--json").done().json();
    }

    /** The value that stands for a number: the raw block of its decimal digits. */
    public static String cid(int number) {
        return cid(Integer.toString(number).getBytes(StandardCharsets.US_ASCII));
    }

    /** The CID of bytes without structure. */
    public static String cid(byte[] bytes) {
        return Block.of(Cid.RAW, bytes).cid().toString();
    }

    public static String[] concat(String first, String... others) {
        String[] all = new String[others.length + 1];
        all[0] = first;
        System.arraycopy(others, 0, all, 1, others.length);
        return all;
    }
}
