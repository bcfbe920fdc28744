package dev.pail.testkit.repository;

import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.repository.model.HeadUpdateUncertainException;
import dev.pail.repository.model.RefChangedException;
import dev.pail.testkit.History;
import dev.pail.testkit.Linearizability;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Lets processes of several threads read and write a store in rounds, and checks that the history of each round is linearizable. A round
 * ends with a read of all keys, when no call is under way. The keys are in groups, and no operation has keys of two groups, so each group is
 * checked apart.
 */
final class CompetingClients implements AutoCloseable {
    private static final int PROCESSES = 3;
    private static final int THREADS_OF_EACH = 2;
    private static final int GROUPS = 4;
    private static final String KEYS = "abc";
    private static final int OPERATIONS_OF_A_ROUND = 120;
    private static final int OPERATIONS_FOR_A_FAILURE = 30;
    private static final int OPERATIONS_FOR_A_KILL = 60;
    private static final int MOST_ROUNDS_FOR_ONE = 20;

    /** What was done so far. */
    record Report(int operations, int unknowns, int refused, long failures, long kills, int powerLosses, int rounds) {}

    /** The number of what reads all at the end of a round. */
    private static final int READER = 0;

    private final LinearizabilityContract.SharedStore store;
    private final Random random;
    private final List<Competitor> processes = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(PROCESSES * THREADS_OF_EACH);
    private final Map<Integer, Map<String, String>> contents = new HashMap<>();
    private final ProcessFaults.Counts counts = new ProcessFaults.Counts();
    private final AtomicLong values = new AtomicLong();
    private final AtomicInteger refused = new AtomicInteger();
    private int operations;
    private int unknowns;
    private int powerLosses;
    private int rounds;

    CompetingClients(LinearizabilityContract.SharedStore store, long seed) {
        this.store = store;
        this.random = Randomness.random(seed);
        for (int number = 1; number <= PROCESSES; number++) {
            processes.add(new Competitor(number, random.nextLong()));
        }
    }

    /** A process that is started again when it was killed. */
    private final class Competitor {
        private final int number;
        private final Random own;
        private @Nullable Opened opened;

        Competitor(int number, long seed) {
            this.number = number;
            this.own = new Random(seed);
        }

        /** Opens the store again if the process was killed. Empty if it was killed at that. */
        synchronized Optional<Opened> opened() {
            if (opened != null && opened.faults.isDead()) {
                close();
            }
            if (opened == null) {
                ProcessFaults faults = ProcessFaults.of(
                        new Random(own.nextLong()),
                        OPERATIONS_FOR_A_FAILURE * store.callsOfAnOperation(),
                        OPERATIONS_FOR_A_KILL * store.callsOfAnOperation(),
                        counts,
                        store::isPowerLost);
                try {
                    opened = new Opened(store.open(faults), faults);
                } catch (RuntimeException | Error e) {
                    if (!faults.isDead() && !(e instanceof StoreIOException)) {
                        throw e;
                    }
                    return Optional.empty();
                }
            }
            return Optional.of(opened);
        }

        synchronized void close() {
            if (opened != null) {
                try {
                    opened.client.close();
                } catch (RuntimeException | Error e) {
                    if (!opened.faults.isDead() && !(e instanceof StoreIOException)) {
                        throw e;
                    }
                } finally {
                    opened = null;
                }
            }
        }
    }

    private record Opened(MapClient client, ProcessFaults faults) {}

    /** Makes at least a number of operations. */
    Report run(int atLeast) throws InterruptedException {
        int most = MOST_ROUNDS_FOR_ONE * (1 + atLeast / OPERATIONS_OF_A_ROUND);
        while (operations < atLeast) {
            if (rounds++ == most) {
                throw new AssertionError("most operations fail: " + report());
            }
            round();
        }
        return report();
    }

    private Report report() {
        return new Report(
                operations, unknowns, refused.get(), counts.failures.get(), counts.kills.get(), powerLosses, rounds);
    }

    private void round() throws InterruptedException {
        History history = new History();
        AtomicInteger left = new AtomicInteger(OPERATIONS_OF_A_ROUND);
        List<Future<?>> running = new ArrayList<>();
        for (Competitor process : processes) {
            for (int i = 0; i < THREADS_OF_EACH; i++) {
                Random own = new Random(random.nextLong());
                running.add(threads.submit(() -> {
                    while (left.getAndDecrement() > 0 && !store.isPowerLost()) {
                        process.opened().ifPresent(opened -> operate(history, process.number, opened, own));
                    }
                }));
            }
        }
        for (Future<?> each : running) {
            try {
                each.get();
            } catch (ExecutionException e) {
                throw new AssertionError("an operation failed as none may", e.getCause());
            }
        }
        boolean isPowerLost = store.isPowerLost();
        if (isPowerLost) {
            powerLosses++;
            processes.forEach(Competitor::close);
        }
        store.settle();
        check(history, isPowerLost);
    }

