package dev.pail.repository.history;

import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.Operation.Change;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.HistoryEntry;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The events of a head and all that they follow, newest first: each before those that it follows, and those of one line of work together.
 * An event is read when its turn comes. If lines run side by side, the walk reads all of their events back to where they parted, because
 * none may come before one that follows it. Only the first event of a head comes without that: no event of a head follows another (M8).
 */
public final class EventWalk implements Iterator<Event> {
    /** All changes, for {@link #entries}. */
    public static final Predicate<String> ALL = key -> true;

    private final MerkleClock clock;

    /** What comes next, where that is known. */
    private final Deque<Event> ready = new ArrayDeque<>();

    /** What comes behind that. */
    private Collection<Cid> next;

    /** Whether {@code next} is the head: none of its events follows another. */
    private boolean isHead = true;

    /** The event that came before the order of the others was known. */
    private @Nullable Cid first;

    public EventWalk(MerkleClock clock, Head head) {
        this.clock = clock;
        this.next = head.events();
    }

    @Override
    public boolean hasNext() {
        return !ready.isEmpty() || !next.isEmpty();
    }

    @Override
    public Event next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        if (first == null) {
            begin();
        }
        while (ready.isEmpty()) {
            advance();
        }
        return ready.remove();
    }

    private void begin() {
        Event event = clock.event(next.iterator().next());
        first = event.cid();
        ready.add(event);
        if (next.size() == 1) {
            next = event.parents();
            isHead = false;
        }
    }

    private void advance() {
        if (next.size() > 1 && !isHead) {
            // The parents of an event may be an event and another one that follows it.
            next = clock.merge(Head.of(next), Head.empty()).events();
        }
        isHead = false;
        if (next.size() == 1) {
            Event event = clock.event(next.iterator().next());
            add(event);
            next = event.parents();
            return;
        }
        Cid ancestor = clock.commonAncestor(Head.of(next)).orElse(null);
        order(next, ancestor);
        next = ancestor == null ? List.of() : List.of(ancestor);
    }

    private void add(Event event) {
        if (!Objects.equals(first, event.cid())) {
            ready.add(event);
        }
    }

    /** Orders the events from some back to their common ancestor. */
    private void order(Collection<Cid> from, @Nullable Cid ancestor) {
        Map<Cid, Event> events = new HashMap<>();
        Map<Cid, Integer> children = new HashMap<>();
        Deque<Cid> due = new ArrayDeque<>(from);
        for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
            if (Objects.equals(cid, ancestor) || events.containsKey(cid)) {
                continue;
            }
            Event event = clock.event(cid);
            events.put(cid, event);
            for (Cid parent : event.parents()) {
                children.merge(parent, 1, Integer::sum);
                due.add(parent);
            }
        }
        for (Cid cid : from) {
            if (!children.containsKey(cid)) {
                due.add(cid);
            }
        }
        for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
            Event event = events.get(cid);
            if (event == null) {
                continue;
            }
            add(event);
            for (Cid parent : event.parents()) {
                if (children.merge(parent, -1, Integer::sum) == 0) {
                    due.addFirst(parent);
                }
            }
        }
    }

    /**
     * The changes of certain keys. A change of several events comes once, with its last event (spec rule DE7).
     *
     * @param keys tells which; {@link #ALL} gives also events without changes
     */
    public Stream<HistoryEntry> entries(EventOrigins origins, Predicate<String> keys) {
        Spliterator<Event> events =
                Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED | Spliterator.NONNULL);
        Listing listing = new Listing(origins, keys);
        return StreamSupport.stream(events, false).peek(event -> origins.pass()).flatMap(listing::entry);
    }

    /** Makes one entry of the events of a change. For one thread. */
    private final class Listing {
        private final EventOrigins origins;
        private final Predicate<String> keys;

        /** The events of chains whose last event was passed. */
        private final Set<Cid> listed = new HashSet<>();

        /** The events before the last of each chain. A second last event behind one is a change of its own, so no chain is read twice. */
        private final Set<Cid> ended = new HashSet<>();

        Listing(EventOrigins origins, Predicate<String> keys) {
            this.origins = origins;
            this.keys = keys;
        }

        Stream<HistoryEntry> entry(Event event) {
            if (listed.remove(event.cid())) {
                return Stream.empty();
            }
            List<Cid> chain = chain(event);
            List<Change> changes = chain.size() == 1 ? event.operation().changes() : new ChainChanges(clock, chain);
            if (keys == ALL) {
                return Stream.of(entry(event, chain, changes.size(), changes));
            }
            List<Change> wanted =
                    changes.stream().filter(change -> keys.test(change.key())).toList();
            return wanted.isEmpty() ? Stream.empty() : Stream.of(entry(event, chain, changes.size(), wanted));
        }

        private List<Cid> chain(Event event) {
            if (event.parents().size() == 1 && ended.contains(event.parents().get(0))) {
                return List.of(event.cid());
            }
            List<Cid> chain = clock.change(event);
            if (chain.size() > 1) {
                listed.addAll(chain.subList(0, chain.size() - 1));
                ended.add(chain.get(chain.size() - 2));
            }
            return chain;
        }

        private HistoryEntry entry(Event event, List<Cid> chain, int size, List<Change> changes) {
            List<Cid> parents = chain.size() == 1
                    ? event.parents()
                    : clock.event(chain.get(0)).parents();
            return origins.entry(event, chain, parents, size, changes);
        }
    }
}
