package dev.pail.sweep;

import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;

/**
 * The blocks of a store from which a garbage collector can take some away: to the trash first, and from there for good. A block has a
 * time stamp: when it was put last, also if it was there already, or when it came back from the trash. A put may leave a stamp that is
 * less than half an hour old. In the trash, the stamp says when the block came there. The contract:
 *
 * <ol>
 *   <li>{@code portions} has each block of the store and each block in the trash in one portion.
 *   <li>{@code sweep} moves a block to the trash if it is not needed and its stamp is older than the rule says. No other block
 *       goes there. A store that keeps blocks together may wait until it can move all of them.
 *   <li>{@code get}, {@code has} and {@code put} of the store find a block in the trash and bring it back. In a store that keeps blocks
 *       together, {@code get} and {@code has} may find it and leave it there.
 *   <li>{@code sweep} brings a block back from the trash if it is needed. It deletes a block from the trash if the block is not needed and
 *       its stamp is older than the rule says.
 *   <li>A block that was put or brought back after {@code portions} listed it stays in the store.
 *   <li>{@code preview} changes nothing, and counts what {@code sweep} would do.
 *   <li>{@code look} finds a block in the store and in the trash, and changes nothing.
 * </ol>
 *
 * <pre>{@code
 * SweptBlocks swept = DirectoryBlockStore.open(folder).swept();
 * SweepRule rule = new SweepRule(cid -> false, swept.clock().minus(Duration.ofDays(14)));
 * Swept sum = Swept.NOTHING;
 * for (Iterator<SweptBlocks.Portion> portions = swept.portions(); portions.hasNext(); ) {
 *     sum = sum.plus(portions.next().preview(rule)); // what sweep would do
 * }
 * }</pre>
 */
public interface SweptBlocks {
    /** The blocks of a store that can list them. The list is made anew for each collection, and held in memory. */
    static SweptBlocks of(CollectableBlocks blocks) {
        return new ListedPortions(Objects.requireNonNull(blocks, "blocks"));
    }

    /** Reads a block, if it is there or in the trash. Changes nothing. */
    Optional<Block> look(Cid cid);

    /**
     * The time by the clock that the stamps come from. It may take a file that is written to learn it: where nothing is to change, the
     * disk's other clock has to do.
     */
    Instant clock();

    /** All blocks, those in the trash included, in portions. Each portion takes a short time to sweep. Lazy. */
    Iterator<Portion> portions();

    /**
     * Brings the shards of versions together, in a store where a walk over them reads faster then. Others do nothing, as this does.
     *
     * @param roots the roots of the newest version of each branch; a block that is missing is left out
     * @throws StoreIOException if reading or writing failed. No block is lost
     */
    default void cluster(Collection<Cid> roots) {
        Objects.requireNonNull(roots, "roots");
    }

    /** Some blocks, or what is in the trash of some. */
    interface Portion {
        /** What a sweep would do. Nothing changes. */
        Swept preview(SweepRule rule);

        /**
         * Moves unneeded old blocks to the trash, and deletes those in the trash. Restores needed blocks from the trash.
         *
         * @throws StoreIOException if that failed. Each needed block is in its old place, or restored
         */
        Swept sweep(SweepRule rule);
    }
}
