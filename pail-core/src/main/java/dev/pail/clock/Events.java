package dev.pail.clock;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MalformedBlockException;
import dev.pail.MissingBlockException;
import dev.pail.ipld.Cid;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The events in a block store. Holds those that were used last, up to a weight, because each change of a replica that merges
 * often looks at many of the events that the change before it looked at.
 *
 * <p>For use by several threads at once.
 */
final class Events {
    /** The cached events weigh this much at most, in bytes; a single one may be heavier. */
    static final long MAX_WEIGHT = 16L << 20;

    /** About what an event takes beside three times its bytes: as a block, and decoded, which it may be at any time. */
    private static final int LEAST_WEIGHT = 512;

    final BlockStore blocks;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Map<Cid, Event> cached = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("lock")
    private long weight;

    Events(BlockStore blocks) {
        this.blocks = blocks;
    }

    /**
     * The event of this name.
     *
     * @param child an event that follows it, where that is how it was found
     * @throws MissingBlockException if it is not there
     * @throws CorruptBlockException if its bytes do not match its CID
     * @throws MalformedBlockException if it is no event
     */
    Event load(Cid cid, @Nullable Cid child) {
        synchronized (lock) {
            Event event = cached.get(cid);
            if (event != null) {
                return event;
            }
        }
        Event event = Event.fromBlock(blocks.getChecked(cid).orElseThrow(() -> missing(cid, child)));
        cache(event);
        return event;
    }

    /** The root of an event, as {@link #load}; what the event did is not checked, unless it was before. */
    Cid root(Cid cid) {
        synchronized (lock) {
            Event event = cached.get(cid);
            if (event != null) {
                return event.root();
            }
        }
        return EventDecoder.root(blocks.getChecked(cid).orElseThrow(() -> missing(cid, null)));
    }

    /**
     * Checks an event that joins a head. Rule M10.
     *
     * @throws MissingBlockException if an event that this one follows is not there
     */
    void checkParents(Event event) {
        for (Cid parent : event.parents()) {
            if (!blocks.has(parent)) {
                throw missing(parent, event.cid());
            }
        }
    }

    private static MissingBlockException missing(Cid cid, @Nullable Cid child) {
        return child == null ? new MissingBlockException(cid) : new MissingBlockException(cid, child);
    }

    /** Stores an event. */
    void store(Event event) {
        blocks.put(event.block());
        cache(event);
    }

    private void cache(Event event) {
        synchronized (lock) {
            if (cached.put(event.cid(), event) != null) {
                return;
            }
            weight += weight(event);
            Iterator<Event> oldest = cached.values().iterator();
            while (weight > MAX_WEIGHT && cached.size() > 1) {
                weight -= weight(oldest.next());
                oldest.remove();
            }
        }
    }

    private static long weight(Event event) {
        return LEAST_WEIGHT + 3L * event.block().size();
    }
}
