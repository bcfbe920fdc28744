package dev.pail.repository;

import dev.pail.clock.Head;

/**
 * Where a branch stands, as a ref store has read it. The store that made it can tell whether the branch has moved since. Immutable.
 *
 * <pre>{@code
 * BranchState state = repository.refs().branch("main");
 * if (state.isPresent()) {
 *     System.out.println(state.name() + " is at " + state.head() + ", generation " + state.generation());
 * }
 * }</pre>
 */
public interface BranchState {
    /** The name of the branch. */
    String name();

    /** Whether there is such a branch. If not, it has no events. */
    boolean isPresent();

    /** Whether there is a log of this name: also that of a branch that was removed. */
    boolean hasLog();

    /** The newest events of the branch. */
    Head head();

    /** The number of its last update; 0, if there was none. No two heads of a branch have the same. */
    long generation();
}
