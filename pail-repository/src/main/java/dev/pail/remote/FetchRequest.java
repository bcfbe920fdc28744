package dev.pail.remote;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.RefToken;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A request for the blocks of a remote branch that the receiver does not have (Rule SY3). Immutable.
 *
 * <pre>{@code
 * FetchRequest all = FetchRequest.of("main"); // with all values
 * FetchRequest later = all.withHave(repository.head("main").events());
 * }</pre>
 *
 * @param branch its name there
 * @param have events that the receiver has, with all events, shards and, if it asks for values, the values below them
 * @param hasValues whether the receiver also asks for the blocks of values
 * @param understands what the readers of the receiver understand
 * @param unless names the state of the branch for which the receiver needs no blocks
 */
@CheckReturnValue
public record FetchRequest(
        String branch, List<Cid> have, boolean hasValues, Set<Need> understands, Optional<RefToken> unless) {
    /** The maximum number of events that a receiver names. */
    public static final int MAX_HAVE = 1000;

    /** @throws IllegalArgumentException if there are more than {@link #MAX_HAVE} events, or one cannot name an event */
    public FetchRequest {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(unless, "unless");
        understands = Set.copyOf(understands);
        have = Head.of(have).events();
        if (have.size() > MAX_HAVE) {
            throw new IllegalArgumentException("a receiver names at most " + MAX_HAVE + " events, not " + have.size());
        }
    }

    /** Requests all blocks of a branch, with values, for a receiver that understands all that this version does. */
    public static FetchRequest of(String branch) {
        return new FetchRequest(branch, List.of(), true, Set.of(Need.EVENTS), Optional.empty());
    }

    /** Returns this request for a receiver that has these events. */
    public FetchRequest withHave(List<Cid> events) {
        return new FetchRequest(branch, events, hasValues, understands, unless);
    }

    /** Returns this request without the blocks of values. */
    public FetchRequest withoutValues() {
        return new FetchRequest(branch, have, false, understands, unless);
    }

    /** Returns this request for a receiver that needs no blocks if the branch is still in this state. */
    public FetchRequest unless(RefToken state) {
        return new FetchRequest(
                branch, have, hasValues, understands, Optional.of(Objects.requireNonNull(state, "state")));
    }

    /**
     * Rule SY18: refuses the request if the receiver does not understand what it would get.
     *
     * @throws RemoteException if it does not
     */
    void checkUnderstood(Set<Need> needs) {
        if (!understands.containsAll(needs)) {
            Set<Need> unknown = EnumSet.copyOf(needs);
            unknown.removeAll(understands);
            throw new RemoteException(
                    RemoteException.Reason.NOT_UNDERSTOOD,
                    "the repository needs readers that understand: " + Need.words(unknown),
                    "if this repository has plain events for version 0.2.0, allow described ones in its settings; else install a newer version",
                    null);
        }
    }
}
