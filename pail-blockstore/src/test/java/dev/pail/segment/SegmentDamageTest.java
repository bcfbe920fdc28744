package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.CorruptBlockException;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.SegmentFile;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A store of 20 KiB, damaged in every way, gives what was put, or an error that says where the damage is. */
class SegmentDamageTest {
    private static final Path FOLDER = Path.of("/s");
    private static final int SEGMENT = 6000;
    private static final int SIZE = 20 * 1024;

    private final List<Block> blocks = new ArrayList<>();

    /** Where the batches of the blocks in the last segment end. */
    private final Map<Block, Long> ends = new LinkedHashMap<>();

    /** The files of the store. */
    private final Map<Path, byte[]> files = new TreeMap<>();

    private long opened;
    private long errors;
    private long accepted;

    @BeforeEach
    void makeStore() throws IOException {
        Random random = new Random(Randomness.seed("SegmentDamageTest"));
        CrashDisk disk = new CrashDisk();
        Lineages lineages = new Lineages(random, 2, 4);
        try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
            // Several batches are in the last segment, so that one can be damaged before another.
            while (size(disk, "") < SIZE || size(disk, Catalog.OPEN) < 1000 || ends.size() < 3) {
                Block block = lineages.next();
                if (blocks.contains(block)) {
                    continue;
                }
                store.putAll(List.of(block), lineages.origins);
                blocks.add(block);
                View.Tail tail = tail(disk);
                if (tail.end == SegmentFile.BEGINNING) {
                    ends.clear();
                } else {
                    ends.put(block, tail.end);
                }
            }
        }
        for (Path file : disk.list(FOLDER)) {
            if (disk.status(file).orElseThrow().isFile()) {
                files.put(file, disk.read(file, 1 << 20));
            }
        }
    }

    private static View.Tail tail(CrashDisk disk) throws IOException {
        return Objects.requireNonNull(
                ViewLoader.load(disk, new Catalog(disk, FOLDER), View.NONE).tail());
    }

    /** What was written to the files whose names end so. */
    private static long size(CrashDisk disk, String ending) throws IOException {
        long size = 0;
        for (Path file : disk.isDirectory(FOLDER) ? disk.list(FOLDER) : List.<Path>of()) {
            boolean counts = file.toString().endsWith(ending)
                    && disk.status(file).orElseThrow().isFile();
            size += counts ? written(disk.read(file, 1 << 20)) : 0;
        }
        return size;
    }

    /** Behind the last byte that is not zero: what follows was set aside. */
    private static int written(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return end;
    }

    /** Damages a file, and reads all blocks. */
    private void check(Path file, byte[] damaged) throws IOException {
        opened++;
        Disk disk = diskWith(file, damaged);
        boolean isTail = file.toString().endsWith(Catalog.OPEN);
        List<Block> missed = new ArrayList<>();
        try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
            for (Block block : blocks) {
                try {
                    Optional<Block> found = store.get(block.cid());
                    found.ifPresentOrElse(
                            right -> assertThat(right.bytes()).isEqualTo(block.bytes()), () -> missed.add(block));
                } catch (CorruptBlockException | StoreIOException e) {
                    errors++;
                    assertThat(e).hasMessageContaining(file.toString()).hasMessageContaining("at offset");
                }
            }
        }
        checkList(file, disk);
        if (!missed.isEmpty()) {
            assertThat(isTail).as("blocks that are missing without an error").isTrue();
            checkMissed(missed, files.get(file), damaged);
            assertThat(disk.read(file, 1 << 20)).isEqualTo(damaged);
        }
    }

    /** Behind the last commit that can be read, and nowhere else, nothing tells what was acknowledged from what was not. */
    private void checkMissed(List<Block> missed, byte[] right, byte[] damaged) {
        int from = Arrays.mismatch(right, damaged);
        int end = right.length;
        if (damaged.length == right.length) {
            while (right[end - 1] == damaged[end - 1]) {
                end--;
            }
        }
        long lastSound = from;
        long start = SegmentFile.BEGINNING;
        for (long batch : ends.values()) {
            // A batch that is whole says that all before it was acknowledged.
            lastSound = start >= end ? batch : lastSound;
            start = batch;
        }
        for (Block block : missed) {
            assertThat(ends).as("blocks of the last segment").containsKey(block);
            assertThat(ends.get(block))
                    .as("where a block is missing without an error; changed from " + from + " to " + end)
                    .isGreaterThan(lastSound);
        }
        accepted++;
    }

    /** A list that lacks a block says that it does, and where the damage is. */
    private void checkList(Path file, Disk disk) {
        Set<Cid> listed = new HashSet<>();
        List<String> damages;
        try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
            damages = store.forEach(kept -> listed.add(kept.cid())).damages();
        }
        assertThat(damages).allMatch(damage -> damage.contains(file + " at offset "));
        if (!file.toString().endsWith(Catalog.OPEN)
                && !blocks.stream().allMatch(block -> listed.contains(block.cid()))) {
            assertThat(damages).isNotEmpty();
        }
    }

    private Disk diskWith(Path file, byte[] damaged) throws IOException {
        Disk disk = new CrashDisk();
        disk.createDirectory(FOLDER);
        for (Map.Entry<Path, byte[]> each : files.entrySet()) {
            try (Disk.WritableFile out = disk.create(each.getKey())) {
                out.write(each.getKey().equals(file) ? damaged : each.getValue());
            }
        }
        return disk;
    }

    @Test
    void everyByteIsDamaged() throws IOException {
        int stride = Randomness.times(11, 1);
        for (Map.Entry<Path, byte[]> each : files.entrySet()) {
            for (int at = 0; at < each.getValue().length; at += at < 64 ? 1 : stride) {
                for (int mask : new int[] {0x01, 0x80, 0xff}) {
                    byte[] damaged = each.getValue().clone();
                    damaged[at] = mask == 0xff ? (byte) 0xff : (byte) (damaged[at] ^ mask);
                    check(each.getKey(), damaged);
                }
            }
        }
        assertThat(opened).isGreaterThan(5_000);
        assertThat(errors).isGreaterThan(5_000);
    }

    @Test
    void everyFileIsCut() throws IOException {
        int stride = Randomness.times(11, 1);
        for (Map.Entry<Path, byte[]> each : files.entrySet()) {
            for (int length = 0; length < each.getValue().length; length += stride) {
                check(each.getKey(), Arrays.copyOf(each.getValue(), length));
            }
        }
        assertThat(errors).isGreaterThan(500);
        assertThat(accepted).as("with blocks missing at the end").isPositive();
    }

    @Test
    void sectorsAreLostDoubledAndSwapped() throws IOException {
        int sector = 512;
        for (Map.Entry<Path, byte[]> each : files.entrySet()) {
            byte[] right = each.getValue();
            for (int at = 0; at + 2 * sector <= right.length; at += sector) {
                byte[] zeros = right.clone();
                Arrays.fill(zeros, at, at + sector, (byte) 0);
                check(each.getKey(), zeros);
                byte[] doubled = right.clone();
                System.arraycopy(right, at, doubled, at + sector, sector);
                check(each.getKey(), doubled);
                byte[] swapped = doubled.clone();
                System.arraycopy(right, at + sector, swapped, at, sector);
                check(each.getKey(), swapped);
            }
        }
        assertThat(errors).isGreaterThan(100);
    }

    @Test
    void missingFiles_SEG14_SEG16() throws IOException {
        for (Path file : files.keySet()) {
            Disk disk = diskWith(file, files.get(file));
            disk.delete(file);
            boolean isSegment = file.toString().endsWith(Catalog.SEALED);
            try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
                int failed = 0;
                for (Block block : blocks) {
                    try {
                        store.get(block.cid())
                                .ifPresent(found -> assertThat(found).isEqualTo(block));
                    } catch (PailException e) {
                        failed++;
                    }
                }
                assertThat(failed > 0).as(file.toString()).isEqualTo(isSegment);
            }
        }
    }

    /** The last block that is no delta to what is damaged. */
    private Block lastReadable(Disk disk) {
        try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
            for (int i = blocks.size() - 1; i >= 0; i--) {
                try {
                    if (store.get(blocks.get(i).cid()).isPresent()) {
                        return blocks.get(i);
                    }
                } catch (CorruptBlockException e) {
                    assertThat(e).hasMessageContaining("at offset 32");
                }
            }
        }
        throw new AssertionError("no block can be read");
    }

    /** Of damage, a writer keeps the file, and writes to the next segment. A torn tail it puts aside. */
    @Test
    void theWriterTellsATornTailFromDamage_SEG12() throws IOException {
        Path tail = tailFile();
        byte[] right = files.get(tail);
        byte[] inside = right.clone();
        inside[60] ^= 1;
        Disk disk = diskWith(tail, inside);
        Block more = Block.of(0x55, new byte[] {1});
        Block last = lastReadable(diskWith(tail, inside));
        try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
            store.putAll(List.of(more), Map.of());
            Lineages lineages = new Lineages(new Random(1), 2, 4);
            for (int i = 0; i < 50; i++) {
                store.putAll(List.of(lineages.next()), Map.of());
            }
        }
        assertThat(disk.read(tail, 1 << 20)).isEqualTo(inside);
        assertThat(disk.exists(FOLDER.resolve("lost"))).isFalse();
        try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
            assertThat(store.get(more.cid())).contains(more);
            assertThat(store.get(last.cid())).contains(last);
            assertThat(store.forEach(kept -> {}).damages())
                    .singleElement()
                    .satisfies(damage -> assertThat(damage).contains(tail + " at offset 32"));
        }
        byte[] torn = right.clone();
        torn[written(right) - 1] ^= 1;
        disk = diskWith(tail, torn);
        try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
            store.putAll(List.of(more), Map.of());
            assertThat(store.get(more.cid())).contains(more);
            assertThat(store.get(blocks.get(blocks.size() - 1).cid())).isEmpty();
            assertThat(store.get(blocks.get(blocks.size() - 2).cid())).isPresent();
        }
        assertThat(disk.list(FOLDER.resolve("lost"))).hasSize(1);
        byte[] lost = disk.read(disk.list(FOLDER.resolve("lost")).get(0), 1 << 20);
        assertThat(Arrays.copyOfRange(torn, torn.length - lost.length, torn.length))
                .isEqualTo(lost);
    }

    private Path tailFile() {
        return files.keySet().stream()
                .filter(file -> file.toString().endsWith(Catalog.OPEN))
                .findFirst()
                .orElseThrow();
    }

    /** In the last batch, too: any bit of a payload costs the block, and those that are made of it. */
    @Test
    void aFlippedBitInAPayloadCostsOneBlock_SEG12() throws IOException {
        CrashDisk disk = new CrashDisk();
        Random random = new Random(Randomness.seed("SegmentDamageTest, payloads"));
        Lineages lineages = new Lineages(random, 1, 2);
        List<Block> batch = new ArrayList<>();
        while (batch.size() < 4) {
            byte[] bytes = new byte[600];
            random.nextBytes(bytes);
            batch.add(Block.of(Cid.RAW, bytes));
        }
        Block before = lineages.next();
        try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
            store.putAll(List.of(before), Map.of());
            store.putAll(batch, Map.of());
        }
        Path file = FOLDER.resolve("00000.open");
        files.clear();
        files.put(file, disk.read(file, 1 << 20));
        byte[] right = files.get(file);
        Cid absent = Block.of(Cid.RAW, new byte[] {7}).cid();
        for (int round = 0; round < Randomness.times(100, 2000); round++) {
            Block hit = batch.get(random.nextInt(batch.size()));
            int start = Collections.indexOfSubList(boxed(right), boxed(hit.bytes()));
            byte[] damaged = right.clone();
            damaged[start + random.nextInt(hit.size())] ^= (byte) (1 << random.nextInt(8));
            Disk image = diskWith(file, damaged);
            Block more = Block.of(Cid.RAW, new byte[] {1});
            boolean heals = random.nextBoolean();
            try (Segments store = Segments.open(image, FOLDER, 0, round % 2 == 0 ? SEGMENT : 100)) {
                checkCorrupt(store, batch, hit, absent);
                store.putAll(List.of(more), Map.of());
                checkCorrupt(store, batch, hit, absent);
                store.compact(cid -> !cid.equals(before.cid()));
                checkCorrupt(store, batch, hit, absent);
                if (heals) {
                    store.putAll(List.of(hit), Map.of());
                    store.compact(cid -> true);
                    assertThat(store.forEach(kept -> {}).corrupt()).isEmpty();
                }
            }
            assertThat(image.exists(FOLDER.resolve("lost"))).isFalse();
            try (Segments store = Segments.open(image, FOLDER, 0, SEGMENT)) {
                assertThat(store.get(more.cid())).contains(more);
                assertThat(store.get(before.cid())).isEmpty();
                if (heals) {
                    assertThat(store.get(hit.cid())).contains(hit);
                } else {
                    checkCorrupt(store, batch, hit, absent);
                }
            }
        }
    }

    /**
     * A flipped bit in a record or the commit of the last batch, outside of payloads, hides that batch at most: it may be torn. The
     * writer keeps all bytes of it, and every older batch is read before and after that.
     */
    @Test
    void aFlippedBitInTheLastGroupHidesNoOlderGroup_SEG12() throws IOException {
        Path tail = tailFile();
        byte[] right = files.get(tail);
        List<Long> batches = List.copyOf(ends.values());
        int start = batches.get(batches.size() - 2).intValue();
        Block last = blocks.get(blocks.size() - 1);
        List<Block> older = blocks.subList(0, blocks.size() - 1);
        Block more = Block.of(Cid.RAW, new byte[] {1});
        for (int at = start; at < written(right); at++) {
            byte[] damaged = right.clone();
            damaged[at] ^= (byte) (1 << at % 8);
            Disk disk = diskWith(tail, damaged);
            boolean isNamed;
            try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
                checkAllThere(store, older);
                isNamed = isNamed(store, last);
                store.putAll(List.of(more), Map.of());
                checkAllThere(store, older);
            }
            try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
                checkAllThere(store, older);
                assertThat(store.get(more.cid())).contains(more);
            }
            // What is not named is a torn tail: the writer put its bytes aside.
            Path lost = FOLDER.resolve("lost");
            assertThat(isNamed || disk.isDirectory(lost))
                    .as("named or put aside: byte %s of the last batch", at - start)
                    .isTrue();
        }
    }

    private static void checkAllThere(Segments store, List<Block> expected) {
        for (Block block : expected) {
            assertThat(store.get(block.cid())).contains(block);
        }
    }

    /** Whether reading a block or the list of all says where the damage is; else the block is whole, or not there. */
    private static boolean isNamed(Segments store, Block hit) {
        Listing listed = store.forEach(kept -> {});
        try {
            store.get(hit.cid()).ifPresent(right -> assertThat(right).isEqualTo(hit));
            return !listed.damages().isEmpty() || !listed.corrupt().isEmpty();
        } catch (CorruptBlockException | StoreIOException e) {
            assertThat(e).hasMessageContaining("at offset");
            return true;
        }
    }

    private static List<Byte> boxed(byte[] bytes) {
        List<Byte> boxed = new ArrayList<>(bytes.length);
        for (byte each : bytes) {
            boxed.add(each);
        }
        return boxed;
    }

    private static void checkCorrupt(Segments store, List<Block> batch, Block hit, Cid absent) {
        for (Block block : batch) {
            if (block.equals(hit)) {
                assertThatThrownBy(() -> store.get(block.cid()))
                        .isInstanceOf(CorruptBlockException.class)
                        .hasMessageContaining(hit.cid().toString())
                        .hasMessageContaining(FOLDER.toString())
                        .hasMessageContaining("at offset");
            } else {
                assertThat(store.get(block.cid())).contains(block);
            }
        }
        assertThat(store.get(absent)).isEmpty();
        Listing listed = store.forEach(kept -> {});
        assertThat(listed.damages()).isEmpty();
        assertThat(listed.corrupt())
                .singleElement()
                .satisfies(
                        text -> assertThat(text).contains(hit.cid().toString()).contains("at offset"));
    }
}
