package dev.pail.cli.command.history;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Line;
import dev.pail.cli.Shell;
import dev.pail.cli.Snapshot;
import dev.pail.cli.terminal.Exit;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.Operation;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Log, diff, branches, merges, undo and reset. */
class HistoryCommandsTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder);
    }

    private List<JsonNode> log(String... arguments) {
        return shell.run(Shell.concat("log", Shell.concat("--json", arguments)))
                .done()
                .json();
    }

    private String event(int index) {
        return log().get(index).get("event").asText();
    }

    private String get(String key) {
        return shell.run("get", key).done().line();
    }

    /** Refused with this exit status, in words and in JSON, and nothing has changed. */
    private String refused(int status, String... arguments) {
        Map<String, String> before = Snapshot.of(folder);
        String message = shell.run(arguments).refused(status);
        shell.run(Shell.concat("--json", arguments)).refusedInJson(status);
        assertThat(Snapshot.of(folder)).isEqualTo(before);
        return message;
    }

    /** Two branches that both change "both", and each a key of its own. */
    private void fork() {
        shell.put("both", 1);
        shell.run("branch", "theirs").done();
        shell.put("both", 2, "ours", 3);
        shell.run("switch", "theirs").done();
        shell.put("both", 4, "theirs", 5);
        shell.run("switch", "main").done();
    }

    @Test
    void logTellsEachEventNewestFirst() {
        shell.put("a", 1, "b", 2);
        shell.run("rm", "a").done();
        shell.feed(Line.put("c", 3) + Line.put("d", 4), "apply").done();

        List<JsonNode> all = log();
        assertThat(all).hasSize(4);
        for (int i = 0; i < 3; i++) {
            assertThat(all.get(i).get("parents")).hasSize(1);
            assertThat(all.get(i).get("parents").get(0))
                    .isEqualTo(all.get(i + 1).get("event"));
        }
        assertThat(all.get(3).get("parents")).isEmpty();
        assertThat(all.get(0).get("root").asText()).isEqualTo(shell.root());
        assertThat(all.get(0).get("batch").asBoolean()).isTrue();
        assertThat(all.get(0).get("ops")).hasSize(2);
        assertThat(all.get(1).get("ops").toString()).isEqualTo("[{\"op\":\"del\",\"key\":\"a\"}]");
        assertThat(all.get(2).get("ops").get(0).get("value").asText()).isEqualTo(Shell.cid(2));

        List<String> lines = shell.run("log").done().lines();
        assertThat(lines).hasSize(4).allMatch(line -> line.matches("\\* bafyrei\\w{8}  20\\S+Z  .*"));
        assertThat(lines.get(0)).endsWith("batch of 2  (main)");
        assertThat(lines.get(1)).endsWith("del \"a\"");
        assertThat(lines.get(3)).endsWith("put \"a\"");
    }

    @Test
    void logIsLimitedAndOfOneKey() {
        shell.put("a", 1, "b", 2, "a", 3);

        assertThat(log("-n", "2")).hasSize(2);
        assertThat(log("--limit", "0")).isEmpty();
        assertThat(log("--key", "a"))
                .hasSize(2)
                .allSatisfy(event -> assertThat(event.get("ops")).hasSize(1));
        assertThat(log("--key", "a", "-n", "1").get(0).get("event").asText()).isEqualTo(event(0));
        assertThat(shell.run("log", "--key", "a").done().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("put \"a\" bafkrei"));
        assertThat(shell.run("log", "--key", "absent").done().bytes()).isEmpty();
        assertThat(log("@{1}")).hasSize(2);
    }

    @Test
    void logHasAnEventOnceWhereOneIsNamedBesideAnotherThatFollowsIt() {
        shell.put("a", 1, "b", 2, "c", 3);
        List<String> before =
                log().stream().map(each -> each.get("event").asText()).toList();
        String newest;
        try (Repository repository = FileRepository.open(folder.resolve(".pail"))) {
            Event event = Event.of(
                    new Operation.Delete("absent"),
                    repository.pail().root(),
                    before.stream().limit(2).map(Cid::parse).toList());
            repository.blocks().put(event.block());
            repository.move(repository.snapshot(Repository.MAIN), Head.of(event.cid()), "from elsewhere");
            newest = event.cid().toString();
        }

        assertThat(log())
                .extracting(each -> each.get("event").asText())
                .containsExactly(newest, before.get(0), before.get(1), before.get(2));
    }

    @Test
    void logOfNothingIsEmpty() {
        assertThat(shell.run("log").done().bytes()).isEmpty();
        assertThat(shell.run("log", "--head").done().bytes()).isEmpty();
    }

    @Test
    void logDrawsWhereHistoriesForkAndJoin() {
        fork();
        shell.run("merge", "theirs").done();
        shell.put("joined", 6);

        List<String> marks = shell.run("log").done().lines().stream()
                .map(line -> line.replaceAll("  ?bafyrei.*", "").stripTrailing())
                .map(line -> line.replaceAll("bafyrei.*", ""))
                .toList();
        assertThat(marks).hasSize(8);
        assertThat(marks.get(0)).isEqualTo("*");
        assertThat(marks.get(1)).isEqualTo("├─╮");
        assertThat(marks.subList(2, 6)).allMatch(line -> line.matches("\\* │|│ \\*"));
        assertThat(marks.subList(6, 8)).containsExactly("├─╯", "*");
        assertThat(log().get(0).get("parents")).hasSize(2);
    }

    @Test
    void keysAreShownEscaped() {
        shell.put("\u001b[31mred", 1);
        shell.run("branch", "other").done();
        shell.put("\u001b[31mred", 2);
        shell.run("put", "\u001b[31mred", Shell.cid(3), "-b", "other").done();

        assertThat(shell.run("log").done().text())
                .contains("\"\\u{1b}[31mred\"")
                .doesNotContain("\u001b");
        assertThat(shell.run("log", "--head").done().text()).doesNotContain("\u001b");
        assertThat(shell.run("diff").done().text()).startsWith("~ \\u{1b}[31mred\t");
        assertThat(shell.run("merge", "other").done().text())
                .contains("! \\u{1b}[31mred\t")
                .doesNotContain("\u001b");
    }

    @Test
    void diffListsAddedRemovedAndChangedKeys() {
        shell.put("a", 1, "b", 2);
        shell.feed(Line.delete("a") + Line.put("b", 3) + Line.put("c", 4), "apply")
                .done();

        List<String> expected =
                List.of("- a\t" + Shell.cid(1), "~ b\t" + Shell.cid(2) + " -> " + Shell.cid(3), "+ c\t" + Shell.cid(4));
        assertThat(shell.run("diff").done().lines()).isEqualTo(expected);
        assertThat(shell.run("diff", "@{1}").done().lines()).isEqualTo(expected);
        assertThat(shell.run("diff", event(1), event(0)).done().lines()).isEqualTo(expected);
        assertThat(shell.run("diff", "main@{1}", shell.root()).done().lines()).isEqualTo(expected);
        assertThat(shell.run("diff", "@{0}", "@{1}").done().lines().get(0)).startsWith("+ a\t");
        assertThat(shell.run("diff", "--json").done().json().get(1).toString())
                .isEqualTo("{\"change\":\"changed\",\"key\":\"b\",\"before\":\"" + Shell.cid(2) + "\",\"after\":\""
                        + Shell.cid(3) + "\"}");
        assertThat(shell.run("diff", "--stat").done().lines())
                .containsExactly("added\t1", "changed\t1", "removed\t1", "shardsAdded\t1", "shardsRemoved\t1");
    }

    @Test
    void diffAnswersByExitStatusWhereThatIsAskedFor() {
        shell.put("a", 1);

        assertThat(shell.run("diff").status()).isZero();
        assertThat(shell.run("diff", "--exit-code").status()).isEqualTo(Exit.NO);
        assertThat(shell.run("diff", "--exit-code", "--stat").status()).isEqualTo(Exit.NO);
        assertThat(shell.run("diff", "-q").status()).isEqualTo(Exit.NO);
        assertThat(shell.run("diff", "-q").bytes()).isEmpty();
        assertThat(shell.run("diff", "@{0}", "--exit-code").done().bytes()).isEmpty();
        assertThat(shell.run("diff", "main", "-q").status()).isZero();
    }

    @Test
    void branchesAreMadeListedAndSwitched() {
        shell.put("a", 1);
        String root = shell.root();
        assertThat(shell.run("branch", "other").done().line()).isEqualTo(root);
        shell.put("b", 2);
        assertThat(shell.run("branch", "old", "@{1}").done().line()).isEqualTo(root);

        assertThat(shell.run("branch").done().lines())
                .extracting(line -> line.replaceAll("\t.*", ""))
                .containsExactly("* main", "  old", "  other");
        assertThat(shell.run("switch", "other").done().line()).isEqualTo(root);
        assertThat(shell.keys()).containsExactly("a");
        assertThat(shell.run("-b", "main", "ls").done().lines()).hasSize(2);
        assertThat(shell.run("branch", "--json").done().json())
                .filteredOn(branch -> branch.get("current").asBoolean())
                .extracting(branch -> branch.get("branch").asText())
                .containsExactly("other");
        assertThat(shell.run("-b", "main", "branch").done().lines())
                .filteredOn(line -> line.startsWith("* "))
                .singleElement()
                .asString()
                .startsWith("* other\t");
        assertThat(refused(Exit.FAILED, "branch", "old")).contains("old");
        assertThat(refused(Exit.FAILED, "switch", "absent")).contains("absent");
        assertThat(refused(Exit.FAILED, "branch", "../x")).contains("not the name of a branch: \"../x\"");
    }

    @Test
    void aBranchDoesNotHideATag() {
        shell.put("a", 1);
        shell.run("tag", "v1").done();
        shell.put("a", 2);
        shell.run("export", "all.car").done();

        assertThat(refused(Exit.FAILED, "branch", "v1")).contains("there is a tag v1 already", "pail tag -d v1");
        assertThat(shell.run("import", "all.car", "-b", "v1").failed(Exit.FAILED))
                .contains("there is a tag v1 already");
        assertThat(shell.run("get", "a", "--at", "v1").done().line()).isEqualTo(Shell.cid(1));
        shell.run("tag", "-d", "v1").done();
        shell.run("branch", "v1").done();
    }

    @Test
    void whatNamesAVersionByItsContentNamesNothingElse() {
        shell.put("a", 1, "b", 2);
        String old = shell.run("root", "--at", "@{1}").done().line();
        shell.run("export", "all.car").done();

        for (String cid : List.of(old, event(1), old.toUpperCase(Locale.ROOT))) {
            assertThat(refused(Exit.FAILED, "branch", cid)).contains("not a name: " + cid);
            assertThat(refused(Exit.FAILED, "tag", cid)).contains("not a name: " + cid);
            assertThat(shell.run("import", "all.car", "-b", cid).failed(Exit.FAILED))
                    .contains("not a name: " + cid);
        }
        assertThat(shell.run("root", "--at", old).done().line()).isEqualTo(old);
        shell.run("branch", old.substring(0, 20)).done();
    }

    @Test
    void readingCommandsReadAnyVersion() {
        shell.feed("one", "put", "a", "--file", "-").done();
        String root = shell.root();
        String event = event(0);
        shell.feed("two", "put", "a", "--file", "-").done();

        for (String at : List.of("@{1}", "main@{1}", event, event.substring(0, 15), root)) {
            assertThat(shell.run("cat", "a", "--at", at).done().text()).isEqualTo("one");
            assertThat(shell.run("get", "a", "--at", at).done().line()).isEqualTo(Shell.cid("one".getBytes(UTF_8)));
            assertThat(shell.run("root", "--at", at).done().line()).isEqualTo(root);
            assertThat(shell.run("ls", "--at", at).done().lines()).hasSize(1);
            assertThat(shell.run("tree", "--at", at).done().text()).startsWith(root);
            assertThat(shell.run("stat", "--at", at).done().text()).contains(root);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"absent", "?", "", "@{9}", "absent@{1}", "bafyreibbbbbbbbbb", "\u001b[31m", "@{x}"})
    void whatNamesNoVersionIsRefused(String revision) {
        shell.put("a", 1);
        refused(Exit.FAILED, "ls", "--at", revision);
        refused(Exit.FAILED, "diff", "--", revision);
        refused(Exit.FAILED, "log", "--", revision);
        refused(Exit.FAILED, "merge", "--", revision);
        refused(Exit.FAILED, "reset", "--", revision);
        refused(Exit.FAILED, "branch", "new", revision);
    }

    @Test
    void aPrefixThatSeveralEventsHaveIsRefused() {
        shell.put("a", 1, "b", 2);

        assertThat(refused(Exit.FAILED, "ls", "--at", "bafyrei")).contains(event(0), event(1), "more characters");
    }

    @ParameterizedTest
    @CsvSource({
        "undo 0",
        "undo x",
        "undo -1",
        "log -n -1",
        "log --head main",
        "merge main --policy best",
        "merge",
        "reset",
        "switch",
        "switch -b main main",
        "export",
        "import",
        "diff a b c",
        "undo 1 2"
    })
    void wrongUse(String line) {
        refused(Exit.USAGE, line.split(" "));
    }

    /** Some file systems take them for another name, or for none. */
    @ParameterizedTest
    @ValueSource(strings = {"MAIN", "Topic", "V1", "REMOVED", "con", "NUL", "Aux", "com1", "LPT9.txt", "prn.a.b"})
    void namesThatOtherSystemsCannotTellApartAreRefused_REP2(String name) {
        shell.put("a", 1);
        shell.run("branch", "topic").done();
        shell.run("branch", "removed").done();
        shell.run("branch", "-d", "removed").done();
        shell.run("tag", "v1").done();
        assertThat(refused(Exit.FAILED, "branch", name)).contains("not a name: " + name);
        assertThat(refused(Exit.FAILED, "tag", name)).contains("not a name: " + name);
        assertThat(refused(Exit.FAILED, "-b", name, "merge", "topic")).contains("not a name: " + name);
    }

    @Test
    void namesThatAreOnlyLikeThoseAreTaken_REP2() {
        shell.put("a", 1);
        for (String name : List.of("console", "com10", "lpt", "nul-1", "aux_", "main2")) {
            shell.run("branch", name).done();
        }
        shell.run("branch", "-d", "console").done();
        shell.run("branch", "console").done();
    }

    @Test
    void theFolderAroundTheRepositoryNamesIt() throws IOException {
        shell.put("a", 1);
        assertThat(shell.run("-C", ".", "ls").done().lines()).hasSize(1);
        assertThat(shell.run("-C", folder.toString(), "ls").done().lines()).hasSize(1);
        assertThat(shell.withVariable("PAIL_STORE", ".").run("ls").done().lines())
                .hasSize(1);
        Path other = Files.createDirectory(folder.resolve("other"));
        Shell.withRepository(other, "-q");
        Shell.withRepository(other, "-q", "-C", other.toString());
        assertThat(Shell.in(other).run("-C", ".", "put", "b", Shell.cid(2)).status())
                .isZero();
        assertThat(Shell.in(other).run("ls").done().lines())
                .as("one named is that one")
                .isEmpty();
    }

    @Test
    void beforeTheFirstChangeThereIsNothingToGoBackTo() {
        for (String command : List.of("undo", "diff", "table diff", "reset @{1}")) {
            assertThat(refused(Exit.FAILED, command.split(" ")))
                    .contains("main has no earlier version: it was never moved");
        }
        assertThat(refused(Exit.FAILED, "tag", "first")).contains("nothing was changed yet", "main", "pail put");
        assertThat(shell.run("log").done().lines()).isEmpty();
    }

    @Test
    void resetGoesAnywhereAndLosesNothing() {
        shell.put("a", 1, "b", 2);
        String root = shell.root();
        String first = event(1);

        shell.run("reset", first).done();
        assertThat(shell.keys()).containsExactly("a");
        assertThat(log()).hasSize(1);
        assertThat(shell.run("reset", root).done().line()).isEqualTo(root);
        assertThat(log()).hasSize(2);
        assertThat(shell.run("reset", "@{2}").done().line()).isEqualTo(root);
    }

    @Test
    void mergeTakesWhatOthersDidAndTellsWhatBothChanged() {
        fork();
        Map<String, String> before = Snapshot.of(folder);
        Answer dry = shell.run("merge", "theirs", "--dry-run").done();
        assertThat(Snapshot.of(folder)).isEqualTo(before);
        Answer merged = shell.run("merge", "theirs").done();

        assertThat(merged.text()).isEqualTo(dry.text());
        assertThat(merged.lines()).hasSize(2);
        assertThat(merged.lines().get(0))
                .startsWith("! both\tours " + Shell.cid(2) + "\ttheirs " + Shell.cid(4) + "\t")
                .endsWith(get("both").equals(Shell.cid(2)) ? "ours stands" : "theirs stands");
        assertThat(merged.lines().get(1)).isEqualTo(shell.root());
        assertThat(shell.keys()).containsExactly("both", "ours", "theirs");
        assertThat(shell.run("-b", "theirs", "merge", "main").done().line()).isEqualTo(shell.root());
        assertThat(shell.run("merge", "theirs").done().line()).isEqualTo(shell.root());
    }

    @Test
    void mergeMakesTheBranch() {
        fork();
        shell.run("merge", "theirs").done();
        String events = shell.run("branch").done().lines().get(0).replaceAll(".*\t", "");
        Map<String, String> before = Snapshot.of(folder);
        Answer dry = shell.run("-b", "new", "merge", "main", "--dry-run").done();
        assertThat(Snapshot.of(folder)).isEqualTo(before);
        Answer merged = shell.run("-b", "new", "merge", "main").done();

        assertThat(merged.text()).isEqualTo(dry.text());
        assertThat(merged.line()).isEqualTo(shell.root());
        assertThat(shell.run("branch").done().lines()).contains("  new\t" + events);
        assertThat(shell.run("-b", "new", "log", "--head", "--json").done().json())
                .singleElement()
                .satisfies(move -> assertThat(move.get("reason").asText()).isEqualTo("merge main"));
        assertThat(refused(Exit.FAILED, "-b", "../x", "merge", "main")).contains("../x");
        assertThat(refused(Exit.FAILED, "-b", "absent", "merge", "@{1}")).contains("absent");
        shell.run("tag", "v1").done();
        assertThat(refused(Exit.FAILED, "-b", "v1", "merge", "main")).contains("a tag v1");
        assertThat(refused(Exit.FAILED, "-b", "v1", "merge", "main", "--dry-run"))
                .contains("a tag v1");
    }

    /** The branch that is made has no history yet to which another could be unrelated. */
    @Test
    void mergeIntoANewBranchAsksNotWhatBelongsTogether() throws IOException {
        Shell other = Shell.withRepository(Files.createDirectory(folder.resolve("other")));
        other.put("theirs", 1);
        other.run("export", "../other.car").done();
        shell.put("ours", 2);
        shell.run("import", "other.car", "--allow-unrelated-histories").done();

        Answer dry = shell.run("-b", "copy", "merge", "main", "--dry-run").done();
        assertThat(shell.run("-b", "copy", "merge", "main").done().text()).isEqualTo(dry.text());
        assertThat(dry.line()).isEqualTo(shell.root());
    }

    @Test
    void mergeByPolicyListsConflictsOrResolvesThem() {
        fork();
        Map<String, String> before = Snapshot.of(folder);
        Answer refused = shell.run("merge", "theirs", "--policy", "fail");
        assertThat(refused.failed(Exit.CONFLICT)).contains("\"both\"");
        assertThat(refused.line()).isEqualTo("! both\tours " + Shell.cid(2) + "\ttheirs " + Shell.cid(4));
        Answer json = shell.run("merge", "theirs", "--policy", "fail", "--json");
        assertThat(json.failedInJson(Exit.CONFLICT).get("code").asText()).isEqualTo("merge-conflict");
        assertThat(json.json().get(0).get("conflict").asText()).isEqualTo("both");
        assertThat(Snapshot.of(folder)).isEqualTo(before);
    }

    /** What both know is no change of one side: here the key that only the other has deleted since. */
    @ParameterizedTest
    @ValueSource(strings = {"", "fail", "ours", "theirs"})
    void aDeletionAfterMergesBothWaysStays(String policy) {
        shell.put("a", 1);
        shell.run("branch", "side").done();
        shell.put("gone", 2);
        shell.run("-b", "side", "put", "x", Shell.cid(3)).done();
        shell.run("-b", "side", "merge", "main").done();
        shell.put("y", 4);
        shell.run("merge", "side").done();
        shell.run("rm", "gone").done();
        shell.run("-b", "side", "put", "z", Shell.cid(5)).done();

        Answer merged = policy.isEmpty() ? shell.run("merge", "side") : shell.run("merge", "side", "--policy", policy);
        assertThat(merged.done().lines()).containsExactly(shell.root());
        assertThat(shell.keys()).containsExactly("a", "x", "y", "z");
    }

    @ParameterizedTest
    @CsvSource({"ours, 2", "theirs, 4"})
    void aPolicyChoosesForAllReplicas(String policy, int value) {
        fork();
        String dry = shell.run("merge", "theirs", "--policy", policy, "--dry-run")
                .done()
                .text();
        assertThat(shell.run("merge", "theirs", "--policy", policy).done().text())
                .isEqualTo(dry);

        assertThat(get("both")).isEqualTo(Shell.cid(value));
        assertThat(shell.keys()).containsExactly("both", "ours", "theirs");
        JsonNode newest = log("-n", "1").get(0);
        assertThat(newest.get("parents")).hasSize(2);
        assertThat(newest.get("batch").asBoolean()).isTrue();
        assertThat(newest.get("root").asText()).isEqualTo(shell.root());

        shell.run("switch", "theirs").done();
        shell.put("later", 9);
        shell.run("merge", "main").done();
        assertThat(get("both")).isEqualTo(Shell.cid(value));
    }

    @Test
    void aDeletionAgainstAChangeIsAConflict() {
        shell.put("a", 1);
        shell.run("branch", "theirs").done();
        shell.put("a", 2);
        shell.run("-b", "theirs", "rm", "a").done();

        assertThat(shell.run("merge", "theirs", "--policy", "theirs")
                        .done()
                        .lines()
                        .get(0))
                .isEqualTo("! a\tours " + Shell.cid(2) + "\ttheirs (deleted)\ttheirs stands");
        assertThat(shell.keys()).isEmpty();
    }

    @Test
    void verifyReadsBranchesAndEvents() throws IOException {
        fork();
        assertThat(shell.run("verify").done().line()).startsWith("sound\tversions 2, events 5, shards 2, ");
        assertThat(shell.run("verify", "--all").done().line()).startsWith("sound\tversions 5, events 5, shards 5, ");
        assertThat(shell.run("-b", "main", "verify").done().line()).startsWith("sound\tversions 1, events 3, ");

        String oldest = event(2);
        Files.delete(file(oldest));
        Answer found = shell.run("verify");
        assertThat(found.failed(Exit.DAMAGED)).contains("1 block is");
        assertThat(found.lines().get(0)).startsWith("missing\t" + oldest + "\tevent\t");
        assertThat(shell.run("log").failed(Exit.DAMAGED)).contains(oldest);
    }

    @Test
    void verifyAllSeesOldVersions() throws IOException {
        shell.put("a", 1);
        String old = shell.root();
        shell.put("a", 2);
        Files.delete(file(old));

        shell.run("verify").done();
        Answer found = shell.run("verify", "--all");
        assertThat(found.failed(Exit.DAMAGED)).contains("1 block is");
        assertThat(found.lines().get(0)).startsWith("missing\t" + old + "\tshard\t");
        refused(Exit.DAMAGED, "ls", "--at", "@{1}");
    }

    private Path file(String cid) {
        String name = Cid.parse(cid).multihashName();
        return folder.resolve(".pail/blocks/" + name.substring(name.length() - 2) + "/" + name + ".data");
    }

    @Test
    void revisionsAsPeopleTypeThem_REP27() {
        shell.put("a", 1, "a", 2, "a", 3);
        String root = shell.root();
        assertThat(shell.run("get", "a", "--at", "HEAD").line()).isEqualTo(Shell.cid(3));
        assertThat(shell.run("get", "a", "--at", "HEAD~2").line()).isEqualTo(Shell.cid(1));
        assertThat(shell.run("get", "a", "--at", "@1").line()).isEqualTo(Shell.cid(2));
        assertThat(shell.run("root", "--at", "@today").line()).isEqualTo(root);
        shell.run("branch", "side", "@2").done();
        assertThat(shell.run("get", "a", "--at", "HEAD", "-b", "side").line()).isEqualTo(Shell.cid(1));
        assertThat(shell.run("root", "--at", "HEAD@0", "-b", "side").line())
                .isEqualTo(shell.run("root", "-b", "side").line());
        shell.run("export", "a.car").done();
        assertThat(shell.run("-C", "a.car", "get", "a", "--at", "HEAD~1").line())
                .isEqualTo(Shell.cid(2));
        assertThat(shell.run("-C", "a.car", "get", "a", "--at", "@1").refused(Exit.FAILED))
                .contains("names no version: \"@1\"", "REVISION~N");
        assertThat(shell.run("log", "HEAD~9").refused(Exit.FAILED)).contains(" changes, not 9", "pail log");
        shell.run("tag", "HEAD", "@2").done();
        assertThat(shell.run("get", "a", "--at", "HEAD", "-b", "side").line()).isEqualTo(Shell.cid(1));
    }

    /** The times that log prints name the version that they stand by (spec rule REP27). */
    @Test
    void versionsAreNamedByTime_REP27() {
        shell.put("timed", 1);
        String root = shell.root();
        assertThat(shell.run("root", "--at", "@{today}").line()).isEqualTo(root);
        assertThat(shell.run("root", "--at", "main@{0 seconds ago}").line()).isEqualTo(root);
        String time = shell.run("log", "--head", "-n", "1").line().split(" +", -1)[2];
        assertThat(shell.run("root", "--at", " @{" + time + "} ").line()).isEqualTo(root);
        assertThat(shell.run("log", "@{today}", "-n", "1").line()).contains("put \"timed\"");
        assertThat(shell.run("root", "--at", "@{2001-02-03}").refused(Exit.FAILED))
                .contains("main has no version of 2001-02-03: its log begins at 20", "pail log --head -b main");
        assertThat(shell.run("root", "--at", "@{noon}").refused(Exit.FAILED)).contains("2026-11-20 14:30");
    }
}
