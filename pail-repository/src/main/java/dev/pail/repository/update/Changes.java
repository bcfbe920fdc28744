package dev.pail.repository.update;

import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.KeyChange;
import dev.pail.KeyNotAllowedException;
import dev.pail.LimitException;
import dev.pail.Pail;
import dev.pail.clock.Description;
import dev.pail.clock.HistoryTrees;
import dev.pail.clock.Operation;
import dev.pail.clock.Operation.Change;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.Snapshot;
import dev.pail.update.BuildListener;
import java.util.Iterator;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What leads from one version to another: {@link ChangeEvents}, the last of them with the root of the other version. A version that is made of
 * an empty one tells its changes while it is made. For others the two versions are compared, and the versions on the way are made here.
 */
final class Changes {
    private final Snapshot before;
    private final Supplier<@Nullable Description> description;
    private final HistoryTrees trees;

    /** Those of the last version that was made of the empty one. */
    private volatile @Nullable ChangeEvents built;

    /** @param description that of events; null for plain ones */
    Changes(Snapshot before, Supplier<@Nullable Description> description, HistoryTrees trees) {
        this.before = before;
        this.description = description;
        this.trees = trees;
    }

    private ChangeEvents events() {
        return new ChangeEvents(before, description.get(), trees);
    }

    /** What follows a version that is made of an empty one; null if the branch has entries. */
    @Nullable
    BuildListener follow() {
        ChangeEvents events = before.pail().shard().items().findAny().isEmpty() ? events() : null;
        built = events;
        return events;
    }

    /** Stores the events that lead to a version with another root. */
    ChangeEvents store(Pail after) {
        ChangeEvents known = built;
        ChangeEvents events = known != null && known.madeRoot(after.root()) ? known : compared(after);
        events.finish(after.root());
        return events;
    }

    private ChangeEvents compared(Pail after) {
        ChangeEvents events = events();
        // A branch without events has no format yet. Versions on the way that have another one need not take the keys.
        Pail at = before.head().isEmpty() ? Pail.create(before.pail().blocks(), after.format()) : before.pail();
        try (Stream<KeyChange> keys = before.pail().diff(after).boundedKeys()) {
            for (Iterator<KeyChange> each = keys.iterator(); each.hasNext(); ) {
                KeyChange change = each.next();
                Cid value = change.after().orElse(null);
                if (events.isFull(change.key(), value)) {
                    at = next(at, events.part(), after);
                    events.version(at.root());
                }
                if (value == null) {
                    events.delete(change.key());
                } else {
                    events.put(change.key(), value);
                }
            }
        }
        return events;
    }

    private static Pail next(Pail at, Iterable<Change> part, Pail after) {
        try {
            return changed(at.batch(), part);
        } catch (KeyNotAllowedException | LimitException e) {
            if (at.format().equals(after.format())) {
                throw e;
            }
            // Of two formats, one takes all keys that the other does: it is not this one.
            return changed(inFormat(at, after), part);
        }
    }

    private static Batch inFormat(Pail at, Pail after) {
        Batch batch = Pail.create(at.blocks(), after.format()).batch();
        try (Stream<Entry> entries = at.entries()) {
            entries.forEach(entry -> batch.put(entry.key(), entry.value()));
        }
        return batch;
    }

    private static Pail changed(Batch batch, Iterable<Change> part) {
        for (Change change : part) {
            if (change instanceof Operation.Put put) {
                batch.put(put.key(), put.value());
            } else {
                batch.delete(change.key());
            }
        }
        return batch.commit();
    }
}
