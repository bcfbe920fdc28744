package dev.pail.clock;

/**
 * The treatment of histories without a common event, which have no event from which to replay both.
 *
 * <pre>{@code
 * ReplicatedPail mine = ReplicatedPail.create(blocks).put("a", value);
 * ReplicatedPail yours = ReplicatedPail.create(blocks).put("b", value);
 * ReplicatedPail both = mine.with(UnrelatedHistories.MERGE_FROM_EMPTY).merge(yours.head()); // has a and b
 * }</pre>
 */
public enum UnrelatedHistories {
    /** They are not merged. */
    REFUSE,

    /** All their events are replayed, from an empty pail of the format that all of them have. */
    MERGE_FROM_EMPTY
}
