package dev.pail.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.pail.CorruptBlockException;
import dev.pail.Entry;
import dev.pail.KeyNotAllowedException;
import dev.pail.KeyRange;
import dev.pail.LimitException;
import dev.pail.MapBlocks;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.Vectors;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A pail that replicas change on their own: what its handles promise. */
class ReplicatedPailTest {
    private final MapBlocks blocks = new MapBlocks();
    private final ReplicatedPail empty = ReplicatedPail.create(blocks, ShardFormat.v1());

    private static Cid value(int number) {
        return Vectors.value(number);
    }

    private static Event event(ReplicatedPail replica) {
        assertThat(replica.head().size()).isEqualTo(1);
        return replica.clock().event(replica.head().events().get(0));
    }

    private static Cid only(Head head) {
        assertThat(head.size()).isEqualTo(1);
        return head.events().get(0);
    }

    @Test
    void anEmptyPailHasNoEventsAndAnEmptyRoot() {
        assertThat(empty.head()).isEqualTo(Head.empty());
        assertThat(empty.root()).isEqualTo(Pail.create(blocks, ShardFormat.v1()).root());
        assertThat(empty.delete("a")).isEqualTo(empty);
        assertThat(empty.merge(Head.empty())).isEqualTo(empty);
        assertThat(ReplicatedPail.create(blocks).pail().format()).isEqualTo(ShardFormat.v0());
        assertThatIllegalArgumentException().isThrownBy(() -> ReplicatedPail.open(blocks, Head.empty()));
    }

    @Test
    void aChangeIsAnEventThatFollowsTheHeadAndNamesTheRoot_M19() {
        ReplicatedPail one = empty.put("a", value(1));
        ReplicatedPail two = one.delete("a");
        assertThat(event(one).operation()).isEqualTo(new Operation.Put("a", value(1)));
        assertThat(event(one).parents()).isEmpty();
        assertThat(event(two).operation()).isEqualTo(new Operation.Delete("a"));
        assertThat(event(two).parents()).isEqualTo(one.head().events());
        assertThat(event(two).root()).isEqualTo(two.root()).isEqualTo(empty.root());
        assertThat(one.get("a")).contains(value(1));
        assertThat(two.entries(KeyRange.prefix("a"))).isEmpty();
    }

    @Test
    void whatChangesNothingIsNoEventButABatchIs_M19() {
        ReplicatedPail one = empty.put("a", value(1));
        assertThat(one.put("a", value(1))).isEqualTo(one);
        assertThat(one.delete("b")).isEqualTo(one);
        assertThat(one.batch().commit()).isEqualTo(one);
        ReplicatedPail batched = one.batch().put("a", value(1)).commit();
        assertThat(batched).isNotEqualTo(one);
        assertThat(batched.root()).isEqualTo(one.root());
    }

    /** What the event says it did is not done again. */
    @Test
    void thePailOfOneEventHasTheRootThatItNames_M16() {
        Pail other = Pail.create(blocks, ShardFormat.v1()).put("b", value(2));
        Event event = Event.of(new Operation.Put("a", value(1)), other.root(), List.of());
        blocks.put(event.block());
        assertThat(ReplicatedPail.open(blocks, Head.of(event.cid())).root()).isEqualTo(other.root());
    }

    @Test
    void anEmptyPailTakesTheFormatOfWhatItMerges() {
        ReplicatedPail other = ReplicatedPail.create(blocks, ShardFormat.v2()).put("a", value(1));
        assertThat(empty.merge(other.head()).pail().format()).isEqualTo(ShardFormat.v2());
    }

    @Test
    void mergingIsTheSameFromEitherSideAndTwice_M9() {
        ReplicatedPail base = empty.put("a", value(1));
        ReplicatedPail left = base.put("a", value(2)).put("b", value(3));
        ReplicatedPail right = base.put("a", value(4)).delete("b");
        ReplicatedPail merged = left.merge(right.head());
        assertThat(merged).isEqualTo(right.merge(left.head())).hasSameHashCodeAs(right.merge(left.head()));
        assertThat(merged.merge(right.head())).isEqualTo(merged);
        assertThat(merged.merge(base.head())).isEqualTo(merged);
        assertThat(base.merge(merged.head())).isEqualTo(merged);
        assertThat(left).isNotEqualTo(right);
    }

