package dev.pail.repository.spi;

import dev.pail.clock.Head;

/**
 * The state of a branch, as a ref store has read it. That store can tell whether the branch has moved since. Immutable.
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

    /** Whether there is a log of this name, which may be that of a removed branch. */
    boolean hasLog();

    /** The newest events of the branch. */
    Head head();

    /** Returns the generation: the number of the last ref update, 0 if there was none. Each head of a branch has its own number. */
    long generation();
}
