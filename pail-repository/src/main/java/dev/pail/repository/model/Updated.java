package dev.pail.repository.model;

import dev.pail.Pail;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import java.util.Objects;

/**
 * The result of an update: the branch before and after it. Both are equal if the update changed nothing. Reading their pails may fail,
 * although the update is done: what must be read with the change, the function of the update reads. Immutable and safe for use by several
 * threads.
 *
 * <pre>{@code
 * Updated updated = repository.update("main", "remove milk", pail -> pail.delete("shopping/1"));
 * boolean wasThere = updated.before().pail().get("shopping/1").isPresent();
 * }</pre>
 *
 * @param before the branch that the last call of the function changed
 * @param after the branch after the update
 */
public record Updated(Snapshot before, Snapshot after) {
    public Updated {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
    }

    /** Returns whether the branch moved. */
    public boolean isChanged() {
        return before.generation() != after.generation();
    }

    /** Returns the version after the update, in the block store of the repository. */
    public Pail pail() {
        return after.pail();
    }

    /** Returns the root after the update. */
    public Cid root() {
        return after.root();
    }

    /** Returns the head after the update. */
    public Head head() {
        return after.head();
    }
}