    @Test
    void aHeadWithEventsThatOthersFollowIsTheSameAsWithout_M8() {
        ReplicatedPail base = empty.put("a", value(1));
        ReplicatedPail left = base.put("b", value(2));
        ReplicatedPail right = base.put("c", value(3)).put("d", value(4));
        ReplicatedPail merged = left.merge(right.head());
        Head all = Head.of(
                only(base.head()),
                only(left.head()),
                only(right.head()),
                event(right).parents().get(0));
        assertThat(ReplicatedPail.open(blocks, all)).isEqualTo(merged);
        assertThat(ReplicatedPail.open(blocks, Head.of(only(base.head()), only(left.head()))))
                .isEqualTo(left);
    }

    @Test
    void aMissingParentIsReportedWithTheEventThatFollowsIt_M10() {
        ReplicatedPail one = empty.put("a", value(1));
        ReplicatedPail two = one.put("b", value(2));
        ReplicatedPail three = two.put("c", value(3));
        ReplicatedPail other = one.put("d", value(4));
        blocks.blocks.remove(only(two.head()));
        for (ReplicatedPail into : List.of(empty, one, other)) {
            ReplicatedPail fresh = into.head().isEmpty()
                    ? ReplicatedPail.create(blocks, ShardFormat.v1())
                    : ReplicatedPail.open(blocks, into.head());
            assertThatThrownBy(() -> fresh.merge(three.head()))
                    .asInstanceOf(type(MissingBlockException.class))
                    .satisfies(e -> {
                        assertThat(e.cid()).isEqualTo(only(two.head()));
                        assertThat(e.linkedFrom()).contains(only(three.head()));
                        assertThat(e)
                                .hasMessage(
                                        "missing block: " + e.cid() + ", which " + only(three.head()) + " links to");
                    });
        }
        assertThat(ReplicatedPail.open(blocks, three.head()).entries().count()).isEqualTo(3);
    }

    @Test
    void anEventThatIsNotThereIsReported() {
        ReplicatedPail one = empty.put("a", value(1));
        Cid missing = Event.of(
                        new Operation.Delete("a"), empty.root(), one.head().events())
                .cid();
        for (ReplicatedPail into : List.of(empty, one)) {
            assertThatThrownBy(() -> into.advance(missing))
                    .asInstanceOf(type(MissingBlockException.class))
                    .satisfies(e -> assertThat(e.cid()).isEqualTo(missing));
        }
    }

    @Test
    void gapsBeyondTheCommonAncestorDoNotMatter() {
        ReplicatedPail old = empty.put("a", value(1));
        ReplicatedPail base = old.put("b", value(2));
        ReplicatedPail left = base.put("c", value(3));
        ReplicatedPail right = base.put("d", value(4)).put("e", value(5)).put("f", value(6));
        blocks.blocks.remove(only(old.head()));
        ReplicatedPail fresh = ReplicatedPail.open(blocks, left.head());
        assertThat(fresh.merge(right.head()).entries().map(Entry::key)).containsExactly("a", "b", "c", "d", "e", "f");
    }

    @Test
    void blocksThatAreNoEventsAreRefused() {
        ReplicatedPail one = empty.put("a", value(1));
        assertThatThrownBy(() -> one.advance(one.root())).hasMessageStartingWith("malformed event: ");
        Cid event = only(one.head());
        MapBlocks lying = new MapBlocks();
        lying.blocks.put(event, Block.of(Cid.DAG_CBOR, new byte[] {0}));
        assertThatThrownBy(() -> ReplicatedPail.open(lying, one.head()).pail())
                .isInstanceOf(CorruptBlockException.class);
    }

    @Test
    void anOperationThatThePailDoesNotTakeIsNotMerged() {
        ReplicatedPail base = empty.put("a", value(1));
        ReplicatedPail left = base.put("b", value(2));
        Event hostile = Event.of(
                new Operation.Put("\u00e9", value(3)), base.root(), base.head().events());
        blocks.put(hostile.block());
        assertThatThrownBy(() -> left.advance(hostile.cid()))
                .hasCauseInstanceOf(KeyNotAllowedException.class)
                .hasMessageContaining("cannot replay event " + hostile.cid())
                .asInstanceOf(type(ReplayException.class))
                .satisfies(e -> assertThat(e.event()).isEqualTo(hostile.cid()));
        assertThat(left.entries().count()).isEqualTo(2);
    }

