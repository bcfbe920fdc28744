package dev.pail.edit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.shard.KeyBytes;
import dev.pail.testkit.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Puts in the order of their keys, against a sorted map. */
class SortedPutsTest {
    private static final int LONGEST_FRONT = 40;

    @Test
    void sortedAreAllKeys() {
        Random random = new Random(Randomness.seed("SortedPutsTest"));
        for (int n = 0; n < 300; n++) {
            List<String> keys = keys(random, random.nextInt(3000));
            if (random.nextInt(4) == 0) {
                keys.sort(Comparator.naturalOrder());
            }
            TreeMap<String, Cid> model = new TreeMap<>();
            List<GatheredPuts.Put> puts = new ArrayList<>();
            for (int i = 0; i < keys.size(); i++) {
                model.put(keys.get(i), value(i));
                puts.add(new GatheredPuts.Put(KeyBytes.of(keys.get(i)), value(i)));
            }
            assertThat(SortedPuts.of(puts))
                    .containsExactlyElementsOf(model.entrySet().stream()
                            .map(entry -> new GatheredPuts.Put(KeyBytes.of(entry.getKey()), entry.getValue()))
                            .toList());
        }
    }

    /** Each key is a prefix of the next one, so most of them must be compared byte for byte. */
    @Test
    void sortingKeysThatArePrefixesOfEachOtherGoesNoDeeperWithTheirNumber() throws InterruptedException {
        List<GatheredPuts.Put> puts = new ArrayList<>();
        for (int length = 1; length <= 4000; length++) {
            puts.add(new GatheredPuts.Put(KeyBytes.of("a".repeat(length)), value(length)));
        }
        for (int i = 0; i < 40; i++) {
            puts.add(new GatheredPuts.Put(KeyBytes.of("a".repeat(4000) + i % 20), value(i)));
        }
        List<GatheredPuts.Put> inOrder = new ArrayList<>(puts);
        inOrder.subList(4000, 4020).clear();
        inOrder.sort(Comparator.comparing(GatheredPuts.Put::key));
        List<GatheredPuts.Put> sorted = new ArrayList<>();
        Thread small = new Thread(null, () -> sorted.addAll(List.of(SortedPuts.of(puts))), "small stack", 256 << 10);
        small.start();
        small.join();
        assertThat(sorted.equals(inOrder)).isTrue();
    }

    /** Keys that share long and short fronts; some are there twice, and some are fronts of others. */
    private static List<String> keys(Random random, int count) {
        String front = text(random, LONGEST_FRONT, random.nextInt(LONGEST_FRONT + 1));
        int letters = 2 + random.nextInt(40);
        int longest = 1 + random.nextInt(20);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (i > 0 && random.nextInt(8) == 0) {
                String other = keys.get(random.nextInt(i));
                keys.add(other.substring(0, random.nextInt(other.length() + 1)));
            } else {
                int kept = random.nextInt(4) == 0 ? random.nextInt(front.length() + 1) : front.length();
                keys.add(front.substring(0, kept) + text(random, letters, random.nextInt(longest)));
            }
        }
        return keys;
    }

    private static String text(Random random, int letters, int length) {
        return IntStream.range(0, length)
                .map(i -> '0' + random.nextInt(letters))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static Cid value(int i) {
        return Block.of(Cid.RAW, Integer.toString(i).getBytes(StandardCharsets.UTF_8))
                .cid();
    }
}
