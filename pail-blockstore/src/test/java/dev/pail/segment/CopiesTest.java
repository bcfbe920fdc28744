package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.BlockLocation;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies of blocks side by side, and what goes when they are there. */
class CopiesTest {
    private static final Path FOLDER = Path.of("/s");
    private static final int SEGMENT = 30_000;

    /** What a record has beside its block, in bytes. */
    private static final int RECORD = 60;

    private final Random random = new Random(Randomness.seed("CopiesTest"));
    private final CrashDisk disk = new CrashDisk();
    private final Lineages lineages = new Lineages(random, 20, 10);
    private final List<Block> blocks = new ArrayList<>();

    /** The newest blocks, in an order other than that in which they were put. */
    private final List<Cid> order = new ArrayList<>();

    @BeforeEach
    void makeStore() {
        try (Segments store = open()) {
            put(store, 400);
        }
    }

    private Segments open() {
        return Segments.open(disk, FOLDER, 0, SEGMENT);
    }

    private void put(Segments store, int count) {
        for (int i = 0; i < count; i++) {
            Block block = lineages.next();
            store.putAll(List.of(block), lineages.origins);
            blocks.add(block);
        }
        order.clear();
        blocks.subList(blocks.size() - 200, blocks.size()).stream()
                .map(Block::cid)
                .distinct()
                .forEach(order::add);
        Collections.shuffle(order, random);
    }

    private void checkAll(Segments store) {
        for (Block block : blocks) {
            assertThat(store.get(block.cid())).contains(block);
        }
    }

    private static long bytes(CrashDisk disk) throws IOException {
        long bytes = 0;
        for (Path file : disk.list(FOLDER)) {
            bytes += file.toString().endsWith(Catalog.INDEX)
                    ? 0
                    : disk.status(file).orElseThrow().size();
        }
        return bytes;
    }

    @Test
    void copiesAreWholeAndInTheirOrder_SEG21() {
        try (Segments store = open()) {
            store.copy(order.iterator());
            List<Cid> found = new ArrayList<>();
            store.forEach(stored -> found.add(stored.cid()));
            assertThat(found.subList(found.size() - order.size(), found.size())).isEqualTo(order);
            for (Cid cid : order) {
                assertThat(store.locate(cid).map(BlockLocation::form)).contains(BlockLocation.Form.WHOLE);
            }
            checkAll(store);
        }
        try (Segments store = open()) {
            checkAll(store);
            put(store, 20);
            checkAll(store);
        }
    }

    @Test
    void aBlockThatIsNotThereIsLeftOut_SEG21() {
        Block absent = StoreInFolder.block(7, 100);
        try (Segments store = open()) {
            order.add(3, absent.cid());
            store.copy(order.iterator());
            assertThat(store.has(absent.cid())).isFalse();
            checkAll(store);
        }
    }

    /** Bytes that are there more than without copies are those of one copy, and the rest of segments that lose records. */
    @Test
    void theCopiesOfOneTimeStay_SEG22() throws IOException {
        CrashDisk without = new CrashDisk();
        try (Segments store = open();
                Segments other = Segments.open(without, FOLDER, 0, SEGMENT)) {
            for (Block block : blocks) {
                other.putAll(List.of(block), lineages.origins);
            }
            for (int round = 0; round < 8; round++) {
                put(store, 60);
                for (Block block : blocks.subList(blocks.size() - 60, blocks.size())) {
                    other.putAll(List.of(block), lineages.origins);
                }
                store.copy(order.iterator());
                checkAll(store);
                long copy = blocks.stream()
                        .filter(block -> order.contains(block.cid()))
                        .mapToLong(block -> block.size() + RECORD)
                        .sum();
                assertThat(bytes(disk) - bytes(without)).isLessThan(copy + SEGMENT);
            }
        }
        try (Segments store = open()) {
            checkAll(store);
        }
    }

    @Test
    void aCompactionKeepsTheCopies_SEG22() throws IOException {
        try (Segments store = open()) {
            store.copy(order.iterator());
            store.compact(order::contains);
            List<Cid> found = new ArrayList<>();
            store.forEach(stored -> found.add(stored.cid()));
            assertThat(found).isEqualTo(order);
            blocks.removeIf(block -> !order.contains(block.cid()));
            checkAll(store);
        }
    }

    /** A writer that could not read the first record of a block, or takes the last one, as version 0.1 does. */
    @Test
    void aCopyThatIsABaseStays_SEG22() throws IOException {
        CrashDisk other = new CrashDisk();
        Lineages made = new Lineages(random, 1, 10);
        Block first = made.next();
        Block next = made.next();
        Path segment = FOLDER.resolve("00000" + Catalog.SEALED);
        Path aside = Path.of("/aside");
        try (Segments store = Segments.open(other, FOLDER, 0, SEGMENT)) {
            store.putAll(List.of(first), Map.of());
            store.copy(List.of(first.cid()).iterator());
        }
        other.rename(segment, aside);
        try (Segments store = Segments.open(other, FOLDER, 0, SEGMENT)) {
            store.putAll(List.of(next), made.origins);
            assertThat(store.locate(next.cid()).map(BlockLocation::form)).contains(BlockLocation.Form.DELTA);
        }
        other.rename(aside, segment);
        try (Segments store = Segments.open(other, FOLDER, 0, SEGMENT)) {
            store.copy(List.of(first.cid()).iterator());
            store.copy(List.of(first.cid()).iterator());
        }
        try (Segments store = Segments.open(other, FOLDER, 0, SEGMENT)) {
            assertThat(store.get(first.cid())).contains(first);
            assertThat(store.get(next.cid())).contains(next);
        }
    }

    /** A put that finds its block renews the mtime of the record that counts. That may be a copy, which goes. */
    @Test
    void aRenewedMtimeOutlastsTheCopy_SEG22() throws IOException {
        Block renewed = blocks.get(blocks.size() - 1);
        try (Segments store = open()) {
            store.copy(order.iterator());
            disk.pause(Duration.ofDays(20).toMillis());
            store.putAll(List.of(renewed), Map.of());
            List<Cid> others = new ArrayList<>(order);
            others.remove(renewed.cid());
            store.copy(others.iterator());
            store.copy(others.iterator());
            assertThat(disk.status(Path.of(file(store, renewed.cid()).orElseThrow()))
                            .orElseThrow()
                            .mtime())
                    .isAfter(disk.now().minus(Duration.ofHours(1)));
        }
    }

    private static Optional<String> file(Segments store, Cid cid) {
        return store.locate(cid).flatMap(BlockLocation::file);
    }
}
