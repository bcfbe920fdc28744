package dev.pail.repository;

import dev.pail.sign.HeadNote;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The notes of signed heads that are kept beside branches and tags: those of a repository, or of a remote. For each name and each key there
 * is one, the one with the greatest generation (spec rule SN11). So whichever way notes travel, and in whichever order, the newest wins. Safe
 * for use by several threads.
 *
 * <pre>{@code
 * SigningKey ann = SigningKey.generate("example.com/ann");
 * Snapshot now = repository.snapshot("main");
 * byte[] note = new SignedHead("main", now.generation(), now.root(), now.head()).sign(ann);
 * repository.headNotes().keep(HeadNote.parse(note));
 * List<HeadNotes.Taken> taken = repository.headNotes().takeAll(remote.headNotes(), name -> true);
 * }</pre>
 */
public interface HeadNotes {
    /** Those of a place that keeps none. */
    HeadNotes NONE = new HeadNotes() {
        @Override
        public List<HeadNote> all() {
            return List.of();
        }

        @Override
        public Outcome keep(HeadNote note) {
            Objects.requireNonNull(note, "note");
            return Outcome.LEFT;
        }
    };

    /** What became of a note. */
    enum Outcome {
        /** It is kept, maybe in the place of an older one. */
        KEPT,
        /** This note or a newer one by this key is there. Nothing has changed. */
        KNOWN,
        /** By this key there is another note of this generation, so the owner of the key has signed two histories. Nothing has changed. */
        CONTRADICTS,
        /** It is not kept, as there is no such branch or tag, or notes are not kept there at all. */
        LEFT,
        /** It is not kept, as the notes of the branch or tag would have more than {@link HeadNote#MAX_TOTAL} bytes. */
        TOO_MANY
    }

    /**
     * A note and what became of it.
     *
     * @param outcome where it was to be kept
     */
    record Taken(HeadNote note, Outcome outcome) {
        public Taken {
            Objects.requireNonNull(note, "note");
            Objects.requireNonNull(outcome, "outcome");
        }
    }

    /** All notes, in the order of their names, and of their keys for each name. */
    List<HeadNote> all();

    /** The notes of a branch or a tag, in the order of their keys. */
    default List<HeadNote> of(String name) {
        Objects.requireNonNull(name, "name");
        return all().stream().filter(note -> note.name().equals(name)).toList();
    }

    /**
     * Keeps a note beside its branch or tag. Checks no signature, as that needs the key: a reader of the note does.
     *
     * @throws dev.pail.repository.model.RepositoryException if the notes there are damaged
     */
    Outcome keep(HeadNote note);

    /**
     * Keeps all notes of other branches and tags here.
     *
     * @param from for example those of a remote
     * @param names the branches and tags whose notes are wanted
     * @return the notes of these names, in order
     */
    default List<Taken> takeAll(HeadNotes from, Predicate<String> names) {
        Objects.requireNonNull(names, "names");
        return keepAll(Objects.requireNonNull(from, "from").all().stream()
                .filter(note -> names.test(note.name()))
                .toList());
    }

    /** Keeps notes, as {@link #keep} does each. */
    default List<Taken> keepAll(List<HeadNote> notes) {
        return notes.stream().map(note -> new Taken(note, keep(note))).toList();
    }
}
