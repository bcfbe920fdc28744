package dev.pail.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.car.CarWriter;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Cid;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks that other programs have named by other hash functions than SHA2-256. */
class HashFunctionsTest {
    private static final byte[] HELLO = "hello".getBytes(US_ASCII);

    @TempDir
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder, "--format", "v1");
    }

    /** Writes a CAR of a pail whose key k has a value, and of a block under that. */
    private void car(String name, Cid value, byte[] block) throws IOException {
        MemoryBlockStore blocks = new MemoryBlockStore();
        Cid root = Pail.create(blocks, ShardFormat.v1()).put("k", value).root();
        try (CarWriter writer = CarWriter.of(Files.newOutputStream(folder.resolve(name)), "", List.of(root))) {
            writer.write(blocks.require(root));
        }
        append(name, value, block);
    }

    private void append(String name, Cid cid, byte[] block) throws IOException {
        int length = cid.byteLength() + block.length;
        try (OutputStream car = Files.newOutputStream(folder.resolve(name), StandardOpenOption.APPEND)) {
            car.write(varint(length));
            car.write(cid.toBytes());
            car.write(block);
        }
    }

    private static byte[] varint(int value) {
        return value < 128
                ? new byte[] {(byte) value}
                : new byte[] {(byte) ((value & 0x7f) | 0x80), (byte) (value >> 7)};
    }

    private static Cid raw(String function, byte[] digest) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(HexFormat.of().parseHex("0155" + function));
        out.writeBytes(varint(digest.length));
        out.writeBytes(digest);
        return Cid.fromBytes(out.toByteArray());
    }

    /** The varint of the function, and the hash of "hello" by it, as other programs compute it. */
    @ParameterizedTest
    @CsvSource({
        "sha1, 11, aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
        "sha2-256 cut to 20 bytes, 12, 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c",
        "sha2-512 cut to 32 bytes, 13, 9b71d224bd62f3785d96d46ad3ea3d73319bfbc2890caadae2dff72519673ca7",
        "sha3-256, 16, 3338be694f50c5f338814986cdf0686453a888b84f424d792af4b9202398f392",
        "shake-256, 19, 1234075ae4a1e77316cf2d8000974581a343b9ebbca7e3d1db83394c30f22162",
        "keccak-256, 1b, 1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8",
        "blake3, 1e, ea8f163db38682925e4491c5e58d4bb3506ef8c14eb78a86e908c5624a67200f",
        "dbl-sha2-256, 56, 9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50",
        "blake2b-256, a0e402, 324dcf027dd4a30a932c441f365a25e86b173defa4b8e58948253471b81b72cf",
        "blake2s-256, e0e402, 19213bacc58dee6dbde3ceb9a47cbb330b3d86f8cca8997eb00be456f140ca25",
    })
    void blocksOfOtherPrograms_I4(String name, String function, String digest) throws IOException {
        Cid value = raw(function, HexFormat.of().parseHex(digest));
        car("one.car", value, HELLO);

        assertThat(shell.run("-C", "one.car", "cat", "k").done().bytes()).isEqualTo(HELLO);
        assertThat(shell.run("import", "one.car").done().text()).startsWith("blocks: 2 new, 0 known, 0 refused");
        assertThat(shell.run("cat", "k").done().bytes()).as(name).isEqualTo(HELLO);
        shell.run("verify", "--all").done();
        shell.run("export", "copy.car").done();
        assertThat(shell.run("-C", "copy.car", "cat", "k").done().bytes()).isEqualTo(HELLO);

        car("bad.car", value, "hallo".getBytes(US_ASCII));
        Answer bad = shell.run("import", "bad.car", "-b", "bad", "-q");
        assertThat(bad.status()).isEqualTo(Exit.DAMAGED);
        assertThat(bad.err()).contains("refused at offset ", "corrupt block: " + value, "no branch was moved");
    }

    /** Murmur3, MD5, SHA2-256 cut to 19 bytes, BLAKE3 of 129 bytes, the code 2^32 + 18, BLAKE2b of 152 bits. */
    @ParameterizedTest
    @CsvSource({"22, 8", "d501, 16", "12, 19", "1e, 129", "9280808010, 32", "93e402, 19"})
    void whatCannotBeVerifiedIsNamedAndTheRestIsTakenIn(String function, int length) throws IOException {
        Cid value = raw(function, new byte[length]);
        car("one.car", value, HELLO);
        for (String option : List.of("-q", "--color=never")) {
            String branch = "b" + option.length();
            Answer answer = shell.run("import", "one.car", "-b", branch, option);
            assertThat(answer.status()).isEqualTo(Exit.DAMAGED);
            assertThat(answer.err().lines())
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .startsWith("refused at offset ")
                                    .contains("cannot verify a block", value.toString()),
                            line -> assertThat(line)
                                    .startsWith("error: blocks of the CAR cannot be verified")
                                    .contains(value.toString()),
                            line -> assertThat(line).startsWith("hint: ").contains(branch + " was moved"));
            assertThat(shell.run("get", "k", "-b", branch).done().line()).isEqualTo(value.toString());
            assertThat(shell.run("cat", "k", "-b", branch).refused(Exit.DAMAGED))
                    .contains("cannot verify a block by hash function 0x", value.toString());
            shell.run("verify", "-b", branch).done();
        }
        assertThat(shell.run("-C", "one.car", "get", "k").done().line()).isEqualTo(value.toString());
    }

    @Test
    void whatCannotBeVerifiedIsTwoObjectsInJson() throws IOException {
        Cid value = raw("22", new byte[8]);
        car("one.car", value, HELLO);
        Answer answer = shell.run("import", "one.car", "--json");
        assertThat(answer.failedInJson(Exit.DAMAGED).get("code").asText()).isEqualTo("unsupported-hash");
        List<JsonNode> told = answer.json();
        assertThat(told.get(0).get("refused").asText()).isEqualTo(value.toString());
        assertThat(told.get(1).get("refused").asInt()).isEqualTo(1);
        assertThat(told.get(1).get("root").asText()).isEqualTo(shell.root());
    }

    /** Values that no name of a file could have. */
    @ParameterizedTest
    @CsvSource({"00, 200", "00, 2000", "22, 0", "22, 2000", "12, 250"})
    void anyCidIsAValue_K3(String function, int length) throws IOException {
        Cid value = raw(function, new byte[length]);
        shell.put("a", 1);
        shell.run("put", "k", value.toString()).done();
        shell.run("put", "l", value.toString()).done();
        shell.run("rm", "k").done();

        assertThat(shell.run("get", "l").done().line()).isEqualTo(value.toString());
        assertThat(shell.run("ls").done().lines()).containsExactly("a\t" + Shell.cid(1), "l\t" + value);
        shell.run("verify", "--all").done();
        shell.run("gc", "--dry-run").done();
        shell.run("pack").done();
        assertThat(shell.run("get", "l").done().line()).isEqualTo(value.toString());
        shell.run("verify", "--all").done();
        shell.run("export", "all.car").done();
        Shell copy = Shell.withRepository(Files.createDirectory(folder.resolve("copy")));
        copy.run("import", "../all.car").done();
        assertThat(copy.root()).isEqualTo(shell.root());
        assertThat(copy.run("get", "l").done().line()).isEqualTo(value.toString());
        assertThat(copy.run("diff", "@{0}").done().text()).isEmpty();
    }
}
