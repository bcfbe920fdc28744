package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What another implementation gets wrong when it compares versions, as numbered in {@code spec/deviations.md}, done right. */
class DiffKnownDefectsTest {
    private static final String X64 = "x".repeat(64);
    private static final String Y64 = "y".repeat(64);

    private final MapBlocks blocks = new MapBlocks();

    private static Cid value(int number) {
        return Vectors.value(number);
    }

    private Pail pail(String... keys) {
        return pail(ShardFormat.v1(), keys);
    }

    private Pail pail(ShardFormat format, String... keys) {
        Pail pail = Pail.create(blocks, format);
        for (int i = 0; i < keys.length; i++) {
            pail = pail.put(keys[i], value(i));
        }
        return pail;
    }

    private static KeyChange added(String key, int value) {
        return new KeyChange(key, Optional.empty(), Optional.of(value(value)));
    }

    private static KeyChange changed(String key, int before, int after) {
        return new KeyChange(key, Optional.of(value(before)), Optional.of(value(after)));
    }

    private static KeyChange removed(String key, int value) {
        return new KeyChange(key, Optional.of(value(value)), Optional.empty());
    }

    @Test
    void d11a_aNewShardIsNoKey() {
        Pail before = pail("b");
        Pail after = before.put("aa", value(1)).put("ab", value(2));
        assertThat(before.diff(after).keys()).containsExactly(added("aa", 1), added("ab", 2));
        assertThat(after.diff(before).keys()).containsExactly(removed("aa", 1), removed("ab", 2));
    }

    @Test
    void d11b_aKeyThatMovedIntoAShardIsNoChange() {
        Pail before = pail("ab", "b");
        Pail after = before.put("ac", value(2));
        assertThat(before.diff(after).keys()).containsExactly(added("ac", 2));
        assertThat(after.diff(before).keys()).containsExactly(removed("ac", 2));
    }

    @Test
    void d11c_aValueRemovedBesideALinkIsReported() {
        Pail before = pail("a", "ab", "ac");
        assertThat(before.diff(before.delete("a")).keys()).containsExactly(removed("a", 0));
        assertThat(before.delete("a").diff(before).keys()).containsExactly(added("a", 0));
    }

    @Test
    void d11d_aValueChangedBesideALinkIsReportedWhenTheShardChangesToo() {
        Pail before = pail("a", "ab", "ac");
        Pail after = before.put("a", value(7)).put("ab", value(8));
        assertThat(before.diff(after).keys()).containsExactly(changed("a", 0, 7), changed("ab", 1, 8));
    }

    @Test
    void d11e_keysOfAShardThatIsAValueOnTheOtherSideAreReported() {
        Pail before = pail("a", "ab", "ac");
        Pail after = pail("a");
        assertThat(before.diff(after).keys()).containsExactly(removed("ab", 1), removed("ac", 2));
        assertThat(after.diff(before).keys()).containsExactly(added("ab", 1), added("ac", 2));
    }

    @Test
    void d11f_equalContentInAnotherLayoutIsNoDifference() {
        Pail one = pail("ab", "b");
        Pail other = pail("ab", "b", "ac").delete("ac");
        assertThat(other.root()).isNotEqualTo(one.root());
        assertThat(one.diff(other).isEmpty()).isTrue();
        assertThat(other.diff(one).keys()).isEmpty();
        assertThat(one.diff(other).shards().added()).hasSize(2);
        for (ShardFormat format : List.of(ShardFormat.v0(), ShardFormat.v0(140, 1), ShardFormat.v2())) {
            assertThat(one.diff(pail(format, "ab", "b")).keys()).isEmpty();
        }
    }

    @Test
    void d31_aShardThatTheNewRootStillUsesIsNotRemoved_X5() {
        Pail before = Pail.create(blocks).put(X64 + "b", value(0)).put(Y64 + "b", value(0));
        Pail after = before.delete(X64 + "b");
        assertThat(before.diff(after).keys()).containsExactly(removed(X64 + "b", 0));
        assertThat(before.diff(after).shards())
                .isEqualTo(new ShardChanges(Set.of(after.root()), Set.of(before.root())));
        // The old root is a shard of the new version.
        Pail small = Pail.create(blocks).put("b", value(0));
        Pail large = small.delete("b").put(X64 + "b", value(0));
        assertThat(small.diff(large).shards().removed()).isEmpty();
        assertThat(small.diff(large).shards().added()).containsExactly(large.root());
        assertThat(large.diff(small).shards().removed()).containsExactly(large.root());
        assertThat(large.diff(small).shards().added()).isEmpty();
    }

    @Test
    void d31_aShardIsFoundDeepInWhatIsUnchanged_X6() {
        Cid leaf = shard("k", value(0), false);
        Cid middle = shard("m", leaf, true);
        Cid unchanged = shard("n", middle, true);
        Pail before = Pail.open(blocks, root(leaf, unchanged));
        Pail after = Pail.open(blocks, root(shard("k", value(1), false), unchanged));
        assertThat(before.diff(after).keys()).containsExactly(changed("ak", 0, 1));
        assertThat(before.diff(after).shards().removed()).containsExactly(before.root());
        assertThat(after.diff(before).shards().added()).containsExactly(before.root());
    }

    /** Stores a shard of version 0 with one entry. */
    private Cid shard(String key, Cid link, boolean linked) {
        DagCborWriter out =
                new DagCborWriter().map(3).text("entries").array(1).array(2).text(key);
        return stored(linked ? out.array(1).link(link) : out.link(link));
    }

    private Cid root(Cid a, Cid b) {
        DagCborWriter out = new DagCborWriter().map(3).text("entries").array(2);
        out.array(2).text("a").array(1).link(a);
        return stored(out.array(2).text("b").array(1).link(b));
    }

    private Cid stored(DagCborWriter out) {
        out.text("maxSize").integer(512 * 1024).text("maxKeyLength").integer(64);
        Block block = Block.of(Cid.DAG_CBOR, out.toByteArray());
        blocks.put(block);
        return block.cid();
    }
}
