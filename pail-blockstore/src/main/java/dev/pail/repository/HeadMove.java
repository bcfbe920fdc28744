package dev.pail.repository;

import java.util.Objects;

/**
 * A branch that has a new head, which is safe.
 *
 * <pre>{@code
 * Registration registration = repository.listen((HeadMove move) ->
 *         System.out.println(move.branch() + ": " + move.entry().reason()));
 * Pail next = repository.update("main", "add a title", before -> before.put("title", value)); // main: add a title
 * }</pre>
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
