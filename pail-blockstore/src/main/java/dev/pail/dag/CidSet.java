package dev.pail.dag;

import dev.pail.ipld.Cid;

/**
 * A set of CIDs that keeps 128 bits of each, which takes some 22 bytes of memory. {@link SecretHash} says why these bits can
 * stand for the CID. For one thread at a time.
 */
public final class CidSet {
    /** Each part grows by itself, so that never more than one is there twice. */
    private static final int PARTS = 256;

    private static final int FIRST_SLOTS = 4;

    private final SecretHash hash = new SecretHash();
    private final Part[] parts = new Part[PARTS];
    private long size;

    /** A set that is empty. */
    public CidSet() {
        for (int i = 0; i < PARTS; i++) {
            parts[i] = new Part();
        }
    }

    /** Adds a CID, and says whether it was not there. */
    public boolean add(Cid cid) {
        hash.hash(cid);
        if (!part().add(hash.high(), hash.low())) {
            return false;
        }
        size++;
        return true;
    }

    /** Whether a CID was added. */
    public boolean contains(Cid cid) {
        if (size == 0) {
            return false;
        }
        hash.hash(cid);
        Part part = part();
        return !part.isFree(part.find(hash.high(), hash.low()));
    }

    /** How many CIDs there are. */
    public long size() {
        return size;
    }

    private Part part() {
        return parts[(int) hash.low() & (PARTS - 1)];
    }

    /** A table with open addressing. Two longs a slot; a slot of zeros is free. */
    private static final class Part {
        private long[] slots = new long[2 * FIRST_SLOTS];
        private int used;

        boolean add(long high, long low) {
            int at = find(high, low);
            if (!isFree(at)) {
                return false;
            }
            slots[at] = high;
            slots[at + 1] = low;
            used++;
            if (used > slots.length / 2 * 7L / 8) {
                grow();
            }
            return true;
        }

        /** Where this hash is, or would be put. */
        int find(long high, long low) {
            int count = slots.length / 2;
            int slot = (int) Long.remainderUnsigned(high, count);
            while (!isFree(2 * slot) && !(slots[2 * slot] == high && slots[2 * slot + 1] == low)) {
                slot = slot + 1 == count ? 0 : slot + 1;
            }
            return 2 * slot;
        }

        boolean isFree(int at) {
            return slots[at] == 0 && slots[at + 1] == 0;
        }

        private void grow() {
            long[] old = slots;
            slots = new long[2 * (old.length / 2 + old.length / 4)];
            for (int at = 0; at < old.length; at += 2) {
                if (old[at] != 0 || old[at + 1] != 0) {
                    int to = find(old[at], old[at + 1]);
                    slots[to] = old[at];
                    slots[to + 1] = old[at + 1];
                }
            }
        }
    }
}
