package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.walk.ChangeBudget;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rule X7 of the specification. */
class ChangeBudgetTest {
    private static final long SOME = 1 << 20;
    private static final long TIMES = 1 << 10;

    private final MapBlocks blocks = new MapBlocks();

    private Pail pail(String front, int keys) {
        Batch batch = Pail.create(blocks, ShardFormat.v1()).batch();
        for (int i = 0; i < keys; i++) {
            batch.put(
                    front + Integer.toString(i, 3),
                    Block.of(Cid.RAW, new byte[0]).cid());
        }
        return batch.commit();
    }

    private static long entries(Pail pail) {
        long entries = 0;
        Deque<ShardView> due = new ArrayDeque<>(List.of(pail.shard()));
        for (ShardView shard = due.poll(); shard != null; shard = due.poll()) {
            entries += shard.count();
            shard.items().forEach(item -> item.shard().ifPresent(due::add));
        }
        return entries;
    }

    private static void add(ChangeBudget bound, long times) {
        for (long i = 0; i < times; i++) {
            bound.add("short");
        }
    }

    @Test
    void asManyAsAThousandForEachEntryOfBothAreTaken_X7() {
        Pail before = pail("a", 1_000);
        Pail after = pail("b", 1_000);
        ChangeBudget bound = new ChangeBudget(before.tree(), after.tree());
        long entries = entries(before) + entries(after);
        assertThat(entries * TIMES).isGreaterThan(SOME);
        add(bound, entries * TIMES);
        assertThatExceptionOfType(MalformedBlockException.class)
                .isThrownBy(() -> bound.add("short"))
                .withMessageContaining("which have " + entries + " entries");
    }

    /** Those who merge hold them, and a few shards can have many. */
    @Test
    void aLongKeyCountsAsSeveral_X7() {
        Pail empty = Pail.create(blocks, ShardFormat.v1());
        ChangeBudget bound = new ChangeBudget(
                empty.tree(),
                empty.put("k", Block.of(Cid.RAW, new byte[0]).cid()).tree());
        String key = "k".repeat(1023 * 16);
        for (long i = 0; i < SOME / 1024; i++) {
            bound.add(key);
        }
        assertThatExceptionOfType(MalformedBlockException.class).isThrownBy(() -> bound.add(""));
    }

    /** A large change is not read a second time to know that it may be. */
    @Test
    void noMoreShardsAreReadThanAreNeededToKnow() {
        Pail before = Pail.create(blocks, ShardFormat.v1());
        Pail after = pail("k", 20_000);
        int shards = blocks.blocks.size();
        // Without what this one has opened.
        ChangeBudget bound =
                new ChangeBudget(before.tree(), Pail.open(blocks, after.root()).tree());
        long reads = blocks.reads.get();
        add(bound, SOME);
        assertThat(blocks.reads.get()).isEqualTo(reads);
        add(bound, SOME);
        assertThat(blocks.reads.get() - reads).isBetween(1L, shards / 4L);
    }
}
