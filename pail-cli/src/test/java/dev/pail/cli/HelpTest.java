package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Help, which is data: it goes to standard output, and needs no repository. */
class HelpTest {
    static final List<String> COMMANDS = List.of(
            "init", "put", "get", "cat", "rm", "ls", "root", "apply", "load", "tree", "stat", "log", "diff", "branch",
            "tag", "switch", "merge", "undo", "reset", "export", "import", "table", "verify", "gc", "pack", "unpack");

    @TempDir(factory = InMemory.class)
    Path folder;

    private String text(String... arguments) {
        return Shell.in(folder).run(arguments).done().text();
    }

    @Test
    void namesEveryCommandAndEveryGlobalOption() {
        String help = text("help");

        assertThat(help).startsWith("Usage: pail ").contains("Exit status");
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
    void saysOfEachCommandAWholeSentence() {
        String commands = text("help").split("Commands:\\n|\\n\\n", -1)[1];

        assertThat(commands.split("\n(?=  \\S)", -1))
                .hasSizeGreaterThan(COMMANDS.size())
                .allSatisfy(command -> assertThat(command.strip()).endsWith("."));
        assertThat(text("help", "apply")).contains("root.\nA line is one of\n  {\"op\":\"put\"");
    }

    @ParameterizedTest
    @FieldSource("COMMANDS")
    void explainsACommandInThreeWays(String command) {
        String help = text("help", command);

        assertThat(help).startsWith("Usage: pail " + command + " ").contains("Examples:", "  pail " + command);
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
