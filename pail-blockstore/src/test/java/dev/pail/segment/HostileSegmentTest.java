package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.CorruptBlockException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.Input;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.Output;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.SealedIndex;
import dev.pail.segment.format.SegmentFile;
import dev.pail.testkit.disk.CrashDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Hostile segments, with right checksums and wrong contents. */
class HostileSegmentTest {
    private static final Path FOLDER = Path.of("/s");
    private static final int SALT = 77;
    private static final byte[] NOTHING = {};

    private final CrashDisk disk = new CrashDisk();
    private final Block asked = Block.of(Cid.RAW, new byte[] {1, 2, 3, 4});
    private WriteBatch records = WriteBatch.first(0, SALT, 0, true);
    private int count;

    private Location add(Cid cid, Location base, int size, byte... payload) {
        count++;
        return records.add(new RecordHeader.BlockContent(cid, base, 1, size), payload);
    }

    private Location whole(byte... bytes) {
        Block block = Block.of(Cid.RAW, bytes);
        return add(block.cid(), null, bytes.length, bytes);
    }

    private void writeAs(int segmentNumber, String suffix) throws IOException {
        disk.createDirectory(FOLDER);
        records.add(new RecordHeader.Commit(1, 0, count, SegmentFile.BEGINNING), NOTHING);
        String name = "0000" + segmentNumber + suffix;
        try (Disk.WritableFile out = disk.create(FOLDER.resolve(name))) {
            out.write(SegmentFile.beginning(segmentNumber, SALT));
            out.write(records.out.toBytes());
        }
        records = WriteBatch.first(segmentNumber + 1, SALT, 0, true);
        count = 0;
    }

    private Optional<Block> get() {
        try (Segments store = Segments.open(disk, FOLDER, 0, 1000)) {
            return store.get(asked.cid());
        }
    }

    private void assertRefused(String what) throws IOException {
        writeAs(0, Catalog.OPEN);
        assertThatExceptionOfType(CorruptBlockException.class)
                .isThrownBy(this::get)
                .withMessageContaining(what)
                .withMessageContaining("00000.open")
                .withMessageContaining("at offset");
    }

    /** The delta that copies the first {@code length} bytes of the base. */
    private static byte[] copy(int length) {
        return new Output(8).varint(0).varint(length).varint(0).toBytes();
    }

    @Test
    void aRightOne() throws IOException {
        Location base = whole((byte) 1, (byte) 2, (byte) 3, (byte) 4, (byte) 5);
        add(asked.cid(), base, 4, copy(4));
        writeAs(0, Catalog.OPEN);
        assertThat(get()).contains(asked);
    }

    /** Else a writer would take what is behind the last commit for a torn tail, and cut it off, and the commit would be gone. */
    @Test
    void aCommitWithAPayload_SEG7_SEG12() throws IOException {
        whole((byte) 1, (byte) 2, (byte) 3, (byte) 4);
        Output out = records.out;
        int header = out.size();
        int seed = SALT ^ (int) records.end();
        out.integer(4, RecordHeader.MAGIC)
                .integer(1, 3)
                .integer(2, RecordHeader.COMMIT)
                .integer(4, 1);
        out.integer(8, 1).integer(4, 0).integer(4, 1).integer(4, SegmentFile.BEGINNING);
        out.integer(4, out.checksum(seed, header));
        int payload = out.size();
        out.write(new byte[] {1});
        out.integer(4, out.checksum(0, payload));
        count = 0;
        writeAs(0, Catalog.OPEN);
        assertThat(get()).isEmpty();
    }

    /** Spec rule SEG14: the number of entries is in the seal, too. */
    @Test
    void anIndexThatLacksABlock_SEG14() throws IOException {
        try (Segments store = Segments.open(disk, FOLDER, 0, 100)) {
            store.putAll(List.of(asked), Map.of());
            store.putAll(List.of(Block.of(Cid.RAW, new byte[200])), Map.of());
            store.putAll(List.of(Block.of(Cid.RAW, new byte[201])), Map.of());
        }
        Path path = FOLDER.resolve("00000.idx");
        Input index = new Input(disk.read(path, 1000), 12, 20);
        byte[] empty = SealedIndex.of(Map.of()).toBytes(0, index.integer(4), index.integer());
        disk.delete(path);
        try (Disk.WritableFile out = disk.create(path)) {
            out.write(empty);
        }
        assertThat(get()).contains(asked);
    }

