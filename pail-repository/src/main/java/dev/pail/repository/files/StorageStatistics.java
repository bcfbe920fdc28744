package dev.pail.repository.files;

import dev.pail.blockstore.SegmentStatistics;
import java.util.Objects;

/**
 * What the blocks of a repository take. A block that is kept in both ways counts twice.
 *
 * <pre>{@code
 * StorageStatistics statistics = FileRepository.of(FileRepository.open(folder)).orElseThrow().statistics();
 * System.out.println(statistics.blocks() + " blocks take " + statistics.physicalBytes() + " bytes");
 * }</pre>
 *
 * @param files how many blocks are in files of their own
 * @param fileBytes the size of these
 * @param trash how many blocks are in the trash
 * @param trashBytes the size of these
 * @param segments the blocks in segments
 * @param segmentBytes the size of the segments with all that belongs to them
 */
public record StorageStatistics(
        long files, long fileBytes, long trash, long trashBytes, SegmentStatistics segments, long segmentBytes) {
    public StorageStatistics {
        Objects.requireNonNull(segments, "segments");
    }

    /** How many blocks there are, without those in the trash. */
    public long blocks() {
        return files + segments.blocks();
    }

    /** The size of all blocks, without those in the trash. */
    public long logicalBytes() {
        return fileBytes + segments.logicalBytes();
    }

    /** What they take. */
    public long physicalBytes() {
        return fileBytes + segmentBytes;
    }
}
