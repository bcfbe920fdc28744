package dev.pail.repository;

import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.RefName;
import dev.pail.repository.spi.RefStore;
import dev.pail.sign.HeadNote;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** The notes beside the branches and tags of a repository. */
final class KeptHeadNotes implements HeadNotes {
    private final RefStore store;

    KeptHeadNotes(RefStore store) {
        this.store = store;
    }

    @Override
    public List<HeadNote> all() {
        return store.notedNames().stream()
                .flatMap(name -> store.headNotes(name).stream())
                .toList();
    }

    @Override
    public List<HeadNote> of(String name) {
        RefName.check("a branch or a tag", Objects.requireNonNull(name, "name"));
        return store.headNotes(name);
    }

    @Override
    public Outcome keep(HeadNote note) {
        store.checkWritable();
        if (!isHere(note.name())) {
            return Outcome.LEFT;
        }
        while (true) {
            List<HeadNote> before = store.headNotes(note.name());
            List<HeadNote> next = new ArrayList<>(before);
            Outcome outcome = put(note, next);
            if (outcome != Outcome.KEPT) {
                return outcome;
            }
            try {
                return store.update(update -> {
                    update.headNotes(note.name(), before, next);
                    return outcome;
                });
            } catch (RefChangedException e) {
                // Another writer was first: what it has kept counts.
            }
        }
    }

    /** Whether there is a branch or a tag of this name, or a remote had a branch of this name. A name that no ref has could be any. */
    private boolean isHere(String name) {
        return RefName.isValid(name)
                && (store.branches().contains(name)
                        || store.tags().contains(name)
                        || store.trackings().stream()
                                .anyMatch(ref ->
                                        ref.substring(ref.indexOf('/') + 1).equals(name)))
                // Where the names of files have no case, two such names would have one file.
                && store.notedNames().stream().noneMatch(each -> each.equalsIgnoreCase(name) && !each.equals(name));
    }

    /** Puts a note among those of its name. Rule SN11, and SN12. */
    private static Outcome put(HeadNote note, List<HeadNote> notes) {
        for (HeadNote each : notes) {
            long newer = note.claim().generation() - each.claim().generation();
            if (each.signer().equals(note.signer()) && newer <= 0) {
                return newer < 0 || each.claim().equals(note.claim()) ? Outcome.KNOWN : Outcome.CONTRADICTS;
            }
        }
        notes.removeIf(each -> each.signer().equals(note.signer()));
        notes.add(note);
        notes.sort(Comparator.comparing(HeadNote::signer));
        int bytes = notes.stream().mapToInt(each -> each.bytes().length).sum();
        return bytes <= HeadNote.MAX_TOTAL ? Outcome.KEPT : Outcome.TOO_MANY;
    }
}
