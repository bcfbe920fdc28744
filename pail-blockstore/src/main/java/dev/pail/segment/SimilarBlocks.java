package dev.pail.segment;

import dev.pail.segment.format.CachedBlock;
import dev.pail.segment.format.RecordRef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that were written last, by marks: so that for a block that comes without its origin one is found that it is much like.
 * Versions of a shard that differ in one place have the front in common, or the back.
 *
 * <p>A mark is the greatest hash that a run of bytes has in a part of the block: one part is near its front, one near its back. So a mark
 * stays the same where what is before it gets longer or shorter. Of the blocks with a mark, the last is found. They need have
 * nothing else in common, and whoever knows how can make such blocks: what is found must be compared. Memory is some 10 MiB at most.
 *
 * <p>For blocks of at least 84 bytes.
 */
final class SimilarBlocks {
    /** The bytes that shards begin with, which say nothing of them but how many entries they have. */
    static final int FRONT = 12;

    /** The bytes that the shards of all pails of equal settings end with. */
    static final int BACK = 40;

    static final int RUN = 32;
    static final int PART = 112;

    /** From this size on, finding a lookalike saves more than marking the other blocks costs. */
    static final int WORTH_MARKING = 1024;

    static final int MOST_UNMARKED = 4096;

    private static final int SLOT_BITS = 16;
    static final int[] HASHES = new SplittableRandom(1).ints(256).toArray();

    /** By slots of marks. There are none as long as no block was written. */
    private @Nullable Noted[] slots = {};

    /**
     * Blocks that came with their origin. As a rule the next ones do so, too, and nobody looks for marks: they are found when there is
     * more to be gained than by finding what a small block is like.
     */
    private final Deque<RecordRef> unmarked = new ArrayDeque<>();

    /** What was looked for last: as a rule it is noted next. */
    private byte @Nullable [] last;

    private Marks marksOfLast = new Marks(0, 0);

    private record Marks(int front, int back) {}

    private record Noted(RecordRef block, Marks marks) {}

    private Marks marks(byte[] bytes) {
        if (bytes != last) {
            int end = bytes.length - BACK;
            int part = Math.max(RUN, Math.min(PART, (end - FRONT) / 2));
            marksOfLast = new Marks(mark(bytes, FRONT, FRONT + part), mark(bytes, end - part, end));
            last = bytes;
        }
        return marksOfLast;
    }

    /** The greatest hash of a run within a part, which has at least one. */
    static int mark(byte[] bytes, int start, int end) {
        int hash = 0;
        int greatest = Integer.MIN_VALUE;
        for (int i = start; i < end; i++) {
            // What a byte adds is shifted out when a run of bytes has followed.
            hash = (hash << 1) + HASHES[bytes[i] & 0xff];
            greatest = i < start + RUN ? hash : Math.max(greatest, hash);
        }
        return greatest;
    }

    static int slot(int mark) {
        return (mark * 0x9e3779b9) >>> (Integer.SIZE - SLOT_BITS);
    }

    /** Notes a block that is cached, in the place of those with the same marks. */
    void add(RecordRef block) {
        CachedBlock cached = block.cached();
        if (cached != null) {
            add(cached.bytes(), block);
        }
    }

    /** The same, but not before it is of use. */
    void addLater(RecordRef block) {
        if (unmarked.size() == MOST_UNMARKED) {
            unmarked.remove();
        }
        unmarked.add(block);
    }

    private void add(byte[] bytes, RecordRef block) {
        if (slots.length == 0) {
            slots = new Noted[1 << SLOT_BITS];
        }
        Marks marks = marks(bytes);
        Noted noted = new Noted(block, marks);
        slots[slot(marks.front)] = noted;
        slots[slot(marks.back)] = noted;
        last = null;
    }

    /** Two blocks, one or none, of half the size to twice the size, that this one may be much like. */
    List<RecordRef> find(byte[] bytes) {
        List<RecordRef> found = new ArrayList<>(2);
        if (bytes.length >= WORTH_MARKING) {
            unmarked.forEach(this::add);
            unmarked.clear();
        }
        if (slots.length > 0) {
            Marks marks = marks(bytes);
            Noted front = slots[slot(marks.front)];
            if (front != null && front.marks.front == marks.front && isNear(front.block.size(), bytes.length)) {
                found.add(front.block);
            }
            Noted back = slots[slot(marks.back)];
            if (back != null && back.marks.back == marks.back && isNear(back.block.size(), bytes.length)) {
                found.remove(back.block);
                found.add(back.block);
            }
        }
        return found;
    }

    private static boolean isNear(int size, int other) {
        return size / 2 <= other && other / 2 <= size;
    }

    /** Forgets all. */
    void clear() {
        unmarked.clear();
        Arrays.fill(slots, null);
    }
}
