package dev.pail.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.History.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The checker of histories, with some that are linearizable, some that are not, and a plain search of all orders. */
class LinearizabilityTest {
    private static final Map<String, String> EMPTY = Map.of();

    /** Reads {@code "a=1 b=-"}: the values of keys, or their absence. */
    private static Map<String, Optional<String>> values(String text) {
        Map<String, Optional<String>> values = new TreeMap<>();
        for (String each : text.isEmpty() ? new String[0] : text.split(" ")) {
            String value = each.substring(2);
            values.put(each.substring(0, 1), value.equals("-") ? Optional.empty() : Optional.of(value));
        }
        return values;
    }

    private static Operation get(int called, int returned, String reads) {
        return new Operation(1, called, returned, values(reads), Map.of());
    }

    private static Operation put(int called, int returned, String writes) {
        return new Operation(1, called, returned, Map.of(), values(writes));
    }

    private static Operation unknown(int called, String writes) {
        return new Operation(1, called, History.UNKNOWN, Map.of(), values(writes));
    }

    private static Operation swap(int called, int returned, String reads, String writes) {
        return new Operation(1, called, returned, values(reads), values(writes));
    }

    private static void holds(Operation... operations) {
        assertThat(Linearizability.holds(EMPTY, List.of(operations))).isTrue();
        assertThat(Linearizability.violation(EMPTY, List.of(operations))).isEmpty();
    }

    private static void fails(Operation... operations) {
        assertThat(Linearizability.holds(EMPTY, List.of(operations))).isFalse();
        assertThat(Linearizability.violation(EMPTY, List.of(operations))).isNotEmpty();
    }

    @Test
    void aReadAfterAWriteHasItsValue() {
        holds(get(0, 1, "a=-"), put(2, 3, "a=1"), get(4, 5, "a=1"), put(6, 7, "a=-"), get(8, 9, "a=-"));
        fails(put(0, 1, "a=1"), get(2, 3, "a=-"));
        fails(put(0, 1, "a=1"), put(2, 3, "a=2"), get(4, 5, "a=1"));
        fails(put(0, 1, "a=1"), put(2, 3, "a=-"), get(4, 5, "a=1"));
    }

    @Test
    void aReadBesideAWriteHasEitherValue() {
        holds(put(0, 3, "a=1"), get(1, 2, "a=-"), get(4, 5, "a=1"));
        holds(put(0, 5, "a=1"), get(1, 2, "a=1"), get(3, 4, "a=1"));
        // The order of two writes at once is free, and the same for all readers.
        holds(put(0, 2, "a=1"), put(1, 3, "a=2"), get(4, 5, "a=1"), get(6, 7, "a=1"));
        fails(put(0, 2, "a=1"), put(1, 3, "a=2"), get(4, 5, "a=1"), get(6, 7, "a=2"));
    }

    @Test
    void aReaderDoesNotGoBack() {
        fails(put(0, 5, "a=1"), get(1, 2, "a=1"), get(3, 4, "a=-"));
    }

    @Test
    void aValueThatWasNeverWrittenIsNotRead() {
        fails(put(0, 1, "a=1"), get(2, 3, "a=2"));
        // A write after the read does not explain it.
        fails(get(0, 1, "a=1"), put(2, 3, "a=1"));
    }

    @Test
    void noUpdateIsLost() {
        holds(swap(0, 2, "a=-", "a=1"), swap(1, 3, "a=1", "a=2"), get(4, 5, "a=2"));
        fails(swap(0, 2, "a=-", "a=1"), swap(1, 3, "a=-", "a=2"));
    }

    @Test
    void aBatchIsNotTorn() {
        holds(put(0, 3, "a=1 b=1"), get(1, 2, "a=- b=-"), get(4, 5, "a=1 b=1"));
        fails(put(0, 3, "a=1 b=1"), get(1, 2, "a=1 b=-"));
        fails(put(0, 5, "a=1 b=1"), get(1, 2, "a=1"), get(3, 4, "b=-"));
    }

    @Test
    void anUnknownWriteHappensOnceOrNever() {
        holds(unknown(0, "a=1"), get(1, 2, "a=-"), get(3, 4, "a=-"));
        holds(unknown(0, "a=1"), get(1, 2, "a=-"), get(3, 4, "a=1"));
        fails(unknown(2, "a=1"), get(0, 1, "a=1"));
        fails(unknown(0, "a=1"), get(1, 2, "a=1"), get(3, 4, "a=-"));
        // What was overwritten does not come again.
        fails(unknown(0, "a=1"), get(1, 2, "a=1"), put(3, 4, "a=2"), get(5, 6, "a=2"), get(7, 8, "a=1"));
        fails(unknown(0, "a=1 b=1"), get(1, 2, "a=1 b=-"));
    }

    @Test
    void theContentsBeforeCount() {
        assertThat(Linearizability.holds(Map.of("a", "0"), List.of(get(0, 1, "a=0"))))
                .isTrue();
        assertThat(Linearizability.holds(Map.of("a", "0"), List.of(get(0, 1, "a=-"))))
                .isFalse();
    }

