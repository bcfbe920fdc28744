package dev.pail.remote;

import java.util.Objects;

/**
 * The answer of a remote to a {@link PushRequest}. Immutable.
 *
 * <pre>{@code
 * PushRequest request = new PushRequest("main", repository.head("main"), Optional.empty(), PushMode.FAST_FORWARD);
 * PushReply reply = remote.push(request, CarExport.of(blocks, request.head().events()));
 * boolean isThere = reply.outcome() == PushReply.Outcome.DONE;
 * }</pre>
 *
 * @param outcome the kind of answer
 * @param current the current state of the remote branch
 */
public record PushReply(Outcome outcome, RemoteBranch current) {
    /** The kind of an answer. */
    public enum Outcome {
        /** The branch has the pushed head, or did already. */
        DONE,
        /** Refused: the branch is not in the state that the request expects. */
        MOVED,
        /** Refused: the branch has events that the pushed head does not have, or the histories began apart, so nothing is merged. */
        NOT_FAST_FORWARD,
        /** Refused: the pushed head has another shard format than the branch, and the push does not convert. */
        OTHER_FORMAT
    }

    public PushReply {
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(current, "current");
    }
}
