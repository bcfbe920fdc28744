package dev.pail.repository.spi;

import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A cache of the roots of heads of several events: each merge is computed once (spec rule REP21). No method fails.
 *
 * <pre>{@code
 * DerivedRoots derived = repository.refs().derivedRoots();
 * Optional<Cid> root = derived.root(repository.head("main"), repository.blocks()::has); // if the merge was kept
 * }</pre>
 */
public interface DerivedRoots {
    /** The maximum number of blocks of one merge for which its root is stored. */
    int MOST_BLOCKS = 16_000;

    /** Keeps nothing. */
    DerivedRoots NONE = new DerivedRoots() {
        @Override
        public Optional<Cid> root(Head head, Predicate<Cid> has) {
            return Optional.empty();
        }

        @Override
        public void note(Head head, Cid root, Collection<Cid> made, Epoch begun) {}
    };

    /**
     * Returns the root of a head, if it was stored, all blocks of the merge are there, and no collection has run since.
     *
     * @param has whether a block is there
     */
    Optional<Cid> root(Head head, Predicate<Cid> has);

    /**
     * Whether it has the roots of heads of one event, too, which then need not be read to know the version. By default not: the event says its
     * root.
     */
    default boolean hasSingle() {
        return false;
    }

    /**
     * Stores the root of a head. If that fails, stores nothing.
     *
     * @param made the blocks that the merge has made; they are in the block store
     * @param begun the epoch before the merge
     */
    void note(Head head, Cid root, Collection<Cid> made, Epoch begun);
}
