package dev.pail.repository.update;

import dev.pail.Batch;
import dev.pail.Entry;
import dev.pail.Escapes;
import dev.pail.KeyChange;
import dev.pail.KeyNotAllowedException;
import dev.pail.LimitException;
import dev.pail.Pail;
import dev.pail.clock.Description;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.HistoryTrees;
import dev.pail.clock.Operation;
import dev.pail.clock.Operation.Change;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.Snapshot;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The events that lead from one version to another: usually one, several if they do not fit into one. Each has a root of its own, and the
 * last one has the root of the other version. They are stored at once, in the store of the first version. For one use.
 */
final class Changes {
    /** What a change takes in an event beside its key and value, in bytes. */
    private static final int CHANGE_OVERHEAD = 40;

    /** The most bytes that a character of a key takes. */
    private static final int CHARACTER = 3;

    private final Pail after;
    private Pail at;
    private Head head;
    private List<Change> part = new ArrayList<>();
    private long size;
    private long count;
    private String first = "";

    /** Null for plain events. */
    private final @Nullable Description description;

    /** The most bytes that the description takes in each event. */
    private final long frame;

    /** The number of the next event. */
    private int number = 1;

    private final HistoryTrees trees;

    private Changes(Snapshot before, Pail after, @Nullable Description description, HistoryTrees trees) {
        this.description = description;
        this.trees = trees;
        this.frame = description == null ? 0 : (long) CHARACTER * characters(description);
        this.after = after;
        // A branch without events has no format yet. Versions on the way that have another one need not take the keys.
        this.at = before.head().isEmpty() ? Pail.create(before.pail().blocks(), after.format()) : before.pail();
        this.head = before.head();
    }

    /** Stores the events that lead to a version with another root. */
    static Changes store(Snapshot before, Pail after, @Nullable Description description, HistoryTrees trees) {
        Changes changes = new Changes(before, after, description, trees);
        try (Stream<KeyChange> keys = before.pail().diff(after).boundedKeys()) {
            for (Iterator<KeyChange> each = keys.iterator(); each.hasNext(); ) {
                changes.add(each.next());
            }
        }
        changes.follow(after.root(), true);
        return changes;
    }

    private static int characters(Description description) {
        return description.author().map(String::length).orElse(0)
                + description.message().map(String::length).orElse(0);
    }

    private void add(KeyChange change) {
        Cid value = change.after().orElse(null);
        String key = change.key();
        long more = CHANGE_OVERHEAD + (long) CHARACTER * key.length() + (value == null ? 0 : value.byteLength());
        if (part.size() == ReplicatedBatch.MAX_CHANGES
                || (!part.isEmpty() && frame + size + more > ReplicatedBatch.MAX_EVENT_SIZE)) {
            storePart();
        }
        size += more;
        part.add(value == null ? new Operation.Delete(key) : new Operation.Put(key, value));
        if (count++ == 0) {
            first = (value == null ? "delete " : "put ") + Escapes.brief(key);
        }
    }

    private void storePart() {
        try {
            at = changed(at.batch());
        } catch (KeyNotAllowedException | LimitException e) {
            if (at.format().equals(after.format())) {
                throw e;
            }
            // Of two formats, one takes all keys that the other does: it is not this one.
            at = changed(atInNewFormat());
        }
        follow(at.root(), false);
        part = new ArrayList<>();
        size = 0;
    }

    private Batch atInNewFormat() {
        Batch batch = Pail.create(at.blocks(), after.format()).batch();
        try (Stream<Entry> entries = at.entries()) {
            entries.forEach(entry -> batch.put(entry.key(), entry.value()));
        }
        return batch;
    }

    private Pail changed(Batch batch) {
        for (Change change : part) {
            if (change instanceof Operation.Put put) {
                batch.put(put.key(), put.value());
            } else {
                batch.delete(change.key());
            }
        }
        return batch.commit();
    }

    /** Rule DE8. */
    private void follow(Cid root, boolean isLast) {
        Operation operation = part.size() == 1 ? part.get(0) : new Operation.Batch(part);
        Event event = description == null
                ? Event.of(operation, root, head.events())
                : trees.event(at.blocks(), operation, root, head, description.part(number, isLast));
        number++;
        at.blocks().put(event.block());
        head = Head.of(event.cid());
    }

    /** The head that follows. */
    Head head() {
        return head;
    }

    /** What was changed, in a few words. */
    String summary() {
        return count == 1 ? first : count + " changes";
    }
}
