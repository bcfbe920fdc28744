package dev.pail.cli.command.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Answer;
import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What restore makes of odd permissions, times, links and names in UnixFS nodes. */
class RestoredEntriesTest {
    private static final String FILE = "0802 120178";
    private static final String FOLDER = "0801";

    /** 1,600,000,000 seconds. */
    private static final String TIME = "4206 0880a0f8fa05";

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
        field(link, 2, name.getBytes(StandardCharsets.UTF_8));
        return link.toByteArray();
    }

    /** Stores a node, with its fields of UnixFS in hexadecimal. */
    private Cid node(String data, byte[]... entries) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] entry : entries) {
            field(out, 2, entry);
        }
        field(out, 1, HexFormat.of().parseHex(data.replace(" ", "")));
        Block block = Block.of(Cid.DAG_PB, out.toByteArray());
        try (Repository repository = FileRepository.open(folder.resolve(".pail"))) {
            repository.blocks().put(block);
        }
        return block.cid();
    }

    private Cid link(String target) {
        byte[] text = target.getBytes(StandardCharsets.UTF_8);
        return node("0804 12" + "%02x".formatted(text.length) + HexFormat.of().formatHex(text));
    }

    private void put(String key, Cid value) {
        shell.run("put", key, value.toString(), "-q").done();
    }

    private String refused() {
        Answer answer = shell.run("restore", "--to", "out");
        assertThat(answer.status()).isEqualTo(Exit.FAILED);
        return answer.err();
    }

    private Instant mtime(String name) throws IOException {
        return Files.getLastModifiedTime(folder.resolve("out").resolve(name)).toInstant();
    }

    @Test
    void timesThatJavaCannotSetAreRoundedOrLeft() throws IOException {
        put("beforeEpoch", node(FILE + "4210 08feffffffffffffffff01 150065cd1d"));
        put("far", node(FILE + "4207 08808080808020"));
        assertThat(shell.run("restore", "--to", "out").status()).isZero();
        assertThat(mtime("beforeEpoch")).isEqualTo(Instant.ofEpochSecond(-2));
        assertThat(Duration.between(mtime("far"), Instant.now()).abs()).isLessThan(Duration.ofHours(1));
    }

    @Test
    void fileWithoutPermissionsIsReadable() throws IOException {
        put("none", node(FILE));
        put("zero", node(FILE + "3800"));
        assertThat(shell.run("restore", "--to", "out").status()).isZero();
        for (String name : new String[] {"none", "zero"}) {
            assertThat(Files.getPosixFilePermissions(folder.resolve("out").resolve(name)))
                    .contains(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        }
    }

    @Test
    void foldersGetTheirTimesAfterTheirEntries() throws IOException {
        Cid inner = node(FOLDER + TIME, entry("file", node(FILE)), entry("link", link("file")));
        put("outer", node(FOLDER + TIME, entry("inner", inner), entry("file", node(FILE))));
        assertThat(shell.run("restore", "--to", "out").status()).isZero();
        assertThat(mtime("outer/inner")).isEqualTo(Instant.ofEpochSecond(1_600_000_000));
        assertThat(mtime("outer")).isEqualTo(Instant.ofEpochSecond(1_600_000_000));
    }

    @Test
    void linkWithAnotherTargetIsReplacedOnlyWithOverwrite() throws IOException {
        put("link", link("new"));
        Path there = Files.createDirectory(folder.resolve("out")).resolve("link");
        Files.createSymbolicLink(there, Path.of("old"));
        assertThat(refused()).contains("refused: link: a link with another target is there", "--overwrite");
        assertThat(Files.readSymbolicLink(there)).hasToString("old");
        assertThat(shell.run("restore", "--to", "out", "--overwrite").err()).contains("1 written");
        assertThat(Files.readSymbolicLink(there)).hasToString("new");
    }

    @Test
    void linkWithANameOfPailItselfIsRefused() {
        put("site", node(FOLDER, entry(".pail", link("x")), entry("file", node(FILE))));
        assertThat(refused()).contains("refused: site/.pail: .pail is a folder of pail's own");
        assertThat(folder.resolve("out")).doesNotExist();
    }
}
