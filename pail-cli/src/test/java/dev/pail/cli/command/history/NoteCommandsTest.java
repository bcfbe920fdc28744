package dev.pail.cli.command.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Authors and messages: {@code -m}, {@code PAIL_AUTHOR} and {@code pail config}. */
class NoteCommandsTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private String config() throws IOException {
        return Files.readString(folder.resolve(".pail/config"));
    }

    @Test
    void logShowsMessageAndAuthor_REP26() {
        Shell shell = Shell.withRepository(folder);
        shell.put("plain", 1);
        shell.run("put", "a", "--text", "x", "-m", "first line\nsecond").done();
        shell.run("config", "set", "author", "Ann <ann@example.org>").done();
        shell.withVariable("PAIL_AUTHOR", "Bob").run("rm", "a").done();
        shell.run("put", "b", "--text", "y", "--message", "again").done();

        List<String> lines = shell.run("log").done().lines();
        assertThat(lines.get(0)).endsWith("put \"b\" = \"y\"  \"again\"  by Ann <ann@example.org>  (main)");
        assertThat(lines.get(1)).endsWith("del \"a\"  by Bob");
        assertThat(lines.get(2)).endsWith("put \"a\" = \"x\"  \"first line\"");
        assertThat(lines.get(3)).endsWith("put \"plain\"");
        assertThat(shell.run("log", "--head").done().lines().get(0)).endsWith("\"again\"  by Ann <ann@example.org>");

        for (String option : new String[] {"--head", "--limit=9"}) {
            JsonNode made = shell.run("log", option, "--json").done().json().get(2);
            assertThat(made.get("message").asText()).isEqualTo("first line\nsecond");
            assertThat(made.has("author")).isFalse();
        }
    }

    @Test
    void aRevertSaysWhatItTakesBack() {
        Shell shell = Shell.withRepository(folder);
        shell.run("put", "a", "--text", "x", "-m", "say \"x\"\nand more").done();
        shell.run("put", "b", "--text", "y").done();
        String event =
                shell.run("log", "--json", "-n", "1").json().get(0).get("event").asText();
        shell.run("revert", "HEAD").done();
        shell.run("revert", "HEAD~2").done();
        shell.run("put", "c", "--text", "z").done();
        shell.run("revert", "HEAD", "-m", "mine").done();
        assertThat(shell.run("log", "--json").done().json().stream()
                        .map(change -> change.path("message").asText()))
                .containsExactly("mine", "", "revert \"say \\\"x\\\"\"", "revert " + event, "", "say \"x\"\nand more");
    }

    /** Such a note would make a layout that old programs refuse. */
    @Test
    void aRevertOfPlainEventsHasNoMessage() throws IOException {
        Shell shell = Shell.withRepository(folder, "--events", "plain");
        shell.run("put", "a", "--text", "x").done();
        String before = config();
        shell.run("revert", "HEAD").done();
        assertThat(shell.run("log", "--json", "-n", "1").json().get(0).has("message"))
                .isFalse();
        assertThat(config()).isEqualTo(before);
    }

    /** The log of the receiver has no note of a push, but the event that came has. */
    @Test
    void aPushIsListedWithTheNoteOfItsEvent() throws IOException {
        Shell here = Shell.withRepository(Files.createDirectories(folder.resolve("here")));
        Shell there = Shell.withRepository(Files.createDirectories(folder.resolve("there")));
        here.withVariable("PAIL_AUTHOR", "Ann")
                .run("put", "a", "--text", "x", "-m", "why\nnot")
                .done();
        here.run("remote", "add", "origin", "../there").done();
        assertThat(here.run("push").status()).isZero();
        String note = "push  \"why\"  by Ann";
        assertThat(there.run("log", "--head").done().line()).endsWith(note);
        assertThat(there.run("watch", "--from", "0", "-n", "1").done().lines().get(1))
                .endsWith(note);
        JsonNode update = there.run("watch", "--from", "0", "-n", "1", "--json")
                .done()
                .json()
                .get(1);
        assertThat(update.get("message").asText()).isEqualTo("why\nnot");
        there.run("undo", "-q").done();
        there.run("redo", "-q").done();
        assertThat(there.run("log", "--head", "-n", "1").done().line()).doesNotContain("why");
    }

    @Test
    void everyCommandThatChangesKeysTakesAMessage() throws IOException {
        Shell shell = Shell.withRepository(folder);
        Files.writeString(folder.resolve("ops"), "{\"op\":\"put\",\"key\":\"o\",\"value\":\"" + Shell.cid(1) + "\"}\n");
        Files.writeString(folder.resolve("lines"), "l\t" + Shell.cid(2) + "\n");
        shell.run("put", "a", "--text", "x", "-m", "put").done();
        shell.run("rm", "a", "-m", "rm").done();
        shell.run("apply", "ops", "-m", "apply").done();
        shell.run("load", "lines", "-m", "load").done();
        shell.run("revert", "@{0}", "-m", "revert").done();
        shell.run("table", "create", "people").done();
        shell.run("table", "put", "people", "ada", "{}", "-m", "row").done();
        shell.run("table", "rm", "people", "ada", "-m", "no row").done();
        Files.writeString(folder.resolve("rows"), "{\"id\":\"bo\"}\n");
        shell.run("table", "load", "people", "rows", "-m", "rows").done();

        assertThat(shell.run("log", "--head", "--json").done().json().stream()
                        .map(move -> move.path("message").asText()))
                .containsExactly("rows", "no row", "row", "", "revert", "load", "apply", "rm", "put");
        shell.run("verify", "--all").done();
    }

    @Test
    void eventsAndRootsAreTheSameWithANote_REP26() throws IOException {
        Files.createDirectories(folder.resolve("a"));
        Files.createDirectories(folder.resolve("b"));
        Shell plain = Shell.withRepository(folder.resolve("a"), "--events", "plain");
        Shell noted = Shell.withRepository(folder.resolve("b"), "--events", "plain");
        plain.run("put", "k", "--text", "v").done();
        noted.withVariable("PAIL_AUTHOR", "Ann")
                .run("put", "k", "--text", "v", "-m", "why")
                .done();
        assertThat(noted.run("branch", "--json").done().text())
                .isEqualTo(plain.run("branch", "--json").done().text());
        noted.run("export", "../n.car").done();
        plain.run("import", "../n.car").done();
        assertThat(plain.run("log", "--json").done().text()).doesNotContain("Ann", "why");
    }

    @Test
    void theAuthorOfAnEventIsNotTheOneWhoImportsOrMergesIt() {
        Shell shell = Shell.withRepository(folder);
        shell.put("base", 1);
        shell.run("branch", "side").done();
        shell.withVariable("PAIL_AUTHOR", "Bob")
                .run("put", "s", "--text", "s", "-b", "side")
                .done();
        shell.withVariable("PAIL_AUTHOR", "Ann").run("merge", "side").done();
        shell.run("branch", "-d", "side").done();

        assertThat(shell.run("log", "-n", "1").done().line()).contains("by Bob").doesNotContain("Ann");
        assertThat(shell.run("log", "--head", "-n", "1").done().line()).contains("by Ann");
    }

    @Test
    void configListsGetsAndSets_REP3() throws IOException {
        Shell shell = Shell.withRepository(folder);
        String before = config();
        assertThat(shell.run("config", "list").done().lines())
                .contains("events\tdescribed", "format\tv0", "layout\t4", "maxSize\t524288");
        assertThat(shell.run("config", "get", "format").done().line()).isEqualTo("v0");
        assertThat(shell.run("config", "get", "format", "--json")
                        .done()
                        .json()
                        .get(0)
                        .toString())
                .isEqualTo("{\"setting\":\"format\",\"value\":\"v0\"}");
        shell.run("config", "set", "author", "Jörg").done();
        assertThat(shell.run("config", "get", "author").done().line()).isEqualTo("Jörg");
        assertThat(config()).isEqualTo(before + "author = Jörg\n");
        shell.run("config", "set", "author", "").done();
        assertThat(config()).isEqualTo(before);
        assertThat(shell.run("config", "get", "author").refused(Exit.NO))
                .contains("no such setting: \"author\"", "pail config set author NAME");
    }

    @Test
    void wrongSettingsAreRefused() throws IOException {
        Shell shell = Shell.withRepository(folder);
        String before = config();
        assertThat(shell.run("config", "show").refused(Exit.NO)).contains("no such setting: \"show\"");
        assertThat(shell.run("config", "get").refused(Exit.USAGE)).contains("pail config get SETTING");
        assertThat(shell.run("config", "list", "x").refused(Exit.USAGE)).contains("takes no argument");
        assertThat(shell.run("config", "set", "author").refused(Exit.USAGE)).contains("a name and a value");
        assertThat(shell.run("config", "set", "layout", "3").refused(Exit.USAGE))
                .contains("layout is fixed when a repository is made");
        assertThat(shell.run("config", "set", "events", "plain").refused(Exit.USAGE))
                .contains("events stay described");
        assertThat(shell.run("config", "set", "events", "some").refused(Exit.USAGE))
                .contains("described or plain, not \"some\"");
        assertThat(shell.run("config", "set", "user.name", "x").refused(Exit.USAGE))
                .contains("not \"user.name\"", "pail config set author");
        assertThat(shell.run("config", "set", "author", "a\nlayout = 9").refused(Exit.USAGE))
                .contains("an author is one line");
        assertThat(shell.run("put", "a", "--text", "x", "-m", "x".repeat(10_001))
                        .refused(Exit.USAGE))
                .contains("a message has at most 10000 characters");
        assertThat(shell.withVariable("PAIL_AUTHOR", "x".repeat(201))
                        .run("put", "a", "--text", "x")
                        .refused(Exit.USAGE))
                .contains("PAIL_AUTHOR: an author has at most 200 characters");
        assertThat(config()).isEqualTo(before);
    }

    @Test
    void hiddenCharactersOfANoteAreEscaped() throws IOException {
        Shell shell = Shell.withRepository(folder);
        shell.run("put", "a", "--text", "x", "-m", "\u001b[31mred\u202e").done();
        assertThat(shell.run("log").done().text()).doesNotContain("\u001b", "\u202e");
        assertThat(shell.run("log", "--head").done().text()).doesNotContain("\u001b", "\u202e");
        Files.write(
                folder.resolve(".pail/config"),
                (config() + "author = J\u00f6\u202e\n").getBytes(StandardCharsets.ISO_8859_1));
        assertThat(shell.run("config", "list").done().text())
                .contains("author\tJ")
                .doesNotContain("\u202e");
    }

    @Test
    void aRepositoryOfPlainEventsBecomesADescribedOne_DE11() throws IOException {
        Shell shell = Shell.withRepository(folder, "--events", "plain");
        assertThat(shell.run("config", "get", "events").done().line()).isEqualTo("plain");
        shell.run("config", "set", "events", "plain").done();
        Shell ann = shell.withVariable("PAIL_AUTHOR", "Ann");
        ann.run("put", "a", "--text", "1", "-m", "one").done();
        shell.run("config", "set", "events", "described").done();
        shell.run("config", "set", "events", "described").done();
        assertThat(shell.run("config", "get", "events").done().line()).isEqualTo("described");
        ann.run("put", "b", "--text", "2", "-m", "two").done();
        shell.run("export", "both.car").done();
        Path there = Files.createDirectories(folder.resolve("there"));
        Shell old = Shell.withRepository(Files.createDirectories(folder.resolve("old")), "--events", "plain");
        assertThat(old.run("import", "../both.car").err())
                .contains("this repository has plain events", "pail config set events described");
        assertThat(old.run("log").done().lines()).isEmpty();
        Shell other = Shell.withRepository(there);
        other.run("import", "../both.car").done();
        List<String> log = other.run("log").done().lines();
        assertThat(log.get(0)).contains("put \"b\" = \"2\"  \"two\"  by Ann");
        assertThat(log.get(1)).contains("put \"a\"").doesNotContain("one", "Ann");
        Shell clone = other.withVariable("PAIL_AUTHOR", "Bob");
        clone.run("put", "c", "--text", "3").done();
        assertThat(clone.run("log", "-n", "1").done().line()).contains("by Bob");
        old.run("remote", "add", "origin", "../there/.pail").done();
        assertThat(old.run("fetch").refused(Exit.FAILED)).contains("needs readers that understand: events");
    }
}
