package dev.pail.clock;

import dev.pail.ipld.Cid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the events of the change that an event is of. Described events number them (DE6). Of plain events, these are the ones that one batch
 * may have made: each but the last had no room for the first change of the next (rule M7).
 */
final class BatchParts {
    /** What a change takes in an event beside its key and value, in bytes. */
    private static final int CHANGE = 40;

    /** The most bytes that a character of a key takes. */
    private static final int CHARACTER = 3;

    private final MerkleClock clock;
    private final Head head;
    private final Deque<Event> parts = new ArrayDeque<>();

    BatchParts(MerkleClock clock, Head head, Event event) {
        this.clock = clock;
        this.head = head;
        parts.add(event);
    }

    /** The parts in their order, with the given event among them. */
    List<Cid> all() {
        Event event = parts.getFirst();
        if (event.isDescribed()) {
            return chain(event);
        }
        for (Optional<Event> each = before(); each.isPresent(); each = before()) {
            parts.addFirst(each.get());
        }
        if (mayContinue(parts.getLast())) {
            Map<Cid, Event> next = followers(parts.getLast().cid());
            for (Event each = next.get(parts.getLast().cid());
                    each != null && continues(parts.getLast(), each);
                    each = next.get(each.cid())) {
                parts.addLast(each);
            }
        }
        return parts.stream().map(Event::cid).toList();
    }

    private List<Cid> chain(Event event) {
        List<Cid> chain = new ArrayList<>(Chain.upTo(clock, event));
        boolean isNumbered = chain.size() > 1 || Chain.isPart(event, 1);
        if (isNumbered && !Chain.isLast(event)) {
            Map<Cid, Event> next = followers(event.cid());
            Event last = event;
            for (Event each = next.get(last.cid());
                    each != null && Chain.continues(last, each);
                    each = next.get(last.cid())) {
                chain.add(each.cid());
                last = each;
            }
        }
        return List.copyOf(chain);
    }

    private Optional<Event> before() {
        Event first = parts.getFirst();
        if (first.parents().size() != 1) {
            return Optional.empty();
        }
        return Optional.of(clock.event(first.parents().get(0))).filter(parent -> continues(parent, first));
    }

    /** The events that follow one event alone, by that event. One that several follow is not in it: a batch has one next part. */
    private Map<Cid, Event> followers(Cid event) {
        Map<Cid, Event> next = new HashMap<>();
        Map<Cid, Integer> count = new HashMap<>();
        for (Cid cid : clock.since(head, Head.of(event))) {
            Event follower = clock.event(cid);
            follower.parents().forEach(parent -> count.merge(parent, 1, Integer::sum));
            if (follower.parents().size() == 1) {
                next.put(follower.parents().get(0), follower);
            }
        }
        next.keySet().removeIf(parent -> count.getOrDefault(parent, 0) > 1);
        return next;
    }

    private static boolean continues(Event before, Event next) {
        return !next.isDescribed()
                && next.parents().equals(List.of(before.cid()))
                && !next.operation().changes().isEmpty()
                && mayContinue(before)
                && (isFull(before)
                        || size(before) + size(next.operation().changes().get(0)) > ReplicatedBatch.MAX_EVENT_SIZE);
    }

    private static boolean isFull(Event event) {
        return event.operation().changes().size() >= ReplicatedBatch.MAX_CHANGES;
    }

    /** Reads no other event: whether it is worth looking for a next part. */
    private static boolean mayContinue(Event event) {
        return !event.isDescribed()
                && event.operation() instanceof Operation.Batch
                && !event.operation().changes().isEmpty()
                && (isFull(event) || size(event) > ReplicatedBatch.MAX_EVENT_SIZE / 2);
    }

    private static long size(Event event) {
        return event.operation().changes().stream().mapToLong(BatchParts::size).sum();
    }

    /** The most bytes that a writer may count for a change. */
    private static long size(Operation.Change change) {
        int value = change instanceof Operation.Put put ? put.value().byteLength() : 0;
        return CHANGE + (long) CHARACTER * change.key().length() + value;
    }
}
