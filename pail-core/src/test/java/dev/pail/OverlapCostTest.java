package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How often shards are read, and how many are held, where links that overlap lead to the same shard again and again. */
class OverlapCostTest {
    private static final int LINKS = 300;
    private static final Cid VALUE = HostileShards.value(1);

    private final MapBlocks blocks = new MapBlocks();

    private Block shard(byte[]... entries) {
        Block shard = HostileShards.block(HostileShards.sized(
                HostileCbor.integer(HostileShards.MAX_SIZE), HostileCbor.integer(HostileShards.MAX_KEY_SIZE), entries));
        blocks.put(shard);
        return shard;
    }

    /** Links under a, aa, aaa and so on. */
    private Cid staircase(Block below) {
        byte[][] entries = new byte[LINKS][];
        for (int i = 0; i < LINKS; i++) {
            entries[i] = HostileShards.entry("a".repeat(i + 1), below);
        }
        return shard(entries).cid();
    }

    private record Work(String name, Consumer<Pail> work) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Work> works() {
        String absent = "a".repeat(LINKS + 1) + "b";
        String deepest = "a".repeat(LINKS) + "z";
        return List.of(
                new Work(
                        "get of an absent key",
                        pail -> assertThat(pail.get(absent)).isEmpty()),
                new Work(
                        "get of the last place",
                        pail -> assertThat(pail.get(deepest)).contains(HostileShards.value(7))),
                new Work(
                        "put",
                        pail -> assertThat(pail.put(absent, VALUE).get(absent)).contains(VALUE)),
                new Work(
                        "delete",
                        pail -> assertThat(pail.delete(deepest).get(deepest)).isEmpty()),
                new Work(
                        "absent delete", pail -> assertThat(pail.delete(absent)).isSameAs(pail)),
                new Work(
                        "first entry",
                        pail -> assertThat(pail.entries().findFirst()).isPresent()),
                new Work("all entries", pail -> assertThat(pail.entries()).hasSize(2 * LINKS)),
                new Work(
                        "last entry",
                        pail -> assertThat(pail.entries(KeyRange.all().descending())
                                        .findFirst())
                                .isPresent()),
                new Work(
                        "diff",
                        pail -> assertThat(
                                        pail.diff(Pail.create(new MapBlocks())).keys())
                                .hasSize(2 * LINKS)));
    }

    @ParameterizedTest
    @MethodSource("works")
    void aShardThatManyLinksLeadToIsReadOnce(Work work) {
        Cid root = staircase(shard(HostileShards.entry("y"), HostileShards.entry("z")));
        Pail pail = Pail.open(blocks, root);
        long before = blocks.reads.get();
        work.work.accept(pail);
        // A change of the pail reads the remaining shards again, once for each version.
        assertThat(blocks.reads.get() - before).isLessThanOrEqualTo(4);
    }

    @Test
    void alsoBelowShardsThatAreNotTheSame() {
        Block below = shard(HostileShards.entry("y"), HostileShards.entry("z"));
        byte[][] entries = new byte[LINKS][];
        for (int i = 0; i < LINKS; i++) {
            Block between = shard(HostileShards.entry("a", below), HostileShards.entry("c" + i));
            entries[i] = HostileShards.entry("a".repeat(i + 1), between);
        }
        Cid top = shard(entries).cid();
        Pail pail = Pail.open(blocks, top);
        long before = blocks.reads.get();
        assertThat(pail.get("a".repeat(LINKS + 1) + "b")).isEmpty();
        assertThat(blocks.reads.get() - before).isLessThanOrEqualTo(LINKS + 1);
        before = blocks.reads.get();
        assertThat(Pail.open(blocks, top).delete("a".repeat(LINKS + 1) + "b").root())
                .isEqualTo(top);
        assertThat(blocks.reads.get() - before).isLessThanOrEqualTo(LINKS + 2);
    }

    /** Two walks that come to the same shard in the same places: only one of them goes through it, and nothing is held for the other. */
    @Test
    void whatIsNotGoneThroughASecondTimeIsNotHeld() {
        int places = 2_000;
        Block below = longKeys(HostileShards.entry("y"));
        List<byte[]> inner = new ArrayList<>();
        List<byte[]> outer = new ArrayList<>();
        for (int i = 0; i < places; i++) {
            String key = String.valueOf(10_000 + i);
            inner.add(HostileShards.entry(key, below));
            inner.add(HostileShards.entry(key + "z"));
            outer.add(HostileShards.entry("a" + key, below));
            outer.add(HostileShards.entry("a" + key + "z"));
        }
        outer.add(0, HostileShards.entry("a", longKeys(inner.toArray(byte[][]::new))));
        Block top = longKeys(outer.toArray(byte[][]::new));
        for (int i = 0; i < 10; i++) {
            top = longKeys(HostileShards.entry("-".repeat(4_000), top));
        }
        Pail pail = Pail.open(blocks, top.cid());
        assertThat(pail.entries()).hasSize(2 * places);
        assertThat(pail.entries(KeyRange.all().descending())).hasSize(2 * places);
    }

    private Block longKeys(byte[]... entries) {
        Block shard = HostileShards.block(
                HostileShards.sized(HostileCbor.integer(HostileShards.MAX_SIZE), HostileCbor.integer(4_096), entries));
        blocks.put(shard);
        return shard;
    }
}
