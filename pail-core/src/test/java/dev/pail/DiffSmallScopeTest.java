package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Diffs and merges of all pairs of sets of seven keys, in each format and between formats. */
class DiffSmallScopeTest {
    private static final List<String> KEYS = List.of("a", "b", "aa", "ab", "ba", "bb", "abc");
    private static final int SETS = 1 << KEYS.size();
    private static final int ALL = SETS - 1;
    private static final int STRIDE = Randomness.times(3, 1);

    /** The larger sets do not fit into one shard; all of them fit into several. */
    private static final ShardFormat TINY = ShardFormat.v0(300, 64);

    private static final ShardFormat CHAINS = ShardFormat.v0(300, 1);

    static List<Arguments> formats() {
        List<ShardFormat> formats =
                List.of(TINY, CHAINS, ShardFormat.v0(), ShardFormat.v1(), ShardFormat.v2(), ShardFormat.v2(100));
        List<Arguments> pairs = new ArrayList<>();
        for (int i = 0; i < formats.size(); i++) {
            // In the short form each with itself and one other.
            for (int j = i % STRIDE; j < formats.size(); j += STRIDE) {
                pairs.add(Arguments.of(formats.get(i), formats.get(j)));
            }
        }
        return pairs;
    }

    /** Three versions in different formats, at least one of them in small shards. */
    static List<Arguments> triples() {
        return List.of(
                Arguments.of(TINY, TINY, TINY),
                Arguments.of(ShardFormat.v1(), ShardFormat.v1(), ShardFormat.v1()),
                Arguments.of(TINY, ShardFormat.v1(), CHAINS),
                Arguments.of(ShardFormat.v2(), CHAINS, ShardFormat.v1()));
    }

    /** Pails of all sets, opened anew, with what they hold. */
    private static final class Universe {
        final List<Map<String, Cid>> maps = new ArrayList<>();
        final List<Pail> pails = new ArrayList<>();

        /**
         * @param reversed whether keys are put from the last to the first
         * @param step keys whose number is a multiple of it have a value of their own
         */
        Universe(BlockStore blocks, ShardFormat format, boolean reversed, int step) {
            for (int set = 0; set < SETS; set++) {
                TreeMap<String, Cid> map = new TreeMap<>();
                List<String> keys = subset(set);
                if (reversed) {
                    Collections.reverse(keys);
                }
                Pail pail = Pail.create(blocks, format);
                for (String key : keys) {
                    Cid value = ModelCheck.value(KEYS.indexOf(key) % step == 0 ? step : 1);
                    map.put(key, value);
                    pail = pail.put(key, value);
                }
                maps.add(map);
                pails.add(pail);
            }
        }
    }

    private static List<String> subset(int set) {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < KEYS.size(); i++) {
            if ((set >> i & 1) == 1) {
                keys.add(KEYS.get(i));
            }
        }
        return keys;
    }

    @ParameterizedTest
    @MethodSource("formats")
    void everyDiffIsTheDifferenceOfTheMapsAndOfTheShards_X1_X2_X5(ShardFormat one, ShardFormat two) {
        Universe before = new Universe(new MapBlocks(), one, false, 2);
        Universe after = new Universe(new MapBlocks(), two, true, 3);
        List<Set<Cid>> shardsBefore =
                before.pails.stream().map(PlainDiff::shards).toList();
        List<Set<Cid>> shardsAfter = after.pails.stream().map(PlainDiff::shards).toList();
        boolean inOneShard = one.equals(ShardFormat.v0());
        assertThat(shardsBefore.get(ALL).size() == 1).isEqualTo(inOneShard);
        int pairs = 0;
        for (int i = 0; i < SETS; i++) {
            for (int j = 0; j < SETS; j++) {
                PailDiff diff = before.pails.get(i).diff(after.pails.get(j));
                List<KeyChange> expected = PlainDiff.keys(before.maps.get(i), after.maps.get(j));
                if (!diff.keys().toList().equals(expected)) {
                    assertThat(diff.keys()).as("%s %s", subset(i), subset(j)).isEqualTo(expected);
                }
                assertThat(diff.isEmpty()).isEqualTo(expected.isEmpty());
                ShardChanges shards = diff.shards();
                assertThat(shards.removed()).isEqualTo(PlainDiff.without(shardsBefore.get(i), shardsAfter.get(j)));
                assertThat(shards.added()).isEqualTo(PlainDiff.without(shardsAfter.get(j), shardsBefore.get(i)));
                pairs++;
            }
        }
        assertThat(pairs).isEqualTo(16_384);
    }

    @ParameterizedTest
    @MethodSource("triples")
    void everyMergeFollowsTheRuleForEachKey_MG1_MG4(ShardFormat base, ShardFormat ours, ShardFormat theirs) {
        Universe bases = new Universe(new MapBlocks(), base, false, 1);
        Universe our = new Universe(new MapBlocks(), ours, true, 2);
        Universe their = new Universe(new MapBlocks(), theirs, false, 3);
        for (int i = 0; i < SETS; i++) {
            // In the short form each with a third of the others.
            for (int j = i % STRIDE; j < SETS; j += STRIDE) {
                for (int set : new int[] {0, i & j, 0b1010011, ALL}) {
                    check(
                            bases.pails.get(set),
                            bases.maps.get(set),
                            our.pails.get(i),
                            our.maps.get(i),
                            their.pails.get(j),
                            their.maps.get(j));
                }
            }
        }
    }

    private static void check(
            Pail base,
            Map<String, Cid> baseMap,
            Pail ours,
            Map<String, Cid> ourMap,
            Pail theirs,
            Map<String, Cid> theirMap) {
        List<Conflict> conflicts = PlainDiff.conflicts(baseMap, ourMap, theirMap);
        if (!conflicts.isEmpty()) {
            MergeConflictException refused =
                    catchThrowableOfType(MergeConflictException.class, () -> Pail.merge(base, ours, theirs));
            assertThat(refused.conflicts()).isEqualTo(conflicts);
        }
        Function<Conflict, Optional<Cid>> resolution;
        MergePolicy policy;
        switch (conflicts.isEmpty() ? 3 : (baseMap.size() + ourMap.size()) % 3) {
            case 0 -> {
                resolution = Conflict::ours;
                policy = MergePolicy.ours();
            }
            case 1 -> {
                resolution = Conflict::theirs;
                policy = MergePolicy.theirs();
            }
            case 2 -> {
                resolution = Conflict::base;
                policy = MergePolicy.resolve(resolution);
            }
            default -> {
                resolution = conflict -> Optional.empty();
                policy = MergePolicy.fail();
            }
        }
        Pail merged = Pail.merge(base, ours, theirs, policy);
        Map<String, Cid> expected = PlainDiff.merged(baseMap, ourMap, theirMap, resolution);
        assertThat(PlainDiff.entries(merged)).isEqualTo(expected);
        assertThat(merged.format()).isEqualTo(ours.format());
        assertThat(merged.root())
                .isEqualTo(PlainDiff.merged(base, ours, theirs, PlainDiff.keys(ourMap, expected))
                        .root());
    }
}
