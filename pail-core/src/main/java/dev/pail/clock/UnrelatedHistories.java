package dev.pail.clock;

/** What becomes of histories that began apart from each other, and so have no event from which to replay both. */
public enum UnrelatedHistories {
    /** They are not merged. */
    REFUSE,

    /** All their events are replayed, from an empty pail of the format that all of them have. */
    MERGE_FROM_EMPTY
}
