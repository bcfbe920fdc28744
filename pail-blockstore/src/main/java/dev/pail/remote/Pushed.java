package dev.pail.remote;

import java.util.Objects;

/**
 * What a push made of a branch of a remote. Immutable.
 *
 * <pre>{@code
 * Pushed pushed = exchange.push("main", PushMode.MERGE);
 * if (pushed.isMerged()) {
 *     exchange.pull("main", MergeOptions.DEFAULT); // takes in what the remote merged
 * }
 * }</pre>
 *
 * @param branch as it is there now
 * @param blocks the number of blocks that were sent
 * @param isMerged whether the remote has events that are not in the pushed head
 */
public record Pushed(RemoteBranch branch, long blocks, boolean isMerged) {
    public Pushed {
        Objects.requireNonNull(branch, "branch");
    }
}
