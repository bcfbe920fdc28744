package dev.pail.segment.format;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a block as a delta to another, its base: copies from the base, and bytes between them. Rule SEG9.
 *
 * <p>The encoder first compares the front and the back, which both blocks often share. Between them it looks for long runs, of more than
 * one entry of a shard: a short run may be a value that another key has, too, and would lead it to the wrong place in the base. In the gaps
 * between long runs, it copies short runs.
 */
public final class Delta {
    private static final int ANCHOR = 16;
    private static final int MOST_SLOTS = 1 << 18;

    /** In gaps shorter than a changed shard link, nothing is searched for. */
    private static final int LEAST_GAP = 48;

    /** A typical size of an entry of a shard, in bytes. */
    private static final int AN_ENTRY = 128;

    /** A few entries, in bytes: the encoder searches this far from the current place before it searches the whole base. */
    private static final int NEAR = 512;

    /** A run of this length is no value that several keys have: a key of version 0 has at most 64 bytes, a usual CID 36. */
    private static final int LONG_RUN = 128;

    /** A shorter copy takes more bytes than the bytes that it copies. */
    private static final int SHORTEST_COPY = 4;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] base;
    private final byte[] target;
    private final Output out;

    /** Up to where the target is written. */
    private int written;

    /** Where in the base the last copy ended. */
    private int copied;

    /** The anchors of the whole base; null until they are needed. */
    private @Nullable Anchors all;

    private Delta(byte[] base, byte[] target, Output out) {
        this.base = base;
        this.target = target;
        this.out = out;
    }

    /** The delta that makes the target from the base; null if it takes more bytes than the limit. */
    public static byte @Nullable [] of(byte[] base, byte[] target, int limit) {
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
        if (!copyBetween(front, base.length - back, target.length - back, limit)) {
            return false;
        }
        if (back >= SHORTEST_COPY) {
            copy(base.length - back, target.length - back, back);
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

    /** The eight bytes from a place on. */
    static long word(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    /** Bytes of the base that the target has, too. */
    private record Run(int inBase, int at, int length) {}

    /** Encodes what is between the common front and back. Returns false if that takes more bytes than the limit. */
    private boolean copyBetween(int front, int baseEnd, int end, int limit) {
        int inBase = front;
        int at = front;
        while (Math.min(end - at, baseEnd - inBase) >= LEAST_GAP) {
            Run run = longRun(inBase, at, end, limit);
            if (run == null) {
                break;
            }
            if (!copyShort(inBase, at, run.inBase, run.at, limit)) {
                return false;
            }
            copy(run);
            inBase = copied;
            at = written;
        }
        return copyShort(inBase, at, baseEnd, end, limit);
    }

    /** Copies short runs: first those nearby, then, if much is left, those from anywhere in the base. */
    private boolean copyShort(int inBase, int at, int baseEnd, int end, int limit) {
        copyNear(inBase, at, baseEnd, end);
        if (out.size() > limit) {
            return false;
        }
        return end - written <= NEAR || base.length < ANCHOR || copyAnchored(everywhere(), end, end, limit);
    }

    /** The next long run, preferably one nearby. */
    private @Nullable Run longRun(int inBase, int at, int end, int limit) {
        Run run = behindChanged(inBase, at, base.length, end, LONG_RUN);
        if (run == null) {
            run = behindInserted(inBase, at, NEAR, end, LONG_RUN);
        }
        if (run == null) {
            run = behindRemoved(inBase, at, end);
        }
        if (run == null && end - at > NEAR) {
            run = everywhere().next(written, end, end, LONG_RUN, limit);
        }
        return run;
    }

    /** Copies short runs until none is nearby. */
    private void copyNear(int front, int at, int baseEnd, int end) {
        int inBase = front;
        int from = at;
        while (Math.min(end - from, baseEnd - inBase) >= LEAST_GAP) {
            Run run = behindChanged(inBase, from, baseEnd, end, ANCHOR);
            if (run == null) {
                run = behindInserted(inBase, from, AN_ENTRY, end, ANCHOR);
            }
            if (run != null) {
                copy(run);
            } else {
                int before = written;
                Anchors near = new Anchors(inBase, Math.min(baseEnd, inBase + 2 * AN_ENTRY));
                copyAnchored(near, Math.min(end, from + 2 * AN_ENTRY), end, Integer.MAX_VALUE);
                if (written == before) {
                    return;
                }
            }
            inBase = copied;
            from = written;
        }
    }

    /** A run behind bytes that have changed, but not their number. */
    private @Nullable Run behindChanged(int inBase, int at, int baseEnd, int end, int least) {
        int most = Math.min(NEAR, Math.min(end - at, baseEnd - inBase) - ANCHOR);
        for (int far = 0; far <= most; far += Long.BYTES) {
            if (isAnchor(inBase + far, at + far)) {
                Run run = run(inBase + far, at + far, end);
                if (run.length >= least) {
                    return run;
                }
                far = Math.max(far, (run.at + run.length - at) & -Long.BYTES);
            }
        }
        return null;
    }

    /** A run behind bytes that the base does not have. */
    private @Nullable Run behindInserted(int inBase, int at, int near, int end, int least) {
        long wanted = word(base, inBase);
        int last = Math.min(at + near, end - ANCHOR);
        for (int there = at; there <= last; there++) {
            if (word(target, there) == wanted && isAnchor(inBase, there)) {
                Run run = run(inBase, there, end);
                if (run.length >= least) {
                    return run;
                }
            }
        }
        return null;
    }

    /** A long run behind bytes that only the base has. */
    private @Nullable Run behindRemoved(int inBase, int at, int end) {
        long wanted = word(target, at);
        int last = Math.min(inBase + NEAR, base.length - ANCHOR);
        for (int there = inBase; there <= last; there++) {
            if (word(base, there) == wanted && isAnchor(there, at)) {
                Run run = run(there, at, end);
                if (run.length >= LONG_RUN) {
                    return run;
                }
            }
        }
        return null;
    }

    /**
     * Copies the runs with anchors, wherever they stand in the target.
     *
     * @param scanned up to where in the target an anchor may start
     * @param end up to where in the target a run may go
     * @return false, if more bytes than the limit would have to be written
     */
    private boolean copyAnchored(Anchors anchors, int scanned, int end, int limit) {
        while (true) {
            Run run = anchors.next(written, scanned, end, ANCHOR, limit);
            if (run == null) {
                return scanned - ANCHOR - written <= limit;
            }
            copy(run);
            if (out.size() > limit) {
                return false;
            }
        }
    }

    private Anchors everywhere() {
        Anchors made = all;
        if (made == null) {
            made = new Anchors(0, base.length);
            all = made;
        }
        return made;
    }

    /** A hash table of every 16 bytes in a part of the base. Of equal ones, it finds the first. */
    private final class Anchors {
        private final int shift;
        private final int[] places;

        Anchors(int baseStart, int baseEnd) {
            int slots = Math.min(MOST_SLOTS, Integer.highestOneBit((baseEnd - baseStart) / ANCHOR) * 4);
            shift = Integer.numberOfLeadingZeros(slots - 1);
            places = new int[slots];
            for (int at = baseEnd - ANCHOR; at >= baseStart; at -= ANCHOR) {
                places[slot(base, at, shift)] = at + 1;
            }
        }

        /** The next run of at least the given length; null if there is none within the limit. */
        @Nullable
        Run next(int start, int scanned, int end, int least, int limit) {
            int at = start;
            while (at + ANCHOR <= scanned && at - start <= limit) {
                int found = places[slot(target, at, shift)] - 1;
                if (found < 0 || !isAnchor(found, at)) {
                    at++;
                    continue;
                }
                Run run = run(found, at, end);
                if (run.length >= least) {
                    return run;
                }
                at++;
            }
            return null;
        }
    }

    private boolean isAnchor(int inBase, int inTarget) {
        return word(base, inBase) == word(target, inTarget) && word(base, inBase + 8) == word(target, inTarget + 8);
    }

    /** The whole run around a place where both are equal, as far as the target is not written yet. */
    private Run run(int inBase, int at, int end) {
        int before = 0;
        while (at - before > written && inBase > before && base[inBase - before - 1] == target[at - before - 1]) {
            before++;
        }
        int most = Math.min(base.length - inBase, end - at);
        int length = Arrays.mismatch(base, inBase, inBase + most, target, at, at + most);
        return new Run(inBase - before, at - before, before + (length < 0 ? most : length));
    }

    private static int slot(byte[] bytes, int at, int shift) {
        long mixed = word(bytes, at) * 0x9e3779b97f4a7c15L + word(bytes, at + 8);
        return (int) ((mixed * 0xc2b2ae3d27d4eb4fL) >>> 32) >>> shift;
    }

    private void copy(Run run) {
        copy(run.inBase, run.at, run.length);
    }

    /** Writes the bytes up to a place, and a copy of what is there. */
    private void copy(int from, int at, int length) {
        literal(at);
        copy(out, length, from - copied);
        written = at + length;
        copied = from + length;
    }

    /**
     * Writes a copy.
     *
     * @param distance from the end of the last copy
     */
    static void copy(Output out, int length, int distance) {
        out.varint(length).varint(((long) distance << 1) ^ (distance >> 31));
    }

    private void literal(int end) {
        out.varint(end - written);
        out.write(target, written, end - written);
        written = end;
    }

    /** Receives the parts of a target. */
    interface Parts<X extends IOException> {
        void literal(byte[] from, int start, int at, int length) throws X;

        void copy(int from, int at, int length) throws X;
    }

    /**
     * Reads a sequence.
     *
     * @param start where it starts in the delta
     * @param least the lowest place from which it may copy
     * @param end up to which place it may copy
     * @param size of what it makes in bytes
     */
    static <X extends IOException> void read(byte[] delta, int start, int least, int end, int size, Parts<X> parts)
            throws DamageException, X {
        Input in = new Input(delta, start, delta.length);
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
            if (from < least || from > end - length) {
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
     * Applies a delta to its base.
     *
     * @param size of the result in bytes
     * @throws DamageException if the delta is not one for this base, or makes more or fewer
     */
    public static byte[] apply(byte[] base, byte[] delta, int size) throws DamageException {
        byte[] result = new byte[size];
        read(delta, 0, 0, base.length, size, new Parts<DamageException>() {
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
    public static void check(byte[] base, byte[] delta, byte[] target) throws DamageException {
        check(base, 0, delta, 0, target);
    }

    /**
     * Checks that a sequence makes these bytes, without making them.
     *
     * @param origin the place in the base from which the first copy is counted
     * @param start where the sequence starts in the delta
     */
    static void check(byte[] base, int origin, byte[] delta, int start, byte[] target) throws DamageException {
        read(delta, start, -origin, base.length - origin, target.length, new Parts<DamageException>() {
            @Override
            public void literal(byte[] from, int start, int at, int length) throws DamageException {
                checkEqual(from, start, at, length);
            }

            @Override
            public void copy(int from, int at, int length) throws DamageException {
                checkEqual(base, origin + from, at, length);
            }

            private void checkEqual(byte[] from, int start, int at, int length) throws DamageException {
                if (!Arrays.equals(from, start, start + length, target, at, at + length)) {
                    throw new DamageException("a delta that makes other bytes");
                }
            }
        });
    }
}
