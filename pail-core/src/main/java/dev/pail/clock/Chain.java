package dev.pail.clock;

import dev.pail.clock.Description.Part;
import dev.pail.ipld.Cid;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The events of a change that has several: each has the one before as its only parent, and the next number. Rule DE6. */
final class Chain {
    private Chain() {}

    /** The place of an event in its chain. Empty if it is of none. */
    static Optional<Part> part(Event event) {
        return event.description().flatMap(Description::part);
    }

    /** The events of the chain that an event ends; the event alone, if it ends none. */
    static List<Cid> endingAt(MerkleClock clock, Event last) {
        return isLast(last) ? upTo(clock, last) : List.of(last.cid());
    }

    static boolean isLast(Event event) {
        return part(event).filter(Part::isLast).isPresent();
    }

    /** The events of a chain from the first to one of them; this one alone, if its parents do not make a chain. */
    static List<Cid> upTo(MerkleClock clock, Event event) {
        Deque<Cid> chain = new ArrayDeque<>();
        chain.add(event.cid());
        Event at = event;
        for (int number = part(event).map(Part::number).orElse(1); number > 1; number--) {
            Event before = at.parents().size() == 1 ? clock.event(at.parents().get(0)) : null;
            if (before == null || !isPart(before, number - 1)) {
                return List.of(event.cid());
            }
            chain.addFirst(before.cid());
            at = before;
        }
        return List.copyOf(chain);
    }

    /** Whether an event is a part of this number before the last. */
    static boolean isPart(Event event, int number) {
        return part(event)
                .filter(part -> part.number() == number && !part.isLast())
                .isPresent();
    }

    /** Whether an event continues the chain of the one before. */
    static boolean continues(Event before, Event next) {
        Optional<Part> part = part(next);
        return part.isPresent()
                && next.parents().equals(List.of(before.cid()))
                && isPart(before, part.get().number() - 1);
    }
}
