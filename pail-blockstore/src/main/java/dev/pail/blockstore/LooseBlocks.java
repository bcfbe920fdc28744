package dev.pail.blockstore;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Blocks that have files of their own, and can be moved elsewhere. What fails is a {@link dev.pail.StoreIOException}.
 *
 * <pre>{@code
 * LooseBlocks loose = DirectoryBlockStore.open(folder).loose();
 * LongAdder bytes = new LongAdder();
 * loose.forEach(block -> bytes.add(block.size())); // the size of all blocks in files of their own
 * }</pre>
 */
public interface LooseBlocks {
    /**
     * A block.
     *
     * @param cid the raw CID of its multihash
     * @param size in bytes
     * @param mtime when it was put
     */
    record Loose(Cid cid, long size, Instant mtime) {
        public Loose {
            Objects.requireNonNull(cid, "cid");
            Objects.requireNonNull(mtime, "mtime");
        }
    }

    /** Hands over all blocks, without those in the trash. */
    void forEach(Consumer<Loose> action);

    /** Hands over all blocks in the trash. */
    void forEachInTrash(Consumer<Loose> action);

    /** A block that is not in the trash. */
    Optional<Block> read(Cid cid);

    /** Deletes a block that is durable elsewhere. */
    void remove(Cid cid);
}
