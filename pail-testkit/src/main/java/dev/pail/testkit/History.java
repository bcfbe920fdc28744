package dev.pail.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Records what several threads and processes did with a map, for {@link Linearizability}. Calls and returns get numbers from one counter, so
 * no clock decides their order. Safe for use by several threads.
 *
 * <pre>{@code
 * History history = new History();
 * History.Call put = history.call(1, Map.of("a", Optional.of("x"))); // before the store is called
 * put.returned(Map.of()); // after it returned
 * History.Call get = history.call(2, Map.of());
 * get.returned(Map.of("a", Optional.of("x")));
 * boolean isRight = Linearizability.holds(Map.of(), history.operations()); // true
 * }</pre>
 */
public final class History {
    /** The return of an operation whose outcome is not known. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    /**
     * What one process did: it read some keys and wrote some, at one moment between the call and the return. An operation with an unknown
     * outcome was done at some moment after its call, or never.
     *
     * @param process the number of the process
     * @param called the number of the call
     * @param returned the number of the return, or {@link #UNKNOWN}
     * @param reads the values of the keys before the operation; an absent key has none
     * @param writes the values of the keys after the operation; a removed key has none
     */
    public record Operation(
            int process,
            long called,
            long returned,
            Map<String, Optional<String>> reads,
            Map<String, Optional<String>> writes) {
        public Operation {
            reads = new TreeMap<>(reads);
            writes = new TreeMap<>(writes);
        }

        /** Whether it is unknown if the operation was done. */
        public boolean isUnknown() {
            return returned == UNKNOWN;
        }

        @Override
        public String toString() {
            return called + ".." + (isUnknown() ? "unknown" : returned) + " process " + process
                    + (reads.isEmpty() ? "" : " read " + text(reads))
                    + (writes.isEmpty() ? "" : " wrote " + text(writes));
        }

        private static String text(Map<String, Optional<String>> values) {
            return values.entrySet().stream()
                    .map(each -> each.getKey() + "=" + each.getValue().orElse("-"))
                    .collect(Collectors.joining(" "));
        }
    }

    private long counter;

    private final List<Operation> operations = new ArrayList<>();

    /** A history without operations. */
    public History() {}

    /** An operation under way. One of its methods is called, once. */
    public final class Call {
        private final int process;
        private final long called;
        private final Map<String, Optional<String>> writes;

        private Call(int process, long called, Map<String, Optional<String>> writes) {
            this.process = process;
            this.called = called;
            this.writes = writes;
        }

        /** The operation was done, and read these values. */
        public void returned(Map<String, Optional<String>> reads) {
            synchronized (History.this) {
                operations.add(new Operation(process, called, counter++, reads, writes));
            }
        }

        /** It is not known whether the operation was done. If it was not done, and nothing was written, it is not recorded at all. */
        public void unknown() {
            if (!writes.isEmpty()) {
                synchronized (History.this) {
                    operations.add(new Operation(process, called, UNKNOWN, Map.of(), writes));
                }
            }
        }
    }

    /** Records the call of an operation, before the store is called. Without a return, the history does not have it. */
    public synchronized Call call(int process, Map<String, Optional<String>> writes) {
        return new Call(process, counter++, writes);
    }

    /** All operations so far, in the order of their ends. */
    public synchronized List<Operation> operations() {
        return List.copyOf(operations);
    }
}
