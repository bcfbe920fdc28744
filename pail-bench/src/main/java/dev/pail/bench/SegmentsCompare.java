package dev.pail.bench;

import dev.pail.bench.SegmentsTrial.Task;
import dev.pail.bench.SegmentsTrial.Work;
import dev.pail.bench.Step.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The same changes through the segment store and through others, in alternation, each work in a process of its own: what all versions
 * take on disk, how fast they are written, and how fast old ones are read. All must have kept what was put. Prints tables in Markdown.
 */
public final class SegmentsCompare {
    private static final int CHANGES = 10_000;
    private static final int MEASURED_PUTS = 2_000;
    private static final int QUICK_CHANGES = 40;

    /** In two, a store that syncs each put makes so few that most of its code is not compiled yet, or not well. */
    private static final int WARM_SECONDS = 10;

    static final Trial.Options QUICK = new Trial.Options(QUICK_CHANGES, 10, 5, 0, 0);
    private static final long MUCH_SPACE = 8L << 30;
    private static final List<Keeper> SIZED = List.of(Keeper.SYNC, Keeper.DIRECTORY, Keeper.GIT, Keeper.MVSTORE);

    private final Compare.Settings settings;
    private final Processes processes;
    private final Path folder;
    private final Results results = new Results();
    private final List<String> leftOut = new ArrayList<>();

    private SegmentsCompare(Compare.Settings settings, Processes processes, Path folder) {
        this.settings = settings;
        this.processes = processes;
        this.folder = folder;
    }

    /**
     * {@code SegmentsCompare MODULE-FOLDER [--quick] [--rounds N] [--only REGEX] [--json FILE] [--dir FOLDER]}. Exit status 1 if anything failed or
     * disagreed.
     */
    public static void main(String... arguments) throws IOException {
        List<String> given = new ArrayList<>(List.of(arguments).subList(1, arguments.length));
        Compare.Settings settings;
        Path around;
        try {
            around = around(given);
            settings = Compare.Settings.parse(given);
            if (settings.plot()) {
                throw new IllegalArgumentException("no such option: --plot");
            }
        } catch (IllegalArgumentException e) {
            System.err.println("error: " + e.getMessage());
            System.err.println(
                    "usage: pail-bench/segments [--quick] [--rounds N] [--only REGEX] [--json FILE] [--dir FOLDER]");
            System.exit(2);
            return;
        }
        Processes processes =
                new Processes(Path.of(arguments[0]).toAbsolutePath().normalize());
        Path folder = Files.createTempDirectory(around, "pail-segments").toAbsolutePath();
        SegmentsCompare compare = new SegmentsCompare(settings, processes, folder);
        try {
            compare.measure();
        } finally {
            Usage.remove(folder);
        }
        System.out.print(compare.report());
        settings.write(compare.results);
        if (!compare.results.failures().isEmpty()) {
            compare.results.failures().forEach(failure -> System.err.println("FAILED: " + failure));
            System.exit(1);
        }
    }

    /** Where the folders go; takes the option out of those that were given. */
    static Path around(List<String> given) {
        int at = given.indexOf("--dir");
        if (at < 0) {
            return Path.of(System.getProperty("java.io.tmpdir"));
        }
        if (at + 1 == given.size()) {
            throw new IllegalArgumentException("--dir takes a value");
        }
        Path folder = Path.of(given.get(at + 1));
        given.subList(at, at + 2).clear();
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException("no such folder: " + folder);
        }
        return folder;
    }

    private void measure() throws IOException {
        for (int round = 1; round <= settings.rounds(); round++) {
            for (Task task : tasks(folder.resolve("data"))) {
                // What is on disk is the same in every round.
                if (settings.wants(task.id()) && (round == 1 || task.work() != Work.SIZES)) {
                    measure(task, round);
                }
            }
        }
    }

    /** All that is measured, with the folder that it is measured in. */
    static List<Task> tasks(Path folder) {
        String data = folder.toString();
        List<Task> tasks = new ArrayList<>();
        for (Load load : Load.values()) {
            for (Keeper keeper : SIZED) {
                keeper.formats().forEach(format -> tasks.add(new Task(Work.SIZES, keeper, format, load, data)));
            }
        }
        tasks.add(new Task(Work.FLOOR, Keeper.SYNC, "", Load.PUTS, data));
        for (Keeper keeper : Keeper.values()) {
            if (keeper != Keeper.GIT) {
                keeper.formats().forEach(format -> tasks.add(new Task(Work.RATES, keeper, format, Load.PUTS, data)));
            }
        }
        Keeper.SYNC.formats().forEach(format -> tasks.add(new Task(Work.READS, Keeper.SYNC, format, Load.PUTS, data)));
        return tasks;
    }

    private void measure(Task task, int round) throws IOException {
        boolean large = task.keeper() == Keeper.DIRECTORY && task.format().equals("v0") && !settings.quick();
        if (large && Files.getFileStore(folder).getUsableSpace() < MUCH_SPACE) {
            leftOut.add(task.id());
            System.err.println(task.id() + ": left out, less than 8 GB of free space");
            return;
        }
        Path data = Files.createDirectory(Path.of(task.folder()));
        long start = System.nanoTime();
        try {
            Map<String, Double> figures = processes.trial(task, options(task.work()));
            figures.forEach((name, value) -> results.add(SegmentsReport.name(task.id(), name), value));
            System.err.printf(
                    "%s, round %d, %s s: %s%n",
                    task.id(), round, Report.number((System.nanoTime() - start) / 1e9), figures);
            double versions = figures.getOrDefault("versions", 0.0);
            if (task.work() == Work.SIZES && versions != changes()) {
                results.fail(task.id() + ": " + versions + " versions can be read");
            }
        } catch (Processes.FailedException e) {
            results.fail(task.id() + ": " + e.sentence());
        } finally {
            Usage.remove(data);
        }
    }

    private int changes() {
        return settings.quick() ? QUICK_CHANGES : CHANGES;
    }

    private Trial.Options options(Work work) {
        if (settings.quick()) {
            return QUICK;
        }
        return switch (work) {
            case SIZES -> new Trial.Options(CHANGES, 200, 0, 0, 0);
            // In the middle of as many puts as the sizes have.
            case RATES, FLOOR -> new Trial.Options(MEASURED_PUTS, CHANGES / 2, 500, WARM_SECONDS, 2);
            case READS -> new Trial.Options(CHANGES, 500, 0, 2, 0);
        };
    }

    private String report() {
        return new SegmentsReport(results, changes(), settings.rounds(), settings.quick(), leftOut).text();
    }
}
