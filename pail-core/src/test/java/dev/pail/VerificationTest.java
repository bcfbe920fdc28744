package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.testkit.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The check of several versions at once. */
class VerificationTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    /** Shards for "a" and "b" below the root. Two versions share the first one. */
    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void whatVersionsShareIsCountedOnceAndInItsPlace(String format) {
        MapBlocks blocks = new MapBlocks();
        ShardFormat of = switch (format) {
            case "v0" -> ShardFormat.v0(260, 64);
            case "v1" -> ShardFormat.v1();
            default -> ShardFormat.v2();
        };
        Pail one = Pail.create(blocks, of);
        for (String key : List.of("a1", "a2", "a3", "b1", "b2", "b3")) {
            one = one.put(key, VALUE);
        }
        Pail two = one.put("c", VALUE);
        ShardChanges changes = one.diff(two).shards();
        Verification first = Verification.of(blocks, one.root());
        Verification both = Verification.of(blocks, List.of(one.root(), two.root(), one.root()));

        assertThat(both.problems()).isEmpty();
        assertThat(first.shards()).isGreaterThan(1);
        assertThat(both.shards())
                .isEqualTo(first.shards() + changes.added().size())
                .isLessThan(first.shards() + Verification.of(blocks, two.root()).shards());
    }

    /** A value may be a shard, too, as the root of another version is. */
    @Test
    void aBlockThatIsShardAndValueCountsOnce() {
        MapBlocks blocks = new MapBlocks();
        Pail pail = Pail.create(blocks, ShardFormat.v1()).put("aa", VALUE).put("ab", VALUE);
        Cid child = pail.shard()
                .items()
                .findFirst()
                .orElseThrow()
                .shard()
                .orElseThrow()
                .cid();
        for (String key : List.of("A", "z")) {
            Pail both = pail.put(key, child);
            Verification found = Verification.of(blocks, both.root());
            assertThat(found.values()).isOne();
            assertThat(found.shards()).isEqualTo(2);
            assertThat(found.bytes())
                    .isEqualTo(blocks.require(child).size()
                            + blocks.require(both.root()).size());
        }
    }

    @Test
    void eachBlockIsToldOfAndWhatIsThrownThereIsNoProblem() {
        MapBlocks blocks = new MapBlocks();
        Pail pail = Pail.create(blocks, ShardFormat.v1());
        for (String key : List.of("a1", "a2", "a3", "b1", "b2", "b3")) {
            Block value = Block.of(Cid.RAW, key.getBytes(StandardCharsets.US_ASCII));
            blocks.put(value);
            pail = pail.put(key, value.cid());
        }
        Cid root = pail.root();
        int[] told = new int[1];
        Verification found = Verification.of(blocks, List.of(root, root), () -> told[0]++);
        assertThat(told[0]).isEqualTo((int) (found.shards() + found.values()));

        for (int at = 1; at <= told[0]; at++) {
            MissingBlockException error = new MissingBlockException(VALUE);
            int[] left = {at};
            Runnable failing = () -> {
                if (--left[0] == 0) {
                    throw error;
                }
            };
            assertThatThrownBy(() -> Verification.of(blocks, List.of(root), failing))
                    .isSameAs(error);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aRootThatIsMissingIsToldOfOnceAndTheOthersAreChecked(int times) {
        MapBlocks blocks = new MapBlocks();
        Pail pail = Pail.create(blocks).put("a", VALUE);
        Cid absent = Pail.create(new MapBlocks()).put("b", VALUE).root();
        List<Cid> roots = new ArrayList<>(Collections.nCopies(times, absent));
        roots.add(pail.root());
        Verification found = Verification.of(blocks, roots);

        assertThat(found.problems()).extracting(Verification.Problem::cid).containsExactly(absent);
        assertThat(found.shards()).isOne();
    }

    /** Blocks of a store that has lost some, and does not know which. */
    private static final class LossyBlocks extends MapBlocks {
        @Override
        public boolean has(Cid cid) {
            if (!super.has(cid)) {
                throw new CorruptBlockException(cid, "it may be among those that were lost");
            }
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1"})
    void whereTheStoreCannotKnowWhetherAValueIsThereThatIsToldOfAndTheWalkGoesOn(String format) {
        MapBlocks blocks = new LossyBlocks();
        Block value = Block.of(Cid.RAW, new byte[] {2});
        blocks.put(value);
        Pail pail = Pail.create(blocks, format.equals("v0") ? ShardFormat.v0(260, 64) : ShardFormat.v1());
        for (String key : List.of("a1", "a2", "a3", "b1", "b2")) {
            pail = pail.put(key, VALUE);
        }
        pail = pail.put("b3", value.cid());
        Pail other = Pail.create(blocks).put("a", value.cid());
        Verification found = Verification.of(blocks, List.of(pail.root(), other.root()));

        assertThat(found.problems()).extracting(Verification.Problem::cid).containsExactly(VALUE);
        assertThat(found.problems()).extracting(Verification.Problem::key).containsExactly("a1");
        assertThat(found.entries()).isEqualTo(7);
        assertThat(found.values()).isOne();
        assertThat(found.shards()).isEqualTo(PailStatistics.of(pail).shards() + 1);
    }

    private static Block shard(MapBlocks blocks, int maxSize, byte[]... entries) {
        Block shard = HostileShards.block(
                HostileShards.sized(HostileCbor.integer(maxSize), HostileCbor.integer(64), entries));
        blocks.put(shard);
        return shard;
    }

    private static List<String> problems(MapBlocks blocks, Block... roots) {
        return Verification.of(blocks, Stream.of(roots).map(Block::cid).toList()).problems().stream()
                .map(problem -> "at " + problem.key() + ": " + problem.cid())
                .toList();
    }

    /** A root is not asked for what a shard below one is, nor is one that is below roots of several configurations. */
    @Test
    void whatIsSoundInOnePlaceIsCheckedInTheOthers() {
        MapBlocks blocks = new MapBlocks();
        Block root = shard(blocks, 1000, HostileShards.entry("x"));
        Block otherwiseConfigured = shard(blocks, 2000, HostileShards.entry("a", root));
        Block empty = shard(blocks, 1000);
        Block aboveEmpty = shard(blocks, 1000, HostileShards.entry("b", empty));
        Block withEmptyKey = shard(blocks, 1000, HostileShards.entry(""), HostileShards.entry("x"));
        Block aboveEmptyKey = shard(blocks, 1000, HostileShards.entry("c", withEmptyKey));

        String inA = "at a: " + root.cid();
        String inB = "at b: " + empty.cid();
        String inC = "at c: " + withEmptyKey.cid();
        assertThat(problems(blocks, root, otherwiseConfigured)).containsExactly(inA);
        assertThat(problems(blocks, otherwiseConfigured, root)).containsExactly(inA);
        assertThat(problems(blocks, otherwiseConfigured, otherwiseConfigured)).containsExactly(inA);
        assertThat(problems(blocks, empty, aboveEmpty)).containsExactly(inB);
        assertThat(problems(blocks, aboveEmpty, empty)).containsExactly(inB);
        assertThat(problems(blocks, withEmptyKey, aboveEmptyKey)).containsExactly(inC);
        assertThat(problems(blocks, aboveEmptyKey, withEmptyKey)).containsExactly(inC);
    }

    @Test
    void whatIsMissingBelowAShardThatWasRefusedElsewhereIsToldOf() {
        MapBlocks blocks = new MapBlocks();
        Block missing = shard(new MapBlocks(), 1000, HostileShards.entry("y"));
        Block child = shard(blocks, 1000, HostileShards.entry("x", missing));
        Block refusing = shard(blocks, 2000, HostileShards.entry("a", child));
        Block root = shard(blocks, 1000, HostileShards.entry("a", child));

        String refused = "at a: " + child.cid();
        String isMissing = "at ax: " + missing.cid();
        assertThat(problems(blocks, root)).containsExactly(isMissing);
        assertThat(problems(blocks, refusing, root)).containsExactly(refused, isMissing);
        assertThat(problems(blocks, root, refusing)).containsExactly(isMissing, refused);
    }

    @Test
    void aRootThatIsBelowAnotherIsCountedOnce() {
        MapBlocks blocks = new MapBlocks();
        Block below = shard(blocks, 1000, HostileShards.entry("x"), HostileShards.entry("y"));
        Block root = shard(blocks, 1000, HostileShards.entry("a", below), HostileShards.entry("b"));
        Verification alone = Verification.of(blocks, root.cid());

        assertThat(alone.entries()).isEqualTo(3);
        assertThat(Verification.of(blocks, List.of(below.cid(), root.cid()))).isEqualTo(alone);
        assertThat(Verification.of(blocks, List.of(root.cid(), below.cid()))).isEqualTo(alone);
    }

    /** Below the second root, entries that are known from the first are those of a shard that is counted already. */
    @Test
    void countsAKnownRootOnceBelowAnother() {
        MapBlocks blocks = new MapBlocks();
        byte[][] entries = IntStream.range(0, 40)
                .mapToObj(i -> HostileShards.entry("" + (char) ('0' + i)))
                .toArray(byte[][]::new);
        Block first = shard(blocks, 1000, Arrays.copyOf(entries, 39));
        Block second = shard(blocks, 1000, entries);
        Block aboveFirst = shard(blocks, 1000, HostileShards.entry("a", first));
        Block aboveSecond = shard(blocks, 1000, HostileShards.entry("a", second));
        List<Cid> roots =
                Stream.of(second, aboveFirst, aboveSecond).map(Block::cid).toList();
        assertThat(Verification.of(blocks, roots).entries()).isEqualTo(39 + 40);
    }

    private static ShardFormat format(int number) {
        return switch (number) {
            case 0 -> ShardFormat.v0(1000, 5);
            case 1 -> ShardFormat.v1();
            default -> ShardFormat.v2();
        };
    }

    /** The checks of ranges that make up all keys are the check of all, and damage is found by the range that has it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void rangesThatMakeUpAllKeysCheckAll(int format) {
        Random random = Randomness.random("VerificationTest");
        for (int i = 0; i < 60; i++) {
            MapBlocks blocks = new MapBlocks();
            Pail pail = Pail.create(blocks, format(format));
            Batch batch = pail.batch();
            List<String> keys = new ArrayList<>();
            for (int k = random.nextInt(200); k >= 0; k--) {
                String key = Integer.toString(random.nextInt(5000), 2 + random.nextInt(9));
                keys.add(key);
                batch.putBytes(key, key.getBytes(StandardCharsets.US_ASCII));
            }
            pail = batch.commit();
            List<String> bounds = new ArrayList<>();
            for (int b = random.nextInt(6); b > 0; b--) {
                bounds.add(keys.get(random.nextInt(keys.size())) + (random.nextBoolean() ? "" : "5"));
            }
            Collections.sort(bounds);
            List<KeyRange> ranges = ranges(bounds);
            Verification all = Verification.of(blocks, pail.root());
            long entries = 0;
            for (KeyRange range : ranges) {
                Verification part = Verification.of(blocks, pail.root(), range);
                assertThat(part.isSound()).isTrue();
                assertThat(part.entries()).isEqualTo(pail.count(range));
                assertThat(part.shards()).isBetween(1L, all.shards());
                entries += part.entries();
            }
            assertThat(entries).isEqualTo(all.entries());

            Cid lost = new ArrayList<>(reachable(pail))
                    .get(random.nextInt(reachable(pail).size()));
            blocks.blocks.remove(lost);
            for (KeyRange range : ranges) {
                boolean isRead = isRead(blocks, pail.root(), range);
                Verification part = Verification.of(blocks, pail.root(), range);
                assertThat(part.isSound()).as("%s of %s", range, keys).isEqualTo(isRead);
                part.problems().forEach(problem -> assertThat(problem.cid()).isEqualTo(lost));
            }
        }
    }

    /** Random changes of a pail, one version after the other, in shards of which some have many entries. */
    private static List<Pail> versions(MapBlocks blocks, int format, Random random) {
        Pail pail = Pail.create(blocks, format == 0 ? ShardFormat.v0(4000, 5) : format(format));
        List<Pail> versions = new ArrayList<>();
        for (int version = 0; version < 12; version++) {
            Batch batch = pail.batch();
            for (int change = random.nextInt(version == 0 ? 200 : 8); change >= 0; change--) {
                String key = (random.nextBoolean() ? "" : "dir/sub/") + (char) ('!' + random.nextInt(90));
                if (random.nextInt(4) == 0) {
                    batch.delete(key);
                } else {
                    batch.putBytes(key, new byte[] {(byte) random.nextInt(60)});
                }
            }
            pail = batch.commit();
            versions.add(pail);
        }
        Collections.shuffle(versions, random);
        return versions;
    }

    /** Entries that a version shares with the one before are passed over, and must hide nothing. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void versionsTogetherAreCheckedAsEachAlone(int format) {
        Random random = Randomness.random("VerificationTest");
        for (int i = 0; i < 60; i++) {
            MapBlocks blocks = new MapBlocks();
            List<Pail> versions = versions(blocks, format, random);
            List<Cid> roots = versions.stream().map(Pail::root).toList();
            Set<Cid> expected = new LinkedHashSet<>();
            versions.forEach(version -> version.entries().forEach(entry -> expected.add(entry.value())));
            Set<Cid> seen = new LinkedHashSet<>();
            Verification all = Verification.of(blocks, roots, () -> {}, (value, key) -> {
                assertThat(versions)
                        .anyMatch(version ->
                                version.get(key.get()).filter(value::equals).isPresent());
                seen.add(value);
            });
            assertThat(seen).isEqualTo(expected);
            Map<Cid, Long> entries = new HashMap<>();
            versions.forEach(version -> shards(version)
                    .forEach(shard -> entries.put(
                            shard.cid(),
                            shard.items()
                                    .filter(item -> item.data().isPresent())
                                    .count())));
            assertThat(all.entries())
                    .isEqualTo(
                            entries.values().stream().mapToLong(Long::longValue).sum());
            assertThat(all.shards()).isEqualTo(entries.size());

            List<Cid> stored = new ArrayList<>(blocks.blocks.keySet());
            blocks.blocks.remove(stored.get(random.nextInt(stored.size())));
            Set<Cid> alone = new LinkedHashSet<>();
            LossyBlocks lossy = new LossyBlocks();
            lossy.blocks.putAll(blocks.blocks);
            roots.forEach(root -> Verification.of(lossy, root).problems().forEach(problem -> alone.add(problem.cid())));
            assertThat(Verification.of(lossy, roots).problems())
                    .extracting(Verification.Problem::cid)
                    .containsExactlyInAnyOrderElementsOf(alone);
        }
    }

    private static List<KeyRange> ranges(List<String> bounds) {
        List<KeyRange> ranges = new ArrayList<>();
        KeyRange rest = KeyRange.all();
        for (String bound : bounds) {
            ranges.add(rest.before(bound).descending());
            rest = KeyRange.all().from(bound);
        }
        ranges.add(rest);
        return ranges;
    }

    private static Set<Cid> reachable(Pail pail) {
        return shards(pail).stream().map(ShardView::cid).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static List<ShardView> shards(Pail pail) {
        List<ShardView> found = new ArrayList<>();
        Deque<ShardView> due = new ArrayDeque<>(List.of(pail.shard()));
        for (ShardView shard = due.poll(); shard != null; shard = due.poll()) {
            found.add(shard);
            shard.items().forEach(item -> item.shard().ifPresent(due::add));
        }
        return found;
    }

    /** Whether all entries of a range can be read. */
    private static boolean isRead(BlockStore blocks, Cid root, KeyRange range) {
        try {
            return Pail.open(blocks, root).count(range) >= 0;
        } catch (MissingBlockException e) {
            return false;
        }
    }

    /** Shards link to one shard by keys of different lengths, so a bound leads there by more ways than there are shards. */
    @Test
    void aRangeOfSharedShardsIsCheckedOnce() {
        MapBlocks blocks = new MapBlocks();
        Pail pail = Pail.create(blocks, ShardFormat.v0());
        Cid next = pail.put("a", VALUE).root();
        for (int i = 0; i < 60; i++) {
            Block shard = Block.of(
                    Cid.DAG_CBOR,
                    new DagCborWriter()
                            .map(3)
                            .text("entries")
                            .array(2)
                            .array(2)
                            .text("a")
                            .array(1)
                            .link(next)
                            .array(2)
                            .text("aa")
                            .array(1)
                            .link(next)
                            .text("maxSize")
                            .integer(524288)
                            .text("maxKeyLength")
                            .integer(64)
                            .toByteArray());
            blocks.put(shard);
            next = shard.cid();
        }
        Cid root = next;
        Verification part = Verification.of(blocks, root, KeyRange.all().from("a".repeat(70)));
        assertThat(part.shards()).isEqualTo(61);
        assertThat(part.isSound()).isTrue();
        assertThat(part.entries()).isPositive();
    }
}
