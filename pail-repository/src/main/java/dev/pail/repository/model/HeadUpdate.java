package dev.pail.repository.model;

import java.util.Objects;

/**
 * A durable ref update of a branch.
 *
 * <pre>{@code
 * Registration registration = repository.listen((HeadUpdate update) ->
 *         System.out.println(update.branch() + ": " + update.entry().reason()));
 * Updated next = repository.update("main", "add a title", before -> before.put("title", value)); // main: add a title
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
