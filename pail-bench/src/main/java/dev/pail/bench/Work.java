package dev.pail.bench;

import dev.pail.bench.Entries.Order;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * An operation on a list of entries, and who does it.
 *
 * @param lookups how many keys are looked up, or how many times two versions are compared, where any are
 */
record Work(Operation operation, KeySet set, int keys, Order order, int lookups, List<Entrant> entrants) {
    private static final int ALWAYS = Integer.MAX_VALUE;

    /** In two, the compilers of Java are not through: batches then take up to half as long again. */
    static final int WARM_SECONDS = 6;

    /**
     * Who takes part, and how much of it.
     *
     * @param rounds the most rounds: less than the others where a round takes minutes
     * @param keys the most entries: less than the others where all would take minutes
     */
    record Entrant(Contestant contestant, int rounds, int keys) {}

    /** The name by which targets and options refer to it. */
    String id() {
        return operation.id() + "-" + set + "-" + keys + (order == Order.SORTED ? "-sorted" : "");
    }

    String title() {
        return String.format(
                "%s, %s %s%s, %,d keys",
                operation.title(), set, set.title(), order == Order.SORTED ? " sorted" : "", keys);
    }

    Trial.Options options(Entrant entrant, boolean quick) {
        int taken = Math.min(keys, entrant.keys());
        return quick
                ? new Trial.Options(taken, lookups, taken, 0, 0)
                : new Trial.Options(taken, lookups, Math.min(taken, warmKeys(entrant.contestant())), WARM_SECONDS, 0.5);
    }

    /** Where a run takes seconds, some of the entries are enough to be warm. */
    private int warmKeys(Contestant contestant) {
        return switch (operation) {
            case PUT -> 2_000;
            case BATCH -> contestant.isNode() ? 5_000 : 200_000;
            default -> ALWAYS;
        };
    }

    /** The first work of each operation, so small that it shows only that it runs. */
    static List<Work> quick() {
        Map<Operation, Work> works = new EnumMap<>(Operation.class);
        for (Work work : all()) {
            works.putIfAbsent(
                    work.operation(),
                    new Work(
                            work.operation(),
                            work.set(),
                            200,
                            work.order(),
                            Math.min(work.lookups(), 50),
                            work.entrants()));
        }
        return List.copyOf(works.values());
    }

    static List<Work> all() {
        List<Work> works = new ArrayList<>();
        works.add(work(Operation.PUT, KeySet.W1, 10_000)
                .with(Contestant.V0, Contestant.V1, Contestant.NPM_06)
                .some(Contestant.NPM_05, 1, ALWAYS)
                .some(Contestant.MST, 1, 2_000)
                .some(Contestant.PROLLY, 1, 2_000)
                .with(Contestant.MVSTORE));
        for (KeySet set : List.of(KeySet.W2, KeySet.W3)) {
            works.add(work(Operation.PUT, set, 10_000)
                    .with(Contestant.V1)
                    .some(Contestant.NPM_06, 2, ALWAYS)
                    .some(Contestant.MST, 1, 2_000)
                    .some(Contestant.PROLLY, 1, 2_000)
                    .with(Contestant.MVSTORE));
        }
        works.add(work(Operation.PUT, KeySet.W1, 100_000)
                .with(Contestant.V1)
                .some(Contestant.NPM_06, 1, ALWAYS)
                .with(Contestant.MVSTORE));
        works.add(work(Operation.BATCH, KeySet.W1, 10_000)
                .with(Contestant.V0, Contestant.V1)
                .some(Contestant.NPM_05, 1, ALWAYS)
                .with(Contestant.NPM_06, Contestant.MST, Contestant.PROLLY, Contestant.MVSTORE));
        for (KeySet set : KeySet.values()) {
            works.add(work(Operation.BATCH, set, 100_000)
                    .with(Contestant.V0, Contestant.V1)
                    .some(Contestant.NPM_06, 2, ALWAYS)
                    .some(Contestant.MST, 1, 10_000)
                    .some(Contestant.PROLLY, 2, ALWAYS)
                    .with(Contestant.MVSTORE));
        }
        works.add(new Work(Operation.BATCH, KeySet.W2, 1_000_000, Order.SORTED, 0, List.of())
                .with(Contestant.V0, Contestant.MVSTORE));
        for (KeySet set : List.of(KeySet.W1, KeySet.W2)) {
            works.add(work(Operation.GET, set, 100_000)
                    .with(Contestant.V0, Contestant.V1)
                    .some(Contestant.NPM_05, 1, 2_000)
                    .some(Contestant.NPM_06, 3, ALWAYS)
                    .some(Contestant.MST, 1, ALWAYS)
                    .some(Contestant.PROLLY, 2, ALWAYS)
                    .with(Contestant.MVSTORE));
            works.add(work(Operation.COLD_GET, set, 10_000)
                    .with(Contestant.V0, Contestant.V1)
                    .some(Contestant.NPM_05, 1, 1_000)
                    .with(Contestant.NPM_06, Contestant.MST, Contestant.PROLLY));
            works.add(work(Operation.SCAN, set, 100_000)
                    .with(Contestant.V0, Contestant.V1)
                    .some(Contestant.NPM_05, 1, 2_000)
                    .some(Contestant.NPM_06, 3, ALWAYS)
                    .some(Contestant.MST, 1, ALWAYS)
                    .some(Contestant.PROLLY, 2, ALWAYS)
                    .with(Contestant.MVSTORE));
        }
        works.add(work(Operation.DIFF, KeySet.W1, 10_000)
                .with(Contestant.V0, Contestant.V1, Contestant.NPM_06, Contestant.MST));
        works.add(work(Operation.DIFF, KeySet.W1, 1_000_000).with(Contestant.V0, Contestant.V1));
        return works;
    }

    private static Work work(Operation operation, KeySet set, int keys) {
        int lookups = switch (operation) {
            case GET -> 100_000;
            case COLD_GET -> 1_000;
            case DIFF -> 100;
            default -> 0;
        };
        return new Work(operation, set, keys, Order.GIVEN, lookups, List.of());
    }

    private Work with(Contestant... contestants) {
        Work work = this;
        for (Contestant contestant : contestants) {
            work = work.some(contestant, ALWAYS, ALWAYS);
        }
        return work;
    }

    private Work some(Contestant contestant, int rounds, int mostKeys) {
        List<Entrant> more = new ArrayList<>(entrants);
        more.add(new Entrant(contestant, rounds, mostKeys));
        return new Work(operation, set, keys, order, lookups, List.copyOf(more));
    }
}
