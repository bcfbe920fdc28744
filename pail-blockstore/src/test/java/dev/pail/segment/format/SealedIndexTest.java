package dev.pail.segment.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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
    void findsWhatWasAdded() throws IOException {
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
            List<Cid> asked = new ArrayList<>(all.keySet());
            for (int i = 0; i < 50; i++) {
                asked.add(cid(random, key(random, spread)));
            }
            SealedIndex index = SealedIndex.of(all);
            Counted file = new Counted(index.toBytes(7, 1000, 5));
            IndexPages held = new IndexPages();
            SealedIndex read = SealedIndex.read(file, file.bytes.length, 7, 1000, 5, () -> index, held);
            long opened = file.reads;
            if (random.nextBoolean()) {
                held.clear();
            }
            for (Cid cid : asked) {
                List<Location> expected = byKey.getOrDefault(SealedIndex.key(cid), List.of());
                assertThat(index.find(cid)).isEqualTo(expected);
                assertThat(read.find(cid)).isEqualTo(expected);
            }
            long searched = file.reads - opened;
            List<Long> keys = new ArrayList<>();
            read.forEachKey(keys::add);
            assertThat(keys).hasSize(all.size()).containsAll(byKey.keySet());
            if (spread == Spread.RANDOM) {
                assertThat(searched).as("reads of a file in pages").isLessThanOrEqualTo(1 + count / 128);
            }
        }
    }

    /** An index file, and how often it was read. */
    private static final class Counted implements SealedIndex.Source {
        final byte[] bytes;
        long reads;

        Counted(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read(long from, byte[] target, int at, int length) {
            reads++;
            int found = (int) Math.max(0, Math.min(length, bytes.length - from));
            System.arraycopy(bytes, (int) from, target, at, found);
            return found;
        }

        @Override
        public void close() {
            // There is no file.
        }
    }

    /** The bytes change behind the reader, which then finds what the segment has. */
    @Test
    void aPageThatChangesIsMadeAnew_SEG14() throws IOException {
        Random random = new Random(Randomness.seed("SealedIndexTest, pages"));
        Map<Cid, Location> all = new HashMap<>();
        for (int i = 0; i < 1000; i++) {
            all.put(cid(random, random.nextLong()), new Location(7, 100L + 60L * i, 50));
        }
        SealedIndex index = SealedIndex.of(all);
        byte[] right = index.toBytes(7, 1000, 5);
        for (int n = 0; n < Randomness.times(100, 10_000); n++) {
            Counted file = new Counted(right.clone());
            int[] anew = new int[1];
            IndexPages held = new IndexPages();
            SealedIndex read = SealedIndex.read(
                    file,
                    right.length,
                    7,
                    1000,
                    5,
                    () -> {
                        anew[0]++;
                        return index;
                    },
                    held);
            held.clear();
            file.bytes[24 + random.nextInt(right.length - 28)] ^= (byte) (1 << random.nextInt(8));
            for (Map.Entry<Cid, Location> each : all.entrySet()) {
                assertThat(read.find(each.getKey())).containsExactly(each.getValue());
            }
            assertThat(anew[0]).isEqualTo(1);
        }
    }

    @Test
    void anotherFileIsRefused_SEG14() throws IOException {
        Random random = new Random(Randomness.seed("SealedIndexTest, files"));
        Map<Cid, Location> all = new HashMap<>();
        for (int i = 0; i < 300; i++) {
            all.put(cid(random, random.nextLong()), new Location(7, 100L + 60L * i, 50));
        }
        SealedIndex index = SealedIndex.of(all);
        byte[] right = index.toBytes(7, 1000, 5);
        for (int n = 0; n < Randomness.times(300, 30_000); n++) {
            byte[] wrong = random.nextBoolean() ? right.clone() : Arrays.copyOf(right, random.nextInt(right.length));
            if (wrong.length == right.length) {
                wrong[random.nextInt(wrong.length)] ^= (byte) (1 << random.nextInt(8));
            }
            assertThatExceptionOfType(DamageException.class)
                    .isThrownBy(() -> SealedIndex.read(
                            new Counted(wrong), wrong.length, 7, 1000, 5, () -> index, new IndexPages()));
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
