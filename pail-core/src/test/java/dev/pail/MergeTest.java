package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MergeTest {
    private final MapBlocks blocks = new MapBlocks();

    private static Cid value(int number) {
        return Vectors.value(number);
    }

    private Pail pail(ShardFormat format, int from, int to) {
        return filled(Pail.create(blocks, format), from, to);
    }

    private static Pail filled(Pail pail, int from, int to) {
        Batch batch = pail.batch();
        for (int i = from; i < to; i++) {
            batch.put("key " + i, value(i));
        }
        return batch.commit();
    }

    @Test
    void conflictsAreRefusedUnlessAPolicySaysOtherwise_MG2_MG3() {
        Pail base = pail(ShardFormat.v0(), 0, 3);
        Pail ours = base.put("key 0", value(10))
                .delete("key 1")
                .put("key 2", value(12))
                .put("new", value(1));
        Pail theirs = base.put("key 0", value(20))
                .put("key 1", value(21))
                .delete("key 2")
                .put("new", value(2));
        int stored = blocks.blocks.size();
        assertThatExceptionOfType(MergeConflictException.class)
                .isThrownBy(() -> Pail.merge(base, ours, theirs))
                .withMessage("merge conflict: both sides changed \"key 0\", \"key 1\", \"key 2\", \"new\"")
                .satisfies(e -> assertThat(e.conflicts())
                        .containsExactly(
                                conflict("key 0", value(0), value(10), value(20)),
                                Conflict.of("key 1", Optional.of(value(1)), Optional.empty(), Optional.of(value(21))),
                                Conflict.of("key 2", Optional.of(value(2)), Optional.of(value(12)), Optional.empty()),
                                Conflict.of("new", Optional.empty(), Optional.of(value(1)), Optional.of(value(2)))));
        assertThat(blocks.blocks).hasSize(stored);
        assertThat(Pail.merge(base, ours, theirs, MergePolicy.ours()).root()).isEqualTo(ours.root());
        assertThat(Pail.merge(base, ours, theirs, MergePolicy.theirs()).root()).isEqualTo(theirs.root());
        Pail base2 = Pail.merge(base, ours, theirs, MergePolicy.resolve(Conflict::base));
        assertThat(base2.root()).isEqualTo(base.root());
        assertThat(Pail.merge(base, ours, theirs, MergePolicy.resolve(conflict -> Optional.empty()))
                        .entries())
                .isEmpty();
    }

    private static Conflict conflict(String key, Cid base, Cid ours, Cid theirs) {
        return Conflict.of(key, Optional.of(base), Optional.of(ours), Optional.of(theirs));
    }

    @Test
    void theSameChangeOnBothSidesIsNoConflict_MG2() {
        Pail base = pail(ShardFormat.v1(), 0, 9);
        Pail ours = base.put("key 0", value(10)).delete("key 1").put("x", value(1));
        Pail theirs = base.put("key 0", value(10)).delete("key 1").put("y", value(2));
        Pail merged = Pail.merge(base, ours, theirs, MergePolicy.resolve(conflict -> {
            throw new AssertionError(conflict);
        }));
        assertThat(merged.root()).isEqualTo(ours.put("y", value(2)).root());
    }

    @Test
    void aMessageIsShortHoweverManyConflictsThereAre() {
        Pail base = pail(ShardFormat.v1(), 0, 0);
        assertThatExceptionOfType(MergeConflictException.class)
                .isThrownBy(() -> Pail.merge(
                        base, filled(base, 0, 1_000), filled(base, 1, 1_001).put("key 5", value(0))))
                .satisfies(e -> assertThat(e.conflicts()).hasSize(1));
        Pail others = base;
        for (int i = 0; i < 100; i++) {
            others = others.put("key " + i, value(-1));
        }
        Pail theirs = others;
        assertThatExceptionOfType(MergeConflictException.class)
                .isThrownBy(() -> Pail.merge(base, filled(base, 0, 100), theirs))
                .withMessageEndingWith("\"key 12\" and 95 more keys")
                .satisfies(e -> assertThat(e.conflicts()).hasSize(100));
    }

    @Test
    void whereOneSideChangedNothingTheOtherIsTheResult_MG5() {
        for (ShardFormat format : List.of(ShardFormat.v0(1_000, 64), ShardFormat.v1())) {
            Pail base = pail(format, 0, 100);
            Pail changed = base.put("key 1", value(-1)).delete("key 2");
            assertThat(Pail.merge(base, changed, base)).isSameAs(changed);
            Pail forwarded = Pail.merge(base, base, changed);
            assertThat(forwarded.root()).isEqualTo(changed.root());
            assertThat(forwarded.blocks()).isSameAs(base.blocks());
            assertThat(Pail.merge(base, changed, changed)).isSameAs(changed);
        }
    }

    @Test
    void aResultFromElsewhereIsStoredWhereOursIsChildrenFirst() {
        for (ShardFormat format : List.of(ShardFormat.v0(1_000, 64), ShardFormat.v1())) {
            List<Cid> order = new ArrayList<>();
            MapBlocks here = new MapBlocks();
            Pail base = pail(format, 0, 200);
            BlockStore ours = new Recording(here, order);
            here.blocks.putAll(blocks.blocks);
            MapBlocks there = new MapBlocks();
            there.blocks.putAll(blocks.blocks);
            // Two puts in this order and not at once, so that the layout of v0 is one that a merge would not make.
            Pail theirs = filled(Pail.open(there, base.root()), 300, 400)
                    .delete("key 300")
                    .put("key 7", value(-1));
            long reads = there.reads.get();
            Pail merged = Pail.merge(base, Pail.open(ours, base.root()), Pail.open(there, theirs.root()));
            assertThat(merged.root()).isEqualTo(theirs.root());
            assertThat(merged.blocks()).isSameAs(ours);
            assertThat(there.reads.get() - reads).isLessThanOrEqualTo(3L * order.size() + 1);
            assertThat(Verification.of(here, merged.root()).isSound()).isTrue();
            assertThat(PlainDiff.entries(merged)).isEqualTo(PlainDiff.entries(theirs));
            for (int i = 0; i + 1 < order.size(); i++) {
                Cid parent = order.get(i);
                assertThat(links(here, merged, parent)).doesNotContainAnyElementsOf(order.subList(i + 1, order.size()));
            }
        }
    }

    private static List<Cid> links(BlockStore blocks, Pail of, Cid parent) {
        List<Cid> links = new ArrayList<>();
        List<ShardView> due =
                new ArrayList<>(List.of(Pail.open(blocks, of.root()).shard()));
        while (!due.isEmpty()) {
            ShardView shard = due.remove(due.size() - 1);
            shard.items()
                    .forEach(item -> item.shard().ifPresent(below -> {
                        due.add(below);
                        if (shard.cid().equals(parent)) {
                            links.add(below.cid());
                        }
                    }));
        }
        return links;
    }

    /** A version may have more shards than the memory. */
    @Test
    void aResultFromElsewhereIsCopiedInPortions() {
        Batch batch = Pail.create(blocks, ShardFormat.v1()).batch();
        for (int i = 0; i < 300_000; i++) {
            batch.put(Integer.toString(i * 7, 36) + " a key with some more characters", value(i % 100));
        }
        Pail theirs = batch.commit();
        MapBlocks here = new MapBlocks();
        List<Long> portions = new ArrayList<>();
        BlockStore ours = new Recording(here, new ArrayList<>()) {
            @Override
            public void putAll(Collection<Block> all) {
                portions.add(all.stream().mapToLong(Block::size).sum());
                super.putAll(all);
            }
        };
        Pail base = Pail.create(ours, ShardFormat.v1());
        portions.clear();
        Pail merged = Pail.merge(base, base, theirs);

        assertThat(merged.root()).isEqualTo(theirs.root());
        assertThat(portions).hasSizeGreaterThan(1).allMatch(bytes -> bytes < 24 << 20);
        assertThat(Verification.of(here, merged.root()).entries()).isEqualTo(300_000);
    }

    /** Notes in which order blocks are put. */
    private static class Recording implements BlockStore {
        private final MapBlocks blocks;
        private final List<Cid> order;

        Recording(MapBlocks blocks, List<Cid> order) {
            this.blocks = blocks;
            this.order = order;
        }

        @Override
        public Optional<Block> get(Cid cid) {
            return blocks.get(cid);
        }

        @Override
        public void put(Block block) {
            order.add(block.cid());
            blocks.put(block);
        }

        @Override
        public void putAll(Collection<Block> all) {
            all.forEach(this::put);
        }

        @Override
        public boolean has(Cid cid) {
            return blocks.has(cid);
        }

        @Override
        public void close() {}
    }

    @Test
    void aKeyThatOurFormatDoesNotTakeIsRefused_MG6() {
        Pail base = Pail.create(blocks);
        Pail theirs = base.put("caf\u00e9", value(1));
        Pail ours = Pail.create(blocks, ShardFormat.v1()).put("a", value(2));
        assertThatExceptionOfType(KeyNotAllowedException.class)
                .isThrownBy(() -> Pail.merge(base, ours, theirs))
                .satisfies(e -> assertThat(e.key()).isEqualTo("caf\u00e9"));
        assertThat(Pail.merge(base, theirs, ours).entries()).hasSize(2);
    }

    @Test
    void whatOurShardsHaveNoRoomForIsRefusedAndNothingElse_MG6() {
        Pail base = Pail.create(blocks);
        Pail ours = Pail.create(blocks, ShardFormat.v0(400, 64)).put("a", value(0));
        Pail theirs = base;
        Pail oneByOne = ours;
        // Keys that share no prefix: none of them can go to a shard of its own.
        for (char c = 'b'; ; c++) {
            String key = Character.toString(c);
            theirs = theirs.put(key, value(c));
            Pail all = theirs;
            try {
                oneByOne = oneByOne.put(key, value(c));
            } catch (LimitException e) {
                assertThat(c).isBetween('d', 'y');
                int stored = blocks.blocks.size();
                assertThatExceptionOfType(LimitException.class)
                        .isThrownBy(() -> Pail.merge(base, ours, all))
                        .withMessage(e.getMessage());
                assertThat(blocks.blocks).hasSize(stored);
                return;
            }
            assertThat(Pail.merge(base, ours, all).root()).isEqualTo(oneByOne.root());
        }
    }

    @Test
    void whatAFunctionThrowsEndsTheMerge() {
        Pail base = pail(ShardFormat.v1(), 0, 3);
        Pail ours = base.put("key 0", value(10));
        Pail theirs = base.put("key 0", value(20));
        assertThatThrownBy(() -> Pail.merge(base, ours, theirs, MergePolicy.resolve(conflict -> {
                    throw new IllegalStateException(conflict.key());
                })))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("key 0");
    }
}
