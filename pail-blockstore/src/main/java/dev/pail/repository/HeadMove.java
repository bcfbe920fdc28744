package dev.pail.repository;

import java.util.Objects;

/**
 * A branch that has a new head, which is safe.
 *
 * @param branch the name of the branch
 * @param entry what its log says of the move
 */
public record HeadMove(String branch, LogEntry entry) {
    public HeadMove {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(entry, "entry");
    }
}
