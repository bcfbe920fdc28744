package dev.pail.segment.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The index of a sealed segment, against a map. */
class SealedIndexTest {
    /** How the last eight bytes of CIDs are spread. */
    private enum Spread {
        RANDOM,
        CLOSE,
        POWERS,
        FEW
    }

    @Test
    void findsWhatWasAdded() {
        Random random = new Random(Randomness.seed("SealedIndexTest"));
        int times = Randomness.times(400, 40_000);
        for (int n = 0; n < times; n++) {
            Spread spread = Spread.values()[n % Spread.values().length];
            Map<Cid, Location> all = new HashMap<>();
            Map<Long, List<Location>> byKey = new HashMap<>();
            int count = random.nextInt(1 << random.nextInt(12));
            for (int i = 0; i < count; i++) {
                Cid cid = cid(random, key(random, spread));
                Location location = new Location(7, 100L + 60L * i, 50);
                if (all.put(cid, location) == null) {
                    byKey.computeIfAbsent(SealedIndex.key(cid), key -> new ArrayList<>())
                            .add(0, location);
                }
            }
            SealedIndex index = SealedIndex.of(all);
            all.forEach((cid, location) -> assertThat(index.find(cid))
                    .isEqualTo(byKey.get(SealedIndex.key(cid)))
                    .contains(location));
            for (int i = 0; i < 50; i++) {
                Cid other = cid(random, key(random, spread));
                assertThat(index.find(other)).isEqualTo(byKey.getOrDefault(SealedIndex.key(other), List.of()));
            }
        }
    }

    private static long key(Random random, Spread spread) {
        return switch (spread) {
            case RANDOM -> random.nextLong();
            case CLOSE -> Long.MAX_VALUE - random.nextInt(3000);
            case POWERS -> (1L << random.nextInt(64)) + random.nextInt(3);
            case FEW -> random.nextInt(5) * 0x4000_0000_0000_0000L;
        };
    }

    private static Cid cid(Random random, long key) {
        byte[] bytes = new byte[36];
        random.nextBytes(bytes);
        bytes[0] = 1;
        bytes[1] = (byte) Cid.RAW;
        bytes[2] = (byte) Cid.SHA2_256;
        bytes[3] = 32;
        for (int i = 0; i < Long.BYTES; i++) {
            bytes[28 + i] = (byte) (key >>> (8 * (7 - i)));
        }
        return Cid.fromBytes(bytes);
    }
}
