package dev.pail.car;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.dag.SecretHash;
import dev.pail.ipld.Cid;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;

/**
 * Where the sections of a file are, by their CID: a long for each, which is the offset and a part of the hash of the CID.
 * What is found must be compared with the file. Finding is for several threads at once, as soon as nothing is added any
 * more.
 */
final class SectionIndex {
    private static final int OFFSET_BITS = 40;

    /** The largest file, in bytes: 1 TiB. */
    static final long MAX_FILE = 1L << OFFSET_BITS;

    private static final int FIRST_SLOTS = 16;

    @GuardedBy("this")
    private final SecretHash hash = new SecretHash();

    /** A slot of 0 is free, because nothing begins where the header does. The hash is above the offset. */
    private long[] slots = new long[FIRST_SLOTS];

    private int used;

    /** The number of sections. */
    int size() {
        return used;
    }

    /**
     * Finds the section of a CID.
     *
     * @param ofCid gives what is at an offset, if that is the section of this CID
     */
    <T> Optional<T> find(Cid cid, LongFunction<Optional<T>> ofCid) {
        long hashed = hash(cid);
        for (int at = first(hashed); slots[at] != 0; at = behind(at)) {
            if (hashOf(slots[at]) == hashed) {
                Optional<T> found = ofCid.apply(offset(slots[at]));
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /** Adds a section, unless {@code isThere} is true of an offset: then one with its CID is there already. */
    void add(Cid cid, long offset, LongPredicate isThere) {
        long hashed = hash(cid);
        int at = first(hashed);
        for (; slots[at] != 0; at = behind(at)) {
            if (hashOf(slots[at]) == hashed && isThere.test(offset(slots[at]))) {
                return;
            }
        }
        slots[at] = hashed | offset;
        used++;
        if (used > slots.length / 4 * 3) {
            grow();
        }
    }

    private int behind(int at) {
        return at + 1 == slots.length ? 0 : at + 1;
    }

    private static long hashOf(long slot) {
        return slot & -MAX_FILE;
    }

    /** The slot that is looked at first: of the hash only what is kept is used, so that growing needs nothing else. */
    private int first(long hashed) {
        return (int) (((hashed >>> OFFSET_BITS) * slots.length) >>> (Long.SIZE - OFFSET_BITS));
    }

    private static long offset(long slot) {
        return slot & (MAX_FILE - 1);
    }

    private synchronized long hash(Cid cid) {
        hash.hash(cid);
        return hashOf(hash.high());
    }

    private void grow() {
        long[] old = slots;
        slots = new long[2 * old.length];
        for (long slot : old) {
            if (slot != 0) {
                int at = first(hashOf(slot));
                while (slots[at] != 0) {
                    at = behind(at);
                }
                slots[at] = slot;
            }
        }
    }
}
