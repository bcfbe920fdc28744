package dev.pail.repository.spi;

import dev.pail.OriginHints;
import dev.pail.PailException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.sweep.SweptBlocks;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A block store for a repository, with additional methods for ref updates and the garbage collector. Safe for use by several threads.
 *
 * <pre>{@code
 * RepositoryBlocks stored = new MemoryBlocks(); // or a store of your own that passes RepositoryBlocksContract
 * Repository inMemory = Repository.open(new MemoryRefs(), stored, ShardFormat.v1());
 * Updated next = inMemory.update("main", before -> before.putBytes("title", new byte[] {1}));
 * }</pre>
 */
public interface RepositoryBlocks extends OriginHints {
    /** Returns the blocks for the garbage collector. */
    SweptBlocks swept();

    /** Reads the changes of other processes; by default, a store always shows them. */
    default void renew() {}

    /**
     * Records that a change relies on a block that it found here. Another writer may have put the block without a sync; by default, all
     * found blocks are durable.
     */
    default void rely(Cid found) {
        Objects.requireNonNull(found, "found");
    }

    /**
     * Makes all blocks durable that changes rely on.
     *
     * @return whether they must be read again, since the put of another writer may have failed
     * @throws dev.pail.StoreIOException if the sync failed
     */
    default boolean confirm() {
        return false;
    }

    /** Puts blocks that were missing or damaged here. A store that keeps a damaged one under its name puts the block in the place of it. */
    default void replace(Collection<Block> blocks) {
        putAll(blocks, Map.of());
    }

    /**
     * Puts blocks that a reader has computed and that can be computed again. Unlike a put, a failure does not stop later writes.
     *
     * @param origins as for {@link #putAll(Collection, Map)}
     */
    default void offer(Collection<Block> made, Map<Cid, Cid> origins) {
        putAll(made, origins);
    }

    /** Returns the bytes that can still be written; empty if this is not known. */
    default OptionalLong usableBytes() {
        return OptionalLong.empty();
    }

    /** Returns the records of erased blocks; by default, the store cannot erase. */
    default Erasures erasures() {
        return Erasures.unsupported();
    }

    @Override
    default boolean isErased(Cid cid) {
        return erasures().isErased(cid);
    }

    /**
     * Reads all blocks, unreachable ones included, but not those in the trash; by default none.
     *
     * @param damaged receives each corrupt or unreadable block, and each damaged part of the store that may have had blocks
     * @param progress is called for each block
     */
    default void check(Consumer<PailException> damaged, Runnable progress) {
        Objects.requireNonNull(damaged, "damaged");
        Objects.requireNonNull(progress, "progress");
    }

    /**
     * Returns the blocks that were lost when the store was damaged, by the raw CIDs of their multihashes; by default none. They may have
     * been put again.
     *
     * @throws dev.pail.repository.model.RepositoryException if this record is damaged
     */
    default Set<Cid> lost() {
        return Set.of();
    }
}
