package dev.pail.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.LimitException;
import dev.pail.MapBlocks;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.Vectors;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Clocks that are long, wide, or have more ways through them than could be walked: as much work as there are events. */
class LargeClocksTest {
    private final MapBlocks blocks = new MapBlocks();
    private final Cid root = Pail.create(blocks, ShardFormat.v1()).root();
    private int events;

    private Cid event(Cid... parents) {
        return event(List.of(parents));
    }

    private Cid event(List<Cid> parents) {
        Event event = Event.of(new Operation.Put("k" + events % 10, Vectors.value(events++)), root, parents);
        blocks.put(event.block());
        return event.cid();
    }

    private Cid chain(Cid from, int length) {
        Cid last = from;
        for (int i = 0; i < length; i++) {
            last = event(last);
        }
        return last;
    }

    /** Opens a head without a cache, and returns the number of blocks that this read. */
    private long reads(Head head) {
        long before = blocks.reads.get();
        assertThat(ReplicatedPail.open(blocks, head).head()).isEqualTo(head);
        return blocks.reads.get() - before;
    }

    @Test
    void manyEventsInTwoChains() {
        // Nightly, more than the least number that is allowed by default.
        int length = Randomness.times(50_000, 140_000);
        Cid start = event();
        Cid one = chain(start, length);
        Cid other = chain(start, length - 1);
        ReplicatedPail replica = ReplicatedPail.open(blocks, Head.of(one)).merge(Head.of(other));
        assertThat(replica.head().size()).isEqualTo(2);
        assertThat(replica.entries().count()).isEqualTo(10);
        assertThat(replica.clock().history(replica.head())).hasSize(2 * length).startsWith(start);
        assertThat(replica.clock().contains(Head.of(one), start)).isTrue();
        // Each event once to find the common ancestor, and once more to replay it.
        assertThat(reads(replica.head())).isLessThan(4 * length + 10);
    }

    @Test
    void conflictsOfTooManyLinesOfEventsAreRefused_M24() {
        int lines = 360;
        Cid start = event();
        List<Cid> ends = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            ends.add(chain(start, lines));
        }
        MerkleClock clock = MerkleClock.open(blocks);
        assertThatThrownBy(() -> clock.newConflicts(Head.of(ends)))
                .isInstanceOf(LimitException.class)
                .hasMessageContaining("M24");
        // Side by side, but not so long.
        assertThat(clock.newConflicts(Head.of(ends.subList(0, 100)))).hasSize(10);
        assertThat(clock.conflicts(Head.of(ends.get(0)), ConflictCache.NONE)).isEmpty();
    }

    @Test
    void aHundredThousandEventsOfTwoWritersWhoMergeEachOther_M15() {
        Cid start = event();
        Cid one = start;
        Cid other = start;
        for (int round = 0; round < 50_000; round++) {
            Cid[] both = one.equals(other) ? new Cid[] {one} : new Cid[] {one, other};
            one = event(both);
            other = event(both);
        }
        Head head = Head.of(one, other);
        MerkleClock clock = MerkleClock.open(blocks);
        assertThat(clock.commonAncestor(head)).contains(start);
        List<Cid> order = clock.span(head, Head.empty()).replay();
        assertThat(order).hasSize(100_000);
        PlainClock plain = new PlainClock();
        blocks.blocks.values().stream()
                .filter(block -> !block.cid().equals(root))
                .map(Event::fromBlock)
                .forEach(plain::add);
        List<Cid> done = new ArrayList<>(List.of(start));
        for (int i = 0; i < order.size(); i += 2) {
            assertThat(plain.events.get(order.get(i)).parents()).isSubsetOf(done);
            done = order.subList(i, i + 2);
            assertThat(done.get(0).toString()).isLessThan(done.get(1).toString());
        }
        assertThat(reads(head)).isLessThan(2 * 100_001 + 10);
    }

    @Test
    void whatIsFarBackIsNotRead() {
        Cid fork = chain(event(), 2_000);
        Head head = Head.of(chain(fork, 3), chain(fork, 5));
        // Ten events, each at most twice, some unneeded events, and the shards of the root.
        assertThat(reads(head)).isLessThan(30);
        MerkleClock clock = MerkleClock.open(blocks);
        long before = blocks.reads.get();
        assertThat(clock.advance(head, event(head.events()))).isNotEqualTo(head);
        assertThat(blocks.reads.get() - before).isLessThan(15);
    }

    @Test
    void aThousandConcurrentEventsAreAHeadAndAThousandAndOneAreNot_M8() {
        Cid start = event();
        List<Cid> wide = IntStream.range(0, 1000).mapToObj(i -> event(start)).toList();
        ReplicatedPail replica = ReplicatedPail.open(blocks, Head.of(wide));
        assertThat(replica.head().size()).isEqualTo(1000);
        assertThat(replica.put("joined", Vectors.value(1)).head().size()).isEqualTo(1);
        assertThatThrownBy(() -> replica.advance(event(start)))
                .hasMessageStartingWith("clock limit reached: ")
                .hasMessageContaining("(M8)");
    }

    @Test
    void theLimitIsOnWhatIsBetweenTheHeadsAndTheirAncestor_M15() {
        Cid fork = chain(event(), 500);
        Head head = Head.of(chain(fork, 40), chain(fork, 40));
        MerkleClock clock = MerkleClock.open(blocks);
        assertThat(clock.withMostEvents(200).commonAncestor(head)).contains(fork);
        assertThatThrownBy(() -> clock.withMostEvents(70).commonAncestor(head))
                .hasMessageStartingWith("clock limit reached: ")
                .hasMessageContaining("more than 70 events");
        assertThat(clock.withMostEvents(80).commonAncestor(head)).contains(fork);
        assertThatThrownBy(() -> clock.withMostEvents(500).history(head))
                .hasMessageStartingWith("clock limit reached: ");
        assertThat(clock.withMostEvents(581).history(head)).hasSize(581);
    }

    /** A caller can fetch a missing event and try again; a limit would not say which block to fetch. */
    @Test
    void anEventThatIsMissingIsToldBeforeTheLimit() {
        Head head = Head.of(chain(event(), 200));
        MerkleClock clock = MerkleClock.open(blocks).withMostEvents(70);
        Cid absent = Event.of(new Operation.Put("absent", Vectors.value(0)), root, head.events())
                .cid();
        for (Cid next : List.of(absent, event(absent))) {
            assertThatThrownBy(() -> clock.advance(head, next))
                    .isInstanceOfSatisfying(
                            MissingBlockException.class,
                            missing -> assertThat(missing.cid()).isEqualTo(absent));
        }
    }

    @Test
    void linksAreLimitedToo_M15() {
        Cid start = event();
        List<Cid> wide = IntStream.range(0, 500).mapToObj(i -> event(start)).toList();
        List<Cid> heads = IntStream.range(0, 100).mapToObj(i -> event(wide)).toList();
        MerkleClock clock = MerkleClock.open(blocks);
        assertThat(clock.commonAncestor(Head.of(heads))).contains(start);
        assertThatThrownBy(() -> clock.withMostEvents(700).commonAncestor(Head.of(heads)))
                .hasMessageStartingWith("clock limit reached: ")
                .hasMessageContaining("(M15)");
    }
}
