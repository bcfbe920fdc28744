package dev.pail.bench;

import dev.pail.bench.LargeTrial.Contestant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was measured of large maps as tables in Markdown and as a plot. */
record LargeReport(Results results) {
    /** The figures, below the folder of the module. */
    static final String FILE = "results/large.json";

    static final String PLOT = "results/large-growth.svg";

    private static final String BEGIN = "<!-- Written by pail-bench/large from large.json. -->\n\n";
    private static final String END = "\n<!-- Up to here. -->\n";
    private static final int LESS = 1_000_000;
    private static final int MORE = 10_000_000;
    private static final String PROCESSOR = " a second of processor";
    private static final String CLOCK = " a second";
    private static final List<Figure> RATES = List.of(
            new Figure("load", "load" + PROCESSOR),
            new Figure("one batch", "batch" + PROCESSOR),
            new Figure("get", "get" + PROCESSOR),
            new Figure("cold get", "cold get" + CLOCK),
            new Figure("scan", "scan" + PROCESSOR),
            new Figure("put", "put" + CLOCK),
            new Figure("diff of 100 puts", "diff" + PROCESSOR));
    private static final List<Figure> BYTES = List.of(
            new Figure("on disk", "bytes"),
            new Figure("memory, load", "load peak bytes"),
            new Figure("memory, one batch", "batch peak bytes"),
            new Figure("memory, get and scan", "reads peak bytes"),
            new Figure("memory, put and diff", "puts peak bytes"),
            new Figure("memory, verify", "verify peak bytes"),
            new Figure("memory, gc", "gc peak bytes"),
            new Figure("memory, stat", "stat peak bytes"));
    private static final List<Figure> SECONDS = List.of(
            new Figure("pail verify", "verify seconds of processor"),
            new Figure("pail gc", "gc seconds of processor"),
            new Figure("pail stat", "stat seconds of processor"),
            new Figure("pail get", "command get seconds of processor"));
    private static final List<String> LINEAR = List.of("verify", "gc", "stat");

    private record Figure(String title, String name) {}

    /** The name of all that one contestant does with some keys. */
    static String id(KeySet set, int size, Contestant contestant) {
        return set + "-" + size + "-" + contestant.id();
    }

    private static String name(KeySet set, int size, Contestant contestant, String figure) {
        return id(set, size, contestant) + " " + figure;
    }

    private List<Integer> sizes() {
        return results.names().stream()
                .filter(name -> name.matches("W\\d-\\d+-.*"))
                .map(name -> Integer.parseInt(name.split("-", 3)[1]))
                .distinct()
                .sorted()
                .toList();
    }

    /** All tables. */
    String text() {
        return Stream.of(
                        "Operations a second of processor time; cold gets and puts by the clock.",
                        table(RATES, List.of(Contestant.values()), 1),
                        "MiB on disk after the load, and the most resident memory of each process.",
                        table(BYTES, List.of(Contestant.values()), 1 << 20),
                        "Seconds of processor time of a command.",
                        table(SECONDS, List.of(Contestant.V1, Contestant.V0), 1),
                        Report.targets(measured(), results))
                .map(String::strip)
                .collect(Collectors.joining("\n\n", "", "\n"));
    }

    private String table(List<Figure> figures, List<Contestant> contestants, double unit) {
        List<List<String>> rows = new ArrayList<>();
        for (Figure figure : figures) {
            for (KeySet set : KeySet.values()) {
                for (int size : sizes()) {
                    List<String> cells = contestants.stream()
                            .map(contestant -> results.figure(name(set, size, contestant, figure.name())))
                            .map(value -> value.isPresent() ? Report.number(value.getAsDouble() / unit) : "")
                            .toList();
                    if (!String.join("", cells).isEmpty()) {
                        List<String> row = new ArrayList<>(
                                List.of(String.format(Locale.ROOT, "%s, %s, %,d keys", figure.title(), set, size)));
                        row.addAll(cells);
                        rows.add(row);
                    }
                }
            }
        }
        List<String> head = new ArrayList<>(List.of(""));
        contestants.forEach(contestant -> head.add(contestant.title()));
        return Report.table(head, rows);
    }

