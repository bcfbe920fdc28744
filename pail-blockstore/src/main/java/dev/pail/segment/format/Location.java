package dev.pail.segment.format;

/**
 * Where a record is: the segment, where the record starts in it, and how many bytes it has (Rule SEG4). In order of the
 * segments, and within a segment, of the offsets.
 *
 * @param segmentNumber the number of the segment, less than 2<sup>24</sup>
 * @param offset less than 2<sup>32</sup>
 * @param size less than 2<sup>24</sup>
 */
public record Location(int segmentNumber, long offset, int size) implements Comparable<Location> {
    /** The encoded size in bytes. */
    public static final int ENCODED = 10;

    /** The bits of a size. The fourth byte has the highest bits of the segment number. */
    private static final int SIZE_BITS = 24;

    public void write(Output out) {
        out.integer(2, segmentNumber).integer(4, offset).integer(4, size | (segmentNumber >>> 16) << SIZE_BITS);
    }

    public static Location read(Input in) throws DamageException {
        int low = (int) in.integer(2);
        long offset = in.integer(4);
        int size = in.integer();
        return new Location(low | (size >>> SIZE_BITS) << 16, offset, size & ((1 << SIZE_BITS) - 1));
    }

    /** Whether the whole record ends before another begins. */
    public boolean isBefore(Location other) {
        return segmentNumber < other.segmentNumber
                || (segmentNumber == other.segmentNumber && offset + size <= other.offset);
    }

    /** Segment number and offset in one number, in the same order. */
    public long place() {
        return ((long) segmentNumber << 32) | offset;
    }

    @Override
    public int compareTo(Location other) {
        return Long.compare(place(), other.place());
    }
}
