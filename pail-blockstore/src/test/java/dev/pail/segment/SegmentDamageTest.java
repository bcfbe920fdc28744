package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.CorruptBlockException;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.car.Randomness;
import dev.pail.disk.CrashDisk;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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

    /** Where the groups of the blocks in the last segment end. */
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
            // Several groups are in the last segment, so that one can be damaged before another.
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
            if (disk.facts(file).orElseThrow().isFile()) {
                files.put(file, disk.read(file, 1 << 20));
            }
        }
    }

    private static View.Tail tail(CrashDisk disk) throws IOException {
        return Objects.requireNonNull(new Catalog(disk, FOLDER).load(View.NONE).tail());
    }

    /** What was written to the files whose names end so. */
    private static long size(CrashDisk disk, String ending) throws IOException {
        long size = 0;
        for (Path file : disk.isFolder(FOLDER) ? disk.list(FOLDER) : List.<Path>of()) {
            boolean counts = file.toString().endsWith(ending)
                    && disk.facts(file).orElseThrow().isFile();
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
        for (long group : ends.values()) {
            // A group that is whole says that all before it was acknowledged.
            lastSound = start >= end ? group : lastSound;
            start = group;
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
        disk.createFolder(FOLDER);
        for (Map.Entry<Path, byte[]> each : files.entrySet()) {
            try (Disk.WritableFile out = disk.create(each.getKey())) {
                out.write(each.getKey().equals(file) ? damaged : each.getValue());
            }
        }
        return disk;
    }

    private void report(String what) {
        System.out.println("SegmentDamageTest: " + what + ": " + opened + " damaged stores, " + errors + " errors, "
                + accepted + " with blocks missing at the end");
    }

    @Test
    void everyByteIsDamaged() throws IOException {
        int stride = Randomness.times(5, 1);
        for (Map.Entry<Path, byte[]> each : files.entrySet()) {
            for (int at = 0; at < each.getValue().length; at += at < 64 ? 1 : stride) {
                for (int mask : new int[] {0x01, 0x80, 0xff}) {
                    byte[] damaged = each.getValue().clone();
                    damaged[at] = mask == 0xff ? (byte) 0xff : (byte) (damaged[at] ^ mask);
                    check(each.getKey(), damaged);
                }
            }
        }
        report("bytes");
        assertThat(opened).isGreaterThan(10_000);
        assertThat(errors).isGreaterThan(10_000);
    }

    @Test
    void everyFileIsCut() throws IOException {
        int stride = Randomness.times(5, 1);
        for (Map.Entry<Path, byte[]> each : files.entrySet()) {
            for (int length = 0; length < each.getValue().length; length += stride) {
                check(each.getKey(), Arrays.copyOf(each.getValue(), length));
            }
        }
        report("cuts");
        assertThat(errors).isGreaterThan(1000);
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
        report("sectors");
        assertThat(errors).isGreaterThan(100);
    }

    @Test
    void missingFiles() throws IOException {
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

    /** What a writer does with damage: nothing. What it does with a torn tail: it puts it aside. */
    @Test
    void theWriterTellsATornTailFromDamage() throws IOException {
        Path tail = files.keySet().stream()
                .filter(file -> file.toString().endsWith(Catalog.OPEN))
                .findFirst()
                .orElseThrow();
        byte[] right = files.get(tail);
        byte[] inside = right.clone();
        inside[60] ^= 1;
        Disk disk = diskWith(tail, inside);
        Block more = Block.of(0x55, new byte[] {1});
        try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
            assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> store.putAll(List.of(more), Map.of())))
                    .isInstanceOf(StoreIOException.class)
                    .hasMessageContaining(tail.toString())
                    .hasMessageContaining("at offset 32");
        }
        assertThat(disk.read(tail, 1 << 20)).isEqualTo(inside);
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
}
