package dev.pail.walk;

/** The order in which a walk gives its entries. */
public enum Direction {
    /** From the least key to the greatest. */
    ASCENDING,
    /** From the greatest key to the least. */
    DESCENDING;

    boolean isDescending() {
        return this == DESCENDING;
    }
}
