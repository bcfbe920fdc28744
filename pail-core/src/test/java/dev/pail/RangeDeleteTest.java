package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.MapOperation;
import dev.pail.testkit.RandomOperations;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Deleting ranges gives the roots that deleting each key gives (spec rules P2 and P6), and reads little. */
class RangeDeleteTest {
    private static final Cid VALUE = Vectors.value(1);
    private static final int OPERATIONS = 60;

    private final MapBlocks blocks = new MapBlocks();

    private static String keys(Pail pail) {
        return String.join(" ", pail.entries().map(Entry::key).toList());
    }

    private Pail pail(ShardFormat format, String... keys) {
        Batch batch = Pail.create(blocks, format).batch();
        for (String key : keys) {
            batch.put(key, VALUE);
        }
        return batch.commit();
    }

    @Test
    void rangesOfRandomMapsGiveTheRootOfSingleDeletes_P2() {
        long seed = Randomness.seed("RangeDeleteTest");
        LongAdder deleted = new LongAdder();
        LongAdder left = new LongAdder();
        LongAdder overlapping = new LongAdder();
        IntStream.range(0, Randomness.times(800, 200_000)).parallel().forEach(i -> {
            try {
                run(Randomness.random(seed + i), deleted, left, overlapping);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("with -Dpail.seed=" + (seed + i), e);
            }
        });
        assertThat(deleted.sum()).isPositive();
        assertThat(left.sum()).isPositive();
        assertThat(overlapping.sum()).isPositive();
    }

    private static void run(Random random, LongAdder deleted, LongAdder left, LongAdder overlapping) {
        ShardFormat format = RandomOperations.format(random);
        RandomOperations source = new RandomOperations(random, format);
        ModelCheck check = new ModelCheck(format);
        for (int i = random.nextInt(OPERATIONS); i > 0; i--) {
            MapOperation operation = source.next();
            if (ModelTest.isAllowed(format, operation)) {
                check.run(operation);
            }
        }
        overlapping.add(ModelTest.isOverlapping(check.pail()) ? 1 : 0);
        for (int i = 0; i < 3; i++) {
            Pail before = Pail.open(check.blocks(), check.pail().root());
            KeyRange range = source.range();
            List<String> doomed =
                    check.model().keySet().stream().filter(range::contains).toList();
            Pail after = before.deleteRange(range);
            Pail single = before;
            Batch batch = before.batch();
            for (String key : doomed) {
                single = single.delete(key);
                batch.delete(key);
            }
            assertThat(after.root()).as("%s", range).isEqualTo(single.root());
            assertThat(batch.commit().root()).isEqualTo(single.root());
            assertThat(after.entries().map(Entry::key))
                    .noneMatch(range::contains)
                    .hasSize(check.model().size() - doomed.size());
            assertThat(Verification.of(check.blocks(), after.root()).problems()).isEmpty();
            compareAmongOtherChanges(before, range, doomed, List.of(source.key(), source.key(), source.key()));
            deleted.add(doomed.size());
            left.add(check.model().size() - doomed.size());
            doomed.forEach(key -> check.run(new MapOperation.Delete(key)));
            check.compareRoots();
            assertThat(after.root()).isEqualTo(check.pail().root());
        }
    }

    /** Puts before the deletion, in the same batch, leave drafts of all kinds; one behind it shows how they are laid out. */
    private static void compareAmongOtherChanges(Pail before, KeyRange range, List<String> doomed, List<String> puts) {
        Batch batch = before.batch();
        Batch twin = before.batch();
        try {
            puts.forEach(key -> batch.put(key, VALUE));
            batch.deleteRange(range).put(puts.get(0), VALUE);
            puts.forEach(key -> twin.put(key, VALUE));
            doomed.forEach(twin::delete);
            puts.stream().filter(range::contains).forEach(twin::delete);
            twin.put(puts.get(0), VALUE);
        } catch (KeyNotAllowedException | LimitException e) {
            return;
        }
        assertThat(batch.commit().root())
                .as("%s", range)
                .isEqualTo(twin.commit().root());
    }

