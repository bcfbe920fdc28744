package dev.pail.remote;

import dev.pail.clock.Head;
import java.util.Objects;

/**
 * What a remote answered to a {@link FetchRequest}. Immutable.
 *
 * <pre>{@code
 * FetchReply reply = remote.fetch(FetchRequest.of("main"), blocks);
 * System.out.println(reply.blocks() + " blocks, generation " + reply.generation());
 * }</pre>
 *
 * @param outcome what it was
 * @param generation of the branch there; 0, if the remote needs to know more events
 * @param head of the branch there; empty unless versions came
 * @param blocks the number of blocks that came
 */
public record FetchReply(Outcome outcome, long generation, Head head, long blocks) {
    /** What a remote answers. */
    public enum Outcome {
        /** The head of the branch, and the blocks that the receiver does not have. */
        VERSIONS,
        /** The branch is still at the generation that the request names. */
        UNCHANGED,
        /** The remote knows none of the events of the receiver, who should name older ones. */
        MORE_HAVES
    }

    public FetchReply {
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(head, "head");
    }
}
