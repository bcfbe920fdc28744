package dev.pail.remote;

/**
 * The changes that a push may make to a remote branch.
 *
 * <pre>{@code
 * Pushed pushed = exchange.push("main", PushMode.MERGE);
 * }</pre>
 */
public enum PushMode {
    /** Moves it to a head that has all of its events; any other push is refused. */
    FAST_FORWARD,
    /** Merges, if the branch has events that the pushed head does not have. */
    MERGE,
    /**
     * Moves it to the head, also if that leaves events; only if the branch is where the last fetch has seen it, and the head has the same
     * shard format.
     */
    FORCE,
    /** As {@link #FORCE}, also if the head has another shard format, which readers of the branch may not know. */
    CONVERT;

    /** Whether the push may leave events. */
    public boolean isForced() {
        return this == FORCE || this == CONVERT;
    }
}
