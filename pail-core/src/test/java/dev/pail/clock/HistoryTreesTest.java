package dev.pail.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.BlockStore;
import dev.pail.MapBlocks;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.Vectors;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The trees of described events. */
class HistoryTreesTest {
    private static final Cid ROOT = Block.of(Cid.DAG_CBOR, new byte[] {0}).cid();
    private static final Description NOTE = Description.of("Ann", "", Instant.EPOCH);

    private final MapBlocks blocks = new MapBlocks();
    private int number;

    /** Keeps bytes as a file does. */
    private static final class Kept implements HistoryTrees.Storage {
        private Optional<byte[]> bytes = Optional.empty();
        private int writes;

        @Override
        public Optional<byte[]> read() {
            return bytes;
        }

        @Override
        public void write(byte[] next) {
            bytes = Optional.of(next);
            writes++;
        }
    }

    private Cid follow(HistoryTrees trees, Description description, Cid... parents) {
        Event event =
                trees.event(blocks, new Operation.Delete("k" + number++), ROOT, Head.of(List.of(parents)), description);
        blocks.put(event.block());
        return event.cid();
    }

    private Cid plain(Cid... parents) {
        Event event = Event.of(new Operation.Delete("k" + number++), ROOT, List.of(parents));
        blocks.put(event.block());
        return event.cid();
    }

    private Event event(Cid cid) {
        return Event.fromBlock(blocks.require(cid));
    }

    private Optional<Description.Tree> tree(Cid event) {
        return event(event).description().flatMap(Description::tree);
    }

    /** The tree that an event should have. */
    private Description.Tree expected(Cid event) {
        List<Cid> before = new ArrayList<>();
        for (List<Cid> at = event(event).parents();
                !at.isEmpty();
                at = event(at.get(0)).parents()) {
            before.add(at.get(0));
        }
        Collections.reverse(before);
        return Description.Tree.of(HistoryTree.of(before));
    }

    /** A store that reads through a remote has what it looks for only where it is. */
    @Test
    void readsNoEventThatIsElsewhere_DE10() {
        Cid first = plain();
        Cid second = plain(first);
        List<Cid> read = new ArrayList<>();
        BlockStore through = new BlockStore() {
            @Override
            public Optional<Block> get(Cid cid) {
                read.add(cid);
                return blocks.get(cid);
            }

            @Override
            public boolean has(Cid cid) {
                return !cid.equals(first);
            }

            @Override
            public void putAll(Collection<Block> all) {}

            @Override
            public void close() {}
        };
        Event event =
                HistoryTrees.inMemory().event(through, new Operation.Delete("k"), ROOT, Head.of(List.of(second)), NOTE);
        assertThat(event.description().flatMap(Description::tree)).isEmpty();
        assertThat(read).containsExactly(second);
    }

    @Test
    void eachEventHasTheTreeOfThoseBefore_DE10() {
        ReplicatedPail start = ReplicatedPail.create(blocks, ShardFormat.v1())
                .with(HistoryTrees.inMemory())
                .described(NOTE)
                .put("a", Vectors.value(1));
        ReplicatedPail ours = start.put("b", Vectors.value(2)).delete("a");
        ReplicatedPail theirs = start.plain().put("c", Vectors.value(3)).described(NOTE);
        ReplicatedBatch batch = ours.merge(theirs.head()).batch();
        for (int i = 0; i <= 2 * ReplicatedBatch.MAX_CHANGES; i++) {
            batch.put("k" + i, Vectors.value(1));
        }
        ReplicatedPail last = batch.commit().put("d", Vectors.value(4));
        int described = 0;
        for (Cid event : last.clock().history(last.head())) {
            if (event(event).isDescribed()) {
                assertThat(tree(event)).contains(expected(event));
                described++;
            } else {
                assertThat(tree(event)).isEmpty();
            }
        }
        assertThat(described).isEqualTo(7);
    }

    @Test
    void anEventWithoutAnyFieldStaysPlain_DE10() {
        Description nothing = new Description(Optional.empty(), Optional.empty(), Optional.empty());
        assertThat(event(follow(HistoryTrees.inMemory(), nothing)).isDescribed())
                .isFalse();
        assertThat(tree(follow(HistoryTrees.none(), NOTE))).isEmpty();
        assertThat(tree(follow(HistoryTrees.inMemory(), NOTE))).contains(Description.Tree.of(HistoryTree.empty()));
    }

    @Test
    void randomHistoriesHaveTheirTrees_DE10() {
        long seed = Randomness.seed("HistoryTreesTest.random");
        for (int i = 0; i < Randomness.times(100, 5000); i++) {
            Random random = Randomness.random(seed + i);
            String what = "history " + i + " of -Dpail.seed=" + seed;
            Kept kept = new Kept();
            HistoryTrees trees = HistoryTrees.keptIn(kept);
            List<Cid> events = new ArrayList<>(List.of(plain()));
            while (events.size() < 80) {
                // Mostly behind the newest: lines of events.
                int back = random.nextInt(4) == 0 ? random.nextInt(events.size()) : random.nextInt(3);
                Cid one = events.get(Math.max(0, events.size() - 1 - back));
                Cid two = random.nextInt(6) == 0 ? events.get(random.nextInt(events.size())) : one;
                if (random.nextInt(5) == 0) {
                    events.add(plain(one, two));
                    continue;
                }
                if (random.nextInt(10) == 0) {
                    trees.write();
                    trees = HistoryTrees.keptIn(kept);
                }
                Cid event = follow(trees, NOTE, one, two);
                assertThat(tree(event)).as(what).contains(expected(event));
                events.add(event);
            }
        }
    }

