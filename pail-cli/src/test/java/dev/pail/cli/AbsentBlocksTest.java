package dev.pail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values and linked blocks that are not there: verify counts them, and export, import and merge say that they left them out. */
class AbsentBlocksTest {
    private static final long DAG_JSON = 0x0129;

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private final Block leaf = block(Cid.RAW, "leaf");
    private final Block list = block(DAG_JSON, "[{\"/\":\"" + leaf.cid() + "\"},{\"/\":\"" + Shell.cid(7) + "\"}]");

    private Shell shell;

    private static Block block(long codec, String text) {
        return Block.of(codec, text.getBytes(UTF_8));
    }

    /** A value with a block below it and one that is absent, and a value that is absent. */
    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder);
        try (Repository repository = FileRepository.open(folder.resolve(".pail"))) {
            repository.blocks().putAll(List.of(leaf, list));
        }
        shell.run("put", "list", list.cid().toString()).done();
        shell.put("elsewhere", 8);
    }

    private static String warning(int blocks, String where) {
        return "warning: left out " + blocks + (blocks == 1 ? " linked block that is " : " linked blocks that are ")
                + where + "; see which with: pail verify --values\n";
    }

    @Test
    void verifyCountsThem() {
        assertThat(shell.run("verify").done().line())
                .startsWith("sound\t")
                .contains("values here 1, values absent 1, below values here 1, below values absent 1, ");
        JsonNode sum = shell.run("verify", "--json").done().json().get(0);
        assertThat(sum.get("values").asInt()).isEqualTo(1);
        assertThat(sum.get("absent").asInt()).isEqualTo(1);
        assertThat(sum.get("below").asInt()).isEqualTo(1);
        assertThat(sum.get("absentBelow").asInt()).isEqualTo(1);
        assertThat(sum.get("problems").asInt()).isZero();
    }

    @Test
    void verifyOfValuesNamesThem() {
        Answer verified = shell.run("verify", "--values");
        assertThat(verified.failed(Exit.DAMAGED)).contains("2 blocks are missing", "hint: ", "--heal", "--from");
        assertThat(verified.lines()).hasSize(3);
        assertThat(verified.lines().subList(0, 2))
                .anySatisfy(line -> assertThat(line).startsWith("missing\t" + Shell.cid(8) + "\tvalue\telsewhere\t"))
                .anySatisfy(line -> assertThat(line).startsWith("missing\t" + Shell.cid(7) + "\tbelow\tlist\t"));
        assertThat(shell.run("verify", "--values", "--json").json().stream().filter(line -> line.has("problem")))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line.get("problem").asText()).isEqualTo("missing"));

        shell.feed("7", "put", "seven", "--file", "-").done();
        shell.feed("8", "put", "eight", "--file", "-").done();
        assertThat(shell.run("verify", "--values").done().line())
                .contains("values here 2, values absent 0, below values here 2, below values absent 0, ");
    }

    /** What is below a value is hashed, however deep. */
    @Test
    void verifyOfValuesHashesWhatIsBelow() throws IOException {
        String name = leaf.cid().multihashName();
        Path file = folder.resolve(".pail/blocks/" + name.substring(name.length() - 2) + "/" + name + ".data");
        Files.writeString(file, "Leaf");
        shell.run("verify").done();
        Answer verified = shell.run("verify", "--values");
        verified.failed(Exit.DAMAGED);
        assertThat(verified.text()).contains("damaged\t" + leaf.cid() + "\tbelow\tlist\t");
    }

    @Test
    void exportSaysHowManyItLeftOut() {
        assertThat(shell.run("export", "a.car").done().err()).isEqualTo(warning(2, "not in the repository"));
        assertThat(shell.run("export", "a.car", "-q").done().err()).isEqualTo(warning(2, "not in the repository"));
        assertThat(shell.run("export", "-").done().err()).isEqualTo(warning(2, "not in the repository"));
        assertThat(shell.run("-C", "a.car", "export", "b.car").done().err()).isEqualTo(warning(2, "not in the CAR"));
        Answer json = shell.run("export", "a.car", "--json").done();
        assertThat(json.err()).isEmpty();
        assertThat(json.json().get(0).get("leftOut").asInt()).isEqualTo(2);
        assertThat(Answer.parse(shell.run("export", "-", "--json").err())
                        .get("warning")
                        .asText())
                .contains("left out 2 linked blocks");
        assertThat(shell.run("export", "a.car", "--no-values").done().err()).isEmpty();
        assertThat(shell.run("export", "a.car", "--since", "@{1}").done().err())
                .isEqualTo(warning(1, "not in the repository"));
    }

    @Test
    void importSaysHowManyTheFileLeavesOut() {
        shell.run("export", "a.car").done();
        Shell other = Shell.withRepository(folder.resolve("."), "-C", "other")
                .withVariable("PAIL_STORE", folder.resolve("other").toString());
        String expected = warning(2, "neither in the file nor in the repository");
        assertThat(other.run("import", "a.car").done().err()).isEqualTo(expected);
        assertThat(other.run("import", "a.car", "-q").done().err()).isEqualTo(expected);
        assertThat(other.run("import", "a.car", "--json")
                        .done()
                        .json()
                        .get(0)
                        .get("leftOut")
                        .asInt())
                .isEqualTo(2);
        other.feed("7", "put", "seven", "--file", "-").done();
        other.feed("8", "put", "eight", "--file", "-").done();
        assertThat(other.run("import", "a.car").done().err()).isEmpty();
        assertThat(other.run("verify", "--values").done().line()).startsWith("sound\t");
    }

    @Test
    void mergeSaysHowManyWhatItBringsLacks() {
        shell.run("branch", "other", "@{1}").done();
        shell.run("-b", "other", "put", "nine", Shell.cid(9)).done();
        assertThat(shell.run("merge", "other", "--dry-run").done().err())
                .isEqualTo(warning(1, "not in the repository"));
        assertThat(shell.run("merge", "other", "--json")
                        .done()
                        .json()
                        .get(0)
                        .get("leftOut")
                        .asInt())
                .isEqualTo(1);
        assertThat(shell.run("merge", "other").done().err()).isEmpty();
        assertThat(shell.run("-b", "new", "merge", "main").done().err()).isEqualTo(warning(3, "not in the repository"));
    }

    @Test
    void aMissingShardComesWithAHint() throws IOException {
        String name = Cid.parse(shell.root()).multihashName();
        Files.delete(folder.resolve(".pail/blocks/" + name.substring(name.length() - 2) + "/" + name + ".data"));
        assertThat(shell.run("verify").failed(Exit.DAMAGED)).contains("\nhint: ");
    }
}
