package dev.pail.repository.update;

import dev.pail.clock.Description;
import dev.pail.repository.model.Note;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Who makes the changes of a repository, and why, as its user has said.
 *
 * @param time the time of the events; empty for the time at which each is made
 */
public record Signature(Note note, Optional<Instant> time) {
    public Signature {
        Objects.requireNonNull(note, "note");
        Objects.requireNonNull(time, "time");
    }

    /** The description of an event that is made at a time. */
    Description at(Instant now) {
        return new Description(note.author(), note.message(), Optional.of(time.orElse(now)));
    }
}
