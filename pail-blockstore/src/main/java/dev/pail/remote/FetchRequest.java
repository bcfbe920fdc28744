package dev.pail.remote;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * What a receiver asks of a remote: a branch, without what the receiver has (Rule SY3). Immutable.
 *
 * <pre>{@code
 * FetchRequest all = FetchRequest.of("main"); // with all values
 * FetchRequest later = all.withHave(repository.head("main").events());
 * }</pre>
 *
 * @param branch its name there
 * @param have events that the receiver has, with all events, shards and, if it asks for values, the values below them
 * @param hasValues whether the receiver asks for the blocks of values, too
 * @param unless the generation at which the receiver needs nothing
 */
@CheckReturnValue
public record FetchRequest(String branch, List<Cid> have, boolean hasValues, OptionalLong unless) {
    /** The most events that a receiver names. */
    public static final int MAX_HAVE = 1000;

    /** @throws IllegalArgumentException if there are more than {@link #MAX_HAVE} events, or one cannot name an event */
    public FetchRequest {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(unless, "unless");
        have = Head.of(have).events();
        if (have.size() > MAX_HAVE) {
            throw new IllegalArgumentException("a receiver names at most " + MAX_HAVE + " events, not " + have.size());
        }
    }

    /** All of a branch, with values. */
    public static FetchRequest of(String branch) {
        return new FetchRequest(branch, List.of(), true, OptionalLong.empty());
    }

    /** This request of a receiver that has these events. */
    public FetchRequest withHave(List<Cid> events) {
        return new FetchRequest(branch, events, hasValues, unless);
    }

    /** This request without the blocks of values. */
    public FetchRequest withoutValues() {
        return new FetchRequest(branch, have, false, unless);
    }

    /** This request of a receiver that needs nothing if the branch is still at this generation. */
    public FetchRequest unless(long generation) {
        return new FetchRequest(branch, have, hasValues, OptionalLong.of(generation));
    }
}