    @Test
    void deletePrefixTakesTheKeyItselfAndLongerOnes() {
        for (ShardFormat format :
                List.of(ShardFormat.v0(), ShardFormat.v0(250, 2), ShardFormat.v1(), ShardFormat.v2())) {
            Pail pail = pail(format, "", "a", "a/", "a/1", "a/2/3", "a0", "b");
            assertThat(keys(pail.deletePrefix("a/"))).isEqualTo(" a a0 b");
            assertThat(keys(pail.deleteRange(
                            KeyRange.all().after("a/").before("b").descending())))
                    .isEqualTo(" a a/ b");
            assertThat(keys(pail.deleteRange(KeyRange.all().from("a/1").through("a0"))))
                    .isEqualTo(" a a/ b");
            assertThat(pail.deletePrefix("").root())
                    .isEqualTo(Pail.create(blocks, format).root());
            assertThat(pail.deletePrefix("c")).isSameAs(pail);
            assertThat(pail.deleteRange(KeyRange.all().from("b").before("a"))).isSameAs(pail);
        }
    }

    @Test
    void shardsInTheRangeAreNotRead() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            keys.add("x/" + i);
            keys.add("y/" + i);
        }
        for (ShardFormat format : List.of(ShardFormat.v1(), ShardFormat.v2(), ShardFormat.v0(2_000, 64))) {
            Pail pail = pail(format, keys.toArray(String[]::new));
            Pail left = Pail.open(blocks, pail.root());
            long before = blocks.reads.get();
            left = left.deletePrefix("x/");
            assertThat(blocks.reads.get() - before).as(format.name()).isLessThanOrEqualTo(2);
            assertThat(left.count(KeyRange.all())).isEqualTo(5_000);
        }
    }

    @Test
    void lostShardsInTheRangeDoNotMatter() {
        Pail pail = pail(ShardFormat.v1(), "x/1", "x/2", "y");
        Cid below = pail.traverse("x/1").get(2).cid();
        blocks.blocks.remove(below);
        Pail again = Pail.open(blocks, pail.root());
        assertThatThrownBy(() -> again.delete("x/1")).isInstanceOf(MissingBlockException.class);
        assertThat(keys(again.deletePrefix("x/"))).isEqualTo("y");
        // Below a part of the range it has to be read.
        assertThatThrownBy(() -> again.deletePrefix("x/1")).isInstanceOf(MissingBlockException.class);
    }

    /** Two links a level lead to the same shard, all the way down: more places than could be gone through. */
    @Test
    void boundsInShardsLinkedTwiceAtEachLevelAreFollowedInOneDirection() {
        Block shard = HostileShards.block(HostileShards.v0(HostileShards.entry("a"), HostileShards.entry("b")));
        blocks.put(shard);
        int depth = 60;
        for (int i = 0; i < depth; i++) {
            shard = HostileShards.block(
                    HostileShards.v0(HostileShards.entry("a", shard), HostileShards.entry("b", shard)));
            blocks.put(shard);
        }
        Pail pail = Pail.open(blocks, shard.cid());
        Pail left = pail.deleteRange(KeyRange.all().after("a".repeat(depth + 1)).before("b".repeat(depth + 1)));
        assertThat(left.entries().map(entry -> entry.key().substring(depth))).containsExactly("a", "b");
    }

    @Test
    void deepShardsAreGoneThroughWithoutRecursion() {
        String deep = "k".repeat(4_000);
        Pail pail = pail(ShardFormat.v1(), deep + "a", deep + "b", deep + "c", "z");
        assertThat(pail.deleteRange(KeyRange.all().from(deep + "b")).root())
                .isEqualTo(
                        pail.delete(deep + "b").delete(deep + "c").delete("z").root());
        assertThat(keys(pail.deletePrefix(deep))).isEqualTo("z");
    }

    @Test
    void rangesOfNamespacesLeaveNestedOnes() {
        Pail pail = Pail.create(blocks, ShardFormat.v1());
        Namespace outer = pail.namespace("users");
        Namespace inner = outer.namespace("eu");
        pail = pail.batch()
                .put(outer.key("ann"), VALUE)
                .put(outer.key("bob"), VALUE)
                .put(inner.key("ann"), VALUE)
                .put(pail.namespace("z").key("ann"), VALUE)
                .commit();
        Namespace left = outer.in(pail).deletePrefix("a");
        assertThat(left.entries().map(entry -> entry.key().toString())).containsExactly("bob");
        assertThat(left.count(KeyRange.all())).isOne();
        assertThat(outer.in(pail).first().orElseThrow().key()).hasToString("ann");
        assertThat(outer.in(pail).last().orElseThrow().key()).hasToString("bob");
        Namespace none = left.deleteRange(NameRange.all());
        assertThat(none.count(NameRange.all())).isZero();
        assertThat(inner.in(none.pail()).count(KeyRange.all())).isOne();
        assertThat(none.pail().count(KeyRange.all())).isEqualTo(2);
    }
}