    @Test
    void concurrentPutsThatDoNotFitTogetherAreNotMerged() {
        ReplicatedPail base =
                ReplicatedPail.create(blocks, ShardFormat.v0(150, 64)).put("x", value(1));
        ReplicatedPail left = base.put("y", value(2));
        ReplicatedPail right = base.put("z", value(3));
        assertThatThrownBy(() -> left.merge(right.head()))
                .isInstanceOf(ReplayException.class)
                .hasCauseInstanceOf(LimitException.class);
    }

    @Test
    void unrelatedHistoriesOfDifferentFormatsAreNotMerged() {
        ReplicatedPail one = empty.put("a", value(1)).with(UnrelatedHistories.MERGE_FROM_EMPTY);
        ReplicatedPail other = ReplicatedPail.create(blocks, ShardFormat.v0()).put("b", value(2));
        assertThatThrownBy(() -> one.merge(other.head()))
                .isInstanceOf(UnrelatedHistoriesException.class)
                .hasMessageContaining("different formats");
    }

    @Test
    void aBatchIsRefusedAsAWholeAndCommittedOnce() {
        ReplicatedBatch batch = empty.batch().put("a", value(1));
        assertThatThrownBy(() -> batch.put("\u00e9", value(2))).isInstanceOf(KeyNotAllowedException.class);
        ReplicatedPail one = batch.commit();
        assertThat(one.entries().count()).isEqualTo(1);
        assertThatIllegalStateException().isThrownBy(batch::commit);
        assertThatIllegalStateException().isThrownBy(() -> batch.put("b", value(1)));
        assertThatIllegalStateException().isThrownBy(() -> batch.delete("b"));
    }

    @Test
    void aBatchOfMoreThanFiveThousandChangesIsSeveralEvents_M7() {
        ReplicatedBatch batch = empty.put("first", value(0)).batch();
        Pail expected = Pail.create(blocks, ShardFormat.v1()).put("first", value(0));
        dev.pail.Batch plain = expected.batch();
        for (int i = 0; i < 10_001; i++) {
            batch.put("key" + i, value(i));
            plain.put("key" + i, value(i));
        }
        batch.delete("key7");
        plain.delete("key7");
        ReplicatedPail done = batch.commit();
        assertThat(done.root()).isEqualTo(plain.commit().root());
        List<Integer> sizes = done.clock().history(done.head()).stream()
                .map(cid -> done.clock().event(cid).operation().changes().size())
                .toList();
        assertThat(sizes).containsExactly(1, 5000, 5000, 2);
        assertSmallEvents();
    }

    private void assertSmallEvents() {
        for (Block block : Set.copyOf(blocks.blocks.values())) {
            assertThat(block.size()).isLessThanOrEqualTo(1 << 20);
        }
    }

    @Test
    void noEventOfSeveralChangesIsOverOneMebibyte_M7() {
        String long4000 = "x".repeat(4000);
        ReplicatedBatch batch = ReplicatedPail.create(blocks, ShardFormat.v2()).batch();
        IntStream.range(0, 600).forEach(i -> batch.put(i + long4000, value(i)));
        ReplicatedPail done = batch.commit();
        List<Cid> history = done.clock().history(done.head());
        assertThat(history).hasSize(3);
        assertThat(history)
                .extracting(cid -> done.clock().event(cid).operation().changes().size())
                .satisfies(sizes ->
                        assertThat(sizes.stream().mapToInt(size -> size).sum()).isEqualTo(600));
        for (Cid full : history.subList(0, 2)) {
            assertThat(done.clock().event(full).block().size()).isBetween(1_000_000, 1 << 20);
        }
        assertSmallEvents();
    }

    @Test
    void aSingleLargeChangeIsAnEventOfItsOwn() {
        ReplicatedPail v0 = ReplicatedPail.create(blocks);
        String large = "k".repeat(600_000);
        ReplicatedPail done =
                v0.batch().delete("a").delete(large + "1").delete(large + "2").commit();
        assertThat(done.clock().history(done.head()))
                .map(cid -> done.clock().event(cid).operation().changes().size())
                .containsExactly(2, 1);
    }
}
