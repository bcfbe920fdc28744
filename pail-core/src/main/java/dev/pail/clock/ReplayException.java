package dev.pail.clock;

import dev.pail.PailException;
import dev.pail.ipld.Cid;

/**
 * An event whose operation the pail refuses in a replay, after concurrent events. The cause says why. Nothing was changed.
 *
 * <pre>{@code
 * try {
 *     ReplicatedPail merged = repository.replica("main").merge(repository.head("draft"));
 * } catch (ReplayException e) {
 *     System.err.println(e.event() + " cannot be replayed: " + e.getCause().getMessage());
 * }
 * }</pre>
 */
public final class ReplayException extends PailException {
    private final Cid event;

    public ReplayException(Cid event, PailException cause) {
        super("cannot replay event " + event + ": " + cause.getMessage(), cause);
        this.event = event;
    }

    /** Returns the CID of the event. */
    public Cid event() {
        return event;
    }

    @Override
    public String code() {
        return "replay-failed";
    }

    @Override
    public Kind kind() {
        return Kind.MALFORMED;
    }
}
