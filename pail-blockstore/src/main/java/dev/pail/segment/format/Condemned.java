package dev.pail.segment.format;

import java.time.Instant;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which records a garbage collector has condemned: they were not needed when it looked. Rule SEG18.
 *
 * @param since when it condemned them; {@link Instant#MIN} stands for now
 * @param records for each segment number, the indexes of records in that segment
 */
public record Condemned(Instant since, Map<Integer, BitSet> records) {
    /** A larger file is not read. */
    public static final int MOST = 64 << 20;

    private static final int MAGIC = 0x314e4f43;

    /** The magic of a file with segment numbers of four bytes. */
    private static final int WIDE_MAGIC = 0x324e4f43;

    /** None. */
    public static Condemned none() {
        return new Condemned(Instant.MIN, new TreeMap<>());
    }

    public boolean contains(int segmentNumber, int record) {
        BitSet in = records.get(segmentNumber);
        return in != null && in.get(record);
    }

    public void add(int segmentNumber, int record) {
        records.computeIfAbsent(segmentNumber, any -> new BitSet()).set(record);
    }

    public byte[] toBytes() {
        boolean isWide = records.keySet().stream().anyMatch(segmentNumber -> segmentNumber > 0xffff);
        Output out = new Output(64).integer(4, isWide ? WIDE_MAGIC : MAGIC);
        records.forEach((segmentNumber, in) -> {
            byte[] bits = in.toByteArray();
            out.integer(isWide ? 4 : 2, segmentNumber).integer(4, bits.length).write(bits);
        });
        return out.toCheckedBytes();
    }

    /**
     * Reads the bytes of a file CONDEMNED.
     *
     * @throws DamageException if they are no such file, or its checksum does not match
     */
    public static Condemned read(byte[] bytes, Instant since) throws DamageException {
        boolean isWide = bytes.length >= 4 && new Input(bytes, 0, 4).integer() == WIDE_MAGIC;
        Input in = Input.ofChecked(bytes, isWide ? WIDE_MAGIC : MAGIC);
        Condemned condemned = new Condemned(since, new TreeMap<>());
        while (in.remaining() > 0) {
            int segmentNumber = (int) in.integer(isWide ? 4 : 2);
            int length = in.integer();
            if (length < 0) {
                throw new DamageException("an impossible length");
            }
            int from = in.skip(length);
            condemned.records.put(segmentNumber, BitSet.valueOf(Arrays.copyOfRange(bytes, from, from + length)));
        }
        return condemned;
    }
}