    /** The targets of what was measured: not all sizes are in each run. */
    private List<Target> measured() {
        return targets().stream()
                .filter(target -> target.measured().apply(results).isPresent())
                .toList();
    }

    static List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        for (KeySet set : List.of(KeySet.W1, KeySet.W2)) {
            for (Contestant ours : List.of(Contestant.V1, Contestant.V0)) {
                targets.add(target(
                        String.format(Locale.ROOT, "get, %s, %,d keys, %s", set, LESS, ours.title()),
                        "≥ 1× H2 MVStore",
                        Target.Bound.AT_LEAST,
                        1,
                        results -> Target.quotient(
                                results.figure(name(set, LESS, ours, "get" + PROCESSOR)),
                                results.figure(name(set, LESS, Contestant.MVSTORE, "get" + PROCESSOR)))));
                for (String work : List.of("load", "batch")) {
                    targets.add(grown(set, ours, work, 0.7, work + PROCESSOR));
                }
                targets.add(grown(set, ours, "scan", 0.5, "scan" + PROCESSOR));
                for (String work : LINEAR) {
                    String seconds = work + " seconds of processor";
                    targets.add(target(
                            subject(set, ours, work),
                            "≤ 15× the time of a tenth",
                            Target.Bound.AT_MOST,
                            15,
                            results -> Target.quotient(
                                    results.figure(name(set, MORE, ours, seconds)),
                                    results.figure(name(set, LESS, ours, seconds)))));
                }
                for (String work : List.of("get" + PROCESSOR, "put" + CLOCK, "diff" + PROCESSOR)) {
                    targets.add(grown(set, ours, work.split(" ", 2)[0], 1.0 / 3, work));
                }
            }
        }
        return targets;
    }

    private static String subject(KeySet set, Contestant ours, String work) {
        return String.format(Locale.ROOT, "%s, %s, %,d keys, %s", work, set, MORE, ours.title());
    }

    private static Target grown(KeySet set, Contestant ours, String work, double factor, String figure) {
        return target(
                subject(set, ours, work),
                "≥ " + Report.number(factor) + "× the rate of a tenth",
                Target.Bound.AT_LEAST,
                factor,
                results -> Target.quotient(
                        results.figure(name(set, MORE, ours, figure)), results.figure(name(set, LESS, ours, figure))));
    }

    private static Target target(
            String subject,
            String wanted,
            Target.Bound bound,
            double limit,
            Function<Results, OptionalDouble> measured) {
        return new Target(subject, wanted, bound, limit, "×", measured);
    }

    /** Nanoseconds for one key of W1, by the number of keys. */
    Plot plot() {
        List<Plot.Line> lines = new ArrayList<>();
        for (Contestant contestant : List.of(Contestant.V1, Contestant.V0, Contestant.MVSTORE)) {
            for (String work : List.of("load", "get", "scan")) {
                List<Plot.Point> points = new ArrayList<>();
                for (int size : sizes()) {
                    results.figure(name(KeySet.W1, size, contestant, work + PROCESSOR))
                            .ifPresent(rate -> points.add(new Plot.Point(size, 1e9 / rate)));
                }
                lines.add(new Plot.Line(work + ", " + contestant.title(), points));
            }
        }
        return new Plot("nanoseconds of processor time for one key", "keys", lines);
    }

    /** Returns a page with these tables in their place. */
    String in(String page) {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException("the page has no place for the tables");
        }
        return page.substring(0, begin) + BEGIN + text() + page.substring(end);
    }

    /** Writes the tables into the page of the module, and the plot. */
    void write(Path module) throws IOException {
        Path page = module.resolve("results/large.md");
        Files.writeString(page, in(Files.readString(page)));
        Files.writeString(module.resolve(PLOT), plot().svg());
    }
}
