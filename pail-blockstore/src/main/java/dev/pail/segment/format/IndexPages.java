package dev.pail.segment.format;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Pages of indexes that were read lately: at most 4,096 of them, 9.5 MiB. A walk over a clustered version looks up each shard that has others
 * below it, in any order. For use by several threads at once, which do not wait for each other.
 */
public final class IndexPages {
    private static final int SLOTS = 1 << 12;

    /** Spreads the pages of segments with consecutive numbers. */
    private static final int FACTOR = 0x9e3779b1;

    /** Each page has one slot where it can be. */
    private final AtomicReferenceArray<@Nullable Page> slots = new AtomicReferenceArray<>(SLOTS);

    @SuppressWarnings("ArrayRecordComponent") // No one compares these.
    private record Page(Object index, int number, byte[] bytes) {}

    @SuppressWarnings("ReferenceEquality") // An index may have been read again from another file.
    byte @Nullable [] get(Object index, int segmentNumber, int number) {
        Page there = slots.get(slot(segmentNumber, number));
        return there != null && there.number == number && there.index == index ? there.bytes : null;
    }

    void put(Object index, int segmentNumber, int number, byte[] bytes) {
        slots.set(slot(segmentNumber, number), new Page(index, number, bytes));
    }

    private static int slot(int segmentNumber, int number) {
        return (segmentNumber * FACTOR + number) & (SLOTS - 1);
    }

    /** Forgets all. */
    public void clear() {
        for (int slot = 0; slot < SLOTS; slot++) {
            slots.set(slot, null);
        }
    }
}
