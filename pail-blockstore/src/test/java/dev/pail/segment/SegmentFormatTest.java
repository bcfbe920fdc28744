package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.sweep.SweepRule;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The files of a store, read as {@code spec/segments.md} says by a plain program that shares no code with the store. */
class SegmentFormatTest {
    private static final Path FOLDER = Path.of("/s");
    private static final int WHOLE = 1;
    private static final int DELTA = 2;
    private static final int COMMIT = 3;
    private static final int SEAL = 4;
    private static final int PACKED = 5;

    private final CrashDisk disk = new CrashDisk();
    private final List<Block> blocks = new ArrayList<>();

    /** The records of blocks of each segment, in their order. */
    private final Map<Integer, List<Plain>> segments = new TreeMap<>();

    /** How many of them are packed deltas. */
    private int packed;

    /** The same, by segment and offset. */
    private final Map<List<Integer>, Plain> places = new HashMap<>();

    /** A record of a block. */
    @SuppressWarnings("ArrayRecordComponent") // It is never compared.
    private record Plain(Cid cid, int segment, int offset, int size, byte[] made) {}

    /** A store with whole blocks and deltas in several segments. One segment is still being written. */
    @BeforeEach
    void makeStore() throws IOException {
        Lineages lineages = new Lineages(new Random(Randomness.seed("SegmentFormatTest")), 2, 10);
        try (Segments store = Segments.open(disk, FOLDER, 0, 4000)) {
            for (int i = 0; i < 150; i++) {
                Block block = lineages.next();
                store.putAll(List.of(block), lineages.origins);
                blocks.add(block);
            }
        }
        assertThat(files(".seg")).hasSizeGreaterThan(2);
        assertThat(files(".open")).hasSize(1);
    }

    private List<Path> files(String suffix) throws IOException {
        return disk.list(FOLDER).stream()
                .filter(file -> file.toString().endsWith(suffix))
                .sorted()
                .toList();
    }

