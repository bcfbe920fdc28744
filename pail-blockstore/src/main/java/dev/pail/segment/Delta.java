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
 * nearby where they are equal again, as they are behind an entry that came, went or changed. If that is not found, every 16
 * bytes of the base become an anchor, by which copies are found wherever they stand.
 */
final class Delta {
    private static final int ANCHOR = 16;
    private static final int MOST_SLOTS = 1 << 18;

    /** So far is looked for where both are equal again: a few entries. */
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
        if (end - written > NEAR && base.length >= ANCHOR && !findCopies(end, limit)) {
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
        for (int step = 4096; step > 0; step = step == 1 ? 0 : step / 64) {
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
        return common;
    }

    /** Goes on in both at once, for as long as they are equal again nearby. */
    private void copyNear(int front, int baseEnd, int end) {
        int inBase = front;
        int at = front;
        while (at + ANCHOR <= end && inBase + ANCHOR <= baseEnd) {
            int most = Math.min(NEAR, Math.min(end - at, baseEnd - inBase) - ANCHOR);
            int step = 0;
            int came = 0;
            int went = 0;
            for (; step <= most; step++) {
                if (isAnchor(inBase, at + step)) {
                    came = step;
                    break;
                }
                if (isAnchor(inBase + step, at)) {
                    went = step;
                    break;
                }
                if (isAnchor(inBase + step, at + step)) {
                    came = step;
                    went = step;
                    break;
                }
            }
            if (step > most) {
                return;
            }
            int length = lengthOfCopy(inBase + went, at + came, end);
            copy(inBase + went, at + came, length);
            inBase = copied;
            at = written;
        }
    }

    private boolean findCopies(int end, int limit) {
        int slots = Math.min(MOST_SLOTS, Integer.highestOneBit(base.length / ANCHOR) * 4);
        int shift = Integer.numberOfLeadingZeros(slots - 1);
        int[] anchors = new int[slots];
        for (int at = base.length - ANCHOR; at >= 0; at -= ANCHOR) {
            anchors[slot(base, at, shift)] = at + 1;
        }
        int at = written;
        while (at + ANCHOR <= end) {
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
        return (long) LONG.get(base, inBase) == (long) LONG.get(target, inTarget)
                && (long) LONG.get(base, inBase + 8) == (long) LONG.get(target, inTarget + 8);
    }

    private int lengthOfCopy(int inBase, int inTarget, int end) {
        int most = Math.min(base.length - inBase, end - inTarget);
        int length = Arrays.mismatch(base, inBase, inBase + most, target, inTarget, inTarget + most);
        return length < 0 ? most : length;
    }

    private static int slot(byte[] bytes, int at, int shift) {
        long mixed = (long) LONG.get(bytes, at) * 0x9e3779b97f4a7c15L + (long) LONG.get(bytes, at + 8);
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
