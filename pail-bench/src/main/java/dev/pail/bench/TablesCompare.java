package dev.pail.bench;

import dev.pail.bench.PeopleTable.Contestant;
import dev.pail.bench.TablesTrial.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The same documents through the tables of this project and through H2, in alternation: each work in a process of its own. All must
 * find the same rows. Prints tables in Markdown.
 */
public final class TablesCompare {
    private static final int ROWS = 100_000;
    private static final int QUICK_ROWS = 500;

    private final Compare.Settings settings;
    private final Processes processes;
    private final Results results = new Results();
    private final Map<Work, Double> found = new EnumMap<>(Work.class);

    private TablesCompare(Compare.Settings settings, Processes processes) {
        this.settings = settings;
        this.processes = processes;
    }

    /** {@code TablesCompare MODULE-FOLDER [--quick] [--rounds N] [--only REGEX] [--json FILE]}. Exit status 1 if anything disagrees. */
    public static void main(String... arguments) throws IOException {
        Compare.Settings settings;
        try {
            settings = Compare.Settings.parse(List.of(arguments).subList(1, arguments.length));
            if (settings.plot()) {
                throw new IllegalArgumentException("no such option: --plot");
            }
        } catch (IllegalArgumentException e) {
            System.err.println("error: " + e.getMessage());
            System.err.println("usage: pail-bench/tables [--quick] [--rounds N] [--only REGEX] [--json FILE]");
            System.exit(2);
            return;
        }
        Path module = Path.of(arguments[0]).toAbsolutePath().normalize();
        TablesCompare compare = new TablesCompare(settings, new Processes(module));
        compare.measure();
        System.out.print(compare.report());
        settings.write(compare.results);
        if (!compare.results.failures().isEmpty()) {
            compare.results.failures().forEach(failure -> System.err.println("FAILED: " + failure));
            System.exit(1);
        }
    }

    private void measure() throws IOException {
        int rows = settings.quick() ? QUICK_ROWS : ROWS;
        People people = new People(rows);
        for (Work work : Work.values()) {
            if (!settings.wants(work.id())) {
                continue;
            }
            Trial.Options options = work.options(rows, settings.quick());
            Entries.Digest expected = TablesTrial.expected(work, people, options);
            found.put(work, (double) expected.count() / work.checked(options));
            String digest = expected.toString();
            for (int round = 1; round <= settings.rounds(); round++) {
                for (Contestant contestant : Contestant.values()) {
                    measure(work, contestant, options, digest);
                }
            }
        }
    }

    private void measure(Work work, Contestant contestant, Trial.Options options, String digest) throws IOException {
        String name = name(work, contestant);
        try {
            Trial.Outcome outcome = processes.trial(contestant, work, options);
            results.add(name, outcome.perSecond());
            System.err.printf(Locale.ROOT, "%s: %s a second%n", name, Report.number(outcome.perSecond()));
            if (!outcome.digest().equals(digest)) {
                results.fail(name + ": it found " + outcome.count() + " rows, which are not those that are wanted");
            }
        } catch (Processes.FailedException e) {
            results.fail(name + ": " + e.sentence());
        }
    }

    private static String name(Work work, Contestant contestant) {
        return work.id() + ", " + contestant.title();
    }

    private String report() {
        List<String> parts = new ArrayList<>();
        parts.add(String.format(
                Locale.ROOT,
                "%d processors, Java %s, %s. %,d rows; medians, rounds: %d; in parentheses how often it goes into ours.",
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.version"),
                System.getProperty("os.name"),
                settings.quick() ? QUICK_ROWS : ROWS,
                settings.rounds()));
        if (settings.quick()) {
            parts.add("A quick run shows only that all work: nothing is warm, and its figures mean nothing.");
        }
        parts.add(works().strip());
        if (!settings.quick()) {
            parts.add(Report.targets(targets(), results).strip());
        }
        parts.add(results.failures().isEmpty() ? "All agree on the rows." : "**Not all worked, or agreed.**");
        return String.join("\n\n", parts) + "\n";
    }

    /** Loads in rows a second, all else in questions a second. */
    private String works() {
        List<List<String>> rows = new ArrayList<>();
        found.forEach((work, count) -> {
            OptionalDouble h2 = results.figure(name(work, Contestant.H2));
            for (Contestant ours : List.of(Contestant.V0, Contestant.V1)) {
                OptionalDouble rate = results.figure(name(work, ours));
                OptionalDouble factor = Target.quotient(rate, h2);
                rows.add(List.of(
                        work.title(),
                        work == Work.LOAD ? "" : Report.number(count),
                        ours.title(),
                        rate.isPresent() ? Report.number(rate.getAsDouble()) : "",
                        factor.isPresent()
                                ? Report.number(h2.getAsDouble()) + " (" + Report.number(factor.getAsDouble()) + "×)"
                                : ""));
            }
        });
        return Report.table(List.of("work", "rows found", "format", "ours a second", "H2"), rows);
    }

    private static List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        for (Contestant ours : List.of(Contestant.V0, Contestant.V1)) {
            targets.add(new Target(
                    name(Work.LOAD, ours),
                    "≥ 50,000 rows a second",
                    Target.Bound.AT_LEAST,
                    50_000,
                    " rows a second",
                    results -> results.figure(name(Work.LOAD, ours))));
            targets.add(new Target(
                    name(Work.FIND, ours),
                    "≥ 100× the full scan",
                    Target.Bound.AT_LEAST,
                    100,
                    "×",
                    results -> Target.quotient(
                            results.figure(name(Work.FIND, ours)), results.figure(name(Work.SCAN, ours)))));
        }
        return targets;
    }
}
