package dev.pail.sweep;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The least that a garbage collector needs of a block store: to list blocks with their time, and to condemn, restore and remove one.
 * {@link SweptBlocks#of} does the rest.
 *
 * <p>A condemned block is in the trash: {@code get}, {@code has} and {@code put} of the store find it and restore it. Each change here
 * is a compare-and-set, because writers put blocks meanwhile: it succeeds only if the block is still in the listed state.
 *
 * <pre>{@code
 * CollectableBlocks own = new CollectableBlocks() { // a store with one block that nothing takes away
 *     public List<Listed> list() {
 *         return List.of(new Listed(value, 4, Instant.now(), false));
 *     }
 *     public Optional<Block> look(Cid cid) { return blocks.get(cid); }
 *     public Instant clock() { return Instant.now(); }
 *     public boolean condemn(Listed block) { return false; }
 *     public boolean restore(Listed block) { return false; }
 *     public boolean remove(Listed block) { return false; }
 * };
 * SweptBlocks swept = SweptBlocks.of(own); // what RepositoryBlocks.swept gives
 * }</pre>
 */
public interface CollectableBlocks {
    /**
     * A listed block.
     *
     * @param cid any CID with its multihash
     * @param size in bytes
     * @param time the time of its last put, even if it was already there; in the trash, the time when it was moved there
     * @param isCondemned whether it is in the trash
     */
    record Listed(Cid cid, long size, Instant time, boolean isCondemned) {
        public Listed {
            Objects.requireNonNull(cid, "cid");
            Objects.requireNonNull(time, "time");
        }
    }

    /** All blocks, and all in the trash. */
    List<Listed> list();

    /** Reads a block, if it is there or in the trash. Changes nothing. */
    Optional<Block> look(Cid cid);

    /** The time by the clock of the listed times. */
    Instant clock();

    /** Moves a block to the trash, unless it was put again since it was listed. */
    boolean condemn(Listed block);

    /** Brings a block back from the trash. */
    boolean restore(Listed block);

    /** Deletes a block that has been in the trash since it was listed. */
    boolean remove(Listed block);
}
