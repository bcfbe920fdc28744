package dev.pail.segment;

import java.util.Set;
import java.util.TreeSet;

/**
 * Which segments count (spec rule SEG16).
 *
 * @param last the greatest number that a segment had; later ones count though they are not listed
 * @param listed the segments up to that one that count
 */
record Manifest(int last, Set<Integer> listed) {
    /** A larger file is not read. */
    static final int MOST = 16 + 2 * (Catalog.MOST_SECTIONS + 1);

    private static final int MAGIC = 0x314e414d;

    boolean counts(int section) {
        return section > last || listed.contains(section);
    }

    byte[] toBytes() {
        Output out = new Output(64).integer(4, MAGIC).integer(4, last);
        listed.forEach(section -> out.integer(2, section));
        return out.toCheckedBytes();
    }

    /** @throws DamageException if these are not bytes that say so */
    static Manifest read(byte[] bytes) throws DamageException {
        Input in = Input.ofChecked(bytes, MAGIC);
        int last = in.integer();
        Manifest manifest = new Manifest(last, new TreeSet<>());
        while (in.remaining() > 0) {
            manifest.listed.add((int) in.integer(2));
        }
        return manifest;
    }
}