    @Test
    void wrongBytes_SEG10() throws IOException {
        Location base = whole((byte) 9, (byte) 9, (byte) 9, (byte) 9, (byte) 9);
        add(asked.cid(), base, 4, copy(4));
        assertRefused("hash");
    }

    @Test
    void wrongWholeBytes() throws IOException {
        add(asked.cid(), null, 4, (byte) 9, (byte) 9, (byte) 9, (byte) 9);
        assertRefused("hash");
    }

    private void addOwnBase() {
        int size = RecordHeader.START
                + Location.ENCODED
                + 8
                + asked.cid().byteLength()
                + 2 * Output.CHECKSUM
                + copy(4).length;
        Location own = new Location(0, SegmentFile.BEGINNING, size);
        assertThat(add(asked.cid(), own, 4, copy(4))).isEqualTo(own);
    }

    @Test
    void aRecordThatIsItsOwnBase() throws IOException {
        addOwnBase();
        assertRefused("a base that is not before");
    }

    /** The search for a base does not loop. */
    @Test
    void anOriginThatIsItsOwnBase() throws IOException {
        addOwnBase();
        writeAs(0, Catalog.OPEN);
        Block more = Block.of(Cid.RAW, new byte[200]);
        try (Segments store = Segments.open(disk, FOLDER, 0, 1000)) {
            store.putAll(List.of(more), Map.of(more.cid(), asked.cid()));
            assertThat(store.get(more.cid())).contains(more);
        }
    }

    @Test
    void aBaseBehindTheRecord_SEG10() throws IOException {
        add(asked.cid(), new Location(0, 200, 60), 4, copy(4));
        whole(new byte[100]);
        assertRefused("a base that is not before");
    }

    @Test
    void aBaseInALaterSegment_SEG10() throws IOException {
        add(asked.cid(), new Location(3, SegmentFile.BEGINNING, 60), 4, copy(4));
        assertRefused("a base that is not before");
    }

    @Test
    void aBaseInASegmentThatIsNotThere() throws IOException {
        whole((byte) 1);
        writeAs(0, Catalog.SEALED);
        disk.rename(FOLDER.resolve("00000.seg"), FOLDER.resolve("elsewhere"));
        add(asked.cid(), new Location(0, SegmentFile.BEGINNING, 60), 4, copy(4));
        writeAs(1, Catalog.OPEN);
        assertThatExceptionOfType(CorruptBlockException.class)
                .isThrownBy(this::get)
                .withMessageContaining("00000.seg at offset 32");
    }

    @Test
    void aBaseThatIsNoRecord() throws IOException {
        Location base = whole((byte) 1, (byte) 2, (byte) 3, (byte) 4);
        add(asked.cid(), new Location(0, base.offset() + 1, base.size() - 1), 4, copy(4));
        assertRefused("no record");
    }

    @Test
    void impossibleSizes() throws IOException {
        Location base = whole((byte) 1, (byte) 2, (byte) 3, (byte) 4);
        add(asked.cid(), new Location(0, base.offset(), 4), 4, copy(4));
        assertRefused("a record of impossible size");
    }

    /** A delta of a few bytes that doubles its base, again and again, beyond what a block may have. */
    @Test
    void sizesThatDouble_SEG10() throws IOException {
        Location base = whole(new byte[1 << 20]);
        int size = 1 << 20;
        while (size <= Block.MAX_SIZE) {
            Output delta = new Output(32);
            delta.varint(0).varint(size).varint(0).varint(0).varint(size).varint(2L * size - 1);
            size *= 2;
            base = add(
                    size > Block.MAX_SIZE
                            ? asked.cid()
                            : Block.of(Cid.RAW, copy(size)).cid(),
                    base,
                    size,
                    delta.toBytes());
        }
        // What declares more than a block has is no record: nothing of it counts.
        writeAs(0, Catalog.OPEN);
        assertThat(get()).isEmpty();
    }

