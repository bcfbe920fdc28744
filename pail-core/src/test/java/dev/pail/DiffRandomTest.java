package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pail.ipld.Cid;
import dev.pail.testkit.RandomOperations;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Random versions of up to 2,000 keys in all formats, their diffs and merges compared with those of maps. */
class DiffRandomTest {
    private static final int MOST_KEYS = 2_000;

    private final LongAdder changes = new LongAdder();
    private final LongAdder conflicts = new LongAdder();
    private final LongAdder overlaps = new LongAdder();
    private final LongAdder crossed = new LongAdder();
    private final LongAdder moved = new LongAdder();
    private final LongAdder ordered = new LongAdder();
    private final LongAdder refusals = new LongAdder();
    private final LongAdder withoutRoom = new LongAdder();

    /** A version, what it holds, and the blocks that it is read from. */
    private record Version(Map<String, Cid> map, Pail pail, MapBlocks blocks) {
        /** The same, with nothing read yet but the root. */
        Version reopened() {
            return new Version(map, Pail.open(blocks, pail.root()), blocks);
        }
    }

    @Test
    void diffsAndMergesAreThoseOfTheMaps() {
        long seed = Randomness.seed("DiffRandomTest.diffsAndMergesAreThoseOfTheMaps");
        IntStream.range(0, Randomness.times(800, 200_000)).parallel().forEach(i -> {
            try {
                run(Randomness.random(seed + i));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("with -Dpail.seed=" + (seed + i), e);
            }
        });
        for (LongAdder each : List.of(changes, conflicts, overlaps, crossed, moved, ordered, refusals, withoutRoom)) {
            assertThat(each.sum()).isPositive();
        }
    }

    private void run(Random random) {
        Source source = new Source(random);
        Map<String, Cid> map =
                source.map(random.nextInt(10) == 0 ? random.nextInt(MOST_KEYS + 1) : random.nextInt(100));
        Version base = source.version(map, Optional.empty());
        Version ours = source.version(source.changed(map), Optional.of(base));
        Map<String, Cid> changed = source.changed(map);
        if (random.nextInt(20) == 0) {
            changed.putAll(source.keysOfDistinctLetters());
        }
        Version theirs = source.version(changed, Optional.of(base));
        compareDiff(base, ours);
        compareDiff(ours, theirs);
        compareMerge(base, ours, theirs, random.nextInt(3));
    }

    private void compareDiff(Version one, Version two) {
        Version before = one.reopened();
        Version after = two.reopened();
        List<KeyChange> expected = PlainDiff.keys(before.map, after.map);
        changes.add(expected.size());
        crossed.add(before.pail.format().equals(after.pail.format()) ? 0 : 1);
        PailDiff diff = before.pail.diff(after.pail);
        long readBefore = reads(before, after);
        List<KeyChange> found = diff.keys().toList();
        long reads = reads(before, after) - readBefore;
        assertThat(found).isEqualTo(expected);
        compareShards(one, two, reads);
    }

    private static long reads(Version before, Version after) {
        long reads = before.blocks.reads.get();
        return before.blocks == after.blocks ? reads : reads + after.blocks.reads.get();
    }

