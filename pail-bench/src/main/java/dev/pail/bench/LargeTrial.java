package dev.pail.bench;

import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** One work on a large map in a folder, run by one contestant in this process: its figures, after its entries were checked. */
final class LargeTrial {
    static final String KEYS = "keys.tsv";
    static final String SAMPLE = "sample.tsv";
    static final String MORE = "more.tsv";

    private static final int PORTION = 1 << 16;
    private static final int COLD_GETS = 50;
    private static final int COLD_ROUNDS = 40;
    private static final int PUTS_APART = 100;
    private static final long SEED = 20240703;

    /** A map on disk. */
    enum Contestant {
        V1("Pail v1"),
        V0("Pail v0"),
        MVSTORE("H2 MVStore"),
        ROCKSDB("RocksDB"),
        LMDB("LMDB");

        private final String title;

        Contestant(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }

        String id() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean isOurs() {
            return this == V1 || this == V0;
        }

        /** The map in a folder, which is there; an empty one, if the folder is empty. */
        History open(Path folder) {
            Path store = store(folder);
            return switch (this) {
                case V1 -> new RepositoryHistory(store, ShardFormat.v1());
                case V0 -> new RepositoryHistory(store, ShardFormat.v0());
                case MVSTORE -> new MvHistory(store, Keeper.Syncs.AS_PROMISED, MvHistory.Versions.NEWEST);
                case ROCKSDB -> new RocksHistory(store);
                case LMDB -> new LmdbHistory(folder);
            };
        }

        static Path store(Path folder) {
            return folder.resolve("store");
        }
    }

    /** What a process does. */
    enum Work {
        /** All keys put in portions of 65,536, each of them synced. The time is that of the whole process. */
        LOAD,
        /** All keys put as one change; only ours. The time is that of the whole process. */
        BATCH,
        /** Keys looked up in a store that was just opened, and in one that was read before; then all entries. */
        READS,
        /** Keys put alone; then, of ours, the difference of two versions. */
        PUTS;

        String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The work of one process.
     *
     * @param keys the folder with the files of keys
     * @param folder where the map is
     * @param count how many keys it is loaded with
     * @param puts how many keys are put alone
     * @param seconds how long gets are warmed up and measured, each
     */
    record Task(Work work, Contestant contestant, String keys, String folder, int count, int puts, double seconds) {}

    private final Task task;
    private final Path keys;
    private final Map<String, Double> figures = new LinkedHashMap<>();

    LargeTrial(Task task) {
        this.task = task;
        this.keys = Path.of(task.keys());
    }

    /** {@code LargeTrial TASK}: prints the figures as a line of JSON. */
    public static void main(String... arguments) throws IOException {
        Task task = Trial.JSON.readValue(arguments[0], Task.class);
        System.out.println(Trial.JSON.writeValueAsString(new LargeTrial(task).run()));
    }

    Map<String, Double> run() throws IOException {
        try (History history = task.contestant().open(Path.of(task.folder()))) {
            switch (task.work()) {
                case LOAD -> load(history);
                case BATCH -> ((RepositoryHistory) history).batch(this::forEachKey);
                case READS -> reads(history);
                case PUTS -> puts(history);
            }
        }
        return figures;
    }

    private void load(History history) throws IOException {
        List<Step> steps = new ArrayList<>();
        forEachKey(step -> {
            steps.add(step);
            if (steps.size() == PORTION) {
                history.fill(steps);
                steps.clear();
            }
        });
        history.fill(steps);
    }

