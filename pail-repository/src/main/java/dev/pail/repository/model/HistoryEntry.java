package dev.pail.repository.model;

import dev.pail.clock.Event;
import dev.pail.clock.Operation;
import dev.pail.clock.Operation.Change;
import dev.pail.ipld.Cid;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An event of a history: {@link dev.pail.repository.VersionHistory#of}. Immutable.
 *
 * <pre>{@code
 * try (Stream<HistoryEntry> changes = repository.history().of("main", "photos/1.jpg")) {
 *     changes.limit(10).forEach(change -> System.out.println(change.time() + " " + change.value() + " " + change.note().message()));
 * }
 * }</pre>
 *
 * @param changes the changes of the event; in the history of some keys, only the changes of these keys
 * @param origin the ref update that brought the event, if a log has it: logs stay in their repository
 * @param branches the names of the branches with the event in their heads
 */
public record HistoryEntry(Event event, List<Change> changes, Optional<Origin> origin, List<String> branches) {
    public HistoryEntry {
        Objects.requireNonNull(event, "event");
        changes = List.copyOf(Objects.requireNonNull(changes, "changes"));
        Objects.requireNonNull(origin, "origin");
        branches = List.copyOf(Objects.requireNonNull(branches, "branches"));
    }

    /** Returns the value that the last of the changes put; empty if it deleted a key. */
    public Optional<Cid> value() {
        return !changes.isEmpty() && changes.get(changes.size() - 1) instanceof Operation.Put put
                ? Optional.of(put.value())
                : Optional.empty();
    }

    /** Returns the time of the event, if it was made in this repository. */
    public Optional<Instant> time() {
        return origin.filter(from -> !from.isImport()).map(Origin::time);
    }

    /** Returns the author and the message of the event, as far as they are known. */
    public Note note() {
        return origin.map(Origin::note).orElse(Note.NONE);
    }

    /**
     * The first ref update that led to an event.
     *
     * @param isImport whether the event was made elsewhere, at an unknown time
     * @param note the author and the message; empty for an import, since the importer has not made the event
     */
    public record Origin(Instant time, boolean isImport, Note note) {
        public Origin {
            Objects.requireNonNull(time, "time");
            Objects.requireNonNull(note, "note");
        }

        public static Origin of(LogEntry entry) {
            boolean isImport = entry.reason().startsWith("import ");
            return new Origin(entry.time(), isImport, isImport ? Note.NONE : entry.note());
        }
    }
}
