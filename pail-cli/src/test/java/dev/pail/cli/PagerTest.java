package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a pseudo-terminal, a pager shows what commands of histories print. */
class PagerTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Answer onTerminal(Map<String, String> variables, String... arguments) {
        List<String> java = Launched.command(Main.class, arguments);
        List<String> words = new ArrayList<>(List.of("python3", "-c", HostileOutputTest.PSEUDO_TERMINAL));
        words.add(java.get(0));
        words.add("-Dpail.terminals=out,err");
        words.addAll(java.subList(1, java.size()));
        ProcessBuilder builder = Launched.builder(folder, words);
        builder.environment().keySet().removeAll(List.of("PAIL_PAGER", "PAGER", "LESS"));
        builder.environment().putAll(variables);
        return Launched.start(builder).feed(new byte[0]);
    }

    private void assume() {
        assumeTrue(
                HostileOutputTest.isThere(folder, "python3", "-c", "import pty, os; os.waitstatus_to_exitcode"),
                "python3 with pty");
    }

    @Test
    void thePagerOfTheUserShowsHistories() throws IOException {
        assume();
        Shell shell = Shell.withRepository(folder);
        shell.run("put", "title", "--text", "tea", "-q").done();
        Map<String, String> marking = Map.of("PAIL_PAGER", "sed 's/^/page: /'", "PAGER", "false");
        for (String[] paged : new String[][] {{"log"}, {"show"}, {"blame"}, {"diff", "-p", "HEAD"}}) {
            Answer answer = onTerminal(marking, paged);
            assertThat(answer.status()).isZero();
            assertThat(answer.text().lines()).allMatch(line -> line.startsWith("page: "));
        }
        assertThat(onTerminal(Map.of("PAGER", "sed 's/^/other: /'"), "log").text())
                .startsWith("other: ");
        assertThat(onTerminal(marking, "ls").text()).startsWith("title");
        assertThat(onTerminal(marking, "log", "--json").text()).startsWith("{");
        assertThat(onTerminal(Map.of("PAIL_PAGER", ""), "log", "--oneline").text())
                .startsWith("bafy");
        assertThat(onTerminal(Map.of("PAIL_PAGER", "cat"), "log", "--oneline").text())
                .startsWith("bafy");
    }

    @Test
    void failuresAreOnThePageToo() {
        assume();
        Shell shell = Shell.withRepository(folder);
        shell.run("put", "title", "--text", "tea", "-q").done();
        Answer answer = onTerminal(Map.of("PAIL_PAGER", "sed 's/^/page: /'"), "show", "none");
        assertThat(answer.status()).isEqualTo(3);
        assertThat(answer.text()).contains("page: ").contains("none");
    }

    /** A pager that ends early ends the command, as a closed pipe does. */
    @Test
    void aPagerThatEndsEndsTheCommand() {
        assume();
        Shell shell = Shell.withRepository(folder);
        shell.run("put", "title", "--text", "tea", "-q").done();
        assertThat(onTerminal(Map.of("PAIL_PAGER", "exit 0"), "log").text()).isEmpty();
    }

    /** Elsewhere there is none. */
    @Test
    void noPagerInAPipe() {
        Shell shell = Shell.withRepository(folder);
        shell.run("put", "title", "--text", "tea", "-q").done();
        ProcessBuilder builder = Launched.builder(folder, Launched.command(Main.class, "log", "--oneline"));
        builder.environment().put("PAIL_PAGER", "false");
        assertThat(Launched.start(builder).feed(new byte[0]).done().text()).startsWith("bafy");
    }
}
