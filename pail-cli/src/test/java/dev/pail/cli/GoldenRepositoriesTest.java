package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Repositories that earlier programs wrote, those of layout 2 version 0.1: they open, are written, and keep their layout. */
class GoldenRepositoriesTest {
    /** What a packed delta begins with. */
    private static final String PACKED = "PLR1\5";

    @TempDir
    Path folder;

    private Shell unpacked(String name) throws IOException {
        Path store = folder.resolve(".pail");
        try (InputStream in = GoldenRepositoriesTest.class.getResourceAsStream("/golden/" + name + ".zip")) {
            assertThat(in).as(name).isNotNull();
            ZipInputStream zip = new ZipInputStream(in);
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = store.resolve(entry.getName());
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file);
                }
            }
        }
        return Shell.in(folder);
    }

    @ParameterizedTest
    @CsvSource({
        "layout-2-v0-files, bafyreiev7cuskxsifaiidtzistycwlpp4erqg2lr5f6t3t6bkuissacolq",
        "layout-2-v1-segments, bafyreihfcw23ino4a7p2p5curn3ss753qvzhjnqtsmznffljgbd7ehzoba",
        "layout-2-v2-files, bafyreicljovtu5vqd6i7upftdskr2oilln6atmofwxre7ejg45fbq5bsqi",
    })
    void openAreWrittenAndKeepTheirLayout(String name, String root) throws IOException {
        Shell shell = unpacked(name);
        String config = Files.readString(folder.resolve(".pail/config"));

        assertThat(shell.root()).isEqualTo(root);
        assertThat(shell.keys())
                .hasSize(43)
                .contains("notes/a", "side/x", "many/40")
                .doesNotContain("b", "undone");
        shell.run("verify", "--all").done();
        assertThat(shell.run("log").done().text().lines()).hasSize(47);
        assertThat(shell.run("get", "b", "--at", "one").done().line())
                .isEqualTo("bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy");
        assertThat(shell.run("cat", "notes/a").done().text()).isEqualTo("first\n");
        assertThat(shell.run("root", "--at", "gone@{1}").done().line()).startsWith("bafyrei");

        shell.put("new", 1);
        shell.run("gc").done();
        shell.run("verify", "--all").done();
        assertThat(shell.run("root", "--at", "@{1}").done().line()).isEqualTo(root);
        assertThat(config()).containsOnlyOnce("\nid = ");
        assertThat(configWithoutId()).isEqualTo(config);
    }

    /** Layout 3 comes with the first thing that needs it, and the history of layout 2 stays whole. */
    @ParameterizedTest
    @CsvSource({
        "layout-2-v0-files, put new --text x -m why",
        "layout-2-v1-segments, branch team/new",
        "layout-2-v2-files, tag releases/1",
    })
    void becomeLayout3WhenACommandNeedsIt_REP25(String name, String command) throws IOException {
        Shell shell = unpacked(name);
        String config = Files.readString(folder.resolve(".pail/config"));
        String root = shell.root();
        int moves = shell.run("log", "--head").done().lines().size();

        shell.run(command.split(" ")).done();
        assertThat(configWithoutId())
                .isEqualTo(config.replace("layout = 2", "layout = 3"))
                .isNotEqualTo(config);
        shell.put("newer", 1);
        assertThat(config()).containsOnlyOnce("\nid = ");
        int more = command.startsWith("put") ? 2 : 1;
        assertThat(shell.run("log", "--head").done().lines()).hasSize(moves + more);
        assertThat(shell.run("root", "--at", "@{" + more + "}").done().line()).isEqualTo(root);
        shell.run("gc").done();
        shell.run("verify", "--all").done();
    }

    private String config() throws IOException {
        return Files.readString(folder.resolve(".pail/config"));
    }

    /** The settings, without the one line that the first update of a branch adds: the id of the repository. */
    private String configWithoutId() throws IOException {
        return config().replaceFirst("(?m)^id = \\S+\n", "");
    }

    /** How often some bytes are in the segment of a repository. */
    private int inSegment(String bytes) throws IOException {
        byte[] segment = Files.readAllBytes(folder.resolve(".pail/segments/00000.open"));
        String text = new String(segment, StandardCharsets.ISO_8859_1);
        return (text.length() - text.replace(bytes, "").length()) / bytes.length();
    }

    @Test
    void packedDeltasOfLayout3AreReadAndWritten_SEG20() throws IOException {
        Shell shell = unpacked("layout-3-v1-segments");
        int before = inSegment(PACKED);
        assertThat(before).isEqualTo(390);

        assertThat(shell.root()).isEqualTo("bafyreibcxgdowfdl6gnfjmqca5nzvednmlpqcufewnosmf5gquyk6hfaay");
        assertThat(shell.run("root", "-b", "team/x").done().line())
                .isEqualTo("bafyreic3fkjqop7c3u7fuv3iilpeytvdpz6j3ppy6erexpnftt5n35k6ge");
        assertThat(shell.keys()).hasSize(60).contains("many/7");
        assertThat(shell.run("cat", "many/7", "--at", "releases/1").done().text())
                .isEqualTo("value 1");
        assertThat(shell.run("log").done().text()).contains("\"change 1\"", "\"change 60\"");
        assertThat(shell.run("root", "--at", "@{59}").done().line()).startsWith("bafyrei");
        shell.run("verify", "--all").done();

        for (int i = 0; i < 5; i++) {
            shell.put("new/" + i, i);
        }
        assertThat(inSegment(PACKED)).isGreaterThan(before);
        shell.run("gc").done();
        shell.run("verify", "--all").done();
    }

    @Test
    void noDeltaIsPackedInLayout2_REP25() throws IOException {
        Shell shell = unpacked("layout-2-v1-segments");
        for (int i = 0; i < 30; i++) {
            shell.put("many/" + i, i);
        }
        shell.run("pack").done();
        shell.run("gc").done();
        assertThat(inSegment("PLR1\2")).isPositive();
        assertThat(inSegment(PACKED)).isZero();
    }

    @Test
    void tablesAreReadAndWritten() throws IOException {
        Shell shell = unpacked("layout-2-v1-tables");

        assertThat(shell.root()).isEqualTo("bafyreicjt4sgwmubhsqywqagmlhtleq64jbvjlr4xu6p7wivivze6zn54q");
        assertThat(shell.run("table", "find", "people", "age", "36", "--json")
                        .done()
                        .text())
                .contains("\"ada\"");
        shell.feed("{\"n\":1}", "table", "put", "people", "cy", "--file", "-").done();
        shell.run("table", "reindex").done();
        shell.run("verify", "--all").done();
    }

    @Test
    void describedEventsOfLayout4AreReadAndFollowed_REP35() throws IOException {
        Shell shell = unpacked("layout-4-v1-segments");
        String config = config();
        assertThat(shell.root()).isEqualTo("bafyreig2anf6xto5cbyjgezr6svzaerdxrodunlzcbjs6ebfd5vbrgq3g4");
        List<String> log = shell.run("log").done().lines();
        assertThat(log).hasSize(7);
        assertThat(log.get(0))
                .contains(
                        "2026-11-29T02:49:13Z  put \"notes/c\" = \"third\"  \"behind the merge\"  by Ann <ann@example.org>");
        assertThat(log.get(3)).contains("put \"side/x\" = \"x\"  \"on the side\"  by Bob");
        assertThat(log.get(5)).contains("2026-11-29T02:49:09Z  batch of 6000  \"six thousand keys\"  by Ann");
        shell.run("verify", "--all").done();
        assertThat(shell.run("stat", "--storage").done().lines()).contains("versions\t5");
        shell.run("revert", "bafyreiaq4sapgy").done();
        assertThat(shell.keys()).containsExactly("notes/a", "notes/b", "notes/c", "side/x");
        shell.run("undo", "-q").done();
        assertThat(shell.root()).isEqualTo("bafyreig2anf6xto5cbyjgezr6svzaerdxrodunlzcbjs6ebfd5vbrgq3g4");
        shell.run("gc").done();
        shell.run("verify", "--all").done();
        assertThat(config()).isEqualTo(config);
    }
}
