package dev.pail.segment.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ipld.Block;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Deltas that are packed with what was written before them, and unpacked again. */
class SlidingWindowTest {
    private static byte[] random(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The bytes in front of a record, as the end of an array. */
    private static final class Front implements PackedDelta.Front {
        private final byte[] all;
        private int farthest;

        Front(byte[] all) {
            this.all = all;
        }

        @Override
        public void read(int distance, byte[] target, int at, int length) {
            farthest = Math.max(farthest, distance);
            System.arraycopy(all, all.length - distance, target, at, length);
        }

        @Override
        public void prepare(int distance) {
            assertThat(distance).isBetween(1, all.length);
        }
    }

    private static byte[] unpacked(byte[] packed, Front front) throws IOException {
        return PackedDelta.unpack(packed, front.all.length, front);
    }

    /** Pieces of what was written, some of it from beyond the window, and bytes between them. */
    private static byte[] delta(Random random, byte[] written) {
        Output out = new Output(100);
        for (int pieces = random.nextInt(8); pieces >= 0; pieces--) {
            out.write(random(random, random.nextInt(30)));
            int length = Math.min(written.length, random.nextInt(300));
            int from = written.length - length;
            from = random.nextBoolean() ? from : random.nextInt(from + 1);
            out.write(written, from, length);
        }
        return out.toBytes();
    }

    @Test
    void whatIsPackedIsUnpacked_SEG20() throws IOException {
        Random random = new Random(Randomness.seed("SlidingWindowTest"));
        int packedOnes = 0;
        int far = 0;
        for (int i = 0; i < Randomness.times(100, 5000); i++) {
            SlidingWindow window = new SlidingWindow(true);
            Output written = new Output(1000);
            for (int record = 0; record < 30; record++) {
                byte[] before = written.toBytes();
                byte[] delta = delta(random, before);
                byte[] packed = window.pack(delta);
                if (packed != null) {
                    Front front = new Front(before);
                    assertThat(packed.length).isLessThanOrEqualTo(delta.length * 3 / 4);
                    assertThat(unpacked(packed, front)).isEqualTo(delta);
                    assertThat(front.farthest).isLessThanOrEqualTo(PackedDelta.REACH);
                    packedOnes++;
                    far = Math.max(far, front.farthest);
                }
                int size = written.size();
                // Some records are larger than the window.
                written.write(random(random, random.nextInt(random.nextInt(8) == 0 ? 150_000 : 2000)));
                window.append(written, size);
            }
        }
        assertThat(packedOnes).isPositive();
        assertThat(far).isGreaterThan(PackedDelta.REACH / 2);
    }

    @Test
    void aLinkToTheBlockBeforeTakesAFewBytes_SEG20() throws IOException {
        Random random = new Random(1);
        byte[] before = random(random, 200);
        byte[] delta = new Output(60)
                .write(new byte[] {1, 2, 3})
                .write(before, 50, 36)
                .write(new byte[] {4, 5, 6})
                .toBytes();
        SlidingWindow window = new SlidingWindow(true);
        window.append(new Output(200).write(before), 0);
        byte[] packed = window.pack(delta);
        assertThat(packed).isNotNull().hasSize(1 + 4 + 1 + 3 + 1 + 2 + 1 + 3 + 1);
        assertThat(unpacked(packed, new Front(before))).isEqualTo(delta);
        assertThat(window.pack(random(random, 1000))).isNull();
        assertThat(new SlidingWindow(true).pack(delta)).isNull();
    }

    @Test
    void withoutPackingNothingIsPacked_REP25() {
        SlidingWindow window = new SlidingWindow(false);
        byte[] bytes = random(new Random(1), 300);
        window.append(new Output(300).write(bytes), 0);
        assertThat(window.pack(bytes)).isNull();
    }

    /** Any change of the packed delta, or of what it copies, is found, or changes nothing. */
    @Test
    void anyChangedByteIsFound_SEG20() throws IOException {
        Random random = new Random(Randomness.seed("SlidingWindowTest, changes"));
        byte[] before = random(random, 2000);
        SlidingWindow window = new SlidingWindow(true);
        window.append(new Output(2000).write(before), 0);
        byte[] delta = new Output(600)
                .write(before, 100, 200)
                .write(random(random, 20))
                .write(before, 1500, 300)
                .toBytes();
        byte[] packed = window.pack(delta);
        assertThat(packed).isNotNull();
        int copied = 0;
        for (int at = 0; at < before.length; at++) {
            before[at] ^= 1;
            if (!isUnpacked(packed, before, delta)) {
                copied++;
            }
            before[at] ^= 1;
        }
        assertThat(copied).isBetween(495, 505);
        for (int at = 0; at < packed.length; at++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                byte[] changed = packed.clone();
                changed[at] ^= (byte) (1 << bit);
                assertThat(isUnpacked(changed, before, delta)).isFalse();
            }
            assertThat(isUnpacked(Arrays.copyOf(packed, at), before, delta)).isFalse();
        }
    }

    private static boolean isUnpacked(byte[] packed, byte[] before, byte[] delta) throws IOException {
        try {
            return Arrays.equals(unpacked(packed, new Front(before)), delta);
        } catch (DamageException e) {
            return false;
        }
    }

    private static byte[] packed(long size, long length, long place) {
        return new Output(30)
                .varint(size)
                .integer(4, 0)
                .varint(0)
                .varint(length)
                .varint(place)
                .toBytes();
    }

    /** A place is twice the distance, less one. */
    @Test
    void copiesFromElsewhereAreRefused_SEG20() {
        byte[] before = new byte[100_000];
        for (byte[] packed : new byte[][] {
            packed(10, 10, 2 * (PackedDelta.REACH + 1) - 1), packed(10, 10, 17), packed(10, 10, 0), packed(10, 10, 2),
        }) {
            assertThatExceptionOfType(DamageException.class)
                    .isThrownBy(() -> unpacked(packed, new Front(before)))
                    .withMessageContaining("a copy from outside");
        }
        assertThatExceptionOfType(DamageException.class)
                .isThrownBy(() -> unpacked(packed(10, 10, 2 * 51 - 1), new Front(new byte[50])))
                .withMessageContaining("a copy from outside");
    }

    @Test
    void sizesThatAreNotMadeAreRefusedBeforeMemoryIsTaken_SEG20() {
        assertThatExceptionOfType(DamageException.class)
                .isThrownBy(() -> unpacked(packed(Block.MAX_SIZE, 10, 2 * 50 - 1), new Front(new byte[50])))
                .withMessageContaining("a delta that makes 10 bytes of " + Block.MAX_SIZE);
        assertThatExceptionOfType(DamageException.class)
                .isThrownBy(() -> unpacked(packed(Block.MAX_SIZE + 1L, 10, 2 * 50 - 1), new Front(new byte[50])))
                .withMessageContaining("where at most " + Block.MAX_SIZE + " is possible");
    }
}
