package dev.pail.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.pail.Entry;
import dev.pail.MapBlocks;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.Vectors;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What other implementations of replicated pails are known to get wrong, as numbered in {@code spec/deviations.md}, done right. */
class KnownClockDefectsTest {
    private final MapBlocks blocks = new MapBlocks();

    private static Cid value(int number) {
        return Vectors.value(number);
    }

    private ReplicatedPail replica() {
        return ReplicatedPail.create(blocks, ShardFormat.v1());
    }

    private static List<String> keys(ReplicatedPail replica) {
        return replica.entries().map(Entry::key).toList();
    }

    @Test
    void d16a_aPutThatChangesNothingOnAForkedHeadHasARootWhoseBlocksAreThere() {
        ReplicatedPail base = replica().put("apple", value(1));
        ReplicatedPail left = base.put("apricot", value(2));
        ReplicatedPail right = base.put("avocado", value(3));
        ReplicatedPail forked = left.merge(right.head());
        assertThat(forked.head().size()).isEqualTo(2);
        ReplicatedPail same = forked.put("apricot", value(2));
        assertThat(same).isEqualTo(forked);
        assertThat(Pail.open(blocks, same.root()).entries().map(Entry::key))
                .containsExactly("apple", "apricot", "avocado");
    }

    @Test
    void d16b_theCommonAncestorStaysReadableAndLaterConcurrentEventsMerge() {
        ReplicatedPail ancestor = replica().put("apple", value(1)).put("apricot", value(2));
        ReplicatedPail left =
                ancestor.put("apple", value(3)).put("apricot", value(4)).delete("apple");
        ReplicatedPail right = ancestor.put("banana", value(5));
        ReplicatedPail late = ancestor.put("cherry", value(6));
        ReplicatedPail merged = left.merge(right.head());
        assertThat(Pail.open(blocks, ancestor.root()).entries().count()).isEqualTo(2);
        assertThat(keys(merged.merge(late.head()))).containsExactly("apricot", "banana", "cherry");
    }

    @Test
    void d16c_twoIndependentHistoriesAreAnErrorOrMergedFromEmptyWhereAsked_M18() {
        ReplicatedPail one = replica().put("apple", value(1));
        ReplicatedPail other = replica().put("banana", value(2));
        assertThatThrownBy(() -> one.merge(other.head()))
                .asInstanceOf(type(UnrelatedHistoriesException.class))
                .satisfies(e -> assertThat(e.head().events())
                        .containsExactlyInAnyOrder(
                                one.head().events().get(0),
                                other.head().events().get(0)));
        Head both = one.clock().merge(one.head(), other.head());
        assertThatThrownBy(() -> ReplicatedPail.open(blocks, both)).isInstanceOf(UnrelatedHistoriesException.class);

        ReplicatedPail merged = one.with(UnrelatedHistories.MERGE_FROM_EMPTY).merge(other.head());
        assertThat(keys(merged)).containsExactly("apple", "banana");
        assertThat(merged)
                .isEqualTo(other.with(UnrelatedHistories.MERGE_FROM_EMPTY).merge(one.head()));
        ReplicatedPail joined = merged.put("cherry", value(3));
        assertThat(keys(ReplicatedPail.open(blocks, joined.head()))).containsExactly("apple", "banana", "cherry");
        assertThat(ReplicatedPail.open(blocks, one.head()).merge(joined.head())).isEqualTo(joined);
    }

    @Test
    void d16d_aDeleteIsAnEvent() {
        ReplicatedPail base = replica().put("apple", value(1)).put("banana", value(2));
        ReplicatedPail left = base.delete("apple");
        ReplicatedPail right = base.put("cherry", value(3));
        assertThat(left.head()).isNotEqualTo(base.head());
        assertThat(keys(right.merge(left.head()))).containsExactly("banana", "cherry");
        assertThat(left.delete("apple")).isEqualTo(left);
    }

    @Test
    void d17_twoWritersThatMergeEachOtherCostOneReadAnEvent() {
        ReplicatedPail one = replica().put("k", value(0));
        ReplicatedPail other = one;
        List<ReplicatedPail> states = new ArrayList<>();
        for (int round = 0; round < 16; round++) {
            ReplicatedPail merged = one.merge(other.head());
            one = merged.put("one", value(2 * round + 1));
            other = merged.put("other", value(2 * round + 2));
            states.add(merged);
        }
        Head head = one.clock().merge(one.head(), other.head());
        MerkleClock fresh = MerkleClock.open(blocks);
        assertThat(fresh.history(head)).hasSize(33);

        long before = blocks.reads.get();
        ReplicatedPail merged = ReplicatedPail.open(MerkleClock.open(blocks), head, UnrelatedHistories.REFUSE);
        // Beside the events, the two shards of the root that they are replayed onto, and the new root.
        assertThat(blocks.reads.get() - before).isLessThanOrEqualTo(33 + 3);
        assertThat(merged.get("one")).contains(value(31));
        assertThat(merged.get("other")).contains(value(32));
        assertThat(states).hasSize(16).doesNotHaveDuplicates();
    }

    @Test
    void d29_theCidOfAnEventDoesNotDependOnTheOrderOfItsParents_M5() {
        ReplicatedPail base = replica().put("a", value(0));
        List<Cid> parents = new ArrayList<>();
        for (int i = 1; i < 5; i++) {
            parents.addAll(base.put("a", value(i)).head().events());
        }
        Operation operation = new Operation.Delete("a");
        Event event = Event.of(operation, base.root(), parents);
        for (int i = 0; i < parents.size(); i++) {
            parents.add(parents.remove(0));
            assertThat(Event.of(operation, base.root(), parents)).isEqualTo(event);
        }
        assertThat(event.parents()).isSorted();
    }
}