    private void forEachKey(Consumer<Step> action) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(keys.resolve(KEYS))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                int tab = line.indexOf('\t');
                action.accept(new Step(line.substring(0, tab), Cid.parse(line.substring(tab + 1))));
            }
        }
    }

    private void reads(History history) throws IOException {
        List<String> sample = new ArrayList<>(
                Entries.read(keys.resolve(SAMPLE), Integer.MAX_VALUE).keys());
        Collections.shuffle(sample, new Random(SEED));
        coldGets(history, sample);
        repeat(() -> get(history, sample), task.seconds());
        Measure gets = new Measure();
        gets.end("get", (long) sample.size() * repeat(() -> get(history, sample), task.seconds()));
        Sum expected = new Sum(Order.ANY);
        forEachKey(step -> expected.accept(step.key(), Objects.requireNonNull(step.value())));
        // The first scan warms up, the second is measured. Each entry is added to a sum, which costs all of them the
        // same.
        for (int i = 0; i < 2; i++) {
            Sum sum = new Sum(Order.ASCENDING);
            Measure scan = new Measure();
            history.forEach(sum);
            scan.end("scan", task.count());
            if (sum.count != task.count() || sum.sum != expected.sum) {
                throw new IllegalStateException(sum.count + " entries, which are not those of the file");
            }
        }
    }

    /** The median time of the lookups after each opening. The cache of the system has the files. */
    private void coldGets(History history, List<String> sample) {
        List<Double> opened = new ArrayList<>();
        List<Double> gets = new ArrayList<>();
        int each = Math.min(COLD_GETS, sample.size() / COLD_ROUNDS);
        for (int round = 0; round < COLD_ROUNDS; round++) {
            List<String> wanted = sample.subList(round * each, (round + 1) * each);
            long start = System.nanoTime();
            history.reopen();
            long open = System.nanoTime();
            get(history, wanted);
            opened.add((open - start) / 1e6);
            gets.add(each * 1e9 / (System.nanoTime() - open));
        }
        figure("open ms", Results.median(opened));
        figure("cold get a second", Results.median(gets));
    }

    private void figure(String name, OptionalDouble value) {
        figures.put(name, value.orElseThrow());
    }

    private static void get(History history, List<String> wanted) {
        for (String key : wanted) {
            if (!history.get(key)) {
                throw new IllegalStateException("no such key: " + key);
            }
        }
    }

    private void puts(History history) throws IOException {
        Entries more = Entries.read(keys.resolve(MORE), Integer.MAX_VALUE);
        int warm = more.size() - task.puts() - PUTS_APART;
        put(history, more.first(warm));
        Measure puts = new Measure();
        put(history, more.after(warm).first(task.puts()));
        puts.end("put", task.puts());
        Entries rest = more.after(warm + task.puts());
        if (history instanceof RepositoryHistory ours) {
            Head before = ours.head();
            put(history, rest);
            Runnable diff = () -> {
                if (ours.diff(before) != PUTS_APART) {
                    throw new IllegalStateException("another difference than the puts made");
                }
            };
            repeat(diff, task.seconds());
            Measure diffs = new Measure();
            diffs.end("diff", repeat(diff, task.seconds()));
        } else {
            put(history, rest);
        }
        history.reopen();
        get(history, more.keys());
    }

    private static void put(History history, Entries entries) {
        for (int i = 0; i < entries.size(); i++) {
            history.apply(new Step(entries.keys().get(i), entries.values().get(i)));
        }
    }

    /** Runs something at least once, and again until a time in seconds has passed. Returns how often it ran. */
    private static int repeat(Runnable run, double seconds) {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        int times = 0;
        do {
            run.run();
            times++;
        } while (System.nanoTime() < end);
        return times;
    }

    /** The rate of something that begins now, by the clock and by the processor time of all threads. */
    private final class Measure {
        private final long start = System.nanoTime();
        private final long cpu = cpu();

        void end(String name, long operations) {
            figures.put(name + " a second", operations * 1e9 / (System.nanoTime() - start));
            // The system counts in hundredths of a second.
            figures.put(name + " a second of processor", operations * 1e9 / Math.max(1e7, (double) (cpu() - cpu)));
        }

        private static long cpu() {
            return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                    .getProcessCpuTime();
        }
    }

    private enum Order {
        ANY,
        ASCENDING
    }

    /** A sum of entries which does not depend on their order, and which checks the order if wanted. */
    private static final class Sum implements BiConsumer<String, Cid> {
        private final Order order;
        private long sum;
        private long count;
        private String last = "";

        Sum(Order order) {
            this.order = order;
        }

        @Override
        public void accept(String key, Cid value) {
            if (order == Order.ASCENDING && last.compareTo(key) >= 0) {
                throw new IllegalStateException("not in order: " + key);
            }
            last = key;
            count++;
            sum += (key.hashCode() * 0x9e3779b97f4a7c15L) ^ (value.hashCode() * 0xc2b2ae3d27d4eb4fL);
        }
    }
}
