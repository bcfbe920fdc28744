package dev.pail.cli.command.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Shell;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes that do not fit into one event, by commands: each is one change of the log, of {@code revert} and of {@code undo}. */
class LargeChangeCommandsTest {
    private static final int LARGE = Randomness.times(5_001, 20_001);

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private static String lines(int count, IntFunction<String> line) {
        return IntStream.range(0, count).mapToObj(line).collect(Collectors.joining("\n", "", "\n"));
    }

    private static List<String> messages(Shell shell) {
        return shell.run("log", "--json").done().json().stream()
                .map(entry -> entry.path("message").asText())
                .toList();
    }

    private static String last(Shell shell) {
        JsonNode entry = shell.run("log", "--json", "-n", "1").done().json().get(0);
        return entry.get("event").asText();
    }

    /** Makes a change, and takes it back in each way. */
    private static void check(Shell shell, Supplier<String> content, String message, Runnable change) {
        String before = content.get();
        List<String> log = messages(shell);
        change.run();
        String after = content.get();
        assertThat(after).isNotEqualTo(before);
        assertThat(messages(shell)).hasSize(log.size() + 1).startsWith(message);
        String event = last(shell);
        shell.run("revert", event, "-m", "back").done();
        assertThat(content.get()).isEqualTo(before);
        shell.run("revert", last(shell), "-m", "again").done();
        assertThat(content.get()).isEqualTo(after);
        assertThat(messages(shell)).hasSize(log.size() + 3).startsWith("again", "back", message);
        assertThat(shell.run("undo", "2").status()).isZero();
        assertThat(last(shell)).isEqualTo(event);
        assertThat(content.get()).isEqualTo(after);
        assertThat(shell.run("undo").status()).isZero();
        assertThat(content.get()).isEqualTo(before);
        assertThat(messages(shell)).isEqualTo(log);
        shell.run("redo").done();
        assertThat(last(shell)).isEqualTo(event);
    }

    @Test
    void applyAndLoadMakeOneChangeEach_DE6_DE7_M21() {
        Shell shell = Shell.withRepository(folder, "--format", "v1", "--blocks", "segments");
        shell.put("first", 1);
        check(
                shell,
                shell::root,
                "apply",
                () -> shell.feed(
                                lines(
                                        LARGE,
                                        i -> "{\"op\":\"put\",\"key\":\"k" + i + "\",\"value\":\"" + Shell.cid(2)
                                                + "\"}"),
                                "apply",
                                "-",
                                "-m",
                                "apply")
                        .done());
        check(
                shell,
                shell::root,
                "load",
                () -> shell.feed(lines(LARGE, i -> "k" + (i + 100) + "\t" + Shell.cid(3)), "load", "-", "-m", "load")
                        .done());
    }

    @Test
    void aLoadOfRowsIsOneChange_DE6_DE7_M21() {
        Shell shell = Shell.withRepository(folder, "--format", "v1", "--blocks", "segments");
        shell.run("table", "create", "people").done();
        shell.run("table", "index", "people", "city").done();
        check(
                shell,
                shell::root,
                "rows",
                () -> shell.feed(
                                lines(LARGE / 3, i -> "{\"id\":\"p" + i + "\",\"city\":\"c" + i % 7 + "\"}"),
                                "table",
                                "load",
                                "people",
                                "-",
                                "-m",
                                "rows")
                        .done());
        shell.run("verify", "--all").done();
    }
}
