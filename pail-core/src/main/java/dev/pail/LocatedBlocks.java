package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Objects;
import java.util.Optional;

/**
 * A block store that can say where in its files a block is, so that another program reads the bytes there.
 *
 * <pre>{@code
 * BlockLocation found = LocatedBlocks.locate(pail.blocks(), value);
 * found.rowLoc().ifPresent(location -> System.out.println(found.file().orElseThrow() + ": " + location));
 * }</pre>
 */
public interface LocatedBlocks extends BlockStore {
    /**
     * Locates a block. If it is stored several times, and once whole in a segment, returns that place. A location is valid until the next
     * compaction.
     *
     * @throws MissingBlockException if the block is missing
     * @throws ErasedBlockException if the block was erased
     */
    BlockLocation locate(Cid cid);

    /**
     * Reads the block in a place, and compares its bytes with the CID that the file has for it. Empty if the place is not that of a block
     * that is whole in a segment: a compaction may have moved it.
     *
     * @throws CorruptBlockException if the bytes do not match the CID
     */
    Optional<Block> read(RowLoc location);

    /**
     * Locates a block of any store, as {@link #locate(Cid)}.
     *
     * @throws MissingBlockException if the block is missing
     * @throws ErasedBlockException if the block was erased
     */
    static BlockLocation locate(BlockStore store, Cid cid) {
        Objects.requireNonNull(cid, "cid");
        if (cid.hashFunction() == Cid.IDENTITY) {
            return BlockLocation.without(BlockLocation.Form.INLINE);
        }
        if (store instanceof LocatedBlocks located) {
            return located.locate(cid);
        }
        store.require(cid);
        return BlockLocation.without(BlockLocation.Form.ELSEWHERE);
    }

    /** Reads the block in a place of any store, as {@link #read(RowLoc)}; empty if the store has no segments. */
    static Optional<Block> read(BlockStore store, RowLoc location) {
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(location, "location");
        return store instanceof LocatedBlocks located ? located.read(location) : Optional.empty();
    }
}
