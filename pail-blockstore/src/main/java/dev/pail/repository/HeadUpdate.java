package dev.pail.repository;

import java.util.Objects;

/**
 * A new head of a branch, which is durable.
 *
 * <pre>{@code
 * Registration registration = repository.listen((HeadUpdate update) ->
 *         System.out.println(update.branch() + ": " + update.entry().reason()));
 * Pail next = repository.update("main", "add a title", before -> before.put("title", value)); // main: add a title
 * }</pre>
 *
 * @param branch the name of the branch
 * @param entry its log entry
 */
public record HeadUpdate(String branch, LogEntry entry) {
    public HeadUpdate {
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(entry, "entry");
    }
}
