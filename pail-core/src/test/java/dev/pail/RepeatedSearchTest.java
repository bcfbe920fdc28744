package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Shards that were searched often, and so know more of their entries than their bytes, against a plain map. */
class RepeatedSearchTest {
    private static final int PASSES = 6;
    private static final String LETTERS = "ab0\u00e9\uffff\ud83d\ude00";

    @Test
    void findsWhatTheFirstSearchFinds() {
        Random random = new Random(Randomness.seed("RepeatedSearchTest"));
        for (int n = 0; n < Randomness.times(150, 40_000); n++) {
            ShardFormat format = format(random);
            TreeMap<String, Cid> model = new TreeMap<>();
            Batch batch = Pail.create(new MapBlocks(), format).batch();
            String front = text(random, format, random.nextBoolean() ? 12 : 90);
            String middle = text(random, format, 40);
            int strangers = random.nextInt(8);
            for (int i = random.nextInt(60); i >= 0; i--) {
                String key = random.nextInt(8) < strangers
                        ? text(random, format, 14)
                        : front + text(random, format, 2) + middle + text(random, format, 9);
                batch.put(key, value(i));
                model.put(key, value(i));
            }
            Pail pail = batch.commit();
            Set<String> asked = asked(random, format, model);
            for (int pass = 0; pass < PASSES; pass++) {
                for (String key : asked) {
                    assertThat(pail.get(key)).as("%s %s", format, key).isEqualTo(Optional.ofNullable(model.get(key)));
                }
            }
            Pail fresh = Pail.open(pail.blocks(), pail.root());
            for (KeyRange range : ranges(asked)) {
                assertThat(pail.entries(range))
                        .as("%s %s", format, range)
                        .containsExactlyElementsOf(fresh.entries(range).toList());
            }
            assertThat(pail.entries().map(Entry::key)).containsExactlyElementsOf(model.keySet());
            changesOfWhatWasSearched(pail, asked);
        }
    }

    /** Of a key is known how long it is if it has less than 63 bytes, and what its head has of them. */
    @Test
    void keysThatDifferInOneByteOrEndBefore() {
        for (int front = 0; front < 80; front++) {
            for (String[] differing : new String[][] {{"00000000", "11111111", "1", "0", "0110"}, {"0", "1", "2"}}) {
                for (int back = 0; back < 30; back += 10) {
                    Set<String> keys = new TreeSet<>();
                    for (String own : differing) {
                        keys.add("a".repeat(front) + own + "b".repeat(back));
                    }
                    findsOnlyThese(keys);
                }
            }
        }
    }

    private static void findsOnlyThese(Set<String> keys) {
        Set<String> asked = new TreeSet<>(keys);
        for (String key : keys) {
            for (int i = 0; i < key.length(); i++) {
                asked.add(key.substring(0, i));
                asked.add(key.substring(0, i) + (char) (key.charAt(i) ^ 1) + key.substring(i + 1));
            }
        }
        Batch batch = Pail.create(new MapBlocks(), ShardFormat.v0(1 << 16, 400)).batch();
        keys.forEach(key -> batch.put(key, value(0)));
        Pail pail = batch.commit();
        for (int pass = 0; pass < 2; pass++) {
            assertThat(asked.stream().filter(key -> pail.get(key).isPresent())).containsExactlyElementsOf(keys);
        }
    }

    private static void changesOfWhatWasSearched(Pail pail, Set<String> keys) {
        for (String key : keys) {
            Pail fresh = Pail.open(pail.blocks(), pail.root());
            assertThat(pail.put(key, value(1000)).root())
                    .isEqualTo(fresh.put(key, value(1000)).root());
            assertThat(pail.delete(key).root()).isEqualTo(fresh.delete(key).root());
        }
    }

    private static List<KeyRange> ranges(Set<String> keys) {
        List<KeyRange> ranges =
                new ArrayList<>(List.of(KeyRange.all(), KeyRange.all().descending()));
        String before = "";
        for (String key : keys) {
            ranges.add(KeyRange.prefix(key));
            ranges.add(KeyRange.all().from(before).through(key).descending());
            before = key;
        }
        return ranges;
    }

    private static ShardFormat format(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> ShardFormat.v1();
            case 1 -> ShardFormat.v0(1200, 64);
            case 2 -> ShardFormat.v0(1 << 16, 400);
            default -> ShardFormat.v0(1 << 14, 9);
        };
    }

    /** All keys, what they start with, and what starts with them. */
    private static Set<String> asked(Random random, ShardFormat format, Map<String, Cid> model) {
        Set<String> asked = new TreeSet<>(model.keySet());
        for (String key : model.keySet()) {
            int end = key.offsetByCodePoints(0, random.nextInt(key.codePointCount(0, key.length()) + 1));
            asked.add(key.substring(0, end));
            asked.add(key + text(random, format, 3));
            asked.add(key.substring(0, end) + text(random, format, 9));
        }
        return asked;
    }

    private static String text(Random random, ShardFormat format, int longest) {
        int[] letters = LETTERS.codePoints()
                .filter(c -> c < 0x80 || format.name().equals("v0"))
                .toArray();
        StringBuilder text = new StringBuilder();
        for (int length = random.nextInt(longest + 1); length > 0; length--) {
            text.appendCodePoint(letters[random.nextInt(letters.length)]);
        }
        return text.toString();
    }

    private static Cid value(int i) {
        return Block.of(Cid.RAW, Integer.toString(i).getBytes(StandardCharsets.UTF_8))
                .cid();
    }
}
