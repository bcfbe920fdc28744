package dev.pail.sweep;

import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.time.Instant;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;

/**
 * The blocks of a store from which a garbage collector can take some away: to the trash first, where {@code get}, {@code has} and
 * {@code put} find them and bring them back, and from there for good.
 *
 * <p>A block has a time stamp: when it was put last, be it that it was there already, or came back from the trash; a put may leave
 * a stamp that is less than half an hour old. In the trash, it is when the block came there.
 */
public interface SweptBlocks {
    /** The blocks of a store that can list them. The list is made anew for each collection, and held in memory. */
    static SweptBlocks of(CollectableBlocks blocks) {
        return new ListedPortions(Objects.requireNonNull(blocks, "blocks"));
    }

    /** The block of this name, if it is there or in the trash. Nothing changes. */
    Optional<Block> look(Cid cid);

    /**
     * The time by the clock that the stamps come from. It may take a file that is written to learn it: where nothing is to change, the
     * disk's other clock has to do.
     */
    Instant clock();

    /** All blocks, and all that are in the trash, in portions of which each is swept in a short time. Lazy. */
    Iterator<Portion> portions();

    /** Some blocks, or what is in the trash of some. */
    interface Portion {
        /** What a sweep would do. Nothing changes. */
        Swept preview(SweepRule rule);

        /**
         * Moves to the trash what is not needed and older than the rule says, and deletes such from the trash. What is needed
         * and in the trash comes back.
         *
         * @throws StoreIOException if that failed. What is needed is where it was, or back
         */
        Swept sweep(SweepRule rule);
    }
}
