package dev.pail.blockstore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.dag.ShardWalk;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.Fault;
import dev.pail.testkit.disk.FaultyDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Versions of a map that many small changes have scattered. */
class ClusterTest {
    private static final Path FOLDER = Path.of("/s");
    private static final int SEGMENT = 1_000_000;
    private static final int CHANGES = 100;

    private final Random random = new Random(Randomness.seed("ClusterTest"));
    private final CrashDisk disk = new CrashDisk();
    private final Map<String, Cid> expected = new TreeMap<>();

    private static SegmentBlockStore open(Disk disk) {
        return SegmentBlockStore.open(disk, FOLDER, Durability.NONE, SEGMENT, true, Duration.ZERO);
    }

    private Pail changed(Pail from, int puts) {
        Pail pail = from;
        for (int done = 0; done < puts; done += CHANGES) {
            Batch batch = pail.batch();
            for (int i = 0; i < CHANGES; i++) {
                String key = Long.toString(random.nextLong() & Long.MAX_VALUE, 36);
                Cid value = Block.of(Cid.RAW, key.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                        .cid();
                batch.put(key, value);
                expected.put(key, value);
            }
            pail = batch.commit();
        }
        return pail;
    }

    /** How often a walk over a version reads from the disk. */
    private long reads(Cid root) {
        FaultyDisk counting = new FaultyDisk(disk, Fault.READ, 0, false);
        try (SegmentBlockStore store = open(counting)) {
            Pail pail = Pail.open(store, root);
            long before = counting.calls();
            Map<String, Cid> found = new TreeMap<>();
            try (var entries = pail.entries()) {
                entries.forEach(entry -> found.put(entry.key(), entry.value()));
            }
            assertThat(found).isEqualTo(expected);
            return counting.calls() - before;
        }
    }

    private static long shards(SegmentBlockStore store, Cid root) {
        long shards = 0;
        for (ShardWalk walk = new ShardWalk(List.of(root), store::get); walk.hasNext(); walk.next()) {
            shards++;
        }
        return shards;
    }

    @Test
    void aWalkReadsNeighboursTogether_SEG21() {
        Cid root;
        long shards;
        try (SegmentBlockStore store = open(disk)) {
            Pail pail = changed(Pail.create(store, ShardFormat.v1()), 10_000);
            root = pail.root();
            shards = shards(store, root);
        }
        long before = reads(root);
        try (SegmentBlockStore store = open(disk)) {
            assertThat(store.cluster(List.of(root))).isTrue();
            assertThat(store.cluster(List.of(root))).as("a second time").isFalse();
        }
        assertThat(reads(root)).isLessThan(before / 10).isLessThan(shards / 30);
        try (SegmentBlockStore store = open(disk)) {
            Pail few = changed(Pail.open(store, root), CHANGES);
            assertThat(store.cluster(List.of(few.root())))
                    .as("after few changes")
                    .isFalse();
            Pail many = changed(few, 5_000);
            assertThat(store.cluster(List.of(many.root())))
                    .as("after many changes")
                    .isTrue();
            root = many.root();
        }
        reads(root);
    }

    @Test
    void versionsOfTwoBranchesAreCopiedOnce_SEG21() {
        try (SegmentBlockStore store = open(disk)) {
            Pail one = changed(Pail.create(store, ShardFormat.v1()), 6_000);
            Pail two = changed(one, CHANGES);
            Pail small = changed(Pail.create(store, ShardFormat.v1()), CHANGES);
            long before = store.statistics().blocks();
            List<Cid> roots = List.of(one.root(), two.root(), small.root());
            assertThat(store.cluster(roots)).isTrue();
            Set<Cid> both = new HashSet<>();
            new ShardWalk(roots.subList(0, 2), store::get).forEachRemaining(both::add);
            assertThat(store.statistics().blocks()).isEqualTo(before + both.size());
            assertThat(store.cluster(roots)).isFalse();
        }
    }

    @Test
    void aShardComesBehindThoseBelowIt() {
        try (SegmentBlockStore store = open(disk)) {
            Pail pail = changed(Pail.create(store, ShardFormat.v1()), 1_000);
            List<Cid> order = new ArrayList<>();
            new ShardWalk(List.of(pail.root(), pail.root()), store::get).forEachRemaining(order::add);
            assertThat(order).doesNotHaveDuplicates().endsWith(pail.root());
            Set<Cid> behind = new HashSet<>();
            for (Cid shard : order) {
                assertThat(behind).containsAll(ShardWalk.below(shard, store::get));
                behind.add(shard);
            }
        }
    }

    @Test
    void anErasedShardIsGoneWithItsCopies_SEG21() {
        try (SegmentBlockStore store = open(disk)) {
            Pail pail = changed(Pail.create(store, ShardFormat.v1()), 6_000);
            assertThat(store.cluster(List.of(pail.root()))).isTrue();
            Cid shard = new ShardWalk(List.of(pail.root()), store::get).next();
            long before = store.statistics().blocks();
            store.erase(List.of(shard));
            assertThat(store.has(shard)).isFalse();
            assertThat(store.statistics().blocks())
                    .as("with records that copies replace")
                    .isLessThan(before - 1);
            pail = changed(pail, 5_000);
            store.cluster(List.of(pail.root()));
            assertThat(store.get(shard)).isEmpty();
        }
    }
}
