package dev.pail.remote;

import java.util.Objects;

/**
 * What a remote answered to a {@link PushRequest}. Immutable.
 *
 * <pre>{@code
 * PushRequest request = new PushRequest("main", repository.head("main"), OptionalLong.empty(), PushMode.FAST_FORWARD);
 * PushReply reply = remote.push(request, CarExport.of(blocks, request.head().events()));
 * boolean isThere = reply.outcome() == PushReply.Outcome.DONE;
 * }</pre>
 *
 * @param outcome what it was
 * @param current the branch as it is there now
 */
public record PushReply(Outcome outcome, RemoteBranch current) {
    /** What a remote answers. */
    public enum Outcome {
        /** The branch has the pushed head, or did already. */
        DONE,
        /** Refused: the branch is not at the generation that the request expects. */
        MOVED,
        /** Refused: the branch has events that the pushed head does not have, or the histories began apart, so nothing is merged. */
        NOT_FAST_FORWARD
    }

    public PushReply {
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(current, "current");
    }
}
