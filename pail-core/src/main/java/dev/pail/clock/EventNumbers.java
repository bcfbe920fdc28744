package dev.pail.clock;

import dev.pail.ipld.Cid;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Numbers for events, from 0 in the order in which they are added. Holds the digest of each: the rest of its CID is that of
 * every event (spec rule M1). Takes some 48 bytes for each event. Not for several threads.
 */
final class EventNumbers {
    /** No event. */
    static final int NONE = -1;

    /** The longs of a digest. */
    private static final int LONGS = 4;

    private static final int DIGEST = LONGS * Long.BYTES;

    /** What every CID of an event begins with: version 1, dag-cbor, SHA2-256, 32 bytes. */
    private static final byte[] BEGINNING = {1, (byte) Cid.DAG_CBOR, (byte) Cid.SHA2_256, DIGEST};

    // Events may be made so that their digests are alike. Which of them share a slot depends on these, too.
    private final long oneFactor;
    private final long otherFactor;

    private long[] digests = new long[16 * LONGS];
    private int size;

    /** The number after that of the event in each slot; 0 for a free slot. At most three quarters are taken. */
    private int[] slots = new int[32];

    private final byte[] bytes = new byte[BEGINNING.length + DIGEST];
    private final long[] digest = new long[LONGS];

    EventNumbers() {
        SplittableRandom random = new SplittableRandom();
        oneFactor = random.nextLong() | 1;
        otherFactor = random.nextLong() | 1;
    }

    int size() {
        return size;
    }

    /** The number of an event; {@link #NONE} if it was not added. */
    int of(Cid event) {
        read(event);
        return slots[slot()] - 1;
    }

    /** The number of an event, which is added if it is not there. */
    int add(Cid event) {
        read(event);
        int slot = slot();
        if (slots[slot] != 0) {
            return slots[slot] - 1;
        }
        if ((size + 1) * LONGS > digests.length) {
            digests = Arrays.copyOf(digests, more(digests.length / LONGS) * LONGS);
        }
        System.arraycopy(digest, 0, digests, size * LONGS, LONGS);
        slots[slot] = ++size;
        if (size > slots.length / 4 * 3) {
            grow();
        }
        return size - 1;
    }

    /** How many there is room for next. Growing by half, not to hold much more than there is. */
    static int more(int count) {
        return Math.addExact(count, Math.max(count / 2, 16));
    }

    /** The event of a number. */
    Cid cid(int number) {
        byte[] cid = new byte[BEGINNING.length + DIGEST];
        System.arraycopy(BEGINNING, 0, cid, 0, BEGINNING.length);
        for (int i = 0; i < DIGEST; i++) {
            long part = digests[number * LONGS + i / Long.BYTES];
            cid[BEGINNING.length + i] = (byte) (part >>> (Long.SIZE - Byte.SIZE - Byte.SIZE * (i % Long.BYTES)));
        }
        return Cid.fromBytes(cid);
    }

    /**
     * Compares events by the texts of their CIDs. These have five bits in a character, and the characters for the last six values,
     * which are digits, come before the letters.
     */
    int compareTexts(int one, int other) {
        for (int i = 0; i < LONGS; i++) {
            long a = digests[one * LONGS + i];
            long b = digests[other * LONGS + i];
            if (a != b) {
                int bit = BEGINNING.length * Byte.SIZE + i * Long.SIZE + Long.numberOfLeadingZeros(a ^ b);
                return Integer.compare(character(one, bit / 5), character(other, bit / 5));
            }
        }
        return 0;
    }

    /** A character of a text, from the first after the name of the base, as its place in the order of code units. */
    private int character(int number, int index) {
        int value = 0;
        for (int bit = 5 * index; bit < 5 * index + 5; bit++) {
            value = 2 * value + bit(number, bit - BEGINNING.length * Byte.SIZE);
        }
        return (value + 6) % 32;
    }

    /** A bit of a digest. Those before it are the same for all events, and those behind it are 0. */
    private int bit(int number, int at) {
        return at < 0 || at >= LONGS * Long.SIZE
                ? 0
                : (int) (digests[number * LONGS + at / Long.SIZE] >>> (Long.SIZE - 1 - at % Long.SIZE)) & 1;
    }

    private void read(Cid event) {
        Event.checkName(event);
        event.writeTo(bytes, 0);
        for (int i = 0; i < LONGS; i++) {
            long part = 0;
            for (int at = 0; at < Long.BYTES; at++) {
                part = (part << Byte.SIZE) | (bytes[BEGINNING.length + i * Long.BYTES + at] & 0xff);
            }
            digest[i] = part;
        }
    }

    /** The slot of the event that was read, or the one where it belongs. */
    private int slot() {
        int slot = first(digest[0], digest[1]);
        while (slots[slot] != 0 && !isDigest(slots[slot] - 1)) {
            slot = slot + 1 == slots.length ? 0 : slot + 1;
        }
        return slot;
    }

    private int first(long one, long other) {
        long hash = one * oneFactor + other * otherFactor;
        return (int) Long.remainderUnsigned(hash >>> Integer.SIZE, slots.length);
    }

    private boolean isDigest(int number) {
        return Arrays.equals(digests, number * LONGS, number * LONGS + LONGS, digest, 0, LONGS);
    }

    private void grow() {
        slots = new int[more(slots.length)];
        for (int number = 0; number < size; number++) {
            int slot = first(digests[number * LONGS], digests[number * LONGS + 1]);
            while (slots[slot] != 0) {
                slot = slot + 1 == slots.length ? 0 : slot + 1;
            }
            slots[slot] = number + 1;
        }
    }
}