    @Test
    void otherSizesThanDeclared_SEG10() throws IOException {
        Location base = whole((byte) 1, (byte) 2, (byte) 3, (byte) 4, (byte) 5);
        add(asked.cid(), base, Block.MAX_SIZE, copy(4));
        assertRefused("a delta that makes 4 bytes of " + Block.MAX_SIZE);
    }

    @Test
    void copiesFromOutside_SEG10() throws IOException {
        Location base = whole((byte) 1, (byte) 2, (byte) 3);
        add(asked.cid(), base, 4, copy(4));
        assertRefused("a copy from outside of the base");
    }

    private void addPacked(Location base, byte[] packed) {
        count++;
        RecordHeader.write(
                records.out, new RecordHeader.BlockContent(asked.cid(), base, 1, 4), packed, true, SALT, records.end());
    }

    /** How the packed form of a delta begins. */
    private static Output packed(byte[] delta) {
        int checksum = new Output(20).write(delta).checksum(0, 0);
        return new Output(20).varint(delta.length).integer(4, checksum);
    }

    @Test
    void aRightPackedDelta_SEG20() throws IOException {
        Location base = whole((byte) 1, (byte) 2, (byte) 3, (byte) 4, (byte) 5);
        whole(copy(4));
        addPacked(base, packed(copy(4)).varint(0).varint(3).varint(2 * 7 - 1).toBytes());
        writeAs(0, Catalog.OPEN);
        assertThat(get()).contains(asked);
    }

    @Test
    void aPackedDeltaOfOtherBytes_SEG20() throws IOException {
        Location base = whole((byte) 1, (byte) 2, (byte) 3, (byte) 4, (byte) 5);
        whole(copy(5));
        addPacked(base, packed(copy(4)).varint(0).varint(3).varint(2 * 7 - 1).toBytes());
        assertRefused("what it copies is not as it was");
    }

    @Test
    void aPackedDeltaThatCopiesFromTheBeginningOfTheFile_SEG20() throws IOException {
        Location base = whole((byte) 1, (byte) 2, (byte) 3, (byte) 4);
        long distance = records.end() - SegmentFile.BEGINNING + 1;
        addPacked(
                base,
                packed(copy(4)).varint(0).varint(3).varint(2 * distance - 1).toBytes());
        assertRefused("a copy from outside");
    }

    @Test
    void aPackedDeltaOfNothing_SEG20() throws IOException {
        Location base = whole((byte) 1, (byte) 2, (byte) 3, (byte) 4);
        addPacked(base, NOTHING);
        assertRefused("too few bytes");
    }

    @Test
    void chainsThatAreTooLong_SEG10() throws IOException {
        Location base = whole(asked.bytes());
        for (int i = 0; i <= Blocks.LONGEST_CHAIN; i++) {
            Cid cid = i == Blocks.LONGEST_CHAIN
                    ? asked.cid()
                    : Block.of(Cid.RAW, new byte[] {(byte) i}).cid();
            base = add(cid, base, 4, copy(4));
        }
        assertRefused("a chain of more than 32 bases");
    }

    /** A chain counts as a whole, also where a block in its middle was read before and is cached. */
    @Test
    void aChainThatIsTooLongBehindACachedBlock_SEG10() throws IOException {
        List<Block> chain = new ArrayList<>();
        Location base = whole((byte) 0, (byte) 2, (byte) 3, (byte) 4);
        for (int i = 1; i <= Blocks.LONGEST_CHAIN + 1; i++) {
            byte[] delta = new Output(8)
                    .varint(1)
                    .write(new byte[] {(byte) i})
                    .varint(3)
                    .varint(2)
                    .toBytes();
            chain.add(Block.of(Cid.RAW, new byte[] {(byte) i, 2, 3, 4}));
            base = add(chain.get(i - 1).cid(), base, 4, delta);
        }
        writeAs(0, Catalog.OPEN);
        try (Segments store = Segments.open(disk, FOLDER, 0, 1000)) {
            for (int i : new int[] {20, Blocks.LONGEST_CHAIN}) {
                assertThat(store.get(chain.get(i - 1).cid())).contains(chain.get(i - 1));
            }
            assertThatExceptionOfType(CorruptBlockException.class)
                    .isThrownBy(() -> store.get(chain.get(Blocks.LONGEST_CHAIN).cid()))
                    .withMessageContaining("a chain of more than 32 bases");
        }
    }

