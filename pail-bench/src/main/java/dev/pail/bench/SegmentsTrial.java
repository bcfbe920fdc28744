package dev.pail.bench;

import dev.pail.Pail;
import dev.pail.bench.Keeper.Syncs;
import dev.pail.bench.Step.Load;
import dev.pail.blockstore.SegmentBlockStore;
import dev.pail.blockstore.SegmentStatistics;
import dev.pail.car.CarWriter;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** One work on a store, run by one keeper in this process: its figures, after what was kept was compared with what was put. */
final class SegmentsTrial {
    private static final int WRITERS = 8;
    private static final int PAGE = 4096;

    /** What is measured. */
    enum Work {
        /** What all versions take. */
        SIZES,
        /** Puts, one by one, in a second. */
        RATES,
        /** Appends of a page, each with a sync, in a second. */
        FLOOR,
        /** Lookups of old versions and of the newest. */
        READS
    }

    /**
     * The work of one process.
     *
     * @param format the name of a format of ours, or nothing
     * @param folder where it may write; the caller removes it
     */
    record Task(Work work, Keeper keeper, String format, Load load, String folder) {
        /** What it is, in few letters. */
        String id() {
            String what = switch (work) {
                case SIZES -> work + "-" + load + "-" + keeper;
                case RATES -> work + "-" + keeper;
                case FLOOR, READS -> work.toString();
            };
            return (what + (format.isEmpty() ? "" : "-" + format)).toLowerCase(Locale.ROOT);
        }
    }

    private final Task task;
    private final Trial.Options options;
    private final Path folder;
    private final Map<String, Double> figures = new LinkedHashMap<>();

    /** @param options keys are the changes; lookups is how many versions are listed or read or, of rates, how many keys are there before */
    SegmentsTrial(Task task, Trial.Options options) {
        this.task = task;
        this.options = options;
        this.folder = Path.of(task.folder());
    }

    /** {@code SegmentsTrial TASK OPTIONS}: prints the figures as a line of JSON. */
    public static void main(String... arguments) throws IOException {
        Task task = Trial.JSON.readValue(arguments[0], Task.class);
        Trial.Options options = Trial.JSON.readValue(arguments[1], Trial.Options.class);
        System.out.println(Trial.JSON.writeValueAsString(new SegmentsTrial(task, options).run()));
    }

    Map<String, Double> run() throws IOException {
        switch (task.work()) {
            case SIZES -> sizes();
            case RATES -> rate(task.keeper() == Keeper.EIGHT ? this::together : this::alone);
            case FLOOR -> rate(SegmentsTrial::appends);
            case READS -> figures.putAll(new OldReads(folder.resolve("store"), task.format(), options).measure());
        }
        return figures;
    }

    private void figure(String name, long value) {
        figures.put(name, (double) value);
    }

    private void sizes() throws IOException {
        List<Step> steps = task.load().steps(options.keys());
        try (History history = task.keeper().open(folder, task.format(), Syncs.NEVER)) {
            steps.forEach(history::apply);
            if (history instanceof GitHistory git) {
                figure("loose bytes", Usage.of(folder).bytes());
                figure("loose allocated", Usage.of(folder).allocated());
                git.pack();
            }
            history.reopen();
            Usage usage = Usage.of(folder);
            figure("bytes", usage.bytes());
            figure("allocated", usage.allocated());
            if (history instanceof PailHistory pails && pails.blocks() instanceof SegmentBlockStore blocks) {
                statistics(blocks, pails.roots().get(steps.size() - 1));
            }
            figure("versions", history.versions());
            figure("listed", Step.check(steps, options.lookups(), history::version));
        }
    }

    private void statistics(SegmentBlockStore blocks, Cid root) {
        SegmentStatistics statistics = blocks.statistics();
        figure("blocks", statistics.blocks());
        figure("logical", statistics.logicalBytes());
        figure("longest chain", statistics.longestChain());
        figures.put("mean chain", (double) statistics.chains() / statistics.blocks());
        Set<Cid> seen = new HashSet<>();
        try (CarWriter car = CarWriter.of(OutputStream.nullOutputStream(), "", List.of(root))) {
            blocks.forEach(cid -> {
                if (seen.add(cid)) {
                    car.write(blocks.get(cid).orElseThrow());
                }
            });
            figure("car", car.size());
        }
    }

    /** Repeats an operation {@code count} times in an empty folder, and measures the time. */
    private interface Run {
        Timed times(int count, Path folder) throws IOException;
    }

    private record Timed(long nanos, long operations) {}

    private void rate(Run run) {
        options.warm(() -> cleanly(run, options.warmKeys()));
        Trial.Measured<Timed> measured = options.measure(() -> cleanly(run, options.keys()), Timed::nanos);
        figures.put("a second", measured.last().operations() * 1e9 / measured.nanos());
    }

    private Timed cleanly(Run run, int count) {
        System.gc();
        try {
            Path empty = Files.createTempDirectory(folder, "run");
            try {
                return run.times(count, empty);
            } finally {
                Usage.remove(empty);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Timed alone(int count, Path empty) {
        List<Step> steps = Load.PUTS.steps(filled() + count);
        List<Step> measured = steps.subList(filled(), steps.size());
        try (History history = task.keeper().open(empty, task.format(), Syncs.AS_PROMISED)) {
            history.fill(steps.subList(0, filled()));
            long start = System.nanoTime();
            measured.forEach(history::apply);
            long nanos = System.nanoTime() - start;
            history.reopen();
            Step.check(steps, 1, any -> history.version(count));
            return new Timed(nanos, count);
        }
    }

    /** The number of keys that are there before. */
    private int filled() {
        return options.lookups();
    }

    /** Several threads, each with a pail and keys of its own, over one store. */
    private Timed together(int count, Path empty) {
        List<Step> steps = Load.PUTS.steps(WRITERS * (filled() + count));
        List<List<Step>> own = IntStream.range(0, WRITERS)
                .mapToObj(i -> steps.subList(i * (filled() + count), (i + 1) * (filled() + count)))
                .toList();
        List<PailHistory> pails = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        Path store = empty.resolve("store");
        long nanos;
        try (SegmentBlockStore blocks = SegmentBlockStore.open(store)) {
            for (int i = 0; i < WRITERS; i++) {
                pails.add(new PailHistory(() -> blocks, Keeper.format(task.format())));
                pails.get(i).fill(own.get(i).subList(0, filled()));
            }
            List<Future<?>> running = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < WRITERS; i++) {
                List<Step> puts = own.get(i).subList(filled(), filled() + count);
                PailHistory pail = pails.get(i);
                running.add(threads.submit(() -> puts.forEach(pail::apply)));
            }
            for (Future<?> each : running) {
                each.get();
            }
            nanos = System.nanoTime() - start;
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            threads.shutdownNow();
        }
        try (SegmentBlockStore blocks = SegmentBlockStore.open(store)) {
            for (int i = 0; i < WRITERS; i++) {
                Cid root = pails.get(i).roots().get(count - 1);
                Step.check(own.get(i), 1, any -> PailHistory.entries(Pail.open(blocks, root)));
            }
        }
        return new Timed(nanos, (long) WRITERS * count);
    }

    private static Timed appends(int count, Path empty) throws IOException {
        ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
        try (FileChannel file =
                FileChannel.open(empty.resolve("file"), StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND)) {
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                file.write(page.clear());
                file.force(false);
            }
            return new Timed(System.nanoTime() - start, count);
        }
    }
}
