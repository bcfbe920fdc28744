package dev.pail.remote;

import dev.pail.clock.Head;
import java.util.Objects;

/**
 * The answer of a remote to a {@link FetchRequest}. Immutable.
 *
 * <pre>{@code
 * FetchReply reply = remote.fetch(FetchRequest.of("main"), blocks);
 * System.out.println(reply.blocks() + " blocks, generation " + reply.generation());
 * }</pre>
 *
 * @param outcome the kind of answer
 * @param generation the generation of the remote branch; 0 if the remote needs to know more events
 * @param head the head of the remote branch; empty unless versions were received
 * @param blocks the number of received blocks
 */
public record FetchReply(Outcome outcome, long generation, Head head, long blocks) {
    /** The kind of an answer. */
    public enum Outcome {
        /** The head of the branch, and the blocks that the receiver does not have. */
        VERSIONS,
        /** The branch is still in the state that the request names. */
        UNCHANGED,
        /** The remote knows none of the events of the receiver, who should name older ones. */
        MORE_HAVES
    }

    public FetchReply {
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(head, "head");
    }
}
