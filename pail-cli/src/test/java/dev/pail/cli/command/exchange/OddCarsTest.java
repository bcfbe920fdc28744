package dev.pail.cli.command.exchange;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** CARs and CIDs that are not whole, or something else. */
class OddCarsTest {
    private static final Block RAW = Block.of(Cid.RAW, new byte[] {1});
    private static final Block CBOR =
            Block.of(Cid.DAG_CBOR, new DagCborWriter().text("x").toByteArray());
    private static final Block ODD = Block.of(Cid.DAG_PB, new byte[] {9});

    @TempDir
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder);
    }

    private static void field(ByteArrayOutputStream out, int number, byte[] content) {
        out.write(number << 3 | 2);
        out.write(content.length);
        out.writeBytes(content);
    }

    private static byte[] entry(String name, Cid cid) {
        ByteArrayOutputStream link = new ByteArrayOutputStream();
        field(link, 1, cid.toBytes());
        field(link, 2, name.getBytes(UTF_8));
        return link.toByteArray();
    }

    private static Block folder(byte[]... entries) {
        ByteArrayOutputStream node = new ByteArrayOutputStream();
        for (byte[] entry : entries) {
            field(node, 2, entry);
        }
        field(node, 1, new byte[] {8, 1});
        return Block.of(Cid.DAG_PB, node.toByteArray());
    }

    private static byte[] bytes(List<Cid> roots, Block... blocks) {
        DagCborWriter header = new DagCborWriter().map(2).text("roots").array(roots.size());
        roots.forEach(header::link);
        byte[] head = header.text("version").integer(1).toByteArray();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(head.length);
        out.writeBytes(head);
        for (Block block : blocks) {
            int length = block.cid().byteLength() + block.size();
            if (length >= 0x80) {
                out.write((length & 0x7f) | 0x80);
                out.write(length >> 7);
            } else {
                out.write(length);
            }
            out.writeBytes(block.cid().toBytes());
            out.writeBytes(block.bytes());
        }
        return out.toByteArray();
    }

    private void write(List<Cid> roots, Block... blocks) throws IOException {
        Files.write(folder.resolve("x.car"), bytes(roots, blocks));
    }

    @Test
    void entriesThatCannotBeReadAreLeftOut() throws IOException {
        Block twice = folder(entry("a", RAW.cid()), entry("a", CBOR.cid()), entry("b", RAW.cid()));
        Block root = folder(
                entry("..", RAW.cid()),
                entry("bad", ODD.cid()),
                entry("data", CBOR.cid()),
                entry("file", RAW.cid()),
                entry("twice", twice.cid()));
        write(List.of(root.cid()), root, RAW, CBOR, ODD, twice);
        Answer strict = shell.run("import", "x.car", "--files", "d", "--strict");
        assertThat(strict.status()).isEqualTo(Exit.DAMAGED);
        assertThat(strict.err()).contains("no key was changed");
        assertThat(shell.run("import", "x.car", "--strict").refused(Exit.USAGE)).contains("--strict is for --files");
        assertThat(shell.run("ls").done().lines()).isEmpty();
        Answer answer = shell.run("import", "x.car", "--files", "d");
        assertThat(answer.status()).isEqualTo(Exit.DAMAGED);
        assertThat(answer.err())
                .contains(
                        "d/..: ",
                        "d/bad: ",
                        "d/twice/a: ",
                        "there again: \"a\"",
                        "cannot be read: 3, the first is \"..\"")
                .doesNotContain("from a copy");
        assertThat(shell.run("ls").done().lines())
                .containsExactly(
                        "d/data\t" + CBOR.cid(),
                        "d/file\t" + RAW.cid(),
                        "d/twice/a\t" + RAW.cid(),
                        "d/twice/b\t" + RAW.cid());
    }

    @Test
    void takesSymbolicLinksAsValues() throws IOException {
        Block link = Block.of(Cid.DAG_PB, new byte[] {0x0a, 8, 8, 4, 0x12, 4, 'f', 'i', 'l', 'e'});
        Block root = folder(entry("file", RAW.cid()), entry("link", link.cid()));
        write(List.of(root.cid()), root, RAW, link);
        assertThat(shell.run("import", "x.car", "--files", "d").err()).contains("files: 1, symbolic links: 1");
        assertThat(shell.run("ls").done().lines()).containsExactly("d/file\t" + RAW.cid(), "d/link\t" + link.cid());
        shell.run("restore", "d", "--to", "out", "-q").done();
        assertThat(Files.readSymbolicLink(folder.resolve("out/link"))).hasToString("file");
        shell.run("export", "y.car", "--as", "unixfs", "--prefix", "d", "-q").done();
        shell.run("import", "y.car", "--files", "e", "-q").done();
        assertThat(shell.run("get", "e/link").done().lines())
                .containsExactly(link.cid().toString());
    }

    /** A link to a shard is no entry, so that its CID is no value. */
    @Test
    void shardInAnotherCodecIsNoValue() throws IOException {
        ByteArrayOutputStream data = new ByteArrayOutputStream();
        data.writeBytes(new byte[] {8, 5, 0x12, 1, 1, 0x28, 0x22, 0x30, 8});
        ByteArrayOutputStream node = new ByteArrayOutputStream();
        field(node, 2, entry("0", CBOR.cid()));
        field(node, 1, data.toByteArray());
        Block shard = Block.of(Cid.DAG_PB, node.toByteArray());
        Block root = folder(entry("file", RAW.cid()), entry("shard", shard.cid()));
        write(List.of(root.cid()), root, shard, RAW, CBOR);
        assertThat(shell.run("import", "x.car", "--files").status()).isEqualTo(Exit.DAMAGED);
        assertThat(shell.run("ls").done().lines()).containsExactly("file\t" + RAW.cid());
    }

    @Test
    void valueWithUnknownLinksIsTold() {
        assertThat(shell.run("put", "raw", "bafkqaaa").done().err()).doesNotContain("links");
        assertThat(shell.run("put", "k", "--cid", "f0191011220" + "ab".repeat(32))
                        .err())
                .contains("1 value has a codec whose links are unknown");
    }

    /** Its bytes are in the CID, so neither the put nor the collector speaks of it. */
    @Test
    void identityWithUnknownLinksIsNotTold_G4() {
        for (String cid : List.of("f0191010000", "f01910100020102")) {
            shell.run("put", cid, "--cid", cid, "-q").done();
        }
        JsonNode gc = shell.run("gc", "--dry-run", "--json").done().json().get(0);
        assertThat(gc.get("unfollowed").asInt()).isZero();
    }

    @Test
    void rootThatIsAFileIsNamed() throws IOException {
        write(List.of(RAW.cid()), RAW);
        assertThat(shell.run("import", "x.car", "--files").refused(Exit.FAILED))
                .contains("one file", "pail put KEY " + RAW.cid());
    }

    private String failed(int status) {
        Answer answer = shell.run("import", "x.car");
        assertThat(answer.status()).isEqualTo(status);
        return answer.err();
    }

    @Test
    void absentRootIsNamedAndListed() throws IOException {
        write(List.of(RAW.cid()), CBOR);
        assertThat(failed(Exit.DAMAGED)).contains(RAW.cid().toString(), "neither in the CAR");
        Answer listed = shell.run("import", "x.car", "--missing", "-q");
        assertThat(listed.lines()).containsExactly(RAW.cid().toString());
        write(List.of());
        Answer empty = shell.run("import", "x.car");
        assertThat(empty.status()).isEqualTo(Exit.FAILED);
        assertThat(empty.err()).contains("no roots and no blocks");
        write(List.of(RAW.cid()), RAW);
        assertThat(shell.run("import", "x.car").status()).isZero();
    }

    @Test
    void otherFormatsAreNamed() throws IOException {
        byte[] car = bytes(List.of(RAW.cid()), RAW);
        refusedAs("gzip", new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0});
        refusedAs("an HTML page", "\n <!DOCTYPE html><p>no".getBytes(UTF_8));
        refusedAs("JSON", "{\"error\":\"no\"}".getBytes(UTF_8));
        refusedAs("base64", Base64.getMimeEncoder().encode(car));
        refusedAs("text", "404 not found".getBytes(UTF_8));
        byte[] wide = new byte[2 * car.length];
        for (int i = 0; i < car.length; i++) {
            wide[2 * i] = car[i];
        }
        refusedAs("UTF-16", wide);
        byte[] tar = new byte[512];
        tar[0] = 'a';
        refusedAs("tar", tar);
    }

    private void refusedAs(String name, byte[] bytes) throws IOException {
        Files.write(folder.resolve("x.car"), bytes);
        assertThat(shell.run("import", "x.car").refused(Exit.FAILED)).contains("no CAR: ", name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"f01550000", "F01550000", "mAVUAAA", "uAVUAAA", "v05a0000"})
    void textThatIsACidByAccidentIsRefused(String text) {
        assertThat(shell.run("put", "part", text).status()).isEqualTo(Exit.USAGE);
        assertThat(shell.run("ls").done().lines()).isEmpty();
    }

    @Test
    void formOfACidIsTold() {
        shell.run("put", "k", "--cid", "f01550000").done();
        assertThat(shell.run("get", "k").done().line()).isEqualTo("bafkqaaa");
        Answer upper = shell.run("put", "k", "BAFKQAAA");
        assertThat(upper.status()).isZero();
        assertThat(upper.err()).contains("the value is the CID bafkqaaa, given as \"BAFKQAAA\"");
    }
}
