package dev.pail.remote;

import java.util.Objects;

/**
 * What became of a tag of the remote in {@link Exchange#fetchTags}. Immutable.
 *
 * <pre>{@code
 * for (FetchedTag fetched : exchange.fetchTags()) {
 *     System.out.println(fetched.tag().name() + ": " + fetched.outcome());
 * }
 * }</pre>
 *
 * @param tag as the remote has it
 * @param outcome what became of it
 */
public record FetchedTag(RemoteTag tag, Outcome outcome) {
    /** What became of a tag. */
    public enum Outcome {
        /** The tag is new here. */
        CREATED,
        /** The tag was here before. */
        UNCHANGED,
        /** There is a tag of this name with another head here, or a branch, or no tag here can have the name. It stays as it is. */
        LEFT,
        /** The version that it names is not here, because no branch that was fetched has it. */
        NOT_HERE
    }

    public FetchedTag {
        Objects.requireNonNull(tag, "tag");
        Objects.requireNonNull(outcome, "outcome");
    }
}
