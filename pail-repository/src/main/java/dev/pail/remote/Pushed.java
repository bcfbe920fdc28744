package dev.pail.remote;

import java.util.Objects;

/**
 * The result of a push. Immutable.
 *
 * <pre>{@code
 * Pushed pushed = exchange.push("main", PushMode.MERGE);
 * if (pushed.isMerged()) {
 *     exchange.pull("main", MergeOptions.DEFAULT); // takes in what the remote merged
 * }
 * }</pre>
 *
 * @param branch the current state of the remote branch
 * @param blocks the number of sent blocks
 * @param isMerged whether the remote has events that are not in the pushed head
 * @param isBack whether the remote lacked events before the push that it had at the exchange before, as after {@link FetchResult#isBack}
 */
public record Pushed(RemoteBranch branch, long blocks, boolean isMerged, boolean isBack) {
    public Pushed {
        Objects.requireNonNull(branch, "branch");
    }
}