    private void compareShards(Version one, Version two, long readsForKeys) {
        Set<PlainDiff.Place> placesOne = PlainDiff.places(one.pail).keySet();
        Set<PlainDiff.Place> placesTwo = PlainDiff.places(two.pail).keySet();
        Set<PlainDiff.Place> placesRemoved = PlainDiff.without(placesOne, placesTwo);
        Set<PlainDiff.Place> placesAdded = PlainDiff.without(placesTwo, placesOne);
        boolean overlapping = ModelTest.isOverlapping(one.pail) || ModelTest.isOverlapping(two.pail);
        overlaps.add(overlapping ? 1 : 0);
        if (!overlapping) {
            assertThat(readsForKeys).isLessThanOrEqualTo(placesRemoved.size() + placesAdded.size());
        }
        Version before = one.reopened();
        Version after = two.reopened();
        long readBefore = reads(before, after);
        ShardChanges shards = before.pail.diff(after.pail).shards();
        long reads = reads(before, after) - readBefore;
        Set<Cid> removed = PlainDiff.without(PlainDiff.shards(one.pail), PlainDiff.shards(two.pail));
        Set<Cid> added = PlainDiff.without(PlainDiff.shards(two.pail), PlainDiff.shards(one.pail));
        assertThat(shards.removed()).isEqualTo(removed);
        assertThat(shards.added()).isEqualTo(added);
        moved.add(removed.size() < cids(placesRemoved).size() ? 1 : 0);
        if (one.pail.layout().isPrefixed()) {
            assertThat(reads).isLessThanOrEqualTo(removed.size() + added.size());
        }
    }

    private static Set<Cid> cids(Set<PlainDiff.Place> places) {
        Set<Cid> cids = new HashSet<>();
        places.forEach(place -> cids.add(place.shard()));
        return cids;
    }

    private void compareMerge(Version base, Version ours, Version theirs, int kind) {
        List<Conflict> expected = PlainDiff.conflicts(base.map, ours.map, theirs.map);
        conflicts.add(expected.size());
        Function<Conflict, Optional<Cid>> resolution = switch (kind) {
            case 0 -> Conflict::ours;
            case 1 -> Conflict::theirs;
            default -> conflict -> conflict.key().length() % 2 == 0 ? conflict.base() : Optional.empty();
        };
        MergePolicy policy = switch (kind) {
            case 0 -> MergePolicy.ours();
            case 1 -> MergePolicy.theirs();
            default -> MergePolicy.resolve(resolution);
        };
        if (!expected.isEmpty()) {
            MergeConflictException refused = catchThrowableOfType(
                    MergeConflictException.class,
                    () -> Pail.merge(base.pail, ours.pail, theirs.pail, MergePolicy.fail()));
            assertThat(refused.conflicts()).isEqualTo(expected);
        }
        assertThat(base.pail.conflicts(ours.pail, theirs.pail)).isEqualTo(expected);
        Map<String, Cid> entries = PlainDiff.merged(base.map, ours.map, theirs.map, resolution);
        MapBlocks target = ours.blocks;
        Outcome outcome = outcome(
                () -> Pail.merge(base.pail, ours.pail, theirs.pail, expected.isEmpty() ? MergePolicy.fail() : policy));
        List<KeyChange> changesOfOurs = PlainDiff.keys(ours.map, entries);
        assertThat(outcome)
                .isEqualTo(outcome(() -> PlainDiff.merged(base.pail, ours.pail, theirs.pail, changesOfOurs)));
        if (outcome.refusal().isPresent()) {
            boolean allowed = areAllowed(ours.pail.format(), entries);
            // A format that takes all keys has no room for some.
            assertThat(allowed).isEqualTo(ours.pail.format().name().equals("v0"));
            (allowed ? withoutRoom : refusals).increment();
            return;
        }
        ordered.add(ours.pail.format().name().equals("v0") && changesOfOurs.size() > 1 ? 1 : 0);
        Pail reopened = Pail.open(target, outcome.root().orElseThrow());
        assertThat(reopened.format()).isEqualTo(ours.pail.format());
        assertThat(PlainDiff.entries(reopened)).isEqualTo(entries);
        assertThat(Verification.of(target, reopened.root()).problems()).isEmpty();
    }

    /** The root of what was made, or why it was not. */
    private record Outcome(Optional<Cid> root, Optional<String> refusal) {}

    private static Outcome outcome(Supplier<Pail> made) {
        try {
            return new Outcome(Optional.of(made.get().root()), Optional.empty());
        } catch (LimitException | KeyNotAllowedException e) {
            return new Outcome(Optional.empty(), Optional.of(e.toString()));
        }
    }

