package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.MapOperation;
import dev.pail.testkit.RandomOperations;
import dev.pail.testkit.Randomness;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Diffs of a range have the changes of the whole diff that are in it, and read only shards in the range (spec rules X1 and X3). */
class RangeDiffTest {
    private final MapBlocks blocks = new MapBlocks();

    @Test
    void rangesOfRandomDiffsAreThoseOfTheWhole_X1() {
        long seed = Randomness.seed("RangeDiffTest");
        LongAdder changes = new LongAdder();
        LongAdder overlapping = new LongAdder();
        IntStream.range(0, Randomness.times(600, 150_000)).parallel().forEach(i -> {
            try {
                run(Randomness.random(seed + i), changes, overlapping);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("with -Dpail.seed=" + (seed + i), e);
            }
        });
        assertThat(changes.sum()).isPositive();
        assertThat(overlapping.sum()).isPositive();
    }

    private static void run(Random random, LongAdder changes, LongAdder overlapping) {
        ShardFormat format = RandomOperations.format(random);
        RandomOperations source = new RandomOperations(random, format);
        ModelCheck check = new ModelCheck(format);
        changeMany(check, format, source, 1 + random.nextInt(60));
        Pail before = check.pail();
        changeMany(check, format, source, 1 + random.nextInt(20));
        Pail after = check.pail();
        overlapping.add(ModelTest.isOverlapping(before) || ModelTest.isOverlapping(after) ? 1 : 0);
        List<KeyChange> all = before.diff(after).keys().toList();
        for (int i = 0; i < 10; i++) {
            KeyRange range = source.range();
            List<KeyChange> expected =
                    all.stream().filter(change -> range.contains(change.key())).toList();
            PailDiff diff = before.diff(after, range);
            assertThat(diff.keys()).as("%s", range).containsExactlyElementsOf(expected);
            assertThat(diff.boundedKeys()).containsExactlyElementsOf(expected);
            assertThat(diff.isEmpty()).isEqualTo(expected.isEmpty());
            changes.add(expected.size());
        }
    }

    private static void changeMany(ModelCheck check, ShardFormat format, RandomOperations source, int count) {
        for (int i = 0; i < count; i++) {
            MapOperation operation = source.next();
            if (ModelTest.isAllowed(format, operation)) {
                check.run(operation);
            }
        }
    }

    /** The part of two shards that is in the range is equal; in another place, all of them is in it. */
    @Test
    void shardsThatAreEqualInTheRangeAreComparedAgainWhereMoreOfThemIs_X3() {
        Pail before = Pail.open(blocks, twice(1));
        Pail after = Pail.open(blocks, twice(2));
        assertThat(before.diff(after).keys().map(KeyChange::key)).containsExactly("a1", "b1");
        assertThat(before.diff(after, KeyRange.all().from("a5")).keys().map(KeyChange::key))
                .containsExactly("b1");
    }

    /** A root with two links to one shard. */
    private Cid twice(int value) {
        Block shard = HostileShards.block(HostileShards.v0(
                HostileShards.entry("1", HostileShards.data(value)), HostileShards.entry("9", HostileShards.data(7))));
        Block root =
                HostileShards.block(HostileShards.v0(HostileShards.entry("a", shard), HostileShards.entry("b", shard)));
        blocks.putAll(List.of(shard, root));
        return root.cid();
    }

    @Test
    void readsOnlyShardsInTheRange() {
        Batch batch = Pail.create(blocks, ShardFormat.v1()).batch();
        for (int i = 0; i < 3_000; i++) {
            batch.put("x/" + i, Vectors.value(1)).put("y/" + i, Vectors.value(1));
        }
        Pail before = batch.commit();
        Batch next = before.batch().put("x/7", Vectors.value(2));
        for (int i = 0; i < 3_000; i++) {
            next.put("y/" + i, Vectors.value(2));
        }
        Pail after = next.commit();
        Pail one = Pail.open(blocks, before.root());
        Pail two = Pail.open(blocks, after.root());
        long reads = blocks.reads.get();
        assertThat(one.diff(two, KeyRange.prefix("x/").descending()).keys().map(KeyChange::key))
                .containsExactly("x/7");
        assertThat(blocks.reads.get() - reads)
                .isLessThanOrEqualTo(2L * two.traverse("x/7").size());
    }
}
