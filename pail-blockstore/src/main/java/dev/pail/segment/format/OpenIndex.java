package dev.pail.segment.format;

import dev.pail.ipld.Cid;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The index of the active segment, or of a batch, by multihash. A hash table with open addressing: most lookups find nothing, or miss all
 * caches of the processor, and then each object on the way costs time.
 *
 * <p>Lookups take no lock; {@link #add} takes the monitor.
 */
public final class OpenIndex implements Index {
    private static final int LEAST_SLOTS = 16;

    private volatile Table table =
            new Table(LEAST_SLOTS, ThreadLocalRandom.current().nextInt() | 1);

    /** Slots, whose number is a power of two, at most half of them taken. Beside each block is its hash. */
    private static final class Table {
        private final AtomicReferenceArray<RecordRef> blocks;
        private final int[] hashes;
        private final int shift;

        /** A random odd number: without it, an attacker could choose multihashes that collide. */
        private final int factor;

        private int taken;

        Table(int slots, int factor) {
            this.blocks = new AtomicReferenceArray<>(slots);
            this.hashes = new int[slots];
            this.factor = factor;
            this.shift = Integer.numberOfLeadingZeros(slots - 1);
        }

        /** Whether there is no space for one more. */
        boolean isFull() {
            return 2 * taken >= hashes.length;
        }

        private int first(int hash) {
            return (hash * factor) >>> shift;
        }

        private int next(int slot) {
            return (slot + 1) & (hashes.length - 1);
        }

        @Nullable
        RecordRef get(Cid cid, int hash) {
            int slot = first(hash);
            while (true) {
                // Read only once: another thread may fill a free slot meanwhile.
                RecordRef there = blocks.getAcquire(slot);
                if (there == null || (hashes[slot] == hash && there.isOf(cid))) {
                    return there;
                }
                slot = next(slot);
            }
        }

        void put(RecordRef block, int hash) {
            int slot = first(hash);
            RecordRef there = blocks.getPlain(slot);
            while (there != null && !(hashes[slot] == hash && there.isOf(block.cid()))) {
                slot = next(slot);
                there = blocks.getPlain(slot);
            }
            hashes[slot] = hash;
            blocks.setRelease(slot, block);
            taken += there == null ? 1 : 0;
        }

        Table larger() {
            Table to = new Table(2 * hashes.length, factor);
            for (int slot = 0; slot < hashes.length; slot++) {
                RecordRef block = blocks.getPlain(slot);
                if (block != null) {
                    to.put(block, hashes[slot]);
                }
            }
            return to;
        }

        /** The blocks that are there now. */
        Stream<RecordRef> all() {
            return IntStream.range(0, hashes.length)
                    .mapToObj(blocks::getAcquire)
                    .filter(Objects::nonNull);
        }
    }

    /** Adds a block. It replaces one with the same multihash. */
    public synchronized void add(RecordRef block) {
        Table to = table.isFull() ? table.larger() : table;
        to.put(block, block.cid().hashCode());
        table = to;
    }

    @Override
    public @Nullable RecordRef known(Cid cid) {
        return table.get(cid, cid.hashCode());
    }

    @Override
    public List<Location> find(Cid cid) {
        RecordRef block = known(cid);
        return block == null ? List.of() : List.of(block.location());
    }

    @Override
    public int count() {
        return table.taken;
    }

    /** The index of the segment once it is sealed. */
    public SealedIndex sealed() {
        Map<Cid, Location> locations = new HashMap<>();
        table.all().forEach(block -> locations.put(block.cid().raw(), block.location()));
        return SealedIndex.of(locations);
    }
}
