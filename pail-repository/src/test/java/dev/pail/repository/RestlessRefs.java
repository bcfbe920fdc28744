package dev.pail.repository;

import dev.pail.clock.Head;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.RefStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Refs that others change between two reads: chosen reads of a branch find it removed, without its log, and the next one finds it again. */
final class RestlessRefs {
    private final RefStore refs;

    /** By branch, which reads find nothing, counted from 1. */
    private final Map<String, Integer> absent = new HashMap<>();

    private final Map<String, AtomicInteger> reads = new HashMap<>();

    RestlessRefs() {
        this(Clock.systemUTC());
    }

    RestlessRefs(Clock clock) {
        this.refs = new MemoryRefs(clock);
    }

    /** A branch that was never made. */
    private record Absent(String name) implements BranchState {
        @Override
        public boolean isPresent() {
            return false;
        }

        @Override
        public boolean hasLog() {
            return false;
        }

        @Override
        public Head head() {
            return Head.empty();
        }

        @Override
        public long generation() {
            return 0;
        }
    }

    /** Lets one read of a branch find nothing. */
    void removeAtRead(String branch, int read) {
        absent.put(branch, read);
        reads.put(branch, new AtomicInteger());
    }

    /** How often a branch was read since. */
    int reads(String branch) {
        return reads.get(branch).get();
    }

    RefStore store() {
        return (RefStore) Proxy.newProxyInstance(
                RefStore.class.getClassLoader(), new Class<?>[] {RefStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("branch") && absent.containsKey((String) arguments[0])) {
                        String name = (String) arguments[0];
                        if (reads.get(name).incrementAndGet() == absent.get(name)) {
                            return new Absent(name);
                        }
                    }
                    try {
                        return method.invoke(refs, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
