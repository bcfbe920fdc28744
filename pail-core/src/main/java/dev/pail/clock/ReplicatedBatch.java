package dev.pail.clock;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.Batch;
import dev.pail.KeyNotAllowedException;
import dev.pail.LimitException;
import dev.pail.clock.Operation.Change;
import dev.pail.clock.Operation.Delete;
import dev.pail.clock.Operation.Put;
import dev.pail.ipld.Cid;
import dev.pail.update.Derivation;
import java.util.ArrayList;
import java.util.List;

/**
 * Several changes of a replicated pail for one event, or for as few events as possible. An event has at most 5,000 changes and
 * 1 MiB, unless a single change is larger. Later changes build on earlier ones.
 *
 * <p>Not for use by several threads at once.
 *
 * <pre>{@code
 * ReplicatedPail replica = ReplicatedPail.create(blocks, ShardFormat.v1());
 * ReplicatedPail next = replica.batch()
 *         .put("title", value)
 *         .delete("draft")
 *         .commit(); // one event with two changes
 * }</pre>
 */
@CheckReturnValue
public final class ReplicatedBatch {
    /** The maximum number of changes in one event. */
    public static final int MAX_CHANGES = 5000;

    /** The maximum size of the block of an event with several changes, in bytes. */
    public static final int MAX_EVENT_SIZE = 1 << 20;

    private final ReplicatedPail base;
    private final List<Change> changes = new ArrayList<>();
    private boolean over;

    ReplicatedBatch(ReplicatedPail base) {
        this.base = base;
    }

    /**
     * Gives a key a value.
     *
     * @throws KeyNotAllowedException if the format does not take the key. The batch is as it was
     */
    @CanIgnoreReturnValue
    public ReplicatedBatch put(String key, Cid value) {
        checkOpen();
        base.pail().format().checkKey(key);
        add(new Put(key, value));
        return this;
    }

    /**
     * Removes a key and its value, if it is there.
     *
     * @throws KeyNotAllowedException if the key has a lone surrogate. The batch is as it was
     */
    @CanIgnoreReturnValue
    public ReplicatedBatch delete(String key) {
        checkOpen();
        add(new Delete(key));
        return this;
    }

    private void add(Change change) {
        Derivation derivation = Derivation.of(base);
        if (derivation != null && changes.isEmpty()) {
            derivation.begin();
        }
        changes.add(change);
    }

    /**
     * Stores the new shards and events, and returns the new state. A batch with a change makes an event even if the map stays the same;
     * an empty batch makes none. A batch can be committed once.
     *
     * @throws LimitException if the format has no room for a key. No state has any of the changes
     * @throws IllegalStateException if the batch was committed
     */
    public ReplicatedPail commit() {
        checkOpen();
        over = true;
        Derivation derivation = Derivation.of(base);
        if (derivation != null && !changes.isEmpty()) {
            derivation.commit();
        }
        ReplicatedPail state = base;
        Description description = base.description().orElse(null);
        int from = 0;
        int number = 1;
        while (from < changes.size()) {
            int to = end(from, state.head().size());
            List<Change> part = changes.subList(from, to);
            Batch batch = state.pail().batch();
            part.forEach(change -> Replay.apply(batch, change));
            boolean isLast = to == changes.size();
            Description described = description == null ? null : description.part(number, isLast);
            state = state.follow(new Operation.Batch(part), batch.commit(), described);
            from = to;
            number++;
        }
        return state;
    }

    /** The index behind the last change that goes into one event with the one at {@code from}. */
    private int end(int from, int parents) {
        int to = from + 1;
        long size = EventEncoder.sizeWithout(parents, base.description().orElse(null))
                + EventEncoder.size(changes.get(from));
        while (to < changes.size() && to - from < MAX_CHANGES) {
            size += EventEncoder.size(changes.get(to));
            if (size > MAX_EVENT_SIZE) {
                break;
            }
            to++;
        }
        return to;
    }

    private void checkOpen() {
        Derivation derivation = Derivation.of(base);
        if (derivation != null) {
            derivation.checkInterrupted();
        }
        if (over) {
            throw new IllegalStateException("the batch was committed: start another");
        }
    }
}
