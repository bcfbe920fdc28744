package dev.pail.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * One work, run by one contestant in this process: warmed up, then measured, then checked. The twin of
 * {@code node/trial.js}.
 */
final class Trial {
    /** How parent and child talk to each other. */
    static final ObjectMapper JSON = new ObjectMapper();

    private static final int MOST_SAMPLES = 20;
    private static final int PRUNED_AFTER = 256;
    private static final int PUTS_APART = 100;

    private final Contestant contestant;
    private final Operation operation;
    private final Options options;

    Trial(Contestant contestant, Operation operation, Options options) {
        this.contestant = contestant;
        this.operation = operation;
        this.options = options;
    }

    /**
     * How much is done.
     *
     * @param keys how many entries of the file are taken
     * @param lookups how many keys are looked up, or put in addition; or how many times two versions are compared
     * @param warmKeys with how many of the entries it is warmed up
     * @param warmSeconds the least time to warm up
     * @param sampleSeconds it is measured again until it took as much in all, but at most twenty times
     */
    record Options(int keys, int lookups, int warmKeys, double warmSeconds, double sampleSeconds) {
        /** Runs something at least once, until it is warm. */
        void warm(Runnable run) {
            long end = System.nanoTime() + (long) (warmSeconds * 1e9);
            do {
                run.run();
            } while (System.nanoTime() < end);
        }

        /** Runs something at least once, until it has been measured for long enough. */
        <T> Measured<T> measure(Supplier<T> run, ToLongFunction<T> nanos) {
            List<Long> samples = new ArrayList<>();
            T last;
            long total = 0;
            do {
                last = run.get();
                samples.add(nanos.applyAsLong(last));
                total += nanos.applyAsLong(last);
            } while (total < sampleSeconds * 1e9 && samples.size() < MOST_SAMPLES);
            Collections.sort(samples);
            return new Measured<>(samples.get(samples.size() / 2), last);
        }
    }

    /** The median of some runs in nanoseconds, and what the last of them gave. */
    record Measured<T>(long nanos, T last) {}

    /**
     * What came out.
     *
     * @param nanos the median of the samples
     * @param operations what was done in that time
     * @param floorNanos the time to hash the new blocks alone; 0 where that does not apply
     * @param readsForEachNewShard what {@link Store#readsForEachNewShard} says; 0 where that does not apply
     * @param count the entries that are there at the end
     * @param digest their digest, {@link Entries#digest}
     */
    record Outcome(
            long nanos, long operations, long floorNanos, double readsForEachNewShard, long count, String digest) {
        double perSecond() {
            return operations * 1e9 / Math.max(1, nanos);
        }
    }

    /** {@code Trial CONTESTANT OPERATION KEY-FILE OPTIONS}: prints the outcome as a line of JSON. */
    public static void main(String... arguments) throws IOException {
        Options options = JSON.readValue(arguments[3], Options.class);
        Entries entries = Entries.read(Path.of(arguments[2]), options.keys());
        Trial trial = new Trial(Contestant.of(arguments[0]), Operation.of(arguments[1]), options);
        System.out.println(JSON.writeValueAsString(trial.run(entries)));
    }

    /** One run of the work. */
    private interface Work {
        Sample run();
    }

    private record Sample(long nanos, long operations, Store store) {}

    Outcome run(Entries entries) {
        Work work = work(entries, contestant::empty);
        Work small =
                options.warmKeys() < entries.size() ? work(entries.first(options.warmKeys()), contestant::empty) : work;
        boolean floored = contestant.isOurs() && operation.makesVersions();

        options.warm(small::run);
        Measured<Sample> measured = options.measure(
                () -> {
                    System.gc();
                    return work.run();
                },
                Sample::nanos);
        Sample last = measured.last();

        Entries.Digest digest = new Entries.Digest();
        last.store().forEach(digest::add);
        Work hashed = floored ? work(entries, contestant::hashed) : work;
        long floor = floored
                ? options.measure(() -> hashed.run().store().floor(), Long::longValue)
                        .nanos()
                : 0;
        double reads = operation == Operation.DIFF ? last.store().readsForEachNewShard() : 0;
        return new Outcome(measured.nanos(), last.operations(), floor, reads, digest.count(), digest.toString());
    }

