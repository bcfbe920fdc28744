package dev.pail.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What makes some bytes of others, their base: runs copied from the base, and bytes between them (spec rules SEG9 and SEG10).
 *
 * <p>What both have at the front and at the back is found by comparing. Between the two, where they cease to be equal, it is looked
 * nearby where they are equal again: behind something that has changed, but not in size; behind something that came; or, every 16 bytes
 * of the base being an anchor, wherever one stands. If that is not found, anchors of the whole base are looked for.
 */
final class Delta {
    private static final int ANCHOR = 16;
    private static final int MOST_SLOTS = 1 << 18;

    /** In gaps shorter than a changed shard link, nothing is searched for. */
    private static final int LEAST_GAP = 48;

    /** As much as an entry takes, as a rule. */
    private static final int AN_ENTRY = 128;

    /** Several entries: so far is looked for where both are equal again, and if more is left, in the whole base. */
    private static final int NEAR = 512;

    /** A copy that is shorter takes more to write than its bytes. */
    private static final int SHORTEST_COPY = 4;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] base;
    private final byte[] target;
    private final Output out;

    /** Up to where the target is written. */
    private int written;

    /** Where in the base the last copy ended. */
    private int copied;

    private Delta(byte[] base, byte[] target, Output out) {
        this.base = base;
        this.target = target;
        this.out = out;
    }

    /** What makes the target of the base; or null, if that takes more than so many bytes. */
    static byte @Nullable [] of(byte[] base, byte[] target, int limit) {
        Delta delta = new Delta(base, target, new Output(Math.min(limit, 256)));
        return delta.encode(limit) ? delta.out.toBytes() : null;
    }

    private boolean encode(int limit) {
        int most = Math.min(base.length, target.length);
        int front = Arrays.mismatch(base, 0, most, target, 0, most);
        front = front < 0 ? most : front;
        int back = commonBack(most - front);
        if (front >= SHORTEST_COPY) {
            copy(0, 0, front);
        }
        int end = target.length - back;
        copyNear(front, base.length - back, end);
        if (end - written > NEAR && base.length >= ANCHOR && !findCopies(0, base.length, end, end, limit)) {
            return false;
        }
        if (back >= SHORTEST_COPY) {
            copy(base.length - back, end, back);
        }
        if (written < target.length) {
            literal(target.length);
            out.varint(0);
        }
        return out.size() <= limit;
    }

    private int commonBack(int most) {
        int common = 0;
        for (int step = 4096; step >= 128; step /= 32) {
            while (common + step <= most
                    && Arrays.equals(
                            base,
                            base.length - common - step,
                            base.length - common,
                            target,
                            target.length - common - step,
                            target.length - common)) {
                common += step;
            }
        }
        while (common + Long.BYTES <= most) {
            int before = common + Long.BYTES;
            long differing = word(base, base.length - before) ^ word(target, target.length - before);
            if (differing != 0) {
                return common + Long.numberOfLeadingZeros(differing) / Byte.SIZE;
            }
            common = before;
        }
        while (common < most && base[base.length - 1 - common] == target[target.length - 1 - common]) {
            common++;
        }
        return common;
    }

    private static long word(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    /** Goes on in both at once, for as long as they are equal again nearby. */
    private void copyNear(int front, int baseEnd, int end) {
        int inBase = front;
        int at = front;
        while (Math.min(end - at, baseEnd - inBase) >= LEAST_GAP) {
            if (!copyBehindChanged(inBase, at, baseEnd, end) && !copyBehindInserted(inBase, at, end)) {
                int before = written;
                int near = Math.min(baseEnd, inBase + 2 * AN_ENTRY);
                findCopies(inBase, near, Math.min(end, at + 2 * AN_ENTRY), end, Integer.MAX_VALUE);
                if (written == before) {
                    return;
                }
            }
            inBase = copied;
            at = written;
        }
    }

    /** Looks where both are equal again behind something that has changed, but not in size. */
    private boolean copyBehindChanged(int inBase, int at, int baseEnd, int end) {
        int most = Math.min(NEAR, Math.min(end - at, baseEnd - inBase) - ANCHOR);
        for (int far = 0; far <= most; far += Long.BYTES) {
            if (isAnchor(inBase + far, at + far)) {
                int step = far;
                while (step > 0 && base[inBase + step - 1] == target[at + step - 1]) {
                    step--;
                }
                copy(inBase + step, at + step, lengthOfCopy(inBase + step, at + step, end));
                return true;
            }
        }
        return false;
    }

    /** Looks where in the target both are equal again behind something that the base has not. */
    private boolean copyBehindInserted(int inBase, int at, int end) {
        long wanted = word(base, inBase);
        int last = Math.min(at + AN_ENTRY, end - ANCHOR);
        for (int there = at; there <= last; there++) {
            if (word(target, there) == wanted && isAnchor(inBase, there)) {
                copy(inBase, there, lengthOfCopy(inBase, there, end));
                return true;
            }
        }
        return false;
    }

    /**
     * Copies what is found of a part of the base, wherever it stands in the target.
     *
     * @param scanned up to where in the target a copy may start
     * @param end up to where in the target it may go
     * @return false, if more bytes than the limit would have to be written
     */
    private boolean findCopies(int baseStart, int baseEnd, int scanned, int end, int limit) {
        int slots = Math.min(MOST_SLOTS, Integer.highestOneBit((baseEnd - baseStart) / ANCHOR) * 4);
        int shift = Integer.numberOfLeadingZeros(slots - 1);
        int[] anchors = new int[slots];
        for (int at = baseEnd - ANCHOR; at >= baseStart; at -= ANCHOR) {
            anchors[slot(base, at, shift)] = at + 1;
        }
        int at = written;
        while (at + ANCHOR <= scanned) {
            int found = anchors[slot(target, at, shift)] - 1;
            if (found < 0 || !isAnchor(found, at)) {
                at++;
                if (at - written > limit) {
                    return false;
                }
                continue;
            }
            int length = lengthOfCopy(found, at, end);
            int before = 0;
            while (at - before > written && found > before && base[found - before - 1] == target[at - before - 1]) {
                before++;
            }
            copy(found - before, at - before, before + length);
            at = written;
            if (out.size() > limit) {
                return false;
            }
        }
        return true;
    }

    private boolean isAnchor(int inBase, int inTarget) {
        return word(base, inBase) == word(target, inTarget) && word(base, inBase + 8) == word(target, inTarget + 8);
    }

    private int lengthOfCopy(int inBase, int inTarget, int end) {
        int most = Math.min(base.length - inBase, end - inTarget);
        int length = Arrays.mismatch(base, inBase, inBase + most, target, inTarget, inTarget + most);
        return length < 0 ? most : length;
    }

    private static int slot(byte[] bytes, int at, int shift) {
        long mixed = word(bytes, at) * 0x9e3779b97f4a7c15L + word(bytes, at + 8);
        return (int) ((mixed * 0xc2b2ae3d27d4eb4fL) >>> 32) >>> shift;
    }

    /** Writes the bytes up to a place, and a copy of what is there. */
    private void copy(int from, int at, int length) {
        literal(at);
        out.varint(length);
        int distance = from - copied;
        out.varint(((long) distance << 1) ^ (distance >> 31));
        written = at + length;
        copied = from + length;
    }

    private void literal(int end) {
        out.varint(end - written);
        out.write(target, written, end - written);
        written = end;
    }

    /** What is done with the parts of a target. */
    private interface Parts {
        void literal(byte[] from, int start, int at, int length) throws DamageException;

        void copy(int from, int at, int length) throws DamageException;
    }

    private static void read(byte[] base, byte[] delta, int size, Parts parts) throws DamageException {
        Input in = new Input(delta, 0, delta.length);
        int at = 0;
        int copied = 0;
        while (in.remaining() > 0) {
            int literal = in.varint(size - at);
            parts.literal(delta, in.skip(literal), at, literal);
            at += literal;
            int length = in.varint(size - at);
            if (length == 0) {
                continue;
            }
            int coded = in.varint(Integer.MAX_VALUE);
            long from = (long) copied + ((coded >>> 1) ^ -(coded & 1));
            if (from < 0 || from > base.length - length) {
                throw new DamageException("a copy from outside of the base");
            }
            parts.copy((int) from, at, length);
            at += length;
            copied = (int) from + length;
        }
        if (at != size) {
            throw new DamageException("a delta that makes " + at + " bytes of " + size);
        }
    }

    /**
     * Makes the bytes that a delta stands for.
     *
     * @param size how many there must be
     * @throws DamageException if the delta is not one for this base, or makes more or fewer
     */
    static byte[] apply(byte[] base, byte[] delta, int size) throws DamageException {
        byte[] result = new byte[size];
        read(base, delta, size, new Parts() {
            @Override
            public void literal(byte[] from, int start, int at, int length) {
                System.arraycopy(from, start, result, at, length);
            }

            @Override
            public void copy(int from, int at, int length) {
                System.arraycopy(base, from, result, at, length);
            }
        });
        return result;
    }

    /** Checks that a delta makes these bytes, without making them. */
    static void check(byte[] base, byte[] delta, byte[] target) throws DamageException {
        read(base, delta, target.length, new Parts() {
            @Override
            public void literal(byte[] from, int start, int at, int length) throws DamageException {
                checkEqual(from, start, at, length);
            }

            @Override
            public void copy(int from, int at, int length) throws DamageException {
                checkEqual(base, from, at, length);
            }

            private void checkEqual(byte[] from, int start, int at, int length) throws DamageException {
                if (!Arrays.equals(from, start, start + length, target, at, at + length)) {
                    throw new DamageException("a delta that makes other bytes");
                }
            }
        });
    }
}
