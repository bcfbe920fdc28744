package dev.pail.bench;

import dev.pail.bench.LargeTrial.Contestant;
import dev.pail.bench.LargeTrial.Task;
import dev.pail.bench.LargeTrial.Work;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Large maps on disk, in this project and in others, in alternation: each work in a process of its own. The commands of this project
 * are those that {@code bin/pail} starts, with their heap. All must have the entries that were put. Adds the figures to
 * {@code results/large.json} and writes the tables and the plot of that file.
 */
public final class LargeCompare {
    /** How {@code bin/pail} starts Java: the heap may take a quarter of the memory, by the default of Java. */
    static final String PAIL_OPTIONS = "-XX:-UseG1GC -XX:-UseParallelGC -XX:+UseSerialGC -Xmn32m"
            + " -XX:InitialRAMPercentage=0.01 -XX:MinHeapFreeRatio=20";

    private static final String USAGE =
            "usage: pail-bench/large [--quick] [--rounds N] [--only REGEX] [--sizes N,N] [--all] [--dir FOLDER]";
    private static final List<Integer> SIZES = List.of(1_000_000, 10_000_000);
    private static final int LARGEST = 50_000_000;
    private static final List<KeySet> SETS = List.of(KeySet.W1, KeySet.W2);
    private static final int QUICK_KEYS = 400;
    private static final int MOST_SAMPLED = 100_000;
    private static final int PUTS = 1_000;
    private static final int QUICK_PUTS = 10;

    /** Puts that warm up, and those that are compared. */
    private static final int OTHER_PUTS = 400;

    /** One batch of more keys does not fit in the heap of the command. */
    private static final int MOST_IN_A_BATCH = 10_000_000;

    private static final long MOST_MINUTES = 120;

    private final Compare.Settings settings;
    private final Processes processes;
    private final Path folder;
    private final Path file;
    private final Results results = new Results();

    /** @param file what is measured is added to it, unless the run is quick */
    LargeCompare(Compare.Settings settings, Processes processes, Path folder, Path file) {
        this.settings = settings;
        this.processes = processes;
        this.folder = folder;
        this.file = file;
    }

    /** {@code LargeCompare MODULE-FOLDER OPTIONS}. Exit status 1 if anything failed or disagreed. */
    public static void main(String... arguments) throws IOException {
        List<String> given = new ArrayList<>(List.of(arguments).subList(1, arguments.length));
        Compare.Settings settings;
        Path around;
        List<Integer> sizes;
        try {
            around = SegmentsCompare.around(given);
            sizes = sizes(given);
            // A round takes long.
            if (!given.contains("--rounds")) {
                given.addAll(List.of("--rounds", "1"));
            }
            settings = Compare.Settings.parse(given);
            if (settings.plot()) {
                throw new IllegalArgumentException("no such option: --plot");
            }
        } catch (IllegalArgumentException e) {
            System.err.println("error: " + e.getMessage());
            System.err.println(USAGE);
            System.exit(2);
            return;
        }
        Path module = Path.of(arguments[0]).toAbsolutePath().normalize();
        Path folder = Files.createTempDirectory(around, "pail-large").toAbsolutePath();
        Path file = module.resolve(LargeReport.FILE);
        LargeCompare compare = new LargeCompare(settings, new Processes(module), folder, file);
        try {
            compare.measure(settings.quick() ? List.of(QUICK_KEYS) : sizes);
        } finally {
            Usage.remove(folder);
        }
        LargeReport report = new LargeReport(compare.results);
        if (!settings.quick()) {
            report = new LargeReport(Results.read(file));
            report.write(module);
        }
        System.out.print(report.text());
        if (!compare.results.failures().isEmpty()) {
            compare.results.failures().forEach(failure -> System.err.println("FAILED: " + failure));
            System.exit(1);
        }
    }

    /** How many keys; takes the options out of those that were given. */
    static List<Integer> sizes(List<String> given) {
        List<Integer> sizes = new ArrayList<>(SIZES);
        if (given.remove("--all")) {
            sizes.add(LARGEST);
        }
        int at = given.indexOf("--sizes");
        if (at < 0) {
            return sizes;
        }
        if (at + 1 == given.size()) {
            throw new IllegalArgumentException("--sizes takes a value");
        }
        sizes = Arrays.stream(given.get(at + 1).split(",", -1))
                .map(Integer::parseInt)
                .toList();
        if (sizes.stream().anyMatch(size -> size < QUICK_KEYS || size > LARGEST)) {
            throw new IllegalArgumentException("--sizes takes numbers from " + QUICK_KEYS + " to " + LARGEST);
        }
        given.subList(at, at + 2).clear();
        return sizes;
    }

    void measure(List<Integer> sizes) throws IOException {
        for (int size : sizes) {
            for (KeySet set : SETS) {
                List<Contestant> contestants = Stream.of(Contestant.values())
                        .filter(contestant -> settings.wants(LargeReport.id(set, size, contestant)))
                        .toList();
                if (!contestants.isEmpty()) {
                    Path keys = Files.createDirectory(folder.resolve("keys"));
                    writeKeys(set, size, settings.quick() ? 3 * OTHER_PUTS / 4 + QUICK_PUTS : OTHER_PUTS + PUTS, keys);
                    for (int round = 1; round <= settings.rounds(); round++) {
                        for (Contestant contestant : contestants) {
                            measure(set, size, contestant, keys);
                        }
                    }
                    Usage.remove(keys);
                }
            }
        }
    }

