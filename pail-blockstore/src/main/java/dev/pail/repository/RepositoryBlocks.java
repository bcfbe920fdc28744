package dev.pail.repository;

import dev.pail.OriginHints;
import dev.pail.PailException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.sweep.SweptBlocks;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A block store that a repository can be kept in: besides storing blocks, it says what a change and the garbage collector need to know.
 * Safe for use by several threads.
 *
 * <pre>{@code
 * RepositoryBlocks stored = new MemoryBlocks(); // or a store of your own that passes RepositoryBlocksContract
 * Repository inMemory = Repository.open(new MemoryRefs(), stored, ShardFormat.v1());
 * Pail next = inMemory.update("main", before -> before.putBytes("title", new byte[] {1}));
 * }</pre>
 */
public interface RepositoryBlocks extends OriginHints {
    /** The blocks as the garbage collector sees them. */
    SweptBlocks swept();

    /** Looks again at what other processes have put and taken away; by default, a store always shows it. */
    default void renew() {}

    /**
     * Notes that a change relies on a block that it found here, which another writer may have put and not made durable; by default, all
     * blocks that are found are durable.
     */
    default void rely(Cid found) {
        Objects.requireNonNull(found, "found");
    }

    /**
     * Makes all blocks durable that changes rely on.
     *
     * @return whether they must be read again, as the put of another writer may have failed
     * @throws dev.pail.StoreIOException if that failed
     */
    default boolean confirm() {
        return false;
    }

    /**
     * Puts blocks that a reader has computed and that can be computed again. Unlike a put, a failure does not stop later writes.
     *
     * @param origins as for {@link #putAll(Collection, Map)}
     */
    default void offer(Collection<Block> made, Map<Cid, Cid> origins) {
        putAll(made, origins);
    }

    /**
     * Reads all blocks, also those that no version leads to, but not those in the trash; by default none.
     *
     * @param damaged gets each block that is corrupt or cannot be read, and each part of the store where blocks may have been
     * @param progress is run for each block
     */
    default void check(Consumer<PailException> damaged, Runnable progress) {
        Objects.requireNonNull(damaged, "damaged");
        Objects.requireNonNull(progress, "progress");
    }

    /**
     * The blocks that could not be saved when the store was damaged, by the raw CIDs of their multihashes; by default none. They may be there
     * again.
     *
     * @throws RepositoryException if what is stored of that is damaged
     */
    default Set<Cid> lost() {
        return Set.of();
    }
}
