package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.terminal.Exit;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** What a shell offers for the word that is being typed. */
class CompletionTest {
    @TempDir
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder);
        shell.put("photos/1.jpg", 1, "photos/2.jpg", 2, "notes", 3, "a\u001b[1m", 4);
        shell.run("branch", "experiment").done();
        shell.run("tag", "exact").done();
    }

    private List<String> candidates(String... words) {
        String[] all = new String[words.length + 3];
        all[0] = "completion";
        all[1] = "words";
        all[2] = "--";
        System.arraycopy(words, 0, all, 3, words.length);
        return shell.run(all).done().text().lines().toList();
    }

    @Test
    void completesCommandsAndActions() {
        assertThat(candidates("sw")).containsExactly("switch");
        assertThat(candidates("table", "re")).containsExactly("reindex");
        assertThat(candidates("help", "sw")).containsExactly("switch");
        assertThat(candidates("-q", "sw")).containsExactly("switch");
        assertThat(candidates("")).contains("put", "ls");
    }

    @Test
    void completesOptions() {
        assertThat(candidates("ls", "--li")).containsExactly("--limit");
        assertThat(candidates("--col")).containsExactly("--color");
        assertThat(candidates("log", "--color", "n")).containsExactly("never");
        assertThat(candidates("get", "--", "--no")).isEmpty();
    }

    @Test
    void completesKeysButNoneThatATerminalWouldNotShow() {
        assertThat(candidates("get", "ph")).containsExactly("photos/1.jpg", "photos/2.jpg");
        assertThat(candidates("rm", "notes", "photos/2")).containsExactly("photos/2.jpg");
        assertThat(candidates("get", "a")).isEmpty();
        assertThat(candidates("put", "notes", "")).isEmpty();
    }

    @Test
    void completesBranchesAndTags() {
        assertThat(candidates("switch", "ex")).containsExactlyInAnyOrder("experiment", "exact");
        assertThat(candidates("ls", "--at", "exp")).containsExactly("experiment");
        assertThat(candidates("-b", "m")).containsExactly("main");
    }

    @Test
    void completesTablesEventsAndFixedWords() {
        shell.run("table", "create", "people").done();
        assertThat(candidates("table", "find", "")).containsExactly("people");
        assertThat(candidates("revert", ""))
                .contains(shell.run("log", "-n", "1").done().line().substring(2, 17));
        assertThat(candidates("init", "--format", "")).containsExactly("v0", "v1", "v2");
        assertThat(candidates("table", "find", "--format", "")).containsExactly("table", "ndjson", "csv");
        assertThat(candidates("merge", "--policy", "o")).containsExactly("ours");
        assertThat(candidates("config", "")).containsExactly("list", "get", "set", "unset");
        assertThat(candidates("config", "get", "au")).containsExactly("author");
    }

    /** Every command completes its options, and every argument and value that has candidates; the shell completes files. */
    @Test
    void everyCommandCompletes() {
        shell.run("table", "create", "people").done();
        List<String> free = List.of(
                "BYTES",
                "CID",
                "COLUMN",
                "VALUE|PREFIX",
                "DIR",
                "FIELD",
                "FIELDS",
                "FIELD=VALUE",
                "FILE",
                "FILTER",
                "ID",
                "JSON",
                "MESSAGE",
                "N",
                "NUMBER",
                "PATH",
                "PATTERN",
                "PERCENT",
                "SECONDS",
                "STORE",
                "TEXT",
                "TIME",
                "TOKEN",
                "URL",
                "VALUE",
                "WORD");
        Deque<CommandSpec> due = new ArrayDeque<>(List.of(Cli.specification()));
        while (!due.isEmpty()) {
            CommandSpec spec = due.remove();
            spec.subcommands().values().forEach(each -> due.add(each.getCommandSpec()));
            List<String> words = new ArrayList<>(
                    List.of(spec.qualifiedName(" ").replaceFirst("^pail ?", "").split(" ")));
            words.remove("");
            assertThat(candidates(with(words, "--hel"))).as("%s", words).containsExactly("--help");
            for (OptionSpec option : spec.options()) {
                if (option.arity().min() > 0 && !free.contains(option.paramLabel())) {
                    assertThat(candidates(with(words, option.longestName(), "")))
                            .as("%s %s", words, option.longestName())
                            .isNotEmpty();
                }
            }
            List<String> before = new ArrayList<>(words);
            for (PositionalParamSpec parameter : spec.positionalParameters()) {
                // The arguments of copy are folders or URLs.
                if (!free.contains(parameter.paramLabel()) && !spec.name().equals("copy")) {
                    assertThat(candidates(with(before, "")))
                            .as("%s %s", before, parameter.paramLabel())
                            .isNotEmpty();
                }
                before.add("x");
            }
        }
    }

    private static String[] with(List<String> words, String... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    @Test
    void readsTheStoreThatTheWordsName() {
        Shell outside = Shell.in(folder.getParent());
        List<String> found = outside.run(
                        "completion",
                        "words",
                        "--",
                        "-C",
                        folder.resolve(".pail").toString(),
                        "get",
                        "n")
                .done()
                .text()
                .lines()
                .toList();

        assertThat(found).containsExactly("notes");
        assertThat(outside.run("completion", "words", "--", "-C", "nothing", "get", "n")
                        .done()
                        .text())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void printsAScript(String name) {
        assertThat(shell.run("completion", name).done().text()).contains("completion words -- ", name);
        assertThat(shell.run("completion", "tcsh").refused(Exit.USAGE)).contains("bash, zsh, fish");
    }
}
