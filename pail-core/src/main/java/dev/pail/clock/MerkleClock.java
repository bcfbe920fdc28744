package dev.pail.clock;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.LimitException;
import dev.pail.MalformedBlockException;
import dev.pail.MissingBlockException;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The graph of the events in a block store: joins heads, and puts concurrent events in order. It does not interpret the operations
 * of events; {@link ReplicatedPail} does.
 *
 * <p>Every query takes time and memory in proportion to the events and links between the heads and their common ancestor. Safe
 * for use by several threads, if the block store is.
 *
 * <p>All methods that take a head may throw {@link MissingBlockException}, {@link CorruptBlockException} and
 * {@link MalformedBlockException} for the events that they read, and {@link LimitException}.
 *
 * <pre>{@code
 * ReplicatedPail before = ReplicatedPail.create(blocks).put("a", value);
 * ReplicatedPail after = before.put("b", value);
 * MerkleClock clock = MerkleClock.open(blocks);
 * List<Cid> missed = clock.since(after.head(), before.head()); // one event: the put of b
 * Head merged = clock.merge(after.head(), before.head()); // the head of after, which follows before
 * }</pre>
 */
@CheckReturnValue
public final class MerkleClock {
    /** Bytes of the heap for each event that one question may read by default. Reading and ordering one takes about 200. */
    private static final int HEAP_PER_EVENT = 512;

    /** Fewer are never allowed by default. */
    private static final int LEAST_EVENTS = 1 << 18;

    /** More are never allowed by default: their parents are counted by an {@code int}. */
    private static final int MOST_EVENTS = 1 << 26;

    private final Events events;
    private final int mostEvents;

    private MerkleClock(Events events, int mostEvents) {
        this.events = events;
        this.mostEvents = mostEvents;
    }

    /** Opens the clock of the events in a block store. */
    public static MerkleClock open(BlockStore blocks) {
        return new MerkleClock(new Events(Objects.requireNonNull(blocks, "blocks")), defaultMostEvents());
    }

    private static int defaultMostEvents() {
        long most = Runtime.getRuntime().maxMemory() / HEAP_PER_EVENT;
        return (int) Math.min(Math.max(most, LEAST_EVENTS), MOST_EVENTS);
    }

    /**
     * Returns this clock with another limit: one query reads at most this many events, and 16 times as many links between them.
     * The default is one event for each 512 bytes of the heap, but at least 262,144. Rule M15.
     *
     * @throws IllegalArgumentException if the limit is less than 1, or more than 67,108,864
     */
    public MerkleClock withMostEvents(int most) {
        if (most < 1 || most > MOST_EVENTS) {
            throw new IllegalArgumentException("1 to " + MOST_EVENTS + " events are looked at, not " + most);
        }
        return new MerkleClock(events, most);
    }

    /** The block store that holds the events. */
    public BlockStore blocks() {
        return events.blocks;
    }

    /** Stores an event, but adds it to no head. */
    public void store(Event event) {
        events.store(event);
    }

    /** Reads an event. */
    public Event event(Cid cid) {
        Objects.requireNonNull(cid, "cid");
        return events.load(cid, null);
    }

    /**
     * Returns the root of the pail after an event. Does not decode its operation, which may be large.
     *
     * @throws MissingBlockException if the event is missing
     */
    public Cid root(Cid event) {
        return events.root(Objects.requireNonNull(event, "event"));
    }

    /**
     * Returns the head that also holds an event and all that it follows: the same head, if it already holds the event. The event
     * replaces those that it follows. Rule M9.
     *
     * @throws MissingBlockException also if a parent of the event is missing
     */
    public Head advance(Head head, Cid event) {
        Objects.requireNonNull(event, "event");
        Objects.requireNonNull(head, "head");
        return merge(head, Head.of(event));
    }

    /** Returns the head that holds all events of both heads. Throws as {@link #advance} does. */
    public Head merge(Head head, Head other) {
        return join(head, other).head();
    }

    /** The span of the union of two heads. Its heads are what {@link #advance} returns. */
    Span join(Head head, Head other) {
        Span span = span(head, other);
        Head joined = span.head();
        // Rule M8. The span has left out events that another one of the head follows.
        if (joined.size() > Event.MAX_PARENTS) {
            throw LimitException.ofClock("a head has " + Event.MAX_PARENTS + " events at most (M8)");
        }
        for (Cid event : joined.events()) {
            if (!head.events().contains(event)) {
                events.checkParents(event(event));
            }
        }
        return span;
    }

    /** The span of the events of two heads. */
    Span span(Head head, Head other) {
        return Span.toCommonAncestor(events, mostEvents, union(head, other));
    }

    private static Collection<Cid> union(Head head, Head other) {
        Collection<Cid> both = new ArrayList<>(head.events());
        both.addAll(other.events());
        return both;
    }

    /** Whether a head holds an event: the event is in the head, or one in the head follows it. */
    public boolean contains(Head head, Cid event) {
        Objects.requireNonNull(event, "event");
        return head.events().contains(event)
                || !span(head, Head.of(event)).head().events().contains(event);
    }

    /**
     * Returns the dominator of a head: the nearest event on every path from the head to a first event. For a head of one event, it is this
     * event. Empty if the head is empty, or its events have no common ancestor.
     */
    public Optional<Cid> commonAncestor(Head head) {
        return Optional.ofNullable(span(head, Head.empty()).ancestor());
    }

    /**
     * Returns the common head of two heads: the newest of the events that both hold (Rule M20). An empty head, if they have no common
     * event. Unlike {@link #commonAncestor}, it holds all events that both heads hold.
     */
    public Head common(Head head, Head other) {
        Span span = span(head, other);
        if (span.head().equals(head)) {
            return other;
        }
        return span.head().equals(other) ? head : span.common(head, other);
    }

    /** Returns the events that a head holds and another does not, each behind those that it follows. */
    public List<Cid> since(Head head, Head other) {
        if (other.isEmpty()) {
            return history(head);
        }
        return Span.ofAll(events, mostEvents, union(head, other)).since(head, other);
    }

    /**
     * Returns the events of the change that an event ends, in their order: the event alone, unless it is the last of a chain (spec rule DE6).
     *
     * @throws MissingBlockException if an event of the chain is missing
     */
    public List<Cid> change(Event last) {
        return Chain.endingAt(this, last);
    }

    /**
     * Returns the open conflicts of a head, in the order of keys: the keys whose newest changes differ in value (spec rules M22 and M23).
     * Reads all events down to a head that the cache knows, or to the beginning.
     *
     * @throws LimitException also if many events stand side by side (M24)
     */
    public List<OpenConflict> conflicts(Head head, ConflictCache cache) {
        return new ConflictWalk(this, mostEvents, cache).of(head);
    }

    /**
     * Returns the open conflicts of a head that its events since their common ancestor made, in the order of keys. Unlike {@link #conflicts},
     * reads no more than a merge does.
     */
    public List<OpenConflict> newConflicts(Head head) {
        return new ConcurrentChanges(this, span(head, Head.empty()))
                .differing()
                .sorted(Comparator.comparing(OpenConflict::key))
                .toList();
    }

    /** Returns all events that a head holds, in the order of a replay: each behind those that it follows. */
    public List<Cid> history(Head head) {
        return Span.toBeginning(events, mostEvents, head.events()).replay();
    }
}
