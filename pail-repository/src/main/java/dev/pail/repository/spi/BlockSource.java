package dev.pail.repository.spi;

import dev.pail.BlockStore;
import dev.pail.KeyRange;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Objects;

/**
 * Where blocks may be had that a store does not have: another repository. Safe for use by several threads.
 *
 * <pre>{@code
 * BlockSource backup = (cids, target) -> target.putAll(blocks.getAll(cids).values());
 * Repository healed = repository.readingThrough(backup); // a block that is lost here is read from the backup, and put back
 * }</pre>
 */
@FunctionalInterface
public interface BlockSource extends AutoCloseable {
    /**
     * Puts those of some blocks into a store that can be had, and perhaps others that are read next. The store compares none with its CID: the
     * source does.
     *
     * @param cids at least one
     * @throws dev.pail.PailException if the place cannot be reached, or refuses
     */
    void fetch(List<Cid> cids, BlockStore target);

    /** Whether a reader says what it reads next. By default not. */
    default boolean takesReadHints() {
        return false;
    }

    /** As {@link dev.pail.ReadHints#willRead}. */
    default void willRead(Cid root, KeyRange range) {
        Objects.requireNonNull(root, "root");
        Objects.requireNonNull(range, "range");
    }

    /** As {@link dev.pail.ReadHints#willCompare}. */
    default void willCompare(Cid before, Cid after, KeyRange range) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(range, "range");
    }

    /** Says that a block is read, if hints are taken: what it links to may be read next. */
    default void read(Block block) {
        Objects.requireNonNull(block, "block");
    }

    /** Closes the place. By default does nothing. */
    @Override
    default void close() {}
}
