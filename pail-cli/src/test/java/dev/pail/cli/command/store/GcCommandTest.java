package dev.pail.cli.command.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Shell;
import dev.pail.cli.Snapshot;
import dev.pail.cli.terminal.Exit;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Garbage collection, tags, and branches that are removed. */
class GcCommandTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder);
    }

    private String refused(int status, String... arguments) {
        Map<String, String> before = Snapshot.of(folder);
        String message = shell.run(arguments).refused(status);
        shell.run(Shell.concat("--json", arguments)).refusedInJson(status);
        assertThat(Snapshot.of(folder)).isEqualTo(before);
        return message;
    }

    private List<Path> files(String name) throws IOException {
        Path path = folder.resolve(".pail").resolve(name);
        if (!Files.isDirectory(path)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(path)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    /** Makes all files of a folder older. */
    private void age(String name, int days) throws IOException {
        FileTime then = FileTime.from(Instant.now().minus(Duration.ofDays(days)));
        for (Path file : files(name)) {
            try {
                Files.setLastModifiedTime(file, then);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private JsonNode gc(String... arguments) {
        List<JsonNode> told = shell.run(Shell.concat("gc", Shell.concat("--json", arguments)))
                .done()
                .json();
        assertThat(told).hasSize(1);
        return told.get(0);
    }

    @Test
    void tellsWhatItDoes() throws IOException {
        shell.put("a", 1);
        shell.feed("stray", "put", "b", "--file", "-").done();
        int all = files("blocks").size();
        assertThat(shell.run("gc").done().lines())
                .hasSize(3)
                .first()
                .asString()
                .startsWith("kept\tblocks " + all + ", bytes ");
    }

    @Test
    void saysOnceHowManyValuesHaveUnknownLinks() {
        shell.put("a", 1);
        shell.run("gc").done();
        String digest = "1220" + "ab".repeat(32);
        shell.run("put", "b", "--cid", "f019001" + digest, "-q").done();
        shell.run("put", "c", "--cid", "f019001" + digest, "-q").done();
        assertThat(shell.run("gc").err().lines())
                .containsExactly(
                        "warning: 1 value has a codec whose links are unknown: blocks that only it links to are not kept");
        shell.run("put", "d", "--cid", "f019101" + digest, "-q").done();
        assertThat(shell.run("gc", "--dry-run").err().lines())
                .containsExactly(
                        "warning: 2 values have codecs whose links are unknown: blocks that only they link to are not kept");
        assertThat(shell.run("gc", "--json").json().get(0).path("unfollowed").asInt())
                .isEqualTo(2);
        shell.run("gc", "-q").done();
    }

    @Test
    void takesAwayWhatOnlyAnOldLogLeadsTo() throws IOException {
        shell.put("a", 1);
        shell.put("b", 2);
        shell.run("undo", "-q").done();
        shell.put("c", 3);
        age("blocks", 100);
        assertThat(gc().get("moved").asInt()).as("within the retention").isZero();
        // An import that came to nothing.
        Path stray = folder.resolve(".pail/blocks/AA/BCIQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA.data");
        Files.createDirectories(stray.getParent());
        Files.writeString(stray, "stray");
        age("blocks", 100);

        Map<String, String> before = Snapshot.of(folder);
        assertThat(gc("--dry-run").get("moved").asInt()).isEqualTo(1);
        assertThat(Snapshot.of(folder)).isEqualTo(before);
        JsonNode told = gc();
        assertThat(told.get("moved").asInt()).isEqualTo(1);
        assertThat(told.get("movedBytes").asInt()).isEqualTo(5);
        assertThat(told.get("dryRun").asBoolean()).isFalse();
        assertThat(files("trash")).hasSize(1);
        assertThat(stray).doesNotExist();

        assertThat(gc().get("waiting").asInt()).isEqualTo(1);
        age("trash", 15);
        assertThat(shell.run("gc").done().lines()).contains("deleted from the trash\tblocks 1, bytes 5");
        assertThat(files("trash")).isEmpty();
        shell.run("verify", "--all").done();
    }

    @Test
    void graceAndRetentionAreOptions() throws IOException {
        shell.put("a", 1);
        shell.run("undo", "-q").done();
        shell.put("b", 2);
        shell.put("c", 3);
        age("blocks", 2);
        assertThat(gc("--grace", "3d", "--retention", "0d").get("moved").asInt())
                .isZero();
        assertThat(gc("--grace", "36h").get("moved").asInt()).isZero();
        assertThat(gc("--grace", "36h", "--retention", "0d", "--dry-run")
                        .get("moved")
                        .asInt())
                .isPositive();
        assertThat(gc("--grace", "1d", "--retention", "0w").get("moved").asInt())
                .isPositive();
        assertThat(shell.keys()).containsExactly("b", "c");
        shell.run("verify", "--all").done();
        for (String time : List.of("0d", "59m", "1", "d", "-1d", "1.5d", "99999999d", "1y", "")) {
            assertThat(refused(Exit.USAGE, "gc", "--grace", time)).contains("--grace is ", "pail help gc");
        }
        assertThat(refused(Exit.USAGE, "gc", "--retention", "30")).contains("--retention is a number with h, d or w");
        gc("--retention", "999999w", "--grace", "999999w", "--dry-run");
    }

    @Test
    void refusesWhereSomethingIsMissing() throws IOException {
        shell.put("a", 1);
        shell.put("b", 2);
        for (Path file : files("blocks")) {
            Files.move(file, folder.resolve("held"));
            if (shell.run("get", "a").status() == Exit.DAMAGED) {
                break;
            }
            Files.move(folder.resolve("held"), file);
        }
        assertThat(refused(Exit.DAMAGED, "gc")).contains("no block is taken away", "missing");
        assertThat(shell.run("gc", "--dry-run").failed(Exit.DAMAGED)).contains("no block is taken away");
    }

    @Test
    void tagsAreVersionsThatStay() {
        shell.put("a", 1);
        String root = shell.root();
        assertThat(shell.run("tag", "v1").done().line()).isEqualTo(root);
        shell.put("a", 2);
        shell.run("tag", "v0", "@{2}").refused(Exit.FAILED);
        shell.run("tag", "v2").done();

        assertThat(shell.run("root", "--at", "v1").done().line()).isEqualTo(root);
        assertThat(shell.run("get", "a", "--at", "v1").done().line()).isEqualTo(Shell.cid(1));
        assertThat(shell.run("diff", "v1", "v2").done().lines()).hasSize(1);
        assertThat(shell.run("tag").done().lines())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("v1\tbafyrei");
        assertThat(shell.run("tag", "--json").done().json())
                .extracting(tag -> tag.get("tag").asText())
                .containsExactly("v1", "v2");
        assertThat(refused(Exit.FAILED, "tag", "v1")).contains("there is a tag v1 already");
        assertThat(refused(Exit.FAILED, "tag", "main")).contains("there is a branch main already");
        assertThat(refused(Exit.FAILED, "tag", "a//b")).contains("not the name of a tag");
        assertThat(refused(Exit.FAILED, "tag", "-d", "v3")).contains("no tag v3");
        assertThat(refused(Exit.USAGE, "tag", "x", "-d", "v1")).contains("one of these at once");
        assertThat(shell.run("tag", "-d", "v1").done().text()).isEmpty();
        assertThat(shell.run("tag").done().lines()).hasSize(1);
        assertThat(shell.run("reset", "v2").done().line()).isEqualTo(shell.root());
        shell.run("verify").done();
    }

    @Test
    void aBranchThatWasRemovedCanComeBack() {
        shell.put("a", 1);
        shell.run("branch", "side").done();
        shell.run("-b", "side", "put", "b", Shell.cid(2)).done();
        String side = shell.run("-b", "side", "root").done().line();

        assertThat(refused(Exit.FAILED, "branch", "-d", "main")).contains("not removed");
        assertThat(refused(Exit.FAILED, "branch", "-d", "none")).contains("no branch none");
        assertThat(refused(Exit.USAGE, "branch", "x", "-d", "side")).contains("one of them");
        shell.run("switch", "side").done();
        assertThat(refused(Exit.FAILED, "branch", "-d", "side")).contains("current branch");
        shell.run("switch", "main").done();
        assertThat(shell.run("branch", "-d", "side").done().text()).isEmpty();

        assertThat(shell.run("branch").done().lines()).hasSize(1);
        assertThat(shell.run("-b", "side", "log", "--head").done().lines()).hasSize(3);
        assertThat(shell.run("-b", "side", "log", "--head", "--json")
                        .done()
                        .json()
                        .get(0)
                        .get("to"))
                .isEmpty();
        assertThat(refused(Exit.FAILED, "-b", "none", "log", "--head")).contains("no branch none");
        assertThat(shell.run("branch", "side", "side@{1}").done().line()).isEqualTo(side);
        assertThat(shell.run("-b", "side", "log", "--head").done().lines()).hasSize(4);
        shell.run("verify", "--all").done();
    }

    @Test
    void takesAwayTheRowsOfAVersionThatWasGivenUpAndNoOthers() throws IOException {
        shell.run("table", "create", "people").done();
        shell.run("table", "index", "people", "city").done();
        shell.run("table", "put", "people", "ada", "{\"city\":\"Oslo\"}").done();
        int kept = files("blocks").size();
        shell.run("table", "put", "people", "bo", "{\"city\":\"Oslo\"}").done();
        shell.run("table", "rm", "people", "ada").done();
        shell.run("undo", "2", "-q").done();
        age("blocks", 100);
        try (Repository repository = FileRepository.open(folder.resolve(".pail"))) {
            repository
                    .maintenance()
                    .garbageCollection()
                    .withRetention(Duration.ZERO)
                    .run();
        }
        // The last ref update counts at any age, so the version that was undone stays until the next one.
        shell.run("table", "put", "people", "cy", "{\"city\":\"Rome\"}").done();
        age("blocks", 100);
        try (Repository repository = FileRepository.open(folder.resolve(".pail"))) {
            assertThat(repository
                            .maintenance()
                            .garbageCollection()
                            .withRetention(Duration.ZERO)
                            .run()
                            .moved()
                            .blocks())
                    .isPositive();
        }
        assertThat(files("blocks").size()).isGreaterThan(kept);
        assertThat(shell.run("table", "find", "people", "city", "Oslo", "--json")
                        .done()
                        .lines())
                .containsExactly("{\"id\":\"ada\",\"document\":{\"city\":\"Oslo\"}}");
        shell.run("verify", "--all").done();
    }
}