    private void operate(History history, int process, Opened opened, Random own) {
        String group = group(own.nextInt(GROUPS));
        Set<String> reads = new TreeSet<>();
        Map<String, Optional<String>> writes = new TreeMap<>();
        int kind = own.nextInt(10);
        if (kind < 3) {
            reads.add(group + any(own));
        } else if (kind == 3) {
            reads.addAll(keys(group));
        } else {
            for (int count = kind < 7 ? 1 : 1 + own.nextInt(KEYS.length()); count > 0; count--) {
                writes.put(group + any(own), value(own));
            }
            reads.addAll(kind < 9 ? Set.of() : keys(group));
        }
        History.Call call = history.call(process, writes);
        try {
            Map<String, Optional<String>> read = opened.client.run(reads, writes);
            if (opened.faults.isDead()) {
                call.unknown();
            } else {
                call.returned(read);
            }
        } catch (RuntimeException | Error e) {
            if (opened.faults.isDead() || e instanceof HeadUpdateUncertainException) {
                call.unknown();
            } else if (saysThatNothingChanged(e)) {
                refused.incrementAndGet();
            } else {
                throw e;
            }
        }
    }

    /** Such an operation is not in the history: if its values are read, or its removals seen, the history is not linearizable. */
    private static boolean saysThatNothingChanged(Throwable e) {
        return e instanceof PailException
                && (e instanceof StoreIOException
                        || e instanceof StoreLockedException
                        || e instanceof RefChangedException);
    }

    private static String group(int number) {
        return "group" + number + "/";
    }

    private static String any(Random own) {
        return String.valueOf(KEYS.charAt(own.nextInt(KEYS.length())));
    }

    private static Set<String> keys(String group) {
        Set<String> keys = new TreeSet<>();
        KEYS.chars().forEach(key -> keys.add(group + (char) key));
        return keys;
    }

    /** Most values are new. The same again, and none where there is none, are changes that change nothing. */
    private Optional<String> value(Random own) {
        int kind = own.nextInt(8);
        return kind < 2 ? Optional.empty() : Optional.of(kind == 2 ? "same" : "v" + values.incrementAndGet());
    }

    /**
     * A loss of power may take a change whose writer was killed before it was durable, although a read has shown it. What an acknowledged
     * change has read is durable. So the reads count before the loss, and not behind it.
     */
    private void check(History history, boolean isPowerLost) {
        List<History.Operation> done = history.operations();
        operations += done.size();
        unknowns += (int) done.stream().filter(History.Operation::isUnknown).count();
        try (MapClient reader = store.open(ProcessFaults.none())) {
            for (int number = 0; number < GROUPS; number++) {
                Set<String> keys = keys(group(number));
                History.Call call = history.call(READER, Map.of());
                Map<String, Optional<String>> read = reader.run(keys, Map.of());
                call.returned(read);
                Map<String, String> before = contents.getOrDefault(number, Map.of());
                List<History.Operation> all = of(keys, history.operations());
                if (isPowerLost) {
                    check(before, of(keys, done));
                    all = all.stream()
                            .filter(each ->
                                    each.process() == READER || !each.writes().isEmpty())
                            .toList();
                }
                check(before, all);
                Map<String, String> now = new TreeMap<>();
                read.forEach((key, value) -> value.ifPresent(text -> now.put(key, text)));
                contents.put(number, now);
            }
        }
    }

    private static List<History.Operation> of(Set<String> keys, List<History.Operation> all) {
        return all.stream()
                .filter(each -> keys.containsAll(each.reads().keySet())
                        && keys.containsAll(each.writes().keySet()))
                .toList();
    }

    private void check(Map<String, String> before, List<History.Operation> group) {
        List<History.Operation> violation = Linearizability.violation(before, group);
        if (!violation.isEmpty()) {
            StringBuilder text = new StringBuilder("not linearizable in round " + rounds + ", from " + before + ":");
            violation.forEach(each -> text.append("\n  ").append(each));
            throw new AssertionError(text.toString());
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        processes.forEach(Competitor::close);
    }
}
