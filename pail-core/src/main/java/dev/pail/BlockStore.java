package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A store of blocks by their CIDs. The contract:
 *
 * <ol>
 *   <li>After {@code put(block)} returned, {@code get(block.cid())} gives an equal block and {@code has} is true.
 *   <li>For a CID that was never put, {@code get} is empty and {@code has} is false.
 *   <li>{@code get(cid)} gives a block whose CID is {@code cid} and whose bytes match it, or throws
 *       {@link CorruptBlockException}; it never gives other bytes. Corrupt bytes stay in their place.
 *   <li>{@code put} of a block that is there changes nothing, but makes it as durable as a first put would. If the stored bytes
 *       are corrupt, it repairs them.
 *   <li>{@code putAll} is a {@code put} of each block in the order of the collection. If it fails, some of the
 *       blocks may be there.
 *   <li>A block is found under every CID with its multihash, or only under its own: a store may do either.
 *   <li>A store has no blocks of the identity hash; {@code Block} refuses them.
 *   <li>All methods may be called by several threads at once.
 *   <li>After a method threw {@link StoreIOException}, earlier blocks are still there. A store that can no longer ensure
 *       that refuses further puts until it is opened again; others put again when the cause is gone.
 *   <li>After {@code close}, which may be called twice, every other method that asks for blocks throws {@link IllegalStateException}.
 *   <li>A put with a block of more than {@link Block#MAX_SIZE} bytes throws {@link IllegalArgumentException} before anything is put.
 *   <li>{@code getAll} gives for each CID what {@code get} would give, and nothing else; {@code hasAll} says what {@code has} would say.
 * </ol>
 *
 * <p>Nothing here deletes a block.
 *
 * <pre>{@code
 * record Counting(BlockStore store, LongAdder reads) implements BlockStore {
 *     public Optional<Block> get(Cid cid) {
 *         reads.increment();
 *         return store.get(cid);
 *     }
 *     public void putAll(Collection<Block> blocks) { store.putAll(blocks); }
 *     public boolean has(Cid cid) { return store.has(cid); }
 *     public void close() { store.close(); }
 * }
 * Pail counted = pail.in(new Counting(pail.blocks(), new LongAdder())); // the same version, read through this store
 * }</pre>
 */
public interface BlockStore extends AutoCloseable {
    /** Returns the block of a CID, if it is there. */
    Optional<Block> get(Cid cid);

    /**
     * Returns the block of a CID and checks that the store returned that block and no other. For callers that do not trust the store.
     *
     * @throws CorruptBlockException if {@link #get} gives another one
     */
    default Optional<Block> getChecked(Cid cid) {
        Optional<Block> found = get(cid);
        if (found.isPresent() && !found.get().cid().equals(cid)) {
            throw new CorruptBlockException(
                    cid, "the block store has given " + found.get().cid() + " instead");
        }
        return found;
    }

    /**
     * Returns the block of a CID, or throws.
     *
     * @throws MissingBlockException if it is not there
     * @throws ErasedBlockException if it was erased
     * @throws CorruptBlockException if {@link #get} gives another one
     */
    default Block require(Cid cid) {
        return getChecked(cid)
                .orElseThrow(() -> isErased(cid) ? new ErasedBlockException(cid) : new MissingBlockException(cid));
    }

    /**
     * Whether the block was erased for good: then {@link #get} is empty, {@link #has} is false, and a put throws
     * {@link ErasedBlockException}. By default, a store erases nothing.
     */
    default boolean isErased(Cid cid) {
        Objects.requireNonNull(cid, "cid");
        return false;
    }

    /**
     * Returns those blocks of some CIDs that are there, each as {@link #getChecked} gives it. By default, gets one after the other; a
     * remote store fetches them together.
     *
     * @throws CorruptBlockException if one of them does not match its CID
     */
    default Map<Cid, Block> getAll(Collection<Cid> cids) {
        Map<Cid, Block> found = new LinkedHashMap<>();
        for (Cid cid : cids) {
            getChecked(cid).ifPresent(block -> found.put(cid, block));
        }
        return found;
    }

    /**
     * Whether {@link #getAll} of some blocks takes as long as {@link #get} of each, as in memory or in a folder. Then a walk over rows fetches
     * one block after the other. By default false.
     */
    default boolean isNear() {
        return false;
    }

    /** Stores a block. When this returns, the block is as durable as the store makes it. */
    default void put(Block block) {
        Objects.requireNonNull(block, "block");
        putAll(List.of(block));
    }

    /** Stores blocks, in this order. When this returns, all are as durable as the store makes them. */
    void putAll(Collection<Block> blocks);

    /**
     * Whether the block is there. Usually does not read its bytes. But if a store restores the block from its trash, it checks the bytes,
     * and a corrupt block counts as missing.
     *
     * @throws CorruptBlockException if the block is not found and may be one that the store has lost
     */
    boolean has(Cid cid);

    /**
     * Returns those of some CIDs whose blocks are there, as {@link #has} says of each. By default, looks for one after the other; a store
     * on a disk looks once for what other processes have put.
     *
     * @throws CorruptBlockException if {@link #has} throws it for one of them
     */
    default Set<Cid> hasAll(Collection<Cid> cids) {
        Set<Cid> found = new HashSet<>();
        for (Cid cid : cids) {
            if (has(cid)) {
                found.add(cid);
            }
        }
        return found;
    }

    /** Closes the store and its files. */
    @Override
    void close();
}
