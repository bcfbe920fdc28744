package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a diff costs goes with what differs, however large the versions are. */
class DiffCostTest {
    private static final int PUTS = 100;
    private static final int MOST_READS_FOR_A_SHARD = 3;

    private final MapBlocks blocks = new MapBlocks();

    static List<Arguments> sizes() {
        List<Arguments> sizes = new ArrayList<>();
        int large = Randomness.times(200_000, 1_000_000);
        for (ShardFormat format :
                List.of(ShardFormat.v0(), ShardFormat.v0(8_192, 64), ShardFormat.v1(), ShardFormat.v2())) {
            sizes.add(Arguments.of(format, 10_000));
            sizes.add(Arguments.of(format, format.equals(ShardFormat.v0()) ? 1_000_000 : large));
        }
        return sizes;
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void versionsAHundredPutsApart(ShardFormat format, int keys) {
        long seed = Randomness.seed("DiffCostTest.versionsAHundredPutsApart");
        Random random = new Random(seed);
        Batch batch = Pail.create(blocks, format).batch();
        for (int i = 0; i < keys; i++) {
            batch.put(key(i), ModelCheck.value(i % 100));
        }
        Pail before = batch.commit();
        Pail after = before;
        int from = random.nextInt(keys - PUTS);
        for (int i = 0; i < PUTS; i++) {
            after = after.put(key(from + i), ModelCheck.value(1_000));
        }
        Pail one = Pail.open(blocks, before.root());
        Pail two = Pail.open(blocks, after.root());
        long reads = blocks.reads.get();
        assertThat(one.diff(two).keys()).hasSize(PUTS);
        reads = blocks.reads.get() - reads;
        int changed = changedOnPaths(before, after);
        assertThat(reads).isLessThanOrEqualTo((long) MOST_READS_FOR_A_SHARD * changed);
        assertThat(reads).isLessThanOrEqualTo(20L * PUTS);
    }

    private static String key(int number) {
        return String.format(Locale.ROOT, "%s/%08d", Integer.toString(number * 31 % 1_000, 36), number);
    }

    /** The shards on the ways to changed keys that only one of the versions has. */
    private static int changedOnPaths(Pail before, Pail after) {
        ShardChanges shards = before.diff(after).shards();
        return shards.added().size() + shards.removed().size();
    }

    @Test
    void whereOnlyTheRootOfV0DiffersNothingElseIsReadForShards_X6() {
        Batch batch = Pail.create(blocks, ShardFormat.v0(8_192, 64)).batch();
        for (int i = 0; i < 5_000; i++) {
            batch.put(key(i), ModelCheck.value(i % 100));
        }
        Pail before = batch.commit();
        Pail one = Pail.open(blocks, before.root());
        Pail two = Pail.open(blocks, before.put("~", ModelCheck.value(1)).root());
        long reads = blocks.reads.get();
        assertThat(one.shard().items().filter(item -> item.shard().isPresent())).isNotEmpty();
        assertThat(one.diff(two).shards()).isEqualTo(new ShardChanges(Set.of(two.root()), Set.of(one.root())));
        assertThat(one.diff(two).keys()).hasSize(1);
        assertThat(blocks.reads.get()).isEqualTo(reads);
    }

    @Test
    void aDiffIsReadAsFarAsItsStream() {
        Pail empty = Pail.create(blocks, ShardFormat.v1());
        Batch batch = empty.batch();
        for (int i = 0; i < 5_000; i++) {
            batch.put(key(i), ModelCheck.value(i % 100));
        }
        Pail full = Pail.open(blocks, batch.commit().root());
        long reads = blocks.reads.get();
        assertThat(empty.diff(full).keys()).isNotNull();
        assertThat(blocks.reads.get()).isEqualTo(reads);
        assertThat(empty.diff(full).keys().limit(3)).hasSize(3);
        assertThat(empty.diff(full).isEmpty()).isFalse();
        assertThat(blocks.reads.get() - reads).isLessThan(20);
    }
}
