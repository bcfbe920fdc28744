package dev.pail.unixfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.BlockStore;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.dag.Protobuf;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files as trees of chunks: their CIDs are those that the npm package ipfs-unixfs-importer 17.1.1 gives, and what was written is read. */
class FileTest {
    private static final FileLayout SMALL = new FileLayout(100, 4);

    private final MemoryBlockStore blocks = new MemoryBlockStore();

    /** Bytes of a linear congruential generator, which a few lines of any language make again. */
    static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        int x = length + 7;
        for (int i = 0; i < length; i++) {
            x = x * 1664525 + 1013904223;
            bytes[i] = (byte) (x >>> 24);
        }
        return bytes;
    }

    private FileNode.Part write(byte[] bytes, FileLayout layout) throws IOException {
        return FileWriter.write(blocks, layout, new ByteArrayInputStream(bytes));
    }

    private static FileLayout layout(String name) {
        return switch (name) {
            case "small" -> SMALL;
            case "v1-2025" -> FileLayout.V1_2025;
            default -> FileLayout.KIBI_256;
        };
    }

    @ParameterizedTest
    @CsvSource({
        "small, 0, bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku, 0",
        "small, 1, bafkreibybemlsrvfezsauqg7lxhnmulhstz5s655tzv3ku6qg7cehhzrym, 1",
        "small, 99, bafkreifivbfi4qb5lat6dcavths3xsiwfpdg5iztgvd7xn445vbcpcfcga, 99",
        "small, 100, bafkreidccfh67dxjrhl35wh3szx2idarutil3fuvla4zzymtfyn7vjqftm, 100",
        "small, 101, bafybeig3uf6hprfoqnz6gj7otkdytanfvaudo7i7h4dmz6aed7rp2s6it4, 199",
        "small, 200, bafybeidm5ng4opo3cyzsm5qjmd45d3f4tkoupxs5eippnwgxtrgjf2zvs4, 299",
        "small, 399, bafybeicmemzcwscnz672335utc65w7rltvvfcqhi5wsxeymbl77ts2sbra, 590",
        "small, 400, bafybeibhpvn7m74eufqityfaqfatddzg7caa3sylwsm3fvqhpdjytp6vay, 591",
        "small, 401, bafybeieiajuvhp7dlklbesfs2uzp2fbuyiy5ilaei5a6p3vvtpsa3u3nxy, 745",
        "small, 500, bafybeibqxedh2p4uyu24hhcon2j6a3tqrqaa5yo7xgm4lueayu72evrpva, 845",
        "small, 1600, bafybeialdidter3b6odnvncmtnvohwnlbeg43jc6pxijcprqyyngkhayhy, 2563",
        "small, 1601, bafybeicgsn36hfwzx3snwl6rwwso6fc7tqokgg637e2vnnuvld5jfrgoxe, 2769",
        "small, 1700, bafybeia4fyi5khycu6wt5gsw5pxcarv3pk6nup4h5mlywub3ufy2hvdqiu, 2870",
        "small, 2000, bafybeiah56keerxkhwb3blog2ujoekm72lctg2jcetsk643vpbfkeospie, 3312",
        "small, 6400, bafybeigey3yweflqwi6gnpvf6lcbu74yjda56pena7ggr63dh6z7cqtccq, 10451",
        "small, 6401, bafybeigo5jlblpv2vwqvkkqfit3ouhbf7oucyqiwlaipkrnpak2ymwpmu4, 10710",
        "small, 12345, bafybeiglpfbisamtsinf7jhmhehhrlgolfmnp644sltzx2a6a72n4vats4, 20311",
        "v1-2025, 0, bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku, 0",
        "v1-2025, 1, bafkreibybemlsrvfezsauqg7lxhnmulhstz5s655tzv3ku6qg7cehhzrym, 1",
        "v1-2025, 1048575, bafkreihb5bva5cn4amo4u55kmmm23skcena6r324xcjrlfihso3drabjhu, 1048575",
        "v1-2025, 1048576, bafkreifbvoznb2yox7kanbtcspt4wn6n7frur4b5jmh4f2jak7cxountde, 1048576",
        "v1-2025, 1048577, bafybeidioipswbgzd36xv3tsrrn326vg5v3dken2l3yll33jt2txdipphi, 1048681",
        "v1-2025, 3000000, bafybeia5yk6vu7orqyoaaca6lc4ycrzapie5wsgipecqgcoi7ufhuddriu, 3000159",
        "kubo, 262144, bafkreiehmdmvop27vyavvmvkdoconujqpxcgogjzluigv3i7re5eea5rcq, 262144",
        "kubo, 262145, bafybeide3zdpkaaziisc5fow72ltxpmwpqeg2guqcmjmh3pvfi7u6xab2a, 262249",
        "kubo, 1000000, bafybeibx2gwbthw2d3wuyayuhqpyaclmyrn6jxu3gjyzw234nqjgt3mjqa, 1000208"
    })
    void filesHaveTheCidsOfOtherPrograms_FS8(String layout, int length, String cid, long treeSize) throws IOException {
        FileNode.Part written = write(bytes(length), layout(layout));
        assertThat(written.cid()).hasToString(cid);
        assertThat(written.treeSize()).isEqualTo(treeSize);
        assertThat(written.size()).isEqualTo(length);
        assertThat(new UnixFsFile(blocks, written.cid()).readAllBytes()).isEqualTo(bytes(length));
    }

    /** Level by level, with all of a level in memory. */
    private static FileNode.Part slowTwin(byte[] bytes, FileLayout layout) {
        List<FileNode.Part> level = new ArrayList<>();
        int from = 0;
        do {
            byte[] chunk = Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + layout.chunkSize()));
            level.add(new FileNode.Part(Block.of(Cid.RAW, chunk).cid(), chunk.length, chunk.length));
            from += layout.chunkSize();
        } while (from < bytes.length);
        while (level.size() > 1) {
            List<FileNode.Part> above = new ArrayList<>();
            for (int i = 0; i < level.size(); i += layout.links()) {
                List<FileNode.Part> parts = level.subList(i, Math.min(level.size(), i + layout.links()));
                Block node = FileNode.block(parts);
                above.add(new FileNode.Part(
                        node.cid(),
                        parts.stream().mapToLong(FileNode.Part::size).sum(),
                        node.size()
                                + parts.stream()
                                        .mapToLong(FileNode.Part::treeSize)
                                        .sum()));
            }
            level = above;
        }
        return level.get(0);
    }

    @Test
    void randomFilesAreThoseOfASlowWriter_FS8() throws IOException {
        Random random = Randomness.random("FileTest.random");
        for (int run = 0; run < Randomness.times(500, 20_000); run++) {
            FileLayout layout = new FileLayout(1 + random.nextInt(50), 2 + random.nextInt(6));
            int length = random.nextInt(4) == 0
                    ? layout.chunkSize() * layout.links() * (1 + random.nextInt(3)) - 1 + random.nextInt(3)
                    : random.nextInt(4000);
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            assertThat(write(bytes, layout)).isEqualTo(slowTwin(bytes, layout));
        }
    }

    /** A stream that gives a few bytes at a time makes the same file. */
    @Test
    void theChunksDoNotDependOnTheStream_FS8() throws IOException {
        InputStream slow = new FilterInputStream(new ByteArrayInputStream(bytes(12345))) {
            @Override
            public int read(byte[] out, int from, int length) throws IOException {
                return super.read(out, from, Math.min(length, 7));
            }
        };
        assertThat(FileWriter.write(blocks, SMALL, slow)).isEqualTo(write(bytes(12345), SMALL));
    }

    @Test
    void rangesAreThoseOfTheBytes_FS7() throws IOException {
        Random random = new Random(Randomness.seed("FileTest.ranges"));
        for (int run = 0; run < Randomness.times(300, 10_000); run++) {
            byte[] all = bytes(random.nextInt(3000));
            FileNode.Part file = write(all, new FileLayout(1 + random.nextInt(120), 2 + random.nextInt(5)));
            int offset = random.nextInt(all.length + 20);
            int length = random.nextInt(all.length + 20);
            UnixFsFile reader = new UnixFsFile(blocks, file.cid());
            assertThat(reader.size()).isEqualTo(all.length);
            int from = Math.min(offset, all.length);
            int to = Math.min(from + length, all.length);
            assertThat(reader.range(offset, length).readAllBytes()).isEqualTo(Arrays.copyOfRange(all, from, to));
        }
        UnixFsFile reader = new UnixFsFile(blocks, write(bytes(10), SMALL).cid());
        assertThatIllegalArgumentException().isThrownBy(() -> reader.range(-1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> reader.range(0, -1));
        assertThat(reader.range(3, Long.MAX_VALUE).readAllBytes()).hasSize(7);
    }

    /** Counts reads. */
    private static final class Counting implements BlockStore {
        private final BlockStore blocks;
        private final List<Cid> read = new ArrayList<>();

        Counting(BlockStore blocks) {
            this.blocks = blocks;
        }

        @Override
        public Optional<Block> get(Cid cid) {
            read.add(cid);
            return blocks.get(cid);
        }

        @Override
        public void putAll(Collection<Block> some) {
            blocks.putAll(some);
        }

        @Override
        public boolean has(Cid cid) {
            return blocks.has(cid);
        }

        @Override
        public void close() {}
    }

    @Test
    void aRangeReadsTheNodesOnTheWayToItAlone_FS7() throws IOException {
        // 16 nodes of 4 chunks each, 4 nodes above these, and a root.
        FileNode.Part file = write(bytes(6400), SMALL);
        Counting counting = new Counting(blocks);
        assertThat(new UnixFsFile(counting, file.cid()).range(3250, 10).readAllBytes())
                .isEqualTo(Arrays.copyOfRange(bytes(6400), 3250, 3260));
        assertThat(counting.read).hasSize(4);
        counting.read.clear();
        assertThat(new UnixFsFile(counting, file.cid()).range(3200, 10).readAllBytes())
                .isEqualTo(Arrays.copyOfRange(bytes(6400), 3200, 3210));
        assertThat(counting.read).hasSize(4);
        counting.read.clear();
        assertThat(new UnixFsFile(counting, file.cid()).range(6400, 10).read()).isEqualTo(-1);
        assertThat(counting.read).hasSize(1);
    }

    /** A store without one block of a file. */
    private BlockStore without(Cid lost, Cid root) {
        MemoryBlockStore rest = new MemoryBlockStore();
        List<Cid> due = new ArrayList<>(List.of(root));
        for (int i = 0; i < due.size(); i++) {
            Block block = blocks.require(due.get(i));
            FileNode.Parts parts =
                    FileNode.of(blocks, block.cid(), block.bytes()).parts();
            for (FileNode.Part part = parts.next(); part != null; part = parts.next()) {
                due.add(part.cid());
            }
            if (!due.get(i).equals(lost)) {
                rest.put(block);
            }
        }
        return rest;
    }

    @Test
    void aMissingChunkIsNamedWithItsPlace_FS7() throws IOException {
        Cid root = write(bytes(6400), SMALL).cid();
        Cid lost =
                Block.of(Cid.RAW, Arrays.copyOfRange(bytes(6400), 3200, 3300)).cid();
        UnixFsFile reader = new UnixFsFile(without(lost, root), root);
        assertThat(readFully(reader, new byte[3200])).isEqualTo(3200);
        for (int again = 0; again < 2; again++) {
            assertThatExceptionOfType(DamagedFileException.class)
                    .isThrownBy(reader::read)
                    .withMessageStartingWith("byte 3200 of the file cannot be read: ")
                    .satisfies(e -> assertThat(e.offset()).isEqualTo(3200))
                    .satisfies(e -> assertThat(e.cid()).isEqualTo(lost));
        }
    }

    static int readFully(UnixFsFile reader, byte[] out) {
        int read = 0;
        while (read < out.length) {
            int some = reader.read(out, read, out.length - read);
            if (some < 0) {
                break;
            }
            read += some;
        }
        return read;
    }

    private Cid node(FileNode.Part... parts) {
        Block block = FileNode.block(List.of(parts));
        blocks.put(block);
        return block.cid();
    }

    private FileNode.Part chunk(int length) {
        Block block = Block.of(Cid.RAW, bytes(length));
        blocks.put(block);
        return new FileNode.Part(block.cid(), length, length);
    }

    @Test
    void aPartThatIsNotAsLargeAsTheNodeAboveSaysIsRefused_FS7() {
        FileNode.Part chunk = chunk(10);
        Cid root = node(chunk(3), new FileNode.Part(chunk.cid(), 11, 11));
        UnixFsFile reader = new UnixFsFile(blocks, root);
        assertThat(readFully(reader, new byte[3])).isEqualTo(3);
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(reader::read)
                .withMessageContaining("a part of a file has the size that the node above says");
    }

    /** Nodes over nodes, each with the same part many times: 2^40 bytes in a few blocks. Only the range is read. */
    @Test
    void manyTimesTheSamePartIsReadAsFarAsItIsAskedFor() {
        FileNode.Part part = chunk(16);
        for (int level = 0; level < 9; level++) {
            FileNode.Part[] parts = new FileNode.Part[16];
            Arrays.fill(parts, part);
            part = new FileNode.Part(node(parts), 16 * part.size(), part.treeSize());
        }
        UnixFsFile reader = new UnixFsFile(blocks, part.cid());
        assertThat(reader.size()).isEqualTo(1L << 40);
        assertThat(readFully(reader.range((1L << 40) - 5, 100), new byte[100])).isEqualTo(5);
    }

    @Test
    void moreLevelsThanAFileHasAreRefused_FS7() {
        FileNode.Part part = chunk(16);
        for (int level = 0; level < 40; level++) {
            part = new FileNode.Part(node(part), 16, part.treeSize());
        }
        UnixFsFile reader = new UnixFsFile(blocks, part.cid());
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(reader::read)
                .withMessageContaining("a file has at most 32 levels");
    }

    @Test
    void sizesThatDoNotFitAreRefused_FS6() {
        FileNode.Part most = new FileNode.Part(chunk(1).cid(), Long.MAX_VALUE, 1);
        byte[] link = new Protobuf.Writer().bytes(1, most.cid().toBytes()).toByteArray();
        byte[] file = new Protobuf.Writer()
                .number(1, 2)
                .number(4, Long.MAX_VALUE)
                .number(4, Long.MAX_VALUE)
                .number(3, 1)
                .toByteArray();
        Block two = Block.of(
                Cid.DAG_PB,
                new Protobuf.Writer()
                        .bytes(2, link)
                        .bytes(2, link)
                        .bytes(1, file)
                        .toByteArray());
        blocks.put(two);
        assertThat(new UnixFsFile(blocks, node(most)).size()).isEqualTo(Long.MAX_VALUE);
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> new UnixFsFile(blocks, two.cid()))
                .withMessageContaining("63 bits");
    }

    /** Any bytes as a node: each is a file, or refused as one that cannot be read. */
    @Test
    void mutatedNodesAreReadOrRefused() {
        Random random = new Random(Randomness.seed("FileTest.mutated"));
        byte[] sound = FileNode.block(List.of(chunk(3), chunk(5), chunk(7))).bytes();
        int refused = 0;
        for (int run = 0; run < Randomness.times(5_000, 200_000); run++) {
            byte[] mutated = sound.clone();
            for (int i = random.nextInt(3); i >= 0; i--) {
                mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
            }
            int length = random.nextInt(4) == 0 ? random.nextInt(mutated.length) : mutated.length;
            Block block = Block.of(Cid.DAG_PB, Arrays.copyOf(mutated, length));
            blocks.put(block);
            try {
                readFully(new UnixFsFile(blocks, block.cid()).range(0, 100), new byte[100]);
            } catch (DamagedFileException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    @Test
    void aFolderIsNoFile() {
        Block folder = Block.of(Cid.DAG_PB, new byte[] {0x0a, 0x02, 0x08, 0x01});
        blocks.put(folder);
        assertThatExceptionOfType(DamagedFileException.class)
                .isThrownBy(() -> new UnixFsFile(blocks, folder.cid()))
                .withMessageContaining("a folder is no file");
    }
}
