package dev.pail.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.MapBlocks;
import dev.pail.Vectors;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every clock of a few events, and in it every set of events, compared with the plain twin. */
class SmallClocksTest {
    private static final Cid ROOT = ReplicatedPail.create(new MapBlocks()).root();

    @Test
    void everyClockOfFiveEvents_M8_M11_M12_M13_M14_M20() {
        assertThat(compareAll(5)).isEqualTo(1024);
    }

    @Test
    void everyClockOfSixEventsNightly() {
        assertThat(compareAll(Randomness.times(4, 6))).isIn(64, 32768);
    }

    @Test
    void randomClocksOfTenEvents() {
        long seed = Randomness.seed("SmallClocksTest");
        for (int i = 0; i < Randomness.times(200, 20_000); i++) {
            Random random = Randomness.random(seed + i);
            int sparse = 2 + random.nextInt(3);
            String which = "clock " + i + " of -Dpail.seed=" + seed;
            make(10, bit -> random.nextInt(sparse) == 0).compareSets(which, () -> 1 + random.nextInt(1023), 20);
        }
    }

    /** Each event may follow any of those before it, so a clock is a number with a bit for each pair. */
    private static int compareAll(int count) {
        int clocks = 1 << (count * (count - 1) / 2);
        for (int i = 0; i < clocks; i++) {
            int clock = i;
            AtomicInteger set = new AtomicInteger();
            make(count, bit -> (clock >> bit & 1) == 1)
                    .compareSets("clock " + clock + " of " + count, set::incrementAndGet, (1 << count) - 1);
        }
        return clocks;
    }

    private record Made(MerkleClock clock, PlainClock plain, List<Cid> cids) {
        void compareSets(String which, IntSupplier sets, int times) {
            for (int i = 0; i < times; i++) {
                compare(clock, plain, cids, which, sets.getAsInt());
            }
        }
    }

    private static Made make(int count, IntPredicate follows) {
        MapBlocks blocks = new MapBlocks();
        PlainClock plain = new PlainClock();
        List<Cid> cids = new ArrayList<>();
        int bit = 0;
        for (int i = 0; i < count; i++) {
            List<Cid> parents = new ArrayList<>();
            for (int k = 0; k < i; k++, bit++) {
                if (follows.test(bit)) {
                    parents.add(cids.get(k));
                }
            }
            Event event = Event.of(new Operation.Put("key" + i, Vectors.value(i)), ROOT, parents);
            blocks.put(event.block());
            plain.add(event);
            cids.add(event.cid());
        }
        return new Made(MerkleClock.open(blocks), plain, cids);
    }

    private static void compare(MerkleClock clock, PlainClock plain, List<Cid> cids, String which, int set) {
        List<Cid> some = IntStream.range(0, cids.size())
                .filter(i -> (set >> i & 1) == 1)
                .mapToObj(cids::get)
                .toList();
        Head newest = plain.newest(some);
        Span span = clock.span(Head.empty(), Head.of(some));
        assertThat(span.head()).as("%s, set %d", which, set).isEqualTo(newest);
        assertThat(span.ancestor())
                .as("%s, set %d", which, set)
                .isEqualTo(plain.commonAncestor(newest).orElse(null));
        assertThat(span.replay()).as("%s, set %d", which, set).isEqualTo(plain.replay(newest));
        assertThat(clock.history(newest)).containsExactlyInAnyOrderElementsOf(plain.past(newest.events()));
        List<Cid> others = cids.stream().filter(cid -> !some.contains(cid)).toList();
        compareCommon(clock, plain, newest, plain.newest(others));
        for (Cid cid : cids) {
            compareCommon(clock, plain, newest, Head.of(cid));
            assertThat(clock.contains(newest, cid))
                    .as("%s, set %d", which, set)
                    .isEqualTo(plain.past(newest.events()).contains(cid));
        }
    }

    private static void compareCommon(MerkleClock clock, PlainClock plain, Head head, Head other) {
        Set<Cid> both = plain.past(head.events());
        both.retainAll(plain.past(other.events()));
        assertThat(clock.common(head, other)).as("%s and %s", head, other).isEqualTo(plain.newest(both));
        assertThat(clock.common(other, head)).as("%s and %s", other, head).isEqualTo(plain.newest(both));
        compareSince(clock, plain, head, other);
        compareSince(clock, plain, other, head);
    }

    private static void compareSince(MerkleClock clock, PlainClock plain, Head head, Head other) {
        Set<Cid> missing = plain.past(head.events());
        missing.removeAll(plain.past(other.events()));
        List<Cid> since = clock.since(head, other);
        assertThat(since).as("%s since %s", head, other).containsExactlyInAnyOrderElementsOf(missing);
        for (Cid event : since) {
            missing.remove(event);
            assertThat(Collections.disjoint(missing, plain.events.get(event).parents()))
                    .isTrue();
        }
    }
}
