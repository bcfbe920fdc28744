package dev.pail.bench;

import dev.pail.bench.Entries.Order;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What put, get and batch take as a pail of random keys grows. */
final class Growth {
    private static final List<Integer> SIZES = List.of(10_000, 100_000, 1_000_000);
    private static final List<Integer> QUICK_SIZES = List.of(100, 1_000);
    private static final int LARGEST = 10_000_000;

    private final Trials trials;
    private final Path folder;
    private final boolean quick;
    private final List<Plot.Line> lines = new ArrayList<>();

    /** Runs a trial and checks it. */
    interface Trials {
        Trial.Outcome run(Contestant contestant, Operation operation, Path keys, Trial.Options options)
                throws IOException;
    }

    Growth(Trials trials, Path folder, boolean quick) {
        this.trials = trials;
        this.folder = folder;
        this.quick = quick;
    }

    void measure(PrintStream progress) throws IOException {
        for (Operation operation : List.of(Operation.PUT_MORE, Operation.GET, Operation.BATCH)) {
            for (Contestant ours : List.of(Contestant.V0, Contestant.V1)) {
                List<Plot.Point> points = new ArrayList<>();
                for (int size : sizes(operation, ours)) {
                    Trial.Options options = quick
                            ? new Trial.Options(size, 100, size, 0, 0)
                            : new Trial.Options(
                                    size, operation == Operation.GET ? 100_000 : 1_000, size, Work.WARM_SECONDS, 1);
                    Trial.Outcome outcome =
                            trials.run(ours, operation, keyFile(folder, KeySet.W1, size, Order.GIVEN), options);
                    if (outcome.nanos() > 0) {
                        points.add(new Plot.Point(size, (double) outcome.nanos() / outcome.operations()));
                        progress.println(operation.id() + " " + ours.id() + " " + size + ": "
                                + Report.number(outcome.perSecond()) + " a second");
                    }
                }
                lines.add(new Plot.Line(operation.title() + ", " + ours.title(), points));
            }
        }
    }

    private List<Integer> sizes(Operation operation, Contestant ours) {
        List<Integer> sizes = new ArrayList<>(quick ? QUICK_SIZES : SIZES);
        if (operation == Operation.BATCH && ours == Contestant.V0 && !quick) {
            sizes.add(LARGEST);
        }
        return sizes;
    }

    /** The file with these keys, written if it is not there. */
    static Path keyFile(Path folder, KeySet set, int keys, Order order) throws IOException {
        Path file = folder.resolve(set + "-" + keys + (order == Order.SORTED ? "-sorted" : "") + ".tsv");
        if (!Files.exists(file)) {
            Entries.of(set, keys, order).write(file);
        }
        return file;
    }

    Plot plot() {
        return new Plot("nanoseconds for one key", "keys", lines);
    }

    /** Operations a second, a row for each line of the plot. */
    String table() {
        List<Double> sizes = lines.stream()
                .flatMap(line -> line.points().stream())
                .map(Plot.Point::x)
                .distinct()
                .sorted()
                .toList();
        List<String> head = new ArrayList<>(List.of("a second"));
        sizes.forEach(size -> head.add(String.format("%,.0f keys", size)));
        List<List<String>> rows = new ArrayList<>();
        for (Plot.Line line : lines) {
            List<String> row = new ArrayList<>(List.of(line.title()));
            IntStream.range(0, sizes.size())
                    .forEach(i -> row.add(line.points().stream()
                            .filter(point -> point.x() == sizes.get(i))
                            .map(point -> Report.number(1e9 / point.y()))
                            .findFirst()
                            .orElse("")));
            rows.add(row);
        }
        return Report.table(head, rows);
    }
}
