package dev.pail.repository;

import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.RefName;
import dev.pail.repository.spi.RefStore;
import dev.pail.sign.HeadNote;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

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
        return keepAll(List.of(note)).get(0).outcome();
    }

    /** Reads once which branches and tags there are. */
    @Override
    public List<Taken> keepAll(List<HeadNote> notes) {
        if (notes.isEmpty()) {
            return List.of();
        }
        store.checkWritable();
        Set<String> refs = refs();
        return notes.stream().map(note -> new Taken(note, keep(note, refs))).toList();
    }

    private Outcome keep(HeadNote note, Set<String> refs) {
        if (!isHere(note.name(), refs)) {
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

    /** The names of the branches and tags, and of the branches that remotes had. */
    private Set<String> refs() {
        Set<String> refs = new HashSet<>(store.branches());
        refs.addAll(store.tags());
        store.trackings().forEach(ref -> refs.add(ref.substring(ref.indexOf('/') + 1)));
        return refs;
    }

    /** Whether notes of this name may be kept. A name that no ref has could be any. */
    private boolean isHere(String name, Set<String> refs) {
        return RefName.isValid(name)
                && refs.contains(name)
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
