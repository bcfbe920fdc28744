package dev.pail.cli.command.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.remote.HttpRemote;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.RepositoryException;
import dev.pail.server.PailServer;
import dev.pail.testkit.disk.MemoryTempDir;
import dev.pail.through.RemoteReads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clones of a part, whose rest a server has. */
final class PartCommandsTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private final AtomicInteger requests = new AtomicInteger();
    private Shell origin;
    private Shell part;
    private Repository repository;
    private PailServer server;
    private String url;

    @BeforeEach
    void clonePart() {
        origin = Shell.withRepository(folder, "--format", "v1");
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 600; i++) {
            lines.append("{\"op\":\"put\",\"key\":\"%s/%03d\",\"text\":\"value %d\"}\n"
                    .formatted(List.of("a", "b", "c").get(i % 3), i, i));
        }
        origin.feed(lines.toString(), "apply", "-m", "many").done();
        for (int i = 0; i < 30; i++) {
            origin.run("put", "a/" + i, "--text", "changed " + i, "-q").done();
        }
        repository = FileRepository.open(folder.resolve(".pail"));
        server = PailServer.over(repository)
                .withAccessLog(line -> requests.addAndGet(line.contains("/v1/info") ? 0 : 1))
                .start();
        url = "http://127.0.0.1:" + server.address().getPort();
        Shell.in(folder).run("clone", url, "part", "--prefix", "b/", "-q").done();
        part = Shell.in(folder.resolve("part"));
    }

    @AfterEach
    void stop() {
        server.close();
        repository.close();
    }

    private static JsonNode last(Answer answer) {
        List<JsonNode> all = answer.json();
        return all.get(all.size() - 1);
    }

    private List<Path> files(String place) {
        try (Stream<Path> all = Files.walk(folder.resolve(place))) {
            return all.filter(Files::isRegularFile).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void offlineAPartHasItsKeysAndNamesItsRemote() {
        server.close();
        assertThat(part.run("ls", "-l", "b/").done().lines()).hasSize(200);
        assertThat(part.run("cat", "b/001").done().text()).isEqualTo("value 1");
        Answer cat = part.run("cat", "a/000");
        assertThat(cat.status()).isEqualTo(Exit.FAILED);
        assertThat(cat.err()).contains("is not in this part, and origin cannot be reached: " + url);
    }

    @Test
    void aPutReadsFewBlocksAndAPushGivesTheRootOfTheWhole() {
        requests.set(0);
        part.run("put", "b/001", "--text", "mine", "-q").done();
        part.run("put", "a/000", "--text", "mine, too", "-q").done();
        part.run("rm", "c/002", "-q").done();
        assertThat(requests).hasValueLessThan(12);
        String root = part.root();
        part.run("push", "-q").done();
        assertThat(origin.root()).isEqualTo(root);
        assertThat(origin.run("verify", "--all", "--values").status()).isZero();
    }

    @Test
    void pullAndMergeBringWhatIsNew() {
        part.run("put", "b/001", "--text", "mine", "-q").done();
        origin.run("put", "a/000", "--text", "theirs", "-q").done();
        origin.run("put", "b/004", "--text", "theirs, too", "-q").done();
        part.run("branch", "draft").done();
        part.run("put", "c/005", "--text", "a draft", "-b", "draft", "-q").done();
        part.run("pull", "-q").done();
        part.run("merge", "draft", "-q").done();
        part.run("push", "-q").done();
        assertThat(origin.root()).isEqualTo(part.root());
        assertThat(origin.run("cat", "c/005").done().text()).isEqualTo("a draft");
        server.close();
        assertThat(part.run("cat", "b/004").done().text()).isEqualTo("theirs, too");
    }

    @Test
    void verifyTellsPromisedFromLost() {
        JsonNode sound = last(part.run("verify", "--all", "--values", "--json").done());
        assertThat(sound.get("promised").asLong()).isPositive();
        assertThat(sound.get("untold").asLong()).isZero();
        part.run("unpack", "-q").done();
        List<Path> before = files("part/blocks");
        part.run("put", "b/001", "--text", "mine", "-q").done();
        part.run("unpack", "-q").done();
        part.run("verify", "--all", "--values").done();
        part.run("gc").done();
        List<Path> made = files("part/blocks").stream()
                .filter(file -> !before.contains(file))
                .toList();
        // A value, an event and the shards.
        assertThat(made).hasSizeGreaterThan(3);
        before.forEach(PartCommandsTest::delete);
        assertThat(part.run("verify", "--all", "--values").status()).isZero();
        made.forEach(PartCommandsTest::delete);
        Answer verify = part.run("verify", "--all", "--values");
        assertThat(verify.status()).isEqualTo(Exit.DAMAGED);
        assertThat(part.run("gc").status()).isEqualTo(Exit.DAMAGED);
        server.close();
        Answer offline = part.run("verify", "--all", "--values");
        assertThat(offline.status()).isEqualTo(Exit.FAILED);
        assertThat(offline.err())
                .contains("could not be told promised from lost, as origin cannot be reached")
                .contains("run it again when origin can be reached");
    }

    @Test
    void whatAPartGivesOthersComesFromItsRemote() {
        Shell all = Shell.in(folder);
        all.run("clone", "part", "second", "-q").done();
        all.run("copy", "part", "third", "-q").done();
        part.run("export", "all.car", "-q").done();
        assertThat(all.run("-C", "second", "verify", "--all", "--values").status())
                .isZero();
        assertThat(all.run("-C", "third", "verify", "--all", "--values").status())
                .isZero();
        assertThat(part.run("-C", "all.car", "verify", "--values").status()).isZero();
        assertThat(all.run("-C", "second", "root").line()).isEqualTo(origin.root());
    }

    @Test
    void aServedPartReadsThroughItsRemote() {
        try (Repository here = FileRepository.open(folder.resolve("part"));
                Repository through = here.readingThrough(RemoteReads.of(HttpRemote.open(url, Optional.empty())));
                PailServer second = PailServer.over(through).start()) {
            String address = "http://127.0.0.1:" + second.address().getPort();
            Shell all = Shell.in(folder);
            all.run("clone", address, "second", "-q").done();
            assertThat(all.run("-C", "second", "verify", "--all", "--values").status())
                    .isZero();
            origin.run("put", "c/599", "--text", "newer", "-q").done();
            part.run("pull", "-q").done();
            server.close();
            assertThat(all.run("-C", address, "cat", "c/599").status()).isNotZero();
            assertThat(all.run("clone", address, "third").status()).isNotZero();
        }
        try (Repository here = FileRepository.open(folder.resolve("part"))) {
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> PailServer.over(here).start())
                    .withMessageContaining("origin has the rest");
        }
    }

    @Test
    void offlineAPartIsRefusedByName() {
        server.close();
        Shell all = Shell.in(folder);
        String why = "is not in this part, and origin cannot be reached";
        assertThat(all.run("clone", "part", "second").failed(Exit.FAILED)).contains(why);
        assertThat(all.run("copy", "part", "third", "-q").failed(Exit.FAILED)).contains(why);
        assertThat(part.run("export", "all.car").failed(Exit.FAILED)).contains(why);
        assertThat(folder.resolve("part/all.car")).doesNotExist();
    }

    @Test
    void fetchFillsAPart() {
        part.run("put", "b/001", "--text", "mine", "-q").done();
        part.run("fetch", "--all", "--no-values").refused(Exit.USAGE);
        assertThat(part.run("fetch", "--all").err()).contains("a part no more");
        server.close();
        assertThat(last(part.run("verify", "--all", "--values", "--json").done())
                        .get("promised")
                        .asLong())
                .isZero();
        part.run("log").done();
        Shell.in(folder).run("clone", "part", "second", "-q").done();
    }

    @Test
    void aCloneWithoutValuesIsAPart() throws IOException {
        Shell.in(folder).run("clone", url, "bare", "--no-values", "-q").done();
        Shell bare = Shell.in(folder.resolve("bare"));
        assertThat(Files.readString(folder.resolve("bare/config"))).contains("needs = events, promised");
        assertThat(bare.run("cat", "c/002").done().text()).isEqualTo("value 2");
        bare.run("fetch", "--all-values", "-q").done();
        server.close();
        assertThat(bare.run("cat", "c/005").done().text()).isEqualTo("value 5");
        assertThat(Files.readString(folder.resolve("bare/config"))).contains("needs = events\n");
    }
}