    private Work work(Entries entries, Supplier<Store> empty) {
        return switch (operation) {
            case PUT -> () -> put(entries, empty.get());
            case BATCH -> () -> batch(entries, empty.get());
            case PUT_MORE -> {
                int base = entries.size() - Math.min(options.lookups(), entries.size() / 2);
                Store store = filled(entries.first(base), empty);
                yield () -> put(entries.after(base), store.fork());
            }
            case GET -> {
                Store store = filled(entries, empty);
                List<String> wanted = wanted(entries);
                yield () -> get(wanted, store, store::get);
            }
            case COLD_GET -> {
                Store store = filled(entries, empty);
                List<String> wanted = wanted(entries);
                yield () -> get(wanted, store, store::coldGet);
            }
            case SCAN -> {
                Store store = filled(entries, empty);
                yield () -> scan(entries, store);
            }
            case DIFF -> {
                int puts = Math.min(PUTS_APART, entries.size() / 2);
                int base = entries.size() - puts;
                Store store = filled(entries.first(base), empty).fork();
                Entries rest = entries.after(base);
                for (int i = 0; i < puts; i++) {
                    store.put(rest.keys().get(i), rest.values().get(i));
                }
                yield () -> diff(puts, store);
            }
        };
    }

    private static Sample put(Entries entries, Store store) {
        long nanos = 0;
        for (int from = 0; from < entries.size(); from += PRUNED_AFTER) {
            int to = Math.min(from + PRUNED_AFTER, entries.size());
            List<String> keys = entries.keys().subList(from, to);
            List<Cid> values = entries.values().subList(from, to);
            long start = System.nanoTime();
            for (int i = 0; i < keys.size(); i++) {
                store.put(keys.get(i), values.get(i));
            }
            nanos += System.nanoTime() - start;
            store.prune();
        }
        return new Sample(nanos, entries.size(), store);
    }

    private static Sample batch(Entries entries, Store store) {
        long start = System.nanoTime();
        store.batch(entries);
        return new Sample(System.nanoTime() - start, entries.size(), store);
    }

    private static Sample get(List<String> wanted, Store store, Predicate<String> get) {
        long found = 0;
        long start = System.nanoTime();
        for (String key : wanted) {
            if (get.test(key)) {
                found++;
            }
        }
        return checked(System.nanoTime() - start, found, wanted.size(), store);
    }

    private static Sample scan(Entries entries, Store store) {
        long start = System.nanoTime();
        long found = store.scan();
        return checked(System.nanoTime() - start, found, entries.size(), store);
    }

    private Sample diff(int puts, Store store) {
        long found = 0;
        long start = System.nanoTime();
        for (int i = 0; i < options.lookups(); i++) {
            found += store.diff();
        }
        long nanos = System.nanoTime() - start;
        check(found, (long) puts * options.lookups());
        return new Sample(nanos, options.lookups(), store);
    }

    private static Sample checked(long nanos, long found, long wanted, Store store) {
        check(found, wanted);
        return new Sample(nanos, found, store);
    }

    private static void check(long found, long wanted) {
        if (found != wanted) {
            throw new IllegalStateException(found + " found, " + wanted + " wanted");
        }
    }

    private static Store filled(Entries entries, Supplier<Store> empty) {
        Store store = empty.get();
        store.batch(entries);
        return store;
    }

    /**
     * As many keys from all over the list, in an order that jumps about. They are copies, made in that order, as who looks up a key
     * has just made it: to wait for one that was not used for long would be nothing that a map has to do with.
     */
    private List<String> wanted(Entries entries) {
        // A prime, and so without a factor in common with any count.
        int step = 7_368_787;
        List<String> some = new ArrayList<>(options.lookups());
        for (int i = 0; i < options.lookups(); i++) {
            String key = entries.keys().get((int) ((long) i * step % entries.size()));
            some.add(new String(key.toCharArray()));
        }
        return some;
    }
}
