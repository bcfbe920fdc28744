package dev.pail.testkit;

import dev.pail.testkit.History.Operation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks whether a history of a map is linearizable: whether each operation can have happened at one moment between its call and its
 * return, so that each read has the value of the last write before it. The search is that of Wing and Gong, and visits no pair of done
 * operations and contents twice, as Lowe proposes.
 *
 * <p>Keys that no operation has together may be checked apart. The effort grows with the operations that were under way at once, and with
 * those of unknown outcome.
 *
 * <pre>{@code
 * List<History.Operation> operations = List.of(
 *         new History.Operation(1, 0, 1, Map.of(), Map.of("a", Optional.of("new"))),
 *         new History.Operation(2, 2, 3, Map.of("a", Optional.of("old")), Map.of())); // reads what was overwritten
 * boolean isRight = Linearizability.holds(Map.of("a", "old"), operations); // false
 * }</pre>
 */
public final class Linearizability {
    private Linearizability() {}

    /** A place of the search: which operations are done, and what the map has then. */
    private record Place(BitSet done, Map<String, String> contents) {}

    /**
     * Says whether a history is linearizable.
     *
     * @param before the contents of the map before the first operation
     */
    public static boolean holds(Map<String, String> before, List<Operation> operations) {
        List<Operation> sorted = new ArrayList<>(operations);
        sorted.sort(Comparator.comparingLong(Operation::called));
        Place start = new Place(new BitSet(), Map.copyOf(before));
        Set<Place> seen = new HashSet<>();
        Deque<Place> open = new ArrayDeque<>();
        open.push(start);
        while (!open.isEmpty()) {
            Place place = open.pop();
            List<Integer> next = next(sorted, place.done);
            if (next.stream().allMatch(at -> sorted.get(at).isUnknown())) {
                return true;
            }
            // The first is tried first. Unknown ones come last: most are not needed.
            next.sort(
                    Comparator.<Integer, Boolean>comparing(at -> !sorted.get(at).isUnknown())
                            .thenComparing(Comparator.reverseOrder()));
            for (int at : next) {
                after(sorted.get(at), at, place).filter(seen::add).ifPresent(open::push);
            }
        }
        return false;
    }

    /** The operations that may be done next: no other one has returned before their calls. */
    private static List<Integer> next(List<Operation> sorted, BitSet done) {
        List<Integer> next = new ArrayList<>();
        long firstReturn = Long.MAX_VALUE;
        for (int at = done.nextClearBit(0); at < sorted.size(); at = done.nextClearBit(at + 1)) {
            Operation operation = sorted.get(at);
            if (operation.called() > firstReturn) {
                break;
            }
            firstReturn = Math.min(firstReturn, operation.returned());
            next.add(at);
        }
        return next;
    }

    /** The place behind an operation; empty, if it would have read something else. */
    private static Optional<Place> after(Operation operation, int at, Place place) {
        for (Map.Entry<String, Optional<String>> read : operation.reads().entrySet()) {
            if (!Optional.ofNullable(place.contents.get(read.getKey())).equals(read.getValue())) {
                return Optional.empty();
            }
        }
        BitSet done = (BitSet) place.done.clone();
        done.set(at);
        Map<String, String> contents = new HashMap<>(place.contents);
        operation.writes().forEach((key, value) -> {
            contents.remove(key);
            value.ifPresent(text -> contents.put(key, text));
        });
        return Optional.of(new Place(done, contents));
    }

    /**
     * Finds the part of a history that shows why it is not linearizable: it ends with the first return that cannot be, and has no read that is
     * not needed.
     *
     * @return in the order of the calls; empty, if the history is linearizable
     */
    public static List<Operation> violation(Map<String, String> before, List<Operation> operations) {
        if (holds(before, operations)) {
            return List.of();
        }
        long[] returns = operations.stream()
                .mapToLong(Operation::returned)
                .filter(at -> at != History.UNKNOWN)
                .sorted()
                .toArray();
        List<Operation> part = operations;
        for (long end : returns) {
            part = until(operations, end);
            if (!holds(before, part)) {
                break;
            }
        }
        List<Operation> writes =
                part.stream().filter(each -> !each.writes().isEmpty()).toList();
        List<Operation> reads =
                part.stream().filter(each -> each.writes().isEmpty()).toList();
        List<Operation> least = new ArrayList<>(writes);
        least.addAll(Shrinking.shrink(reads, some -> !holds(before, joined(writes, some))));
        least.sort(Comparator.comparingLong(Operation::called));
        return least;
    }

    private static List<Operation> joined(List<Operation> some, List<Operation> others) {
        List<Operation> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    /** The history up to a return: what was under way then may have been done. */
    private static List<Operation> until(List<Operation> operations, long end) {
        List<Operation> part = new ArrayList<>();
        for (Operation each : operations) {
            if (each.returned() <= end) {
                part.add(each);
            } else if (each.called() < end && !each.writes().isEmpty()) {
                part.add(new Operation(each.process(), each.called(), History.UNKNOWN, Map.of(), each.writes()));
            }
        }
        return part;
    }
}
