package dev.pail.segment.format;

import java.util.Set;
import java.util.TreeSet;

/**
 * Which segments count. Rule SEG16.
 *
 * @param last the greatest segment number so far; segments with greater numbers count without being listed
 * @param listed the numbers up to that one whose segments count
 */
public record Manifest(int last, Set<Integer> listed) {
    /** A larger file is not read. */
    public static final int MOST = 1 << 22;

    private static final int MAGIC = 0x314e414d;

    /** The magic of a manifest with segment numbers of four bytes. */
    private static final int WIDE_MAGIC = 0x324e414d;

    public boolean counts(int segmentNumber) {
        return segmentNumber > last || listed.contains(segmentNumber);
    }

    public byte[] toBytes() {
        boolean isWide = last > 0xffff || listed.stream().anyMatch(segmentNumber -> segmentNumber > 0xffff);
        Output out = new Output(64).integer(4, isWide ? WIDE_MAGIC : MAGIC).integer(4, last);
        listed.forEach(segmentNumber -> out.integer(isWide ? 4 : 2, segmentNumber));
        return out.toCheckedBytes();
    }

    /**
     * Reads a manifest.
     *
     * @throws DamageException if it is none, or its checksum does not match
     */
    public static Manifest read(byte[] bytes) throws DamageException {
        boolean isWide = bytes.length >= 4 && new Input(bytes, 0, 4).integer() == WIDE_MAGIC;
        Input in = Input.ofChecked(bytes, isWide ? WIDE_MAGIC : MAGIC);
        int last = in.integer();
        Manifest manifest = new Manifest(last, new TreeSet<>());
        while (in.remaining() > 0) {
            manifest.listed.add((int) in.integer(isWide ? 4 : 2));
        }
        return manifest;
    }
}