    /** Writes the keys to load, some of them from all over, and keys to put later; holds none of them. */
    static void writeKeys(KeySet set, int count, int more, Path keys) throws IOException {
        int each = Math.max(1, count / MOST_SAMPLED);
        try (BufferedWriter loaded = Files.newBufferedWriter(keys.resolve(LargeTrial.KEYS));
                BufferedWriter sample = Files.newBufferedWriter(keys.resolve(LargeTrial.SAMPLE));
                BufferedWriter later = Files.newBufferedWriter(keys.resolve(LargeTrial.MORE))) {
            int[] number = {0};
            set.forEach(count + more, key -> {
                int i = number[0]++;
                String line = Entries.line(key, Entries.value(i));
                try {
                    (i < count ? loaded : later).write(line);
                    if (i < count && i % each == 0) {
                        sample.write(line);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    private void measure(KeySet set, int size, Contestant contestant, Path keys) throws IOException {
        String id = LargeReport.id(set, size, contestant);
        Path data = Files.createDirectory(folder.resolve("data"));
        try {
            if (contestant.isOurs()) {
                ours(id, size, contestant, keys, data);
            } else {
                rate(id, "load", size, trial(id, Work.LOAD, contestant, keys, data, size));
                figure(id, "bytes", (double) Usage.of(data).allocated());
                trial(id, Work.READS, contestant, keys, data, size);
                trial(id, Work.PUTS, contestant, keys, data, size);
            }
        } catch (Processes.FailedException e) {
            results.fail(id + ": " + e.sentence());
            System.err.println(id + ": " + e.sentence());
        } finally {
            Usage.remove(data);
        }
    }

    private void ours(String id, int size, Contestant contestant, Path keys, Path data)
            throws IOException, Processes.FailedException {
        command(id, data, "init", "--format", contestant.id(), "--blocks", "segments");
        rate(
                id,
                "load",
                size,
                command(id, data, "load", keys.resolve(LargeTrial.KEYS).toString()));
        figure(id, "bytes", (double) Usage.of(data).allocated());
        seconds(id, "stat", command(id, data, "stat"));
        seconds(id, "command get", command(id, data, "get", sampled(keys)));
        trial(id, Work.READS, contestant, keys, data, size);
        trial(id, Work.PUTS, contestant, keys, data, size);
        seconds(id, "gc", command(id, data, "gc", "--grace", "1h"));
        if (size <= MOST_IN_A_BATCH) {
            Path other = Files.createDirectory(data.resolve("batch"));
            rate(id, "batch", size, trial(id, Work.BATCH, contestant, keys, other, size));
            Usage.remove(other);
        }
        seconds(id, "verify", command(id, data, "verify"));
    }

    private static String sampled(Path keys) throws IOException {
        return Entries.read(keys.resolve(LargeTrial.SAMPLE), 1).keys().get(0);
    }

    private void figure(String id, String name, double value) throws IOException {
        results.add(id + " " + name, value);
        // A run takes hours: what it has measured so far must not be lost.
        if (!settings.quick()) {
            results.write(file);
        }
        System.err.println(id + " " + name + ": " + Report.number(value));
    }

    private void rate(String id, String name, int size, Processes.Run run) throws IOException {
        figure(id, name + " a second", size / run.seconds());
        figure(id, name + " a second of processor", size / Math.max(0.01, run.cpuSeconds()));
    }

    private void seconds(String id, String name, Processes.Run run) throws IOException {
        figure(id, name + " seconds", run.seconds());
        figure(id, name + " seconds of processor", run.cpuSeconds());
    }

    private Processes.Run command(String id, Path data, String name, String... arguments)
            throws IOException, Processes.FailedException {
        List<String> command = new ArrayList<>(List.of(
                processes.project().resolve("bin/pail").toString(),
                "-C",
                Contestant.store(data).toString(),
                name));
        command.addAll(List.of(arguments));
        Processes.Run run = processes.measured(data, MOST_MINUTES, command.toArray(String[]::new));
        figure(id, name + " peak bytes", (double) run.peakBytes());
        return run;
    }

    private Processes.Run trial(String id, Work work, Contestant contestant, Path keys, Path data, int size)
            throws IOException, Processes.FailedException {
        List<String> command = contestant.isOurs()
                ? Processes.java(PAIL_OPTIONS.split(" "))
                // LMDB takes the addresses of buffers.
                : Processes.java(
                        "--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
        command.add(LargeTrial.class.getName());
        command.add(Trial.JSON.writeValueAsString(new Task(
                work,
                contestant,
                keys.toString(),
                data.toString(),
                size,
                settings.quick() ? QUICK_PUTS : PUTS,
                settings.quick() ? 0 : dev.pail.bench.Work.WARM_SECONDS)));
        Processes.Run run = processes.measured(data, MOST_MINUTES, command.toArray(String[]::new));
        Map<String, Double> figures = Processes.figures(run.out());
        for (Map.Entry<String, Double> each : figures.entrySet()) {
            figure(id, each.getKey(), each.getValue());
        }
        figure(id, work.id() + " peak bytes", (double) run.peakBytes());
        return run;
    }
}
