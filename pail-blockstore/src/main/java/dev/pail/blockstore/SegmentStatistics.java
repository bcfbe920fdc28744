package dev.pail.blockstore;

import dev.pail.segment.StoredBlock;
import java.util.List;

/**
 * The number and the sizes of the blocks in a {@link SegmentBlockStore}.
 *
 * <pre>{@code
 * try (SegmentBlockStore store = SegmentBlockStore.open(folder)) {
 *     SegmentStatistics statistics = store.statistics();
 *     System.out.println(statistics.blocks() + " blocks, " + statistics.logicalBytes() + " bytes in "
 *             + statistics.storedBytes());
 * }
 * }</pre>
 *
 * @param blocks the number of blocks
 * @param whole the number of blocks that are stored whole; the others are deltas
 * @param logicalBytes the size of all blocks, in bytes
 * @param storedBytes the bytes that they take in the segments
 * @param longestChain the length of the longest chain: the largest number of deltas for one block
 * @param chains the sum of the chain lengths of all blocks
 * @param damages what is damaged, and where. A corrupt block counts; a block whose record is unreadable does not
 */
public record SegmentStatistics(
        long blocks,
        long whole,
        long logicalBytes,
        long storedBytes,
        int longestChain,
        long chains,
        List<String> damages) {
    public SegmentStatistics {
        damages = List.copyOf(damages);
    }

    /** Counts. */
    static final class Counts {
        private long blocks;
        private long whole;
        private long logicalBytes;
        private long storedBytes;
        private int longestChain;
        private long chains;

        void add(StoredBlock kept) {
            blocks++;
            whole += kept.chain() == 0 ? 1 : 0;
            logicalBytes += kept.size();
            storedBytes += kept.storedSize();
            longestChain = Math.max(longestChain, kept.chain());
            chains += kept.chain();
        }

        SegmentStatistics statistics(List<String> damages) {
            return new SegmentStatistics(blocks, whole, logicalBytes, storedBytes, longestChain, chains, damages);
        }
    }
}
