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
 * The blocks that were written last, by marks: finds a similar block for one that comes without its origin. Versions of a shard that
 * differ in one place have the same front, or the same back.
 *
 * <p>A mark is the greatest hash of all runs of bytes in a part of the block. One part is near the front, one near the back. So a mark
 * stays the same if the bytes before the run get more or fewer. Of the blocks with the same mark, the last one is found. It need have
 * nothing else in common, and an attacker can make blocks with equal marks: the caller compares. Takes about 10 MiB at most.
 *
 * <p>For blocks of at least 84 bytes. The writer's lock guards all fields.
 */
final class SimilarBlocks {
    /** How many bytes at the front of a shard are skipped: they say little more than how many entries it has. */
    static final int FRONT = 12;

    /** How many bytes at the back are skipped: they are the same in all shards with the same settings. */
    static final int BACK = 40;

    static final int RUN = 32;
    static final int PART = 112;

    /** From this size on, a similar block saves more than it costs to mark the unmarked blocks. In bytes. */
    static final int WORTH_MARKING = 1024;

    static final int MOST_UNMARKED = 4096;

    private static final int SLOT_BITS = 16;
    static final int[] HASHES = new SplittableRandom(1).ints(256).toArray();

    /** By the hash of each mark. Empty until a block is added. */
    private @Nullable Noted[] slots = {};

    /**
     * Blocks that came with their origin. Mostly the next blocks do so, too, and their marks are never needed. So they are computed only
     * when a large block comes without its origin.
     */
    private final Deque<RecordRef> unmarked = new ArrayDeque<>();

    /** The bytes whose marks were computed last: mostly the same block is added next. */
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

    /** The greatest hash of a run within a part, which has at least one run. */
    static int mark(byte[] bytes, int start, int end) {
        int hash = 0;
        int greatest = Integer.MIN_VALUE;
        for (int i = start; i < end; i++) {
            // The shifts push a byte out of the hash after a run of bytes.
            hash = (hash << 1) + HASHES[bytes[i] & 0xff];
            greatest = i < start + RUN ? hash : Math.max(greatest, hash);
        }
        return greatest;
    }

    static int slot(int mark) {
        return (mark * 0x9e3779b9) >>> (Integer.SIZE - SLOT_BITS);
    }

    /** Adds a block if its bytes are cached. It replaces blocks with the same marks. */
    void add(RecordRef block) {
        CachedBlock cached = block.cached();
        if (cached != null) {
            add(cached.bytes(), block);
        }
    }

    /** Adds a block, but marks it later, if ever. */
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

    /** At most two blocks, of half to twice the size, that may be similar. */
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