    private ByteBuffer read(Path file) throws IOException {
        return ByteBuffer.wrap(disk.read(file, 1 << 22)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int number(Path file) {
        return Integer.parseInt(String.valueOf(file.getFileName()).substring(0, 5));
    }

    private static byte[] bytes(ByteBuffer from, int at, int length) {
        byte[] bytes = new byte[length];
        from.get(at, bytes);
        return bytes;
    }

    private static String text(ByteBuffer from, int at) {
        return new String(bytes(from, at, 4), java.nio.charset.StandardCharsets.US_ASCII);
    }

    /** The CRC32C of four bytes and of some others behind them. */
    private static int checksum(int seed, byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, seed)
                .array());
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /** Checks the checksum at the end of a file, which is of four zero bytes and all before it. */
    private static void assertChecked(ByteBuffer file) {
        int end = file.capacity() - 4;
        assertThat(file.getInt(end)).isEqualTo(checksum(0, bytes(file, 0, end)));
    }

    /** The location at a place: segment, offset, size. */
    private static int[] location(ByteBuffer in, int at) {
        int size = (in.getShort(at + 6) & 0xffff) | (in.get(at + 8) & 0xff) << 16;
        return new int[] {(in.getShort(at) & 0xffff) | (in.get(at + 9) & 0xff) << 16, in.getInt(at + 2), size};
    }

    private void readAll() throws IOException {
        for (Path file : disk.list(FOLDER)) {
            if (file.toString().endsWith(".seg") || file.toString().endsWith(".open")) {
                readSegment(file);
            }
        }
    }

    private void readSegment(Path path) throws IOException {
        ByteBuffer file = read(path);
        int number = number(path);
        int salt = file.getInt(8);
        for (int copy = 0; copy < 32; copy += 16) {
            assertThat(text(file, copy)).isEqualTo("SEG1");
            assertThat(file.getInt(copy + 4)).isEqualTo(number);
            assertThat(file.getInt(copy + 8)).isEqualTo(salt);
            assertThat(file.getInt(copy + 12)).isEqualTo(checksum(0, bytes(file, copy, 12)));
        }
        List<Plain> records = new ArrayList<>();
        segments.put(number, records);
        int since = 0;
        int lastCommit = 0;
        long lastSequence = Long.MIN_VALUE;
        int type = 0;
        int at = 32;
        while (at < file.capacity() && file.get(at) != 0) {
            assertThat(text(file, at)).isEqualTo("PLR1");
            type = file.get(at + 4);
            int header = file.getShort(at + 5) & 0xffff;
            int payload = file.getInt(at + 7);
            assertThat(file.getInt(at + header - 4)).isEqualTo(checksum(salt ^ at, bytes(file, at, header - 4)));
            byte[] content = bytes(file, at + header, payload);
            int size = header + (payload == 0 ? 0 : payload + 4);
            if (payload > 0) {
                assertThat(file.getInt(at + header + payload)).isEqualTo(checksum(0, content));
            }
            if (type == WHOLE || type == DELTA || type == PACKED) {
                int cidAt = at + 11 + (type == WHOLE ? 0 : 18);
                Cid cid = Cid.fromBytes(bytes(file, cidAt, at + header - 4 - cidAt));
                byte[] made = content;
                if (type == PACKED) {
                    content = unpacked(bytes(file, 0, at), content);
                    packed++;
                }
                if (type != WHOLE) {
                    int[] base = location(file, at + 11);
                    Plain from = places.get(List.of(base[0], base[1]));
                    assertThat(from).as("the base").isNotNull();
                    assertThat(from.size).isEqualTo(base[2]);
                    assertThat(file.getInt(at + 21)).as("the generation").isPositive();
                    made = apply(from.made, 0, content, 0);
                    assertThat(made).hasSize(file.getInt(at + 25));
                }
                assertThat(Block.verified(cid, made).size()).isEqualTo(made.length);
                Plain record = new Plain(cid, number, at, size, made);
                records.add(record);
                places.put(List.of(number, at), record);
                since++;
            } else if (type == COMMIT) {
                assertThat(payload).isZero();
                assertThat(file.getLong(at + 11)).isGreaterThan(lastSequence);
                assertThat(file.getInt(at + 19)).isEqualTo(lastCommit);
                assertThat(file.getInt(at + 23)).isEqualTo(since);
                assertThat(file.getInt(at + 27)).isBetween(32, at);
                lastSequence = file.getLong(at + 11);
                lastCommit = at;
                since = 0;
            } else {
                assertThat(type).isEqualTo(SEAL);
                assertThat(file.getInt(at + 11)).isEqualTo(multihashes(records));
                CRC32C before = new CRC32C();
                before.update(bytes(file, 0, at));
                assertThat(file.getInt(at + 15)).isEqualTo((int) before.getValue());
                assertThat(at + size).isEqualTo(file.capacity());
            }
            at += size;
        }
        assertThat(type == SEAL).as("a seal").isEqualTo(path.toString().endsWith(".seg"));
        assertThat(since).as("blocks behind the last commit").isZero();
    }

    private static int multihashes(List<Plain> records) {
        return (int) records.stream().map(record -> record.cid.raw()).distinct().count();
    }

    /** The delta of a packed one. */
    private static byte[] unpacked(byte[] inFront, byte[] content) {
        int[] at = {0};
        int size = varint(content, at);
        int checksum = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getInt(at[0]);
        int reach = Math.min(65_536, inFront.length - 32);
        byte[] delta =
                apply(Arrays.copyOfRange(inFront, inFront.length - reach, inFront.length), reach, content, at[0] + 4);
        assertThat(delta).hasSize(size);
        assertThat(checksum(0, delta)).isEqualTo(checksum);
        return delta;
    }

    /** @param origin where in the base the first copy begins if it is said to begin at 0 */
    private static byte[] apply(byte[] base, int origin, byte[] delta, int start) {
        ByteArrayOutputStream made = new ByteArrayOutputStream();
        int[] at = {start};
        int last = origin;
        while (at[0] < delta.length) {
            int taken = varint(delta, at);
            made.write(delta, at[0], taken);
            at[0] += taken;
            int copied = at[0] < delta.length ? varint(delta, at) : 0;
            if (copied > 0) {
                int from = varint(delta, at);
                int place = last + (from % 2 == 0 ? from / 2 : -(from + 1) / 2);
                made.write(base, place, copied);
                last = place + copied;
            }
        }
        return made.toByteArray();
    }

    private static int varint(byte[] bytes, int[] at) {
        int value = 0;
        for (int shift = 0; ; shift += 7) {
            int next = bytes[at[0]++];
            value |= (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    @Test
    void recordsAreReadByTheRules_SEG2_SEG3_SEG4_SEG5_SEG6_SEG7_SEG8_SEG9_SEG20() throws IOException {
        readAll();
        assertThat(packed).isPositive();
        assertThat(places.values().stream().map(record -> record.cid))
                .containsAll(blocks.stream().map(Block::cid).toList());
        long whole = places.values().stream()
                .filter(record -> record.size > record.made.length)
                .count();
        assertThat(whole).isBetween(1L, blocks.size() / 2L);
    }

    @Test
    void indexesHaveTheLastEightBytesAndTheLocation_SEG14() throws IOException {
        readAll();
        for (Path path : files(".idx")) {
            ByteBuffer index = read(path);
            int number = number(path);
            ByteBuffer segment = read(FOLDER.resolve(String.format("%05d.seg", number)));
            assertChecked(index);
            assertThat(text(index, 0)).isEqualTo("IDX1");
            assertThat(index.getInt(4)).isEqualTo(number);
            assertThat(index.getInt(8)).isEqualTo(multihashes(segments.get(number)));
            assertThat(index.getInt(12)).isEqualTo(segment.capacity());
            assertThat(index.getInt(16)).isEqualTo(segment.getInt(segment.capacity() - 8));
            long before = Long.MIN_VALUE;
            int end = 20 + 18 * index.getInt(8);
            for (int at = 20; at < end; at += 18) {
                int[] location = location(index, at + 8);
                Plain record = places.get(List.of(location[0], location[1]));
                assertThat(location[2]).isEqualTo(record.size);
                byte[] cid = record.cid.toBytes();
                assertThat(index.getLong(at)).isEqualTo(ByteBuffer.wrap(cid).getLong(cid.length - 8));
                long unsigned = index.getLong(at) ^ Long.MIN_VALUE;
                assertThat(unsigned).isGreaterThanOrEqualTo(before);
                before = unsigned;
            }
            assertThat(index.capacity()).isEqualTo(end + 4);
        }
    }

    /** Without its seal, a segment that was ended is damaged, not torn. */
    @Test
    void anEndedSegmentHasItsSeal_SEG13() throws IOException {
        Path first = files(".seg").get(0);
        disk.truncate(first, read(first).capacity() - 23);
        try (Segments store = Segments.open(disk, FOLDER, 0, 4000)) {
            assertThat(store.forEach(stored -> {}).damages())
                    .singleElement()
                    .asString()
                    .contains(first.toString());
        }
    }

    @Test
    void theManifestListsWhatCounts_SEG16() throws IOException {
        Block gone = blocks.get(0);
        try (Segments store = Segments.open(disk, FOLDER, 0, 4000)) {
            store.compact(cid -> !cid.equals(gone.cid()));
        }
        ByteBuffer manifest = read(FOLDER.resolve("MANIFEST"));
        assertChecked(manifest);
        assertThat(text(manifest, 0)).isEqualTo("MAN1");
        List<Integer> listed = new ArrayList<>();
        for (int at = 8; at < manifest.capacity() - 4; at += 2) {
            listed.add(manifest.getShort(at) & 0xffff);
        }
        int last = manifest.getInt(4);
        List<Integer> there = disk.list(FOLDER).stream()
                .filter(file -> file.toString().matches(".*\\.(seg|open)"))
                .map(SegmentFormatTest::number)
                .filter(number -> number <= last)
                .sorted()
                .toList();
        assertThat(listed).isNotEmpty().containsExactlyInAnyOrderElementsOf(there);
    }

    @Test
    void theCondemnedAreBitsOfTheirSegments_SEG18() throws IOException {
        Cid unneeded = blocks.get(blocks.size() / 2).cid();
        try (Segments store = Segments.open(disk, FOLDER, 0, 4000)) {
            store.sweep(new SweepRule(cid -> !cid.equals(unneeded), Instant.MAX));
        }
        readAll();
        ByteBuffer condemned = read(FOLDER.resolve("CONDEMNED"));
        assertChecked(condemned);
        assertThat(text(condemned, 0)).isEqualTo("CON1");
        List<Cid> found = new ArrayList<>();
        int at = 4;
        while (at < condemned.capacity() - 4) {
            List<Plain> records = segments.get(condemned.getShort(at) & 0xffff);
            int length = condemned.getInt(at + 2);
            BitSet bits = BitSet.valueOf(bytes(condemned, at + 6, length));
            bits.stream().forEach(record -> found.add(records.get(record).cid));
            at += 6 + length;
        }
        assertThat(found).containsExactly(unneeded);
    }
}
