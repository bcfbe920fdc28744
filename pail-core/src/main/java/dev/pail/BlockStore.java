package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Keeps blocks by their CID. The contract:
 *
 * <ol>
 *   <li>After {@code put(block)} returned, {@code get(block.cid())} gives an equal block and {@code has} is true.
 *   <li>For a CID that was never put, {@code get} is empty and {@code has} is false.
 *   <li>{@code get(cid)} gives a block whose CID is {@code cid} and whose bytes match it, or throws
 *       {@link CorruptBlockException}; it never gives other bytes. What is damaged stays where it is.
 *   <li>{@code put} of what is there changes nothing, but makes it as durable as a first put would. Where the bytes in the
 *       store are damaged, it mends them.
 *   <li>{@code putAll} is a {@code put} of each block in the order of the collection. When it fails, some of the
 *       blocks may be there.
 *   <li>A block is found under every CID with its multihash, or only under its own: a store may do either.
 *   <li>Blocks of the identity hash are not kept; {@code Block} has none.
 *   <li>All methods may be called by several threads at once.
 *   <li>After a method threw {@link StoreIOException}, what was put before is as it was. A store that can no longer know
 *       that refuses further puts until it is opened again.
 *   <li>After {@code close}, which may be called twice, every other method throws {@link IllegalStateException}.
 *   <li>A put with a block of more than {@link Block#MAX_SIZE} bytes throws {@link IllegalArgumentException} before anything is put.
 *   <li>{@code getAll} gives for each CID what {@code get} would give, and nothing else.
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
    /** The block of this name, if it is there. */
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
     * The block of this name, which is needed.
     *
     * @throws MissingBlockException if it is not there
     * @throws CorruptBlockException if {@link #get} gives another one
     */
    default Block require(Cid cid) {
        return getChecked(cid).orElseThrow(() -> new MissingBlockException(cid));
    }

    /**
     * The blocks of these names that are there, each as {@link #getChecked} gives it. A store that is far away fetches them together;
     * here, one after the other.
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

    /** Keeps a block. When this returns, the block is as durable as the store makes it. */
    default void put(Block block) {
        Objects.requireNonNull(block, "block");
        putAll(List.of(block));
    }

    /** Keeps blocks, in this order. When this returns, all are as durable as the store makes them. */
    void putAll(Collection<Block> blocks);

    /**
     * Whether the block is there. Its bytes are not looked at, but where a store has to bring it back from what is about to be deleted:
     * a damaged one is not there then.
     *
     * @throws CorruptBlockException if it is not found, and may be one that the store has lost
     */
    boolean has(Cid cid);

    /** Gives up what the store holds open. */
    @Override
    void close();
}