    @Test
    void aViolationHasNoReadThatIsNotNeeded() {
        Operation first = put(0, 1, "a=1");
        Operation wrong = get(6, 7, "a=-");
        assertThat(Linearizability.violation(
                        EMPTY,
                        List.of(
                                first,
                                get(2, 3, "a=1"),
                                get(4, 5, "b=-"),
                                wrong,
                                put(8, 9, "b=1"),
                                get(10, 11, "b=1"))))
                .containsExactly(first, wrong);
        assertThat(wrong).hasToString("6..7 process 1 read a=-");
        assertThat(unknown(3, "a=1 b=-")).hasToString("3..unknown process 1 wrote a=1 b=-");
    }

    @Test
    void aHistoryHasWhatReturnedAndWhatIsUnknown() {
        History history = new History();
        History.Call first = history.call(1, values("a=1"));
        History.Call second = history.call(2, values("a=2"));
        History.Call read = history.call(3, Map.of());
        History.Call refused = history.call(4, values("a=4"));
        second.returned(values("a=-"));
        first.unknown();
        read.unknown();
        assertThat(refused).isNotNull();
        assertThat(history.operations())
                .containsExactly(
                        new Operation(2, 1, 4, values("a=-"), values("a=2")),
                        new Operation(1, 0, History.UNKNOWN, Map.of(), values("a=1")));
    }

    /** Long histories without mistakes take a search without steps back. */
    @Test
    void aLongHistoryIsSearchedInOrder() {
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            operations.add(swap(4 * i, 4 * i + 2, "a=" + (i == 0 ? "-" : i - 1), "a=" + i));
            operations.add(get(4 * i + 1, 4 * i + 3, "a=" + i));
        }
        holds(operations.toArray(new Operation[0]));
    }

    /** Random histories are what the search of all orders says. */
    @Test
    void isTheSameAsASearchOfAllOrders() {
        Random random = Randomness.random("LinearizabilityTest");
        int linearizable = 0;
        int times = Randomness.times(20_000, 1_000_000);
        for (int i = 0; i < times; i++) {
            List<Operation> operations = any(random);
            boolean expected = searchAll(new HashMap<>(), operations, List.of());
            assertThat(Linearizability.holds(EMPTY, operations))
                    .as(operations.toString())
                    .isEqualTo(expected);
            List<Operation> violation = Linearizability.violation(EMPTY, operations);
            assertThat(violation.isEmpty()).as(operations.toString()).isEqualTo(expected);
            assertThat(violation.isEmpty() || !searchAll(new HashMap<>(), violation, List.of()))
                    .as(operations.toString())
                    .isTrue();
            linearizable += expected ? 1 : 0;
        }
        assertThat(linearizable).isBetween(times / 10, times - times / 10);
    }

    private static List<Operation> any(Random random) {
        int count = 1 + random.nextInt(5);
        List<Integer> moments = new ArrayList<>();
        for (int i = 0; i < 2 * count; i++) {
            moments.add(i);
        }
        // Few are far from their places, so that most are one after the other.
        for (int i = 0; i + 1 < moments.size(); i++) {
            if (random.nextInt(3) > 0) {
                int other = Math.min(moments.size() - 1, i + 1 + random.nextInt(3));
                moments.set(i, moments.set(other, moments.get(i)));
            }
        }
        List<Operation> operations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long called = Math.min(moments.get(2 * i), moments.get(2 * i + 1));
            long returned = Math.max(moments.get(2 * i), moments.get(2 * i + 1));
            Map<String, Optional<String>> writes = random.nextInt(5) < 3 ? any(random, "123") : Map.of();
            boolean isUnknown = !writes.isEmpty() && random.nextInt(4) == 0;
            operations.add(new Operation(
                    i,
                    called,
                    isUnknown ? History.UNKNOWN : returned,
                    !isUnknown && (writes.isEmpty() || random.nextInt(4) == 0) ? any(random, "12") : Map.of(),
                    writes));
        }
        return operations;
    }

    private static Map<String, Optional<String>> any(Random random, String from) {
        Map<String, Optional<String>> values = new TreeMap<>();
        for (int i = random.nextInt(3) == 0 ? 2 : 1; i > 0; i--) {
            int value = random.nextInt(from.length() + 1);
            values.put(
                    random.nextInt(4) == 0 ? "b" : "a",
                    value == from.length() ? Optional.empty() : Optional.of(from.substring(value, value + 1)));
        }
        return values;
    }

    /** Tries each operation as the next one, without thought for what can be, and at the end asks whether times and reads are right. */
    private static boolean searchAll(Map<String, String> contents, List<Operation> left, List<Operation> done) {
        if (left.stream().allMatch(Operation::isUnknown) && isInOrder(done)) {
            return true;
        }
        for (Operation each : left) {
            boolean isRead = each.reads().entrySet().stream()
                    .allMatch(read ->
                            Optional.ofNullable(contents.get(read.getKey())).equals(read.getValue()));
            if (isRead) {
                Map<String, String> next = new HashMap<>(contents);
                each.writes().forEach((key, value) -> {
                    if (value.isPresent()) {
                        next.put(key, value.get());
                    } else {
                        next.remove(key);
                    }
                });
                List<Operation> rest = new ArrayList<>(left);
                rest.remove(each);
                List<Operation> more = new ArrayList<>(done);
                more.add(each);
                if (searchAll(next, rest, more)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isInOrder(List<Operation> done) {
        for (int later = 0; later < done.size(); later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                if (done.get(later).returned() < done.get(earlier).called()) {
                    return false;
                }
            }
        }
        return true;
    }
}
