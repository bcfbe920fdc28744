package dev.pail.unixfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.dag.Protobuf;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Folders in one node and in many: those that the npm package ipfs-unixfs-importer 17.1.1 makes. */
class FolderTest {
    private static final int SHARD = 5;

    private final MemoryBlockStore blocks = new MemoryBlockStore();

    private DagPb.Link file(String name, int length) throws IOException {
        FileNode.Part file =
                FileWriter.write(blocks, FileLayout.V1_2025, new ByteArrayInputStream(FileTest.bytes(length)));
        return new DagPb.Link(file.cid(), name, file.treeSize());
    }

    private List<DagPb.Link> entries(Cid folder) {
        List<DagPb.Link> entries = new ArrayList<>();
        Folder read = new Folder(blocks, folder, Folder.UNLIMITED, true);
        while (read.hasNext()) {
            entries.add(read.next());
        }
        return entries;
    }

    private Cid folder(List<DagPb.Link> entries) {
        PendingBlocks pending = new PendingBlocks(blocks);
        Cid folder = FolderNodes.store(pending, "", entries).cid();
        pending.flush();
        return folder;
    }

    @Test
    void aFolderHasTheCidThatOtherProgramsGiveIt_FS10() throws IOException {
        List<DagPb.Link> entries = new ArrayList<>(List.of(
                file("a.txt", 5),
                file("b", 7),
                file("B", 2),
                file("a", 0),
                file("\u00e9", 1),
                file("\ufffd", 3),
                file("\ud83d\ude00", 4)));
        Collections.shuffle(entries, new Random(Randomness.seed("FolderTest")));
        Cid folder = folder(entries);
        assertThat(folder).hasToString("bafybeif5hdkosjfgyhdbmulll2dphgb2k35nhuh64ybf6yhmyd5zxqfv4e");
        // In the order of their bytes.
        assertThat(entries(folder))
                .containsExactlyInAnyOrderElementsOf(entries)
                .map(DagPb.Link::name)
                .containsExactly("B", "a", "a.txt", "b", "\u00e9", "\ufffd", "\ud83d\ude00");
    }

    @Test
    void aShardedFolderIsReadWithAllThatIsInIt_FS11() throws IOException {
        try (InputStream fixture = Objects.requireNonNull(FolderTest.class.getResourceAsStream("sharded-folder.txt"))) {
            new String(fixture.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .forEach(line ->
                            blocks.put(Block.of(Cid.DAG_PB, Base64.getDecoder().decode(line))));
        }
        List<DagPb.Link> files = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            files.add(file("file " + i, i));
        }
        assertThat(entries(Cid.parse("bafybeif5g52xro4qwro32vnovlynxkllnbhrd65cvwxwxsdzqddo5dia74")))
                .containsExactlyInAnyOrderElementsOf(files);
    }

    private Cid shard(DagPb.Link... links) {
        Block block = Block.of(
                Cid.DAG_PB,
                DagPb.encode(
                        List.of(links),
                        new Protobuf.Writer().number(1, SHARD).number(6, 256).toByteArray()));
        blocks.put(block);
        return block.cid();
    }

    @Test
    void shardsThatAreNoneAreRefused_FS11() throws IOException {
        DagPb.Link file = file("", 3);
        Cid shortName = shard(new DagPb.Link(file.cid(), "0", 3));
        Cid missing = shard(new DagPb.Link(file.cid(), "00", 3));
        Cid deep = shard();
        for (int level = 0; level < 40; level++) {
            deep = shard(new DagPb.Link(deep, "00", 0));
        }
        Cid bomb = deep;
        Stream.of(shortName, missing, bomb, file.cid())
                .forEach(cid -> assertThatExceptionOfType(DamagedFileException.class)
                        .as("%s", cid)
                        .isThrownBy(() -> entries(cid)));
        for (long fanout : new long[] {0, 1, 3, 2048, Long.MAX_VALUE}) {
            Block wrong = Block.of(
                    Cid.DAG_PB,
                    DagPb.encode(
                            List.of(),
                            new Protobuf.Writer()
                                    .number(1, SHARD)
                                    .number(6, fanout)
                                    .toByteArray()));
            blocks.put(wrong);
            assertThatExceptionOfType(DamagedFileException.class)
                    .isThrownBy(() -> new Folder(blocks, wrong.cid(), Folder.UNLIMITED, true))
                    .withMessageContaining("fanout");
        }
    }

    /** A name that is no text is refused, not mended: two names must not become one. */
    @Test
    void refusesNamesThatAreNotUtf8_FS9() throws IOException {
        byte[] folder = blocks.require(folder(List.of(file("name", 1)))).bytes();
        int at = IntStream.range(0, folder.length)
                .filter(i ->
                        Arrays.equals(folder, i, Math.min(folder.length, i + 4), new byte[] {'n', 'a', 'm', 'e'}, 0, 4))
                .findFirst()
                .orElseThrow();
        folder[at] = (byte) 0xff;
        Block block = Block.of(Cid.DAG_PB, folder);
        blocks.put(block);
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> new Folder(blocks, block.cid(), Folder.UNLIMITED, true))
                .withMessageContaining("the name of a link is UTF-8");
    }
}