    @Test
    void whatWasKeptSavesTheWalk() {
        Kept kept = new Kept();
        HistoryTrees trees = HistoryTrees.keptIn(kept);
        List<Cid> events = new ArrayList<>(List.of(follow(trees, NOTE)));
        while (events.size() < 3000) {
            events.add(follow(trees, NOTE, events.get(events.size() - 1)));
        }
        assertThat(kept.writes).isEqualTo(2);
        trees.write();
        trees.write();
        assertThat(kept.writes).isEqualTo(3);
        assertThat(kept.bytes.orElseThrow().length).isLessThan(8 << 10);
        blocks.reads.set(0);
        Cid last = follow(HistoryTrees.keptIn(kept), NOTE, events.get(2999));
        assertThat(blocks.reads).hasValue(0);
        assertThat(tree(last)).contains(expected(last));
        // An older event is near one whose tree is known.
        for (int distance : new int[] {3, 100, 900}) {
            blocks.reads.set(0);
            Cid branch = follow(HistoryTrees.keptIn(kept), NOTE, events.get(2999 - distance));
            assertThat(blocks.reads.get()).isLessThanOrEqualTo(3L * distance);
            assertThat(tree(branch)).contains(expected(branch));
        }
        // What another version has written is not read, and the walk goes to the beginning.
        kept.bytes = Optional.of(new byte[] {(byte) 0x82, 0x02, (byte) 0x80});
        Cid found = follow(HistoryTrees.keptIn(kept), NOTE, events.get(2999));
        assertThat(tree(found)).contains(expected(found));
        kept.bytes = Optional.of(new byte[] {1});
        assertThat(tree(follow(HistoryTrees.keptIn(kept), NOTE, events.get(2999))))
                .contains(expected(found));
    }

    @Test
    void manyHistoriesTakeLittleMemory() {
        Kept kept = new Kept();
        HistoryTrees trees = HistoryTrees.keptIn(kept);
        List<Cid> first = new ArrayList<>();
        for (int i = 0; i < 3 * HistoryTrees.MOST_LINES; i++) {
            first.add(follow(trees, NOTE));
        }
        assertThat(trees).hasToString("trees, histories: " + HistoryTrees.MOST_LINES);
        Cid next = follow(trees, NOTE, first.get(0));
        assertThat(tree(next)).contains(expected(next));
        // The events of another writer in between are of the same history.
        HistoryTrees others = HistoryTrees.inMemory();
        for (int i = 0; i < 20; i++) {
            next = follow(others, NOTE, plain(next));
        }
        assertThat(others).hasToString("trees, histories: 1");
    }

    @Test
    void aHistoryThatIsNotWholeGivesNoTree_DE10() {
        HistoryTrees trees = HistoryTrees.inMemory();
        Cid second = plain(plain());
        blocks.blocks.remove(event(second).parents().get(0));
        Cid third = plain(second);
        Cid fourth = follow(trees, NOTE, third);
        assertThat(event(fourth).description()).contains(NOTE);
        blocks.reads.set(0);
        Cid fifth = follow(trees, NOTE, fourth);
        assertThat(event(fifth).description()).contains(NOTE);
        assertThat(blocks.reads.get()).isEqualTo(1);
    }

    @Test
    void aLongerWalkIsNotMade_DE10() {
        Cid last = plain();
        for (int i = 1; i < HistoryTrees.MOST_WALKED; i++) {
            last = plain(last);
        }
        Cid within = follow(HistoryTrees.inMemory(), NOTE, last);
        assertThat(tree(within).orElseThrow().size()).isEqualTo(HistoryTrees.MOST_WALKED);
        Kept kept = new Kept();
        HistoryTrees trees = HistoryTrees.keptIn(kept);
        Cid beyond = follow(trees, NOTE, plain(last));
        assertThat(tree(beyond)).isEmpty();
        trees.write();
        // The next process does not try again.
        blocks.reads.set(0);
        assertThat(follow(HistoryTrees.keptIn(kept), NOTE, beyond)).isNotNull();
        assertThat(blocks.reads).hasValue(0);
    }

    @Test
    void thePailOfAStateKeepsItsTrees() {
        HistoryTrees trees = HistoryTrees.inMemory();
        ReplicatedPail state = ReplicatedPail.create(blocks, ShardFormat.v1()).with(trees);
        MapBlocks copy = new MapBlocks();
        copy.blocks.putAll(blocks.blocks);
        ReplicatedPail moved = state.unchanged()
                .with(UnrelatedHistories.MERGE_FROM_EMPTY)
                .in(copy)
                .plain()
                .described(NOTE)
                .put("a", Vectors.value(1));
        Event event = moved.clock().event(moved.head().events().get(0));
        assertThat(event.description().flatMap(Description::tree)).isPresent();
        assertThat(Pail.open(copy, event.root()).get("a")).contains(Vectors.value(1));
    }
}
