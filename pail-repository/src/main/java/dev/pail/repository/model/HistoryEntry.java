package dev.pail.repository.model;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.clock.Description;
import dev.pail.clock.Event;
import dev.pail.clock.Operation;
import dev.pail.clock.Operation.Change;
import dev.pail.ipld.Cid;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A change of a history: {@link dev.pail.repository.VersionHistory#of}. Usually it is one event. Immutable.
 *
 * <pre>{@code
 * try (Stream<HistoryEntry> changes = repository.history().of("main", "photos/1.jpg")) {
 *     changes.limit(10).forEach(change -> System.out.println(change.time() + " " + change.value() + " " + change.note().message()));
 * }
 * }</pre>
 *
 * @param event the event, or the last one of a change of several events
 * @param events the events of the change, in their order
 * @param parents the events that the first of them follows
 * @param size the number of changes of all events
 * @param changes the changes of all events; in the history of some keys, only the changes of these keys. Of several events, the list reads
 *     an event when one of its changes is asked for
 * @param origin the ref update that brought the event, if a log has it: logs stay in their repository
 * @param branches the names of the branches with the event in their heads
 */
public record HistoryEntry(
        Event event,
        List<Cid> events,
        List<Cid> parents,
        int size,
        List<Change> changes,
        Optional<Origin> origin,
        List<String> branches) {
    public HistoryEntry {
        Objects.requireNonNull(event, "event");
        events = List.copyOf(Objects.requireNonNull(events, "events"));
        parents = List.copyOf(Objects.requireNonNull(parents, "parents"));
        changes = Collections.unmodifiableList(Objects.requireNonNull(changes, "changes"));
        Objects.requireNonNull(origin, "origin");
        branches = List.copyOf(Objects.requireNonNull(branches, "branches"));
    }

    /** Returns this entry with some of its changes. */
    @CheckReturnValue
    public HistoryEntry with(List<Change> some) {
        return new HistoryEntry(event, events, parents, size, some, origin, branches);
    }

    /** Returns the value that the last of the changes put; empty if it deleted a key. */
    public Optional<Cid> value() {
        return !changes.isEmpty() && changes.get(changes.size() - 1) instanceof Operation.Put put
                ? Optional.of(put.value())
                : Optional.empty();
    }

    /** Returns the time of the change: that of its description, or else the time of its ref update, if that was in this repository. */
    public Optional<Instant> time() {
        Optional<Instant> described = event.description().flatMap(Description::time);
        return described.isPresent()
                ? described
                : origin.filter(from -> !from.isImport()).map(Origin::time);
    }

    /**
     * Returns the author and the message of the change: those of its description, or else those of its ref update, if that was in this
     * repository.
     */
    public Note note() {
        return event.description()
                .map(Note::of)
                .filter(note -> !note.isEmpty())
                .orElseGet(() -> origin.map(Origin::note).orElse(Note.NONE));
    }

    /**
     * The first ref update that led to an event.
     *
     * @param isImport whether the event was made elsewhere, at an unknown time, and an import, a push or a copy brought it
     * @param note the author and the message; empty if the event was made elsewhere, since the log names who brought it
     */
    public record Origin(Instant time, boolean isImport, Note note) {
        public Origin {
            Objects.requireNonNull(time, "time");
            Objects.requireNonNull(note, "note");
        }

        public static Origin of(LogEntry entry) {
            boolean isImport = entry.reason().startsWith("import ")
                    || entry.isPush()
                    || entry.reason().equals("copy");
            return new Origin(entry.time(), isImport, isImport ? Note.NONE : entry.note());
        }
    }
}
