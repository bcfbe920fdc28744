package dev.pail.repository.model;

import dev.pail.clock.Head;
import java.time.Instant;
import java.util.Objects;

/**
 * A log entry: a ref update of a branch.
 *
 * <pre>{@code
 * try (Stream<LogEntry> log = repository.history().log("main")) {
 *     log.limit(10).forEach(entry -> System.out.println(entry.time() + " " + entry.reason())); // newest first
 * }
 * }</pre>
 *
 * @param generation the number of this update of the branch, counted from 1
 * @param time the time of the update, by the clock of the writer
 * @param reason the reason: a line of text for people
 * @param from the old head
 * @param to the new head; never the same as {@code from}
 * @param note the author and the message, if they were given
 */
public record LogEntry(long generation, Instant time, String reason, Head from, Head to, Note note) {
    /** The reason of a push that moves a branch. */
    public static final String PUSH = "push";

    public LogEntry {
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(reason, "reason");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(note, "note");
    }

    /** Returns whether a push of another repository moved the branch. */
    public boolean isPush() {
        return reason.equals(PUSH);
    }

    /** An entry without a note. */
    public LogEntry(long generation, Instant time, String reason, Head from, Head to) {
        this(generation, time, reason, from, to, Note.NONE);
    }
}
