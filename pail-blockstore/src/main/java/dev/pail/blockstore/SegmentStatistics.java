package dev.pail.blockstore;

import dev.pail.segment.StoredBlock;
import java.util.List;

/**
 * What a {@link SegmentBlockStore} holds.
 *
 * <pre>{@code
 * try (SegmentBlockStore store = SegmentBlockStore.open(folder)) {
 *     SegmentStatistics statistics = store.statistics();
 *     System.out.println(statistics.blocks() + " blocks, " + statistics.logicalBytes() + " bytes in "
 *             + statistics.storedBytes());
 * }
 * }</pre>
 *
 * @param blocks how many there are
 * @param whole how many of them are kept whole; the others as what differs
 * @param logicalBytes the size of all blocks
 * @param storedBytes what they take in the segments
 * @param longestChain the greatest number of deltas that a block is made with
 * @param chains the sum of these numbers over all blocks
 * @param damages what is damaged, and where. A corrupt block is counted; a block whose record cannot be known is not
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