    /** On a chain that is as long as it may be, nothing is built: it would be written, and never read. */
    @Test
    void aFullChainIsNotContinued() throws IOException {
        byte[] bytes = new byte[1000];
        Block first = Block.of(Cid.RAW, bytes);
        Location base = add(first.cid(), null, bytes.length, bytes);
        for (int i = 0; i < Blocks.LONGEST_CHAIN; i++) {
            base = add(first.cid(), base, bytes.length, copy(bytes.length));
        }
        writeAs(0, Catalog.OPEN);
        bytes[7] = 1;
        Block next = Block.of(Cid.RAW, bytes);
        Map<Cid, Cid> origins = new HashMap<>();
        origins.put(next.cid(), first.cid());
        try (Segments store = Segments.open(disk, FOLDER, 0, 100_000)) {
            store.putAll(List.of(next), origins);
        }
        try (Segments store = Segments.open(disk, FOLDER, 0, 100_000)) {
            assertThat(store.get(first.cid())).contains(first);
            assertThat(store.get(next.cid())).contains(next);
        }
    }

    /** Blocks that are alike where it is looked for what is alike, and nowhere else. */
    @Test
    void blocksWithTheSameMarks() {
        Random random = new Random(4);
        byte[] same = new byte[300];
        random.nextBytes(same);
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            byte[] bytes = new byte[i % 3 == 0 ? 200_000 : 601 + random.nextInt(5000)];
            random.nextBytes(bytes);
            System.arraycopy(same, 0, bytes, 0, same.length);
            System.arraycopy(same, 0, bytes, bytes.length - same.length, same.length);
            blocks.add(Block.of(Cid.DAG_CBOR, bytes));
        }
        try (Segments store = Segments.open(disk, FOLDER, Long.MAX_VALUE, 1 << 20)) {
            blocks.forEach(block -> store.putAll(List.of(block), Map.of()));
        }
        try (Segments store = Segments.open(disk, FOLDER, 0, 1 << 20)) {
            assertThat(blocks)
                    .allSatisfy(block -> assertThat(store.get(block.cid())).contains(block));
            store.forEach(kept -> assertThat(kept.chain()).isLessThanOrEqualTo(Blocks.LONGEST_CHAIN));
        }
    }

    /** A block that holds a segment is a block: nothing in it is taken for a record, even where the tail is torn in it. */
    @Test
    void recordsWithinBlocks_SEG3() throws IOException {
        add(asked.cid(), null, 4, asked.bytes());
        records.add(new RecordHeader.Commit(1, 0, 1, 1 << 20), NOTHING);
        byte[] within = records.out.toBytes();
        records = WriteBatch.first(0, SALT, 0, true);
        count = 0;
        Block before = Block.of(Cid.RAW, new byte[] {5});
        whole(before.bytes());
        records.add(new RecordHeader.Commit(1, 0, 1, SegmentFile.BEGINNING), NOTHING);
        whole(within);
        disk.createDirectory(FOLDER);
        try (Disk.WritableFile out = disk.create(FOLDER.resolve("00000.open"))) {
            out.write(SegmentFile.beginning(0, SALT));
            byte[] all = records.out.toBytes();
            out.write(java.util.Arrays.copyOf(all, all.length - 1));
        }
        assertThat(get()).isEmpty();
        try (Segments store = Segments.open(disk, FOLDER, 0, 1000)) {
            assertThat(store.get(before.cid())).contains(before);
        }
    }
}
