package dev.pail.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What makes some bytes of others, their base: runs copied from the base, and bytes between them (spec rules SEG9 and SEG10).
 *
 * <p>What both have at the front and at the back is found by comparing. Between the two, every 16 bytes of the base are an anchor,
 * by which copies are found wherever they stand: so several entries that came or went cost little more than one.
 */
final class Delta {
    private static final int ANCHOR = 16;
    private static final int MOST_SLOTS = 1 << 18;

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
        if (end - written >= 2 * ANCHOR && base.length - back - front >= ANCHOR && !findCopies(front, end, limit)) {
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

    private boolean findCopies(int from, int end, int limit) {
        int back = target.length - end;
        int slots = Math.min(MOST_SLOTS, Integer.highestOneBit((base.length - back - from) / ANCHOR) * 4);
        int shift = Integer.numberOfLeadingZeros(slots - 1);
        int[] anchors = new int[slots];
        for (int at = base.length - back - ANCHOR; at >= from; at -= ANCHOR) {
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

    /**
     * Makes the bytes that a delta stands for.
     *
     * @param size how many there must be
     * @throws DamageException if the delta is not one for this base, or makes more or fewer
     */
    static byte[] apply(byte[] base, byte[] delta, int size) throws DamageException {
        byte[] result = new byte[size];
        Input in = new Input(delta, 0, delta.length);
        int at = 0;
        int copied = 0;
        while (in.remaining() > 0) {
            int literal = in.varint(Math.min(size - at, in.remaining()));
            in.read(result, at, literal);
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
            System.arraycopy(base, (int) from, result, at, length);
            at += length;
            copied = (int) from + length;
        }
        if (at != size) {
            throw new DamageException("a delta that makes " + at + " bytes of " + size);
        }
        return result;
    }
}