    private static boolean areAllowed(ShardFormat format, Map<String, Cid> entries) {
        try {
            entries.keySet().forEach(format::checkKey);
            return true;
        } catch (KeyNotAllowedException e) {
            return false;
        }
    }

    /** Makes random versions that have much in common. */
    private static final class Source {
        private final Random random;
        private final RandomOperations operations;
        private final int values;
        private final boolean oneFormat;
        private final ShardFormat first;
        private final MapBlocks shared = new MapBlocks();

        Source(Random random) {
            this.random = random;
            this.first = format();
            this.oneFormat = random.nextInt(3) > 0;
            this.operations = new RandomOperations(random, oneFormat ? first : ShardFormat.v0());
            this.values = 1 + random.nextInt(4);
        }

        private ShardFormat format() {
            return switch (random.nextInt(5)) {
                case 0 -> ShardFormat.v1();
                case 1 -> ShardFormat.v2();
                case 2 -> ShardFormat.v0();
                default -> ShardFormat.v0(400 + random.nextInt(4_000), 1 + random.nextInt(70));
            };
        }

        Map<String, Cid> map(int keys) {
            Map<String, Cid> map = new TreeMap<>();
            for (int i = 0; i < keys; i++) {
                map.put(operations.key(), value());
            }
            return map;
        }

        /** Keys that v1 does not take, and for which a small shard of v0 has no room: no two have a prefix in common. */
        Map<String, Cid> keysOfDistinctLetters() {
            Map<String, Cid> map = new TreeMap<>();
            for (char letter = 'Ā'; letter < 'Ā' + 110; letter++) {
                map.put(String.valueOf(letter), value());
            }
            return map;
        }

        private Cid value() {
            return ModelCheck.value(random.nextInt(values));
        }

        Map<String, Cid> changed(Map<String, Cid> map) {
            Map<String, Cid> changed = new TreeMap<>(map);
            List<String> keys = new ArrayList<>(map.keySet());
            int edits = random.nextInt(4) == 0 ? random.nextInt(keys.size() + 1) : random.nextInt(10);
            for (int i = 0; i < edits; i++) {
                String key = keys.isEmpty() || random.nextInt(3) == 0
                        ? operations.key()
                        : keys.get(random.nextInt(keys.size()));
                if (random.nextBoolean()) {
                    changed.put(key, value());
                } else {
                    changed.remove(key);
                }
            }
            return changed;
        }

        /** A version with these entries: made from another, or from nothing, in the format of the others or not. */
        Version version(Map<String, Cid> map, Optional<Version> from) {
            ShardFormat format = oneFormat ? first : format();
            if (from.isPresent() && format.equals(from.get().pail.format()) && random.nextInt(4) > 0) {
                try {
                    return new Version(map, changed(from.get(), map), from.get().blocks);
                } catch (KeyNotAllowedException | LimitException e) {
                    // Made from nothing in a format that takes all keys, and has more room.
                    return made(map, ShardFormat.v0());
                }
            }
            return made(map, format);
        }

        private static Pail changed(Version from, Map<String, Cid> map) {
            Batch batch = from.pail.batch();
            PlainDiff.keys(from.map, map).forEach(change -> put(batch, change.key(), change.after()));
            return batch.commit();
        }

        private static void put(Batch batch, String key, Optional<Cid> value) {
            value.ifPresentOrElse(cid -> batch.put(key, cid), () -> batch.delete(key));
        }

        private Version made(Map<String, Cid> map, ShardFormat format) {
            MapBlocks blocks = random.nextBoolean() ? shared : new MapBlocks();
            try {
                map.keySet().forEach(format::checkKey);
                Batch batch = Pail.create(blocks, format).batch();
                // In an order that is neither that of the keys nor the same again.
                new HashMap<>(map).forEach(batch::put);
                return new Version(map, batch.commit(), blocks);
            } catch (KeyNotAllowedException | LimitException e) {
                return made(map, ShardFormat.v0());
            }
        }
    }
}
