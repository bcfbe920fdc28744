package dev.pail.clock;

import dev.pail.LimitException;
import dev.pail.clock.OpenConflict.Side;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The newest changes of each key among the events of a span, without its common ancestor. Rule M22.
 *
 * <p>The events are divided into lanes: in a lane, each event follows the one before. Of each lane, only the last change of a key can be
 * one of the newest. For each event, {@code reach} says how many events of each lane it is or follows, so a comparison of two events
 * takes one look.
 */
final class ConcurrentChanges {
    /** The largest number of events times lanes: 64 MiB. */
    static final int MOST_REACH = 1 << 24;

    private final Span span;

    /** The events, parents first. */
    private final int[] order;

    /** The lane of each event of the order. Its position in the lane is in its reach. */
    private final int[] lane;

    private final int[][] reach;

    /** By key: the last changes of the lanes. */
    private final Map<String, List<Change>> last = new HashMap<>();

    /** @param index the place of the event in the order */
    private record Change(int index, Optional<Cid> value) {}

    /** @throws LimitException if the events are too many, or too many side by side. Rule M24 */
    ConcurrentChanges(MerkleClock clock, Span span) {
        this.span = span;
        this.order = reversed(span.childrenFirst());
        this.lane = new int[order.length];
        this.reach = new int[order.length][];
        int[] indexes = new int[span.size()];
        Arrays.fill(indexes, -1);
        int[] lengths = new int[order.length];
        long entries = 0;
        for (int index = 0; index < order.length; index++) {
            indexes[order[index]] = index;
            reach[index] = reach(index, indexes, lengths);
            entries += reach[index].length;
            if (entries > MOST_REACH) {
                throw LimitException.ofClock("too many of " + order.length
                        + " events stand side by side to tell which conflicts are open (M24)");
            }
            read(index, clock.event(span.cid(order[index])));
        }
    }

    private static int[] reversed(int[] order) {
        int[] result = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            result[i] = order[order.length - 1 - i];
        }
        return result;
    }

    /**
     * How many events of each lane an event is or follows, up to the last lane that has one. The event gets a lane whose last event it
     * follows, or a new one.
     *
     * @param lengths how many events each lane has
     */
    private int[] reach(int index, int[] indexes, int[] lengths) {
        int[] parents = span.parentsOf(order[index])
                .map(parent -> indexes[parent])
                .filter(parent -> parent >= 0)
                .toArray();
        int known =
                Arrays.stream(parents).map(parent -> reach[parent].length).max().orElse(0);
        int[] result = new int[known];
        for (int parent : parents) {
            for (int i = 0; i < reach[parent].length; i++) {
                result[i] = Math.max(result[i], reach[parent][i]);
            }
        }
        int own = 0;
        while (lengths[own] > 0 && (own >= known || result[own] < lengths[own])) {
            own++;
        }
        result = Arrays.copyOf(result, Math.max(known, own + 1));
        result[own] = ++lengths[own];
        lane[index] = own;
        return result;
    }

    private void read(int index, Event event) {
        changes(event).forEach((key, value) -> {
            List<Change> changes = last.computeIfAbsent(key, none -> new ArrayList<>(1));
            changes.removeIf(earlier -> lane[earlier.index()] == lane[index]);
            changes.add(new Change(index, value));
        });
    }

    /** The last change of each key in an event. */
    static Map<String, Optional<Cid>> changes(Event event) {
        Map<String, Optional<Cid>> changes = new HashMap<>();
        for (Operation.Change change : event.operation().changes()) {
            changes.put(
                    change.key(), change instanceof Operation.Put put ? Optional.of(put.value()) : Optional.empty());
        }
        return changes;
    }

    /** The keys whose newest changes differ in value, in any order. */
    Stream<OpenConflict> differing() {
        return last.entrySet().stream()
                .filter(each -> each.getValue().size() > 1)
                .map(each -> newest(each.getKey(), each.getValue()))
                .flatMap(Optional::stream);
    }

    private Optional<OpenConflict> newest(String key, List<Change> changes) {
        List<Change> newest = changes.stream()
                .filter(change -> changes.stream().noneMatch(other -> follows(other.index(), change.index())))
                .toList();
        return newest.stream().map(Change::value).distinct().count() < 2
                ? Optional.empty()
                : Optional.of(new OpenConflict(
                        key,
                        newest.stream()
                                .map(change -> new Side(span.cid(order[change.index()]), change.value()))
                                .toList()));
    }

    private boolean follows(int later, int earlier) {
        int of = lane[earlier];
        return later != earlier && of < reach[later].length && reach[later][of] >= reach[earlier][of];
    }
}
