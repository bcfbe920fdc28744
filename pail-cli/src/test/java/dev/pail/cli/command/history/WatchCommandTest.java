package dev.pail.cli.command.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Launched;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Updates of a branch as they come, and those that came before. */
class WatchCommandTest {
    @TempDir
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder, "--format", "v0");
        shell.put("a", 1, "b/1", 2);
        shell.run("rm", "a", "-m", "not needed").done();
    }

    private static String shape(String line) {
        return line.replaceAll("[0-9a-f]{16}  [-0-9T:]+Z", "HASH  TIME").replaceAll("bafkrei\\w+", "CID");
    }

    private List<String> watched(String... arguments) {
        return shell.run(Shell.concat("watch", arguments)).done().lines();
    }

    /** The tokens of all updates, the first at 1. */
    private List<String> tokens() {
        List<String> tokens = new java.util.ArrayList<>(List.of("0"));
        shell.run("watch", "--from", "0", "-n", "3", "--json").done().json().stream()
                .filter(line -> line.has("token"))
                .forEach(line -> tokens.add(line.get("token").asText()));
        return tokens;
    }

    @Test
    void listsUpdatesWithTheirChanges() {
        assertThat(watched("--from", "0", "-n", "3"))
                .extracting(WatchCommandTest::shape)
                .containsExactly(
                        "+ a\tCID",
                        "= 1-HASH  TIME  put \"a\"",
                        "+ b/1\tCID",
                        "= 2-HASH  TIME  put \"b/1\"",
                        "- a\tCID",
                        "= 3-HASH  TIME  delete \"a\"  \"not needed\"");
    }

    @Test
    void goesOnBehindAToken_REP29_REP30() {
        List<String> tokens = tokens();
        for (int from = 0; from < 3; from++) {
            List<String> rest = watched("--from", tokens.get(from), "-n", Integer.toString(3 - from));
            assertThat(rest).hasSize(2 * (3 - from));
            assertThat(rest.get(rest.size() - 1)).startsWith("= " + tokens.get(3));
            assertThat(watched("--from", Integer.toString(from), "-n", "1").get(1))
                    .startsWith("= " + tokens.get(from + 1));
        }
    }

    @Test
    void beginsWhereTheBranchStands() {
        assertThat(watched("-n", "0")).containsExactly("= " + tokens().get(3));
        JsonNode line = shell.run("watch", "-n", "0", "--json").done().json().get(0);
        assertThat(line.get("token").asText()).isEqualTo(tokens().get(3));
        assertThat(line.get("generation").asInt()).isEqualTo(3);
        String event = line.get("to").get(0).asText();
        assertThat(shell.run("ls", "--at", event).done().lines()).hasSize(1);
    }

    @Test
    void listsOnlyChangesBelowAPrefix() {
        assertThat(watched("--from", "0", "-n", "3", "--prefix", "b/"))
                .extracting(WatchCommandTest::shape)
                .containsExactly(
                        "= 1-HASH  TIME  put \"a\"",
                        "+ b/1\tCID",
                        "= 2-HASH  TIME  put \"b/1\"",
                        "= 3-HASH  TIME  delete \"a\"  \"not needed\"");
    }

    @Test
    void writesJson() {
        List<JsonNode> lines =
                shell.run("watch", "--from", "1", "-n", "2", "--json").done().json();
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0).toString())
                .isEqualTo("{\"change\":\"added\",\"key\":\"b/1\",\"after\":\"" + Shell.cid(2) + "\"}");
        JsonNode last = lines.get(3);
        assertThat(last.get("token").asText()).startsWith("3-");
        assertThat(last.get("reason").asText()).isEqualTo("delete \"a\"");
        assertThat(last.get("message").asText()).isEqualTo("not needed");
        assertThat(last.get("from")).isEqualTo(lines.get(1).get("to"));
    }

    @Test
    void watchesAnotherBranch() {
        shell.run("branch", "draft").done();
        shell.run("-b", "draft", "put", "d", Shell.cid(4)).done();
        assertThat(watched("-b", "draft", "--from", "1", "-n", "1").get(0)).startsWith("+ d\t");
        assertThat(shell.run("watch", "-b", "none").refused(Exit.FAILED)).contains("no branch none");
    }

    @Test
    void endsWhenTheBranchIsRenamedOrRemoved_REP30() throws IOException {
        shell.run("branch", "x").done();
        shell.run("-b", "x", "put", "d", Shell.cid(4)).done();
        Launched watch = Launched.pail(folder, "-b", "x", "watch");
        assertThat(watch.readLine()).startsWith("= 2-");
        shell.run("branch", "-m", "x", "y").done();
        assertThat(watch.answer().refused(Exit.FAILED))
                .contains("branch x was renamed to y: ", "hint: continue with: pail watch -b y");
        shell.run("branch", "-d", "y").done();
        Answer removed = shell.run("-b", "y", "watch", "--from", "0");
        assertThat(removed.failed(Exit.FAILED))
                .contains("branch y was removed: ", "hint: see its updates with: pail log --head -b y");
    }

    @Test
    void refusesATokenThatDoesNotFit_REP29() {
        String other = tokens().get(3).replaceFirst("3", "2");
        JsonNode refused = shell.run("watch", "--from", other, "--json").refusedInJson(Exit.FAILED);
        assertThat(refused.get("code").asText()).isEqualTo("bad-token");
        assertThat(refused.get("hint").asText()).endsWith("pail watch -b main");
        assertThat(shell.run("watch", "--from", "4").refused(Exit.FAILED))
                .contains("main has no update 4: its last one is 3-");
        assertThat(shell.run("watch", "--from", "x\u001b[2J").refused(Exit.FAILED))
                .contains("not a token", "x\\u{1b}[2J");
        shell.run("watch", "--from", "-1").refused(Exit.FAILED);
        shell.run("watch", "-n", "-1").refused(Exit.USAGE);
        shell.run("export", "f.car").done();
        shell.run("-C", "f.car", "watch").refused(Exit.FAILED);
    }

    @Test
    void waitsForOtherProcesses_REP30() throws IOException {
        Launched watch = Launched.pail(folder, "watch", "--json", "-n", "2");
        assertThat(watch.readLine()).startsWith("{\"token\":\"3-");
        shell.put("c", 5);
        assertThat(watch.readLine()).contains("\"key\":\"c\"");
        assertThat(watch.readLine()).startsWith("{\"token\":\"4-");
        Launched.pail(folder, "put", "d", Shell.cid(6)).answer().done();
        assertThat(watch.answer().done().json())
                .hasSize(2)
                .last()
                .satisfies(line -> assertThat(line.get("generation").asInt()).isEqualTo(5));
    }

    /** Whether these tests, and so all processes that they start, were started in the background by a shell. */
    private static boolean isInterruptIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.isReadable(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .anyMatch(line ->
                                (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 2) != 0);
    }

    @Test
    void endsWhenItIsInterrupted() throws Exception {
        for (String signal : isInterruptIgnored() ? List.of("TERM") : List.of("INT", "TERM")) {
            Launched watch = Launched.pail(folder, "watch", "--from", "0");
            for (int i = 0; i < 6; i++) {
                watch.readLine();
            }
            new ProcessBuilder(
                            "kill", "-" + signal, Long.toString(watch.process().pid()))
                    .start()
                    .waitFor();
            Answer answer = watch.answer();
            assertThat(answer.status()).isEqualTo(signal.equals("INT") ? Exit.INTERRUPTED : 143);
            assertThat(answer.err()).isEmpty();
            assertThat(answer.text()).isEmpty();
        }
    }

    @Test
    void endsWhenItsReaderHasGone() throws IOException {
        Launched watch = Launched.pail(folder, "watch");
        assertThat(watch.readLine()).startsWith("= 3-");
        watch.process().getInputStream().close();
        shell.put("c", 5);
        Answer answer = watch.close();
        assertThat(answer.status()).isEqualTo(Exit.PIPE);
        assertThat(answer.err()).isEmpty();
    }
}
