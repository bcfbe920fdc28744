package dev.pail.repository;

import dev.pail.Pail;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import java.util.Objects;

/**
 * Where a branch stood when it was looked at. It stays readable, whatever becomes of the branch.
 *
 * @param branch the name of the branch
 * @param generation how often the branch had been moved; no two heads of a branch have the same
 * @param head the newest events
 * @param pail the version that follows from them; of an empty head, the empty one
 */
public record Snapshot(String branch, long generation, Head head, Pail pail) {
    public Snapshot {
        Objects.requireNonNull(branch);
        Objects.requireNonNull(head);
        Objects.requireNonNull(pail);
    }

    /** The root of the version. */
    public Cid root() {
        return pail.root();
    }

    /** Whether the branch still stands there. */
    boolean isAt(Branches.State state) {
        return generation == state.generation() && head.equals(state.head());
    }
}
