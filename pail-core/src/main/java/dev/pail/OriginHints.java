package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;

/**
 * A block store that takes hints about the origin of a block: the block that it was made from. A store with deltas tries the origin
 * first as the base. Reads return the same with and without hints.
 *
 * <p>A block that is named as its own origin is stored whole, in a segment if the store can have segments, so that it has a
 * {@link RowLoc}.
 *
 * <pre>{@code
 * Block before = Block.of(Cid.RAW, "version 1 of a long text".getBytes(StandardCharsets.UTF_8));
 * Block after = Block.of(Cid.RAW, "version 2 of a long text".getBytes(StandardCharsets.UTF_8));
 * OriginHints.putAll(blocks, List.of(after), Map.of(after.cid(), before.cid())); // kept as a delta where the store can
 * }</pre>
 */
public interface OriginHints extends BlockStore {
    /**
     * Puts blocks, as {@link #putAll(Collection)} does.
     *
     * @param origins for some of the blocks, by their CID, the CID of a similar block, which may be missing, or their own
     */
    void putAll(Collection<Block> blocks, Map<Cid, Cid> origins);

    @Override
    default void putAll(Collection<Block> blocks) {
        putAll(blocks, Map.of());
    }

    /** Puts blocks into any store, with hints if it takes them. */
    static void putAll(BlockStore store, Collection<Block> blocks, Map<Cid, Cid> origins) {
        Objects.requireNonNull(origins, "origins");
        if (store instanceof OriginHints hinted) {
            hinted.putAll(blocks, origins);
        } else {
            store.putAll(blocks);
        }
    }
}
