package dev.pail.repository.model;

import dev.pail.Conflict;
import dev.pail.clock.OpenConflict;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A conflict of a branch that no one has decided.
 *
 * <pre>{@code
 * for (ConflictEntry open : repository.conflicts().of("main")) {
 *     System.out.println(open.conflict().subject() + ": ours " + open.conflict().ours() + ", theirs " + open.conflict().theirs());
 * }
 * }</pre>
 *
 * <p>Immutable and safe for use by several threads.
 *
 * @param conflict the key, or the row of a table, with its value in the last version that all sides had, and the values of two sides. Ours is what this branch
 *     put itself; if its log does not tell, it is the value that stands. Theirs is the first other value, in the order of events
 * @param stands the value that the key has now, if it has one
 * @param sides all newest changes of the key, in the order of their events
 */
public record ConflictEntry(Conflict conflict, Optional<Cid> stands, List<OpenConflict.Side> sides) {
    public ConflictEntry {
        Objects.requireNonNull(conflict, "conflict");
        Objects.requireNonNull(stands, "stands");
        sides = List.copyOf(sides);
    }
}
