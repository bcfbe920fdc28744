package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How often shards are read, and how many are held, where links that overlap lead to the same shard again and again. */
class HeldShardsTest {
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
        // Whoever changes the pail reads again what that leaves, once for each version.
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

    private static Pail pail(int shards, MapBlocks blocks) {
        Pail pail = Pail.create(blocks);
        for (int i = 0; i < shards; i++) {
            pail = pail.put(i + "-".repeat(64), HostileShards.value(i));
        }
        return Pail.open(blocks, pail.root());
    }

    private static List<ShardRef> refs(Pail pail) {
        List<ShardRef> refs = new ArrayList<>();
        pail.shard()
                .items()
                .forEach(
                        item -> refs.add(new ShardRef(item.shard().orElseThrow().cid())));
        return refs;
    }

    @Test
    void moreThanThereIsRoomForIsRefusedAndWhatNobodyHoldsGoesBefore() {
        Pail pail = pail(10, blocks);
        HeldShards held = new HeldShards(pail.tree().shards(), pail.root());
        KeyBytes prefix = KeyBytes.of("-");
        List<ShardRef> refs = refs(pail);
        assertThat(refs).hasSize(10);
        List<HeldShards.Held> all = new ArrayList<>();
        refs.forEach(ref -> all.add(held.hold(ref, prefix)));
        for (int i = 0; i < 10; i++) {
            assertThat(held.hold(new ShardRef(refs.get(i).cid), prefix)).isSameAs(all.get(i));
        }
        long most = ClockCache.defaultWeight();
        assertThatExceptionOfType(MalformedShardException.class)
                .isThrownBy(() -> held.add(most))
                .withMessageContaining("more shards overlap here than can be followed (V0.7)");
        held.remove(most);
        Stream.of(all, all).forEach(times -> times.forEach(held::release));
        long reads = blocks.reads.get();
        assertThat(held.hold(new ShardRef(refs.get(0).cid), prefix)).isSameAs(all.get(0));
        assertThat(blocks.reads.get()).isEqualTo(reads);
        held.add(most);
        assertThatExceptionOfType(MalformedShardException.class).isThrownBy(() -> held.add(1));
        held.remove(1);
        assertThat(held.hold(new ShardRef(refs.get(1).cid), prefix)).isNotSameAs(all.get(1));
        assertThat(blocks.reads.get()).isEqualTo(reads + 1);
    }

    @Test
    void aFewAreHeldForEachKeyHoweverHeavyTheyAre() {
        Pail pail = pail(9, blocks);
        HeldShards held = new HeldShards(pail.tree().shards(), pail.root(), 1);
        KeyBytes prefix = KeyBytes.of("-");
        List<ShardRef> refs = refs(pail);
        refs.subList(0, 4).forEach(ref -> held.hold(ref, prefix));
        held.startAgain();
        refs.subList(4, 8).forEach(ref -> held.hold(ref, prefix));
        assertThatExceptionOfType(MalformedShardException.class).isThrownBy(() -> held.hold(refs.get(8), prefix));
    }

    @Test
    void soManyLooksAreRefused() {
        Pail pail = Pail.create(blocks);
        HeldShards held = new HeldShards(pail.tree().shards(), pail.root());
        held.looked(HeldShards.MOST_LOOKS);
        held.startAgain();
        held.looked(HeldShards.MOST_LOOKS);
        assertThatExceptionOfType(MalformedShardException.class).isThrownBy(() -> held.looked(1));
    }
}
