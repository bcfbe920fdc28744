package dev.pail.repository.files;

/**
 * How a repository keeps blocks that are new. It reads all that are there, in either way.
 *
 * <pre>{@code
 * Repository packed = FileRepository.init(folder, ShardFormat.v1(), BlockStorage.SEGMENTS); // a few large files
 * Repository plain = FileRepository.init(folder.resolve("plain"), ShardFormat.v1(), BlockStorage.FILES);
 * }</pre>
 */
public enum BlockStorage {
    /** A file for each block, which other tools can read: {@link dev.pail.blockstore.DirectoryBlockStore}. */
    FILES,

    /** A few large files, and of most shards only what a change made of them: {@link dev.pail.blockstore.SegmentBlockStore}. */
    SEGMENTS
}
