package dev.pail.blockstore;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The blocks that have their own files, for a move to another store. Failures throw {@link dev.pail.StoreIOException}.
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
     * @param mtime the time of its last put
     */
    record Loose(Cid cid, long size, Instant mtime) {
        public Loose {
            Objects.requireNonNull(cid, "cid");
            Objects.requireNonNull(mtime, "mtime");
        }
    }

    /** Passes on all blocks, except those in the trash. */
    void forEach(Consumer<Loose> action);

    /** Passes on all blocks in the trash. */
    void forEachInTrash(Consumer<Loose> action);

    /** Reads a block, unless it is in the trash. */
    Optional<Block> read(Cid cid);

    /** Deletes a block that is durable elsewhere. */
    void remove(Cid cid);
}
