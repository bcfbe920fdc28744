package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.clock.Event;
import dev.pail.clock.Operation;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Any CID is a value (K3): with digests of any length, of unknown hash functions, and of the identity. */
class OddValuesTest {
    private static final long[] FUNCTIONS = {0, 0x11, 0x12, 0x13, 0x1e, 0x22, 0xd5, 0xb220, 0xffffff, Long.MAX_VALUE};

    /** Around where heads of CBOR and varints take another byte, and the most that fits. */
    private static final int[] LENGTHS = {
        0, 1, 8, 17, 18, 19, 20, 31, 32, 33, 64, 127, 128, 129, 200, 240, 249, 250, 251, 252, 255, 256, 2_020
    };

    static Stream<ShardFormat> formats() {
        return Stream.of(ShardFormat.v0(), ShardFormat.v0(20_000, 3), ShardFormat.v1(), ShardFormat.v2());
    }

    private static Cid cid(long codec, long function, byte[] digest) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(1);
        for (long number : new long[] {codec, function, digest.length}) {
            long rest = number;
            for (; rest >= 0x80; rest >>>= 7) {
                out.write((int) (rest & 0x7f) | 0x80);
            }
            out.write((int) rest);
        }
        out.writeBytes(digest);
        return Cid.fromBytes(out.toByteArray());
    }

    private static Cid random(Random random) {
        byte[] digest = new byte[LENGTHS[random.nextInt(LENGTHS.length)]];
        random.nextBytes(digest);
        long codec = random.nextBoolean() ? Cid.DAG_CBOR : random.nextInt(1 << 20);
        return cid(codec, FUNCTIONS[random.nextInt(FUNCTIONS.length)], digest);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void theyAreReadAsTheyWerePut_K3(ShardFormat format) {
        Random random = new Random(Randomness.seed("OddValuesTest.theyAreReadAsTheyWerePut_K3"));
        for (int times = Randomness.times(20, 2_000); times > 0; times--) {
            MapBlocks blocks = new MapBlocks();
            TreeMap<String, Cid> model = new TreeMap<>();
            Pail pail = Pail.create(blocks, format);
            for (int i = 0; i < 60; i++) {
                String key = Integer.toString(random.nextInt(150), 3);
                if (random.nextInt(4) == 0) {
                    pail = pail.delete(key);
                    model.remove(key);
                } else {
                    Cid value = random(random);
                    pail = pail.put(key, value);
                    model.put(key, value);
                    assertThat(pail.get(key)).contains(value);
                }
            }
            MapBlocks copy = new MapBlocks();
            copy.putAll(blocks.blocks.values());
            Pail again = Pail.open(copy, pail.root());
            assertThat(again.entries()).containsExactlyElementsOf(entries(model));
            model.forEach((key, value) -> assertThat(again.get(key)).contains(value));
            assertThat(Verification.of(blocks, pail.root()).problems()).isEmpty();
            assertThat(Pail.create(blocks, format).diff(again).keys()).hasSize(model.size());
        }
    }

    private static List<Entry> entries(Map<String, Cid> model) {
        List<Entry> entries = new ArrayList<>();
        model.forEach((key, value) -> entries.add(new Entry(key, value)));
        return entries;
    }

    @Test
    void version1DoesNotDependOnTheOrderOfPuts() {
        Random random = new Random(Randomness.seed("OddValuesTest.version1DoesNotDependOnTheOrderOfPuts"));
        TreeMap<String, Cid> model = new TreeMap<>();
        for (int i = 0; i < 200; i++) {
            model.put(Integer.toString(i, 3), random(random));
        }
        List<Entry> shuffled = entries(model);
        Batch inOrder = Pail.create(new MapBlocks(), ShardFormat.v1()).batch();
        shuffled.forEach(entry -> inOrder.put(entry.key(), entry.value()));
        Collections.shuffle(shuffled, random);
        Pail one = Pail.create(new MapBlocks(), ShardFormat.v1());
        for (Entry entry : shuffled) {
            one = one.put(entry.key(), entry.value());
        }
        assertThat(one.root()).isEqualTo(inOrder.commit().root());
    }

    /** Events keep them, and a history that has one merges with another. */
    @Test
    void eventsKeepThem_K3() {
        Random random = new Random(Randomness.seed("OddValuesTest.eventsKeepThem_K3"));
        MapBlocks blocks = new MapBlocks();
        ReplicatedPail base = ReplicatedPail.create(blocks).put("base", random(random));
        for (int times = 0; times < 100; times++) {
            Cid mine = random(random);
            Cid theirs = random(random);
            ReplicatedPail one = base.put("mine", mine);
            ReplicatedPail two = base.put("theirs", theirs);
            Event event = Event.fromBlock(blocks.get(one.head().events().get(0)).orElseThrow());
            assertThat(event.operation()).isEqualTo(new Operation.Put("mine", mine));
            ReplicatedPail merged = ReplicatedPail.open(blocks, one.head()).merge(two.head());
            assertThat(merged.pail().get("mine")).contains(mine);
            assertThat(merged.pail().get("theirs")).contains(theirs);
        }
    }

    /** A shard and its own value have the same length, and are still distinguished. */
    @ParameterizedTest
    @MethodSource("formats")
    void besideLinksToShards(ShardFormat format) {
        Random random = new Random(Randomness.seed("OddValuesTest.besideLinksToShards"));
        for (int length = 0; length < 60; length++) {
            byte[] digest = new byte[length];
            random.nextBytes(digest);
            Cid odd = cid(Cid.DAG_CBOR, 0x22, digest);
            Pail pail = Pail.create(new MapBlocks(), format);
            for (String key : List.of("abc", "abcd", "abcde", "ab", "b")) {
                pail = pail.put(key, odd);
            }
            for (String key : List.of("abc", "abcd", "abcde", "ab", "b")) {
                assertThat(pail.get(key)).contains(odd);
            }
        }
    }
}
