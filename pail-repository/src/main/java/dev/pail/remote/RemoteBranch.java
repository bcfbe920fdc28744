package dev.pail.remote;

import dev.pail.clock.Head;
import dev.pail.repository.model.RefToken;
import java.util.Objects;

/**
 * The state of a remote branch at the time of the answer. Immutable.
 *
 * <pre>{@code
 * for (RemoteBranch branch : remote.branches()) {
 *     System.out.println(branch.name() + " is at generation " + branch.generation());
 * }
 * }</pre>
 *
 * @param name the name of the branch on the remote
 * @param generation the number of its last ref update; 0, if there was none
 * @param head its newest events; empty if nothing was put into it yet
 */
public record RemoteBranch(String name, long generation, Head head) {
    /** @throws IllegalArgumentException if the generation is negative */
    public RemoteBranch {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(head, "head");
        if (generation < 0) {
            throw new IllegalArgumentException("a generation is 0 or more, not " + generation);
        }
    }

    /** Returns the token of this state (REP29). Unlike the generation, it never names another state. */
    public RefToken token() {
        return RefToken.of(name, generation, head);
    }
}
