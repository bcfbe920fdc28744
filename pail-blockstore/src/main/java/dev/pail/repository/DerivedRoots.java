package dev.pail.repository;

import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The roots of heads of several events, kept so that a merge is computed once (spec rule REP21). Nothing here ever fails.
 *
 * <pre>{@code
 * DerivedRoots derived = repository.refs().derivedRoots();
 * Optional<Cid> root = derived.root(repository.head("main"), repository.blocks()::has); // if the merge was kept
 * }</pre>
 */
public interface DerivedRoots {
    /** The most blocks of one merge that are noted. */
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
     * The root of a head, if it was noted, all blocks of the merge are there, and nothing was collected since.
     *
     * @param has whether a block is there
     */
    Optional<Cid> root(Head head, Predicate<Cid> has);

    /**
     * Notes the root of a head. If that fails, nothing is noted.
     *
     * @param made the blocks that the merge has made, which are in the block store
     * @param begun the epoch before the merge
     */
    void note(Head head, Cid root, Collection<Cid> made, Epoch begun);
}
