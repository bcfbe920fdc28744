package dev.pail.clock;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The newest events of a clock: those that no other event of it follows. A head holds these and all events that they follow.
 * Usually it is one event; after concurrent changes several, until the next event joins them; none before the first event.
 *
 * <p>A set, kept in the order of {@link Cid#compareTo}. Immutable, equal by content.
 *
 * <pre>{@code
 * Head head = ReplicatedPail.create(blocks).put("title", value).head();
 * Head stored = Head.of(head.events()); // what to keep, as a branch does
 * ReplicatedPail again = ReplicatedPail.open(blocks, stored);
 * }</pre>
 */
@CheckReturnValue
public final class Head {
    private static final Head EMPTY = new Head(List.of());

    private final List<Cid> events;

    private Head(List<Cid> events) {
        this.events = events;
    }

    /** The head of a clock without events. */
    public static Head empty() {
        return EMPTY;
    }

    /** Returns the head of these events. None may follow another: {@link MerkleClock#advance} removes those that do. */
    public static Head of(Cid... events) {
        return of(List.of(events));
    }

    /**
     * Returns the head of these events. None may follow another: {@link MerkleClock#advance} removes those that do.
     *
     * @throws IllegalArgumentException if one cannot name an event (spec rule M1)
     */
    public static Head of(Collection<Cid> events) {
        for (Cid event : events) {
            Event.checkName(event);
        }
        return new Head(
                events.size() <= 1
                        ? List.copyOf(events)
                        : events.stream().distinct().sorted().toList());
    }

    /** The CIDs of the events, in order. */
    public List<Cid> events() {
        return events;
    }

    /** The number of events. */
    public int size() {
        return events.size();
    }

    /** Whether there are no events. */
    public boolean isEmpty() {
        return events.isEmpty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Head head && events.equals(head.events);
    }

    @Override
    public int hashCode() {
        return events.hashCode();
    }

    /** The CIDs, separated by spaces. */
    @Override
    public String toString() {
        return events.stream().map(Cid::toString).collect(Collectors.joining(" "));
    }
}
