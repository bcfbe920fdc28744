package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PailDiffTest {
    private final MapBlocks blocks = new MapBlocks();

    private static Cid value(int number) {
        return Vectors.value(number);
    }

    @Test
    void aKeyIsAddedChangedOrRemoved() {
        Pail before = Pail.create(blocks).put("a", value(1)).put("b", value(2)).put("same", value(3));
        Pail after = before.delete("a").put("b", value(4)).put("c", value(5));
        assertThat(before.diff(after).keys())
                .containsExactly(
                        new KeyChange("a", Optional.of(value(1)), Optional.empty()),
                        new KeyChange("b", Optional.of(value(2)), Optional.of(value(4))),
                        new KeyChange("c", Optional.empty(), Optional.of(value(5))));
        assertThat(before.diff(after).keys().map(KeyChange::kind))
                .containsExactly(KeyChange.Kind.REMOVED, KeyChange.Kind.CHANGED, KeyChange.Kind.ADDED);
        assertThat(before.diff(after).shards())
                .isEqualTo(new ShardChanges(Set.of(after.root()), Set.of(before.root())));
    }

    @Test
    void aChangeIsOneOfAValue() {
        for (Optional<Cid> value : List.of(Optional.<Cid>empty(), Optional.of(value(1)))) {
            assertThatThrownBy(() -> new KeyChange("a", value, value)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void theSameRootIsNoDifferenceAndNotRead() {
        Pail pail = Pail.create(blocks, ShardFormat.v1()).put("ab", value(1)).put("ac", value(1));
        Pail reopened = Pail.open(blocks, pail.root());
        long reads = blocks.reads.get();
        PailDiff diff = pail.diff(reopened);
        assertThat(diff.isEmpty()).isTrue();
        assertThat(diff.keys()).isEmpty();
        assertThat(diff.shards()).isEqualTo(new ShardChanges(Set.of(), Set.of()));
        assertThat(blocks.reads.get()).isEqualTo(reads);
    }

    @Test
    void aMissingShardIsAnErrorOnlyWhereSomethingDiffers() {
        Pail base = Pail.create(blocks, ShardFormat.v1());
        for (String key : List.of("aa", "ab", "ba", "bb")) {
            base = base.put(key, value(1));
        }
        Pail before = base;
        Cid missing = before.shard()
                .items()
                .findFirst()
                .orElseThrow()
                .shard()
                .orElseThrow()
                .cid();
        blocks.blocks.remove(missing);
        Pail one = Pail.open(blocks, before.root());
        Pail far = Pail.open(blocks, one.put("bb", value(2)).root());
        assertThat(one.diff(far).keys()).hasSize(1);
        assertThat(one.diff(far).shards().added()).hasSize(2);
        Pail other = Pail.create(blocks, ShardFormat.v1()).put("aa", value(1));
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() -> one.diff(other).isEmpty())
                .satisfies(e -> assertThat(e.cid()).isEqualTo(missing));
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() -> one.diff(other).shards());
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() -> Pail.merge(one, far.put("c", value(3)), other, MergePolicy.theirs()));
    }

    @Test
    void bombsAreComparedLazilyAndTheirShardsOnce() {
        int levels = 1_000;
        Pail one = Pail.open(blocks, bomb(levels, value(1)));
        Pail two = Pail.open(blocks, bomb(levels, value(2)));
        assertThat(one.diff(two).keys().limit(3)).extracting(KeyChange::kind).containsOnly(KeyChange.Kind.CHANGED);
        long reads = blocks.reads.get();
        assertThat(one.diff(two).shards().removed()).hasSize(levels + 1);
        assertThat(blocks.reads.get() - reads).isLessThanOrEqualTo(2L * levels);
        assertThat(Pail.open(blocks, bomb(levels, value(2))).diff(two).isEmpty())
                .isTrue();
    }

    @Test
    void moreKeysThanAnybodyCanGoThroughAreNeitherCountedNorMerged() {
        Pail base = Pail.create(blocks).put("z", value(1));
        Pail other = base.put("zz", value(2));
        // A few thousand keys of 53,000 characters are as much as millions of one.
        String common = "x".repeat(4_095);
        for (Cid root : List.of(bomb(21, value(1)), bomb(13, value(1), "l" + common, "r" + common, 4_096))) {
            Pail bomb = Pail.open(blocks, root);
            for (ThrowingCallable use : List.<ThrowingCallable>of(
                    () -> bomb.diff(base).boundedKeys().forEach(change -> {}), () -> base.conflicts(other, bomb))) {
                assertThatExceptionOfType(MalformedBlockException.class)
                        .isThrownBy(use)
                        .withMessageContaining("X7");
            }
            assertThat(base.diff(bomb).keys().limit(3)).hasSize(3);
        }
        assertThat(base.diff(other).boundedKeys()).hasSize(1);
    }

    /** Each shard links twice to the next, so the number of keys is 2 to the power of the levels. */
    private Cid bomb(int levels, Cid value) {
        return bomb(levels, value, "a", "b", 64);
    }

    private Cid bomb(int levels, Cid value, String one, String two, int maxKeyLength) {
        Cid next = Pail.create(blocks, ShardFormat.v0(512 * 1024, maxKeyLength))
                .put("k", value)
                .root();
        for (int level = 0; level < levels; level++) {
            DagCborWriter out = new DagCborWriter().map(3).text("entries").array(2);
            for (String key : List.of(one, two)) {
                out.array(2).text(key).array(1).link(next);
            }
            out.text("maxSize").integer(512 * 1024).text("maxKeyLength").integer(maxKeyLength);
            Block block = Block.of(Cid.DAG_CBOR, out.toByteArray());
            blocks.put(block);
            next = block.cid();
        }
        return next;
    }

    @Test
    void keysWithFourThousandCharactersInCommonNeedNoStack() throws InterruptedException {
        String common = "k".repeat(4_095);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Runnable work = () -> {
            Pail base = Pail.create(blocks, ShardFormat.v1()).put(common + 1, value(1));
            Pail ours = base.put(common + 2, value(2));
            Pail theirs = base.put(common + 3, value(3)).delete(common + 1);
            assertThat(ours.diff(theirs).keys()).hasSize(3);
            assertThat(ours.diff(theirs).shards().added()).hasSizeGreaterThan(4_000);
            assertThat(Pail.merge(base, ours, theirs).entries().map(Entry::key))
                    .containsExactly(common + 2, common + 3);
        };
        Thread small = new Thread(null, work, "small stack", 256 << 10);
        small.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
        small.start();
        small.join();
        assertThat(failure).hasValue(null);
    }
}
