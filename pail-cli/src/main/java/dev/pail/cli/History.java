package dev.pail.cli;

import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The events of a head and all that they follow, newest first: each before those that it follows, and those of one branch
 * together. An event is read when its turn comes; where histories run side by side, all of their events back to where they
 * parted are read, because none may come before one that follows it.
 */
final class History implements Iterator<Event> {
    private final MerkleClock clock;

    /** What comes next, where that is known. */
    private final Deque<Event> ready = new ArrayDeque<>();

    /** What comes behind that. */
    private Collection<Cid> next;

    History(MerkleClock clock, Head head) {
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
        if (ready.isEmpty()) {
            advance();
        }
        return ready.remove();
    }

    private void advance() {
        if (next.size() > 1) {
            // Whoever has written an event may have named as its parents an event and another that follows that one.
            next = clock.merge(Head.of(next), Head.empty()).events();
        }
        if (next.size() == 1) {
            Event event = clock.event(next.iterator().next());
            ready.add(event);
            next = event.parents();
            return;
        }
        Cid ancestor = clock.commonAncestor(Head.of(next)).orElse(null);
        order(next, ancestor);
        next = ancestor == null ? List.of() : List.of(ancestor);
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
            ready.add(event);
            for (Cid parent : event.parents()) {
                if (children.merge(parent, -1, Integer::sum) == 0) {
                    due.addFirst(parent);
                }
            }
        }
    }
}
