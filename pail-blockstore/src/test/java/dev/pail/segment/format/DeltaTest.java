package dev.pail.segment.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.Randomness;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DeltaTest {
    private static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A base that was cut into parts: some are left out, some changed, some moved, and others come in between. */
    private static byte[] changed(Random random, byte[] base) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int at = 0;
        while (at < base.length) {
            int length = Math.min(base.length - at, 1 + random.nextInt(1 + base.length / (1 + random.nextInt(5))));
            switch (random.nextInt(6)) {
                case 0 -> {}
                case 1 -> out.writeBytes(random(random, random.nextInt(100)));
                case 2 -> {
                    int from = random.nextInt(base.length);
                    out.write(base, from, Math.min(length, base.length - from));
                }
                default -> out.write(base, at, length);
            }
            at += length;
        }
        return out.toByteArray();
    }

    @Test
    void whatADeltaMakesIsTheTarget_SEG9() throws DamageException {
        Random random = new Random(Randomness.seed("DeltaTest"));
        int found = 0;
        int times = Randomness.times(20_000, 2_000_000);
        for (int i = 0; i < times; i++) {
            byte[] base = random(random, random.nextInt(random.nextInt(5) == 0 ? 5000 : 200));
            if (random.nextBoolean()) {
                // Many equal bytes, so that anchors are ambiguous.
                for (int b = 0; b < base.length; b++) {
                    base[b] &= 1;
                }
            }
            byte[] target = changed(random, base);
            int limit = random.nextInt(target.length + 20);
            byte[] delta = Delta.of(base, target, limit);
            if (delta != null) {
                found++;
                assertThat(delta.length).isLessThanOrEqualTo(limit);
                assertThat(Delta.apply(base, delta, target.length)).isEqualTo(target);
                Delta.check(base, delta, target);
            }
        }
        assertThat(found).isGreaterThan(times / 10);
    }

    /** Entries of about 50 bytes; one was added, removed or changed. */
    @Test
    void aChangeCostsAboutItsBytes() {
        Random random = new Random(1);
        byte[] base = random(random, 100_000);
        byte[] inserted = concat(Arrays.copyOf(base, 50_000), random(random, 50), base, 50_000);
        assertThat(Delta.of(base, inserted, 1000)).hasSizeLessThan(50 + 20);
        byte[] removed = concat(Arrays.copyOf(base, 50_000), new byte[0], base, 50_100);
        assertThat(Delta.of(base, removed, 1000)).hasSizeLessThan(20);
        byte[] replaced = inserted.clone();
        random.nextBytes(base);
        System.arraycopy(base, 0, replaced, 70_000, 32);
        replaced[3]++;
        assertThat(Delta.of(inserted, replaced, 1000)).hasSizeLessThan(32 + 30);
        assertThat(Delta.of(inserted, inserted, 1000)).hasSizeLessThan(10);
        byte[] moved = concat(Arrays.copyOfRange(inserted, 40_000, 90_000), inserted, inserted, inserted.length);
        assertThat(Delta.of(inserted, moved, 1000)).hasSizeLessThan(40);
        assertThat(Delta.of(base, random(random, 100_000), 1000)).isNull();
    }

    /** Entries of 40 to 100 bytes; some were added, removed or changed, with the same size or another. */
    @Test
    void severalChangesCostAboutTheirBytes() {
        Random random = new Random(Randomness.seed("DeltaTest, several"));
        long written = 0;
        long fresh = 0;
        int rounds = Randomness.times(2_000, 100_000);
        for (int round = 0; round < rounds; round++) {
            ByteArrayOutputStream base = new ByteArrayOutputStream();
            ByteArrayOutputStream target = new ByteArrayOutputStream();
            target.write(1);
            base.write(0);
            int literals = 1;
            int changes = 1;
            for (int entry = 0; entry < 50; entry++) {
                byte[] bytes = random(random, 40 + random.nextInt(61));
                byte[] other = random(random, 40 + random.nextInt(61));
                switch (random.nextInt(40)) {
                    case 0 -> base.writeBytes(bytes);
                    case 1 -> {
                        target.writeBytes(other);
                        target.writeBytes(bytes);
                        base.writeBytes(bytes);
                        literals += other.length;
                        changes++;
                    }
                    case 2 -> {
                        base.writeBytes(bytes);
                        target.writeBytes(other);
                        literals += other.length;
                        changes++;
                    }
                    case 3, 4, 5 -> {
                        base.writeBytes(bytes);
                        random.nextBytes(other);
                        System.arraycopy(other, 0, bytes, bytes.length - 32, 32);
                        target.writeBytes(bytes);
                        literals += 32;
                        changes++;
                    }
                    default -> {
                        base.writeBytes(bytes);
                        target.writeBytes(bytes);
                    }
                }
            }
            byte[] delta = Delta.of(base.toByteArray(), target.toByteArray(), target.size());
            assertThat(delta).isNotNull();
            written += delta.length;
            fresh += literals + 4L * changes;
        }
        assertThat(written).isLessThan(fresh * 11 / 10);
    }

    /** Entries of sorted keys that share a few values: between two shards, some came and some went. */
    @Test
    void equalValuesDoNotHideWhatIsInCommon() throws DamageException {
        Random random = new Random(Randomness.seed("DeltaTest, equal values"));
        for (int round = 0; round < Randomness.times(200, 10_000); round++) {
            byte[][] values = new byte[1 + random.nextInt(10)][];
            Arrays.setAll(values, i -> random(random, 36));
            TreeMap<String, byte[]> entries = new TreeMap<>();
            int most = 20 + random.nextInt(2000);
            while (entries.size() < most) {
                entries.put(key(random), values[random.nextInt(values.length)]);
            }
            byte[] base = shard(entries);
            int changes = 1 + random.nextInt(16);
            int near = random.nextInt(3);
            for (int i = 0; i < changes; i++) {
                String key = near == 0 ? "m" + i : key(random);
                if (near == 1) {
                    String removed = entries.ceilingKey(key);
                    entries.remove(removed == null ? entries.firstKey() : removed);
                } else {
                    entries.put(key, values[random.nextInt(values.length)]);
                }
            }
            byte[] target = shard(entries);
            byte[] delta = Delta.of(base, target, target.length);
            assertThat(delta).isNotNull();
            assertThat(Delta.apply(base, delta, target.length)).isEqualTo(target);
            assertThat(delta.length)
                    .as(most + " entries, " + changes + " changes")
                    .isLessThan(20 + 80 * changes);
        }
    }

    private static String key(Random random) {
        return Long.toString(random.nextLong() >>> 1, 36);
    }

    private static byte[] shard(Map<String, byte[]> entries) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        entries.forEach((key, value) -> {
            out.write(key.length());
            out.writeBytes(key.getBytes(StandardCharsets.US_ASCII));
            out.writeBytes(value);
        });
        return out.toByteArray();
    }

    private static byte[] concat(byte[] front, byte[] middle, byte[] back, int from) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(front);
        out.writeBytes(middle);
        out.write(back, from, back.length - from);
        return out.toByteArray();
    }

    @Test
    void whatIsNoDeltaIsRefused() {
        Random random = new Random(Randomness.seed("DeltaTest, hostile"));
        int refused = 0;
        for (int i = 0; i < Randomness.times(50_000, 1_000_000); i++) {
            byte[] base = random(random, random.nextInt(300));
            byte[] target = changed(random, base);
            byte[] delta = Delta.of(base, target, target.length + 100);
            if (delta == null || delta.length == 0) {
                continue;
            }
            delta[random.nextInt(delta.length)] = (byte) random.nextInt();
            if (random.nextInt(10) == 0) {
                delta = Arrays.copyOf(delta, random.nextInt(delta.length));
            }
            try {
                assertThat(Delta.apply(base, delta, target.length)).hasSize(target.length);
            } catch (DamageException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(1000);
    }
}
