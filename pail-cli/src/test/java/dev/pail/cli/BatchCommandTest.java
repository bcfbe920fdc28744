package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many commands in one process. */
class BatchCommandTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void eachLineIsACommand() throws IOException {
        Shell shell = Shell.withRepository(folder);
        Files.writeString(folder.resolve("commands"), """
                # Some changes.
                put a --text 'buy milk' -q
                pail put "b c" --text 2 -q

                cat a
                ls --at HEAD~1
                """);
        Answer answer = shell.run("batch", "commands").done();
        assertThat(answer.lines()).hasSize(1).allMatch(line -> line.startsWith("buy milka\t"));
        assertThat(shell.run("ls").done().lines()).hasSize(2);
        assertThat(shell.feed(bytes("cat 'b c'\n"), "batch").done().text()).isEqualTo("2");
        assertThat(shell.feed(bytes("cat a\n"), "batch", "-").done().text()).isEqualTo("buy milk");
    }

    @Test
    void itEndsAtTheFirstThatFails() {
        Shell shell = Shell.withRepository(folder);
        String commands = "put a --text 1 -q\nget none\nput b --text 2 -q\nfrob\n";
        Answer ended = shell.feed(bytes(commands), "batch");
        assertThat(ended.status()).isEqualTo(Exit.NO);
        assertThat(ended.err()).contains("no such key: \"none\"", "line 2: exit status 1");
        assertThat(shell.run("ls").done().lines()).hasSize(1);
        Answer all = shell.feed(bytes(commands), "batch", "-k");
        assertThat(all.status()).isEqualTo(Exit.NO);
        assertThat(all.err()).contains("line 2: exit status 1", "no such command: \"frob\"", "line 4: exit status 2");
        assertThat(shell.run("ls").done().lines()).hasSize(2);
    }

    @Test
    void inJsonEachHasItsExitStatus() {
        Shell shell = Shell.withRepository(folder);
        List<JsonNode> json = shell.feed(bytes("put a --text 1\nget none\n"), "batch", "--json", "-k")
                .json();
        assertThat(json.get(0).has("root")).isTrue();
        assertThat(json.get(1)).hasToString("{\"line\":1,\"exit\":0}");
        assertThat(json.get(2)).hasToString("{\"line\":2,\"exit\":1}");
    }

    @Test
    void theOptionsHoldForEachCommand() {
        Shell shell = Shell.withRepository(folder);
        shell.run("put", "a", "--text", "1").done();
        shell.run("branch", "x").done();
        Answer answer =
                shell.feed(bytes("put b --text 2\nput -b main c --text 3\n"), "batch", "-q", "-b", "x", "-C", ".pail");
        assertThat(answer.done().text()).isEmpty();
        assertThat(shell.run("ls", "-b", "x").done().text()).contains("b\t").doesNotContain("c\t");
        assertThat(shell.run("ls").done().text()).contains("c\t").doesNotContain("b\t");
    }

    /** A command that reads standard input does not read the commands behind it. */
    @Test
    void noCommandReadsTheOthers() throws IOException {
        Shell shell = Shell.withRepository(folder);
        shell.feed(bytes("put a --file - -q\nput b --text 2 -q\n"), "batch").done();
        assertThat(shell.run("cat", "a").done().text()).isEmpty();
        assertThat(shell.run("cat", "b").done().text()).isEqualTo("2");
        Files.writeString(folder.resolve("commands"), "put a --file -\n");
        shell.feed(bytes("from outside"), "batch", "commands", "-q").done();
        assertThat(shell.run("cat", "a").done().text()).isEqualTo("from outside");
    }

    @Test
    void whatIsNoLineIsNamed() {
        Shell shell = Shell.withRepository(folder);
        assertThat(shell.feed(bytes("ls\nput 'a\n"), "batch").refused(Exit.USAGE))
                .contains("line 2: a quote has no end");
        assertThat(shell.feed(bytes("batch x\n"), "batch").refused(Exit.USAGE))
                .contains("line 1: a batch does not run another one");
        assertThat(shell.run("batch", "none").failed(Exit.FAILED)).contains("none");
    }
}
