package dev.pail.segment.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** When parts of a file are read as a whole. */
class WindowsTest {
    private static final int PART = 64 << 10;
    private static final int RECORD = 300;
    private static final int READS = 20_000;

    private final Windows windows = new Windows();

    /** A file whose bytes are their offsets, and what was read of it. */
    private static final class Counted implements Windows.Source {
        final int parts;
        long reads;
        long bytes;

        Counted(int parts) {
            this.parts = parts;
        }

        @Override
        public int segmentNumber() {
            return 3;
        }

        @Override
        public long size() {
            return (long) parts * PART;
        }

        @Override
        public int read(long from, byte[] target, int length) {
            reads++;
            bytes += length;
            for (int i = 0; i < length; i++) {
                target[i] = (byte) (((from + i) * 31) >>> 4);
            }
            return length;
        }
    }

    /** Reads a record as a reader does: by itself, if it is in no part in memory. */
    private void read(Counted file, long offset) throws IOException {
        byte[] expected = new byte[RECORD];
        Windows.Span span = windows.find(file, offset, RECORD);
        if (span == null) {
            file.read(offset, expected, RECORD);
        } else {
            new Counted(file.parts).read(offset, expected, RECORD);
            assertThat(Arrays.copyOfRange(span.bytes(), span.at(), span.at() + RECORD))
                    .isEqualTo(expected);
        }
    }

    @Test
    void readsAllOverAFileReadLittleMoreThanTheirRecords() throws IOException {
        Random random = new Random(Randomness.seed("WindowsTest"));
        for (int parts : new int[] {100, 500, 10_000}) {
            Counted file = new Counted(parts);
            for (int i = 0; i < READS; i++) {
                read(file, random.nextInt(parts) * (long) PART + random.nextInt(PART - RECORD));
            }
            assertThat(file.bytes).as("%d parts", parts).isLessThan(READS * RECORD * 5L / 4);
        }
    }

    @Test
    void neighboursAreReadTogether() throws IOException {
        Counted file = new Counted(100);
        long records = file.size() / RECORD;
        for (int i = 0; i < records; i++) {
            read(file, (long) i * RECORD);
        }
        assertThat(file.reads).isLessThan(records / 16);
    }

    @Test
    void aPartInUseStaysWhileOthersAreReadOnce() throws IOException {
        Counted file = new Counted(1000);
        for (int i = 0; i < 20; i++) {
            read(file, i * (long) RECORD);
        }
        for (int part = 1; part < file.parts; part++) {
            long before = file.reads;
            read(file, RECORD * 20L + part);
            assertThat(file.reads).isEqualTo(before);
            read(file, part * (long) PART);
        }
    }
}
