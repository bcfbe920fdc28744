package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.BlockLocation;
import dev.pail.CorruptBlockException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.SealedIndex;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.Fault;
import dev.pail.testkit.disk.FaultyDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Blocks that are read in the order in which they were written, and in others: neighbours are read together, and each is what was put. */
class NeighboursTest {
    private static final Path FOLDER = Path.of("/s");
    private static final int SEGMENT = 300_000;
    private static final int BATCH = 20;
    private static final int GROUP = 8;
    private static final int BEFORE = 9;

    private final Random random = new Random(Randomness.seed("NeighboursTest"));
    private final CrashDisk disk = new CrashDisk();
    private final List<Block> blocks = new ArrayList<>();

    @BeforeEach
    void makeStore() {
        List<Block> batch = new ArrayList<>();
        try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
            for (long size = 0; size < 3 * SEGMENT; ) {
                byte[] bytes = new byte[random.nextInt(random.nextInt(30) == 0 ? 40_000 : 1000)];
                random.nextBytes(bytes);
                Block block = Block.of(Cid.DAG_CBOR, bytes);
                size += bytes.length;
                blocks.add(block);
                batch.add(block);
                if (batch.size() == BATCH) {
                    store.putAll(batch, Map.of());
                    batch.clear();
                }
            }
            store.putAll(batch, Map.of());
        }
    }

    /** Groups of neighbours, each behind its last one, as a walk reads shards that were stored behind those below them. */
    private static List<Block> parentsFirst(List<Block> blocks) {
        List<Block> order = new ArrayList<>();
        for (int from = 0; from < blocks.size(); from += GROUP) {
            List<Block> group = blocks.subList(from, Math.min(from + GROUP, blocks.size()));
            order.add(group.get(group.size() - 1));
            order.addAll(group.subList(0, group.size() - 1));
        }
        return order;
    }

    private List<List<Block>> orders() {
        List<Block> backward = new ArrayList<>(blocks);
        Collections.reverse(backward);
        List<Block> shuffled = new ArrayList<>(blocks);
        Collections.shuffle(shuffled, random);
        return List.of(blocks, backward, parentsFirst(blocks), shuffled);
    }

    @Test
    void everyBlockIsReadInEveryOrder() {
        try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
            for (List<Block> order : orders()) {
                for (Block block : order) {
                    assertThat(store.get(block.cid()).orElseThrow().bytes()).isEqualTo(block.bytes());
                    Cid otherCodec = block.cid().raw();
                    assertThat(store.get(otherCodec).orElseThrow().cid()).isEqualTo(otherCodec);
                }
            }
        }
    }

    @Test
    void neighboursTakeFewReads() {
        List<Block> sealed = sealed();
        // In each segment, some blocks are read alone before its first part is read as a whole.
        int alone = (BEFORE - 1) * (sealed.stream().mapToInt(Block::size).sum() / SEGMENT + 1);
        for (List<Block> order : List.of(sealed, parentsFirst(sealed))) {
            FaultyDisk counting = new FaultyDisk(disk, Fault.READ, 0, false);
            try (Segments store = Segments.open(counting, FOLDER, 0, SEGMENT)) {
                assertThat(store.get(order.get(0).cid())).isPresent();
                long before = counting.calls();
                for (Block block : order) {
                    assertThat(store.get(block.cid())).isPresent();
                }
                assertThat(counting.calls() - before).isLessThan(sealed.size() / 8 + alone);
            }
        }
    }

    /** The index has the blocks that are read before those in front of them, and those after which the part of the file is read. */
    @Test
    void aWalkFindsTheOthersWithoutTheIndex() throws IOException {
        List<Block> small = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            byte[] bytes = new byte[300];
            random.nextBytes(bytes);
            small.add(Block.of(Cid.DAG_CBOR, bytes));
        }
        CrashDisk one = new CrashDisk();
        try (Segments store = Segments.open(one, FOLDER, 0, 100)) {
            store.putAll(small, Map.of());
        }
        Catalog catalog = new Catalog(one, FOLDER);
        View.Segment whole = ViewLoader.load(one, catalog, View.NONE).segments().get(0);
        Map<Cid, Location> known = new HashMap<>();
        for (int i = 0; i < small.size(); i++) {
            if (i < BEFORE || i % GROUP == GROUP - 1) {
                Cid cid = small.get(i).cid();
                known.put(cid, whole.index().find(cid).get(0));
            }
        }
        View view =
                new View(List.of(new View.Segment(whole.file(), SealedIndex.of(known), List.of())), null, List.of(), 0);
        Blocks read = new Blocks(catalog, 1 << 20);
        for (Block block : small.subList(0, BEFORE)) {
            assertThat(read.find(view, block.cid())).isEqualTo(block);
        }
        for (Block block : parentsFirst(small)) {
            assertThat(read.find(view, block.cid())).isEqualTo(block);
        }
        whole.file().close();
    }

    /** The blocks in segments that are not written to any more. */
    private List<Block> sealed() {
        try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
            return blocks.stream()
                    .filter(block -> store.locate(block.cid())
                            .flatMap(BlockLocation::file)
                            .orElseThrow()
                            .endsWith(Catalog.SEALED))
                    .toList();
        }
    }

    @Test
    void aFlippedBitSpoilsAtMostOneBlock() throws IOException {
        List<Path> sealed = disk.list(FOLDER).stream()
                .filter(file -> file.toString().endsWith(Catalog.SEALED))
                .toList();
        assertThat(sealed).hasSizeGreaterThan(1);
        int corrupt = 0;
        int times = Randomness.times(60, 6000);
        for (int n = 0; n < times; n++) {
            Path file = sealed.get(random.nextInt(sealed.size()));
            CrashDisk damaged = copy(file);
            try (Segments store = Segments.open(damaged, FOLDER, 0, SEGMENT)) {
                List<Block> order = orders().get(n % 4);
                List<Block> spoiled = new ArrayList<>();
                for (Block block : order) {
                    try {
                        assertThat(store.get(block.cid()).orElseThrow().bytes()).isEqualTo(block.bytes());
                    } catch (CorruptBlockException e) {
                        spoiled.add(block);
                        assertThat(e).hasMessageContaining(file.toString()).hasMessageContaining("at offset");
                    }
                }
                assertThat(spoiled).hasSizeLessThanOrEqualTo(1);
                corrupt += spoiled.size();
            }
        }
        assertThat(corrupt).isGreaterThan(times / 2);
    }

    /** The store with one flipped bit in a file. */
    private CrashDisk copy(Path flipped) throws IOException {
        CrashDisk copy = new CrashDisk();
        copy.createDirectory(FOLDER);
        for (Path file : disk.list(FOLDER)) {
            if (disk.status(file).orElseThrow().isFile()) {
                byte[] bytes = disk.read(file, 1 << 20);
                if (file.equals(flipped)) {
                    int at = 32 + random.nextInt(bytes.length - 32 - 100);
                    bytes[at] ^= (byte) (1 << random.nextInt(8));
                }
                Disk.write(copy, file, bytes);
            }
        }
        return copy;
    }
}
