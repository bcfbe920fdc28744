package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Help, which is data: it goes to standard output, and needs no repository. */
class HelpTest {
    static final List<String> COMMANDS = List.of(
            "init", "put", "get", "cat", "rm", "ls", "root", "apply", "load", "tree", "stat", "log", "diff", "branch",
            "tag", "switch", "merge", "revert", "undo", "redo", "reset", "export", "import", "table", "verify", "gc",
            "pack", "unpack", "config", "squash", "convert", "restore", "prove", "check", "watch", "sign", "serve",
            "remote", "clone", "fetch", "pull", "push", "copy");

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private String text(String... arguments) {
        return Shell.in(folder).run(arguments).done().text();
    }

    @Test
    void namesEveryCommandAndEveryGlobalOption() {
        String help = text("help");

        assertThat(help).startsWith("Usage: pail ").contains("pail help exit-codes");
        for (String command : COMMANDS) {
            assertThat(help).containsPattern("(?m)^  " + command + "  +[A-Z]");
        }
        assertThat(help)
                .contains("-C, --store", "-b, --branch", "--json", "--color", "--progress", "-q, --quiet")
                .contains("--lock-timeout", "-h, --help", "-V, --version", "PAIL_STORE");
        assertThat(text("--help")).isEqualTo(help);
        assertThat(text("-h")).isEqualTo(help);
    }

    @Test
    void saysOfEachCommandOneShortLine() {
        List<String> lines = text("help")
                .lines()
                .filter(line -> line.matches("  [a-z]+ +[A-Z].*"))
                .toList();

        assertThat(lines)
                .hasSizeGreaterThan(COMMANDS.size())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(14 + 60));
        assertThat(text("help").lines().map(String::strip))
                .containsSubsequence("start", "change", "look", "history", "exchange", "look after", "tables", "help");
        assertThat(text("help", "apply")).contains("An object is one of\n  {\"op\":\"put\"");
    }

    @Test
    void explainsExitStatuses() {
        assertThat(text("help", "exit-codes")).contains("0    done", "5    damaged");
    }

    @Test
    void listsTheOptionsOfACommandAndNamesTheOthersInALine() {
        assertThat(text("help", "put"))
                .startsWith("Usage: pail put [")
                .contains("--file", "Global options")
                .doesNotContain("--lock-timeout", "--color");
    }

    /** Words that people type at a shell of this kind. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "add",
                "has",
                "find",
                "count",
                "commit",
                "sync",
                "upload",
                "download",
                "prune",
                "forget",
                "backup",
                "dump",
                "query",
                "scan",
                "get-all",
                "stats",
                "info",
                "update",
                "edit",
                "grep",
                "lst",
                "gett",
                "putt",
                "lgo",
                "verfy",
                "brnch"
            })
    void hintsAtTheCommandThatWasMeant(String word) {
        Answer answer = Shell.in(folder).run(word);
        String refused = answer.refused(Exit.USAGE);

        assertThat(refused).contains("no such command: \"" + word + "\"").containsAnyOf("pail ", "did you mean: ");
        assertThat(refused.replaceFirst("(?s).*hint: see: pail help", ""))
                .as(word)
                .isNotBlank();
    }

    @Test
    void namesTheNearestCommand() {
        assertThat(Shell.in(folder).run("lst").refused(Exit.USAGE)).contains("did you mean: ls");
        assertThat(Shell.in(folder).run("putt").refused(Exit.USAGE)).contains("did you mean: put");
        assertThat(Shell.in(folder).run("frobnicate").refused(Exit.USAGE)).doesNotContain("did you mean");
    }

    @ParameterizedTest
    @FieldSource("COMMANDS")
    void explainsACommandInThreeWays(String command) {
        String help = text("help", command);

        assertThat(help)
                .startsWith("Usage: pail " + command)
                .contains("Global options", "Examples:", "  pail " + command);
        assertThat(help.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(help.lines().dropWhile(line -> !line.equals("Examples:")).skip(1))
                .as("no example is broken where the line ends")
                .allSatisfy(line -> assertThat(line).startsWith("  "));
        assertThat(text(command, "--help")).isEqualTo(help);
        assertThat(text(command, "-h")).isEqualTo(help);
        assertThat(text(command, "key", "-h", "--json")).isEqualTo(help);
    }

    @Test
    void explainsHelp() {
        assertThat(text("help", "help")).contains("help");
        assertThat(text("help", "--help")).contains("help");
        assertThat(text("help", "put", "--json")).isEqualTo(text("help", "put"));
    }

    @Test
    void saysTheVersion() {
        assertThat(text("--version")).matches("pail \\S.*\n");
        assertThat(text("-V")).isEqualTo(text("--version"));
        assertThat(Answer.parse(text("--version", "--json")).get("version").asText())
                .isEqualTo(text("--version").substring("pail ".length()).strip());
    }
}
