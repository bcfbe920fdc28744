package dev.pail.repository.update;

import dev.pail.BlockStore;
import dev.pail.Escapes;
import dev.pail.clock.Description;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.HistoryTrees;
import dev.pail.clock.Operation;
import dev.pail.clock.Operation.Change;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.Snapshot;
import dev.pail.update.BuildListener;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of one update: usually one, several if the changes do not fit into one (M7). Each has a root of its own. Stores them in the
 * store of the first version. For one use, and not for use by several threads at once.
 */
final class ChangeEvents implements BuildListener {
    /** What a change takes in an event beside its key and value, in bytes. */
    private static final int CHANGE_OVERHEAD = 40;

    /** The most bytes that a character of a key takes. */
    private static final int CHARACTER = 3;

    private final BlockStore blocks;
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

    /** The root of the version that was made with these changes, if that is done. */
    private volatile @Nullable Cid end;

    ChangeEvents(Snapshot before, @Nullable Description description, HistoryTrees trees) {
        this.blocks = before.pail().blocks();
        this.head = before.head();
        this.description = description;
        this.trees = trees;
        this.frame = description == null ? 0 : (long) CHARACTER * characters(description);
    }

    private static int characters(Description description) {
        return description.author().map(String::length).orElse(0)
                + description.message().map(String::length).orElse(0);
    }

    private static long bytes(String key, @Nullable Cid value) {
        return CHANGE_OVERHEAD + (long) CHARACTER * key.length() + (value == null ? 0 : value.byteLength());
    }

    @Override
    public boolean isFull(String key, @Nullable Cid value) {
        return part.size() == ReplicatedBatch.MAX_CHANGES
                || (!part.isEmpty() && frame + size + bytes(key, value) > ReplicatedBatch.MAX_EVENT_SIZE);
    }

    /** The changes of the next event. */
    List<Change> part() {
        return part;
    }

    @Override
    public void put(String key, Cid value) {
        add(new Operation.Put(key, value), value);
    }

    void delete(String key) {
        add(new Operation.Delete(key), null);
    }

    private void add(Change change, @Nullable Cid value) {
        size += bytes(change.key(), value);
        part.add(change);
        if (count++ == 0) {
            first = (value == null ? "delete " : "put ") + Escapes.brief(change.key());
        }
    }

    @Override
    public void version(Cid root) {
        follow(root, false);
        part = new ArrayList<>();
        size = 0;
    }

    @Override
    public void end(Cid root) {
        end = root;
    }

    /** Whether these are the changes that made a version. */
    boolean madeRoot(Cid root) {
        Cid made = end;
        return made != null && made.equals(root);
    }

    /** Stores the last event. */
    void finish(Cid root) {
        follow(root, true);
    }

    /** Rule DE8. */
    private void follow(Cid root, boolean isLast) {
        Operation operation = part.size() == 1 ? part.get(0) : new Operation.Batch(part);
        Event event = description == null
                ? Event.of(operation, root, head.events())
                : trees.event(blocks, operation, root, head, description.part(number, isLast));
        number++;
        blocks.put(event.block());
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
