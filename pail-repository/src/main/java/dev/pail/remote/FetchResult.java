package dev.pail.remote;

import dev.pail.repository.model.Tracking;
import java.util.Objects;
import java.util.Optional;

/**
 * The result of a fetch for one remote-tracking ref. Immutable.
 *
 * <pre>{@code
 * FetchResult fetched = exchange.fetch("main");
 * System.out.println(fetched.ref() + ": " + fetched.blocks() + " blocks"); // origin/main: 12 blocks
 * }</pre>
 *
 * @param ref its name, such as {@code origin/main}
 * @param before its old value; empty if it was not there
 * @param now its new value
 * @param blocks the number of received blocks
 * @param isBack whether the branch of the remote lacks events that it had at the exchange before: it was restored from a backup, another
 *     client forced a push, or another repository is at this address
 */
public record FetchResult(String ref, Optional<Tracking> before, Tracking now, long blocks, boolean isBack) {
    public FetchResult {
        Objects.requireNonNull(ref, "ref");
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(now, "now");
    }

    /** Whether the branch of the remote has another head than at the exchange before. */
    public boolean isChanged() {
        return before.isEmpty() || !before.get().head().equals(now.head());
    }
}
