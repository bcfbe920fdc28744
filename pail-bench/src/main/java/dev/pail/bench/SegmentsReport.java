package dev.pail.bench;

import dev.pail.bench.OldReads.Before;
import dev.pail.bench.OldReads.Version;
import dev.pail.bench.Step.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What was measured of the segment store and others as tables in Markdown.
 *
 * @param changes how many changes each keeper was given
 * @param leftOut what there was no space for
 */
record SegmentsReport(Results results, int changes, int rounds, boolean quick, List<String> leftOut) {
    private static final List<String> FORMATS = List.of("v0", "v1");
    private static final String FLOOR = "floor";

    /** The name of a figure among all results. */
    static String name(String task, String figure) {
        return task + " " + figure;
    }

    String text() {
        String machine = String.format(
                Locale.ROOT,
                "%d processors, Java %s, %s. %,d changes; medians, rounds: %d.",
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.version"),
                System.getProperty("os.name"),
                changes,
                rounds);
        return Stream.of(
                                machine,
                                quick
                                        ? "A quick run shows only that all work: nothing is warm, and its figures mean nothing."
                                        : "",
                                leftOut.isEmpty()
                                        ? ""
                                        : "**Left out, as less than 8 GB of space are free: "
                                                + String.join(", ", leftOut) + "**",
                                sizes(),
                                segments(),
                                rates(),
                                reads(),
                                // The targets are for the full sizes.
                                quick ? "" : Report.targets(targets(), results),
                                results.failures().isEmpty()
                                        ? "All have what was put."
                                        : "**Not all worked, or agreed.**")
                        .map(String::strip)
                        .filter(part -> !part.isEmpty())
                        .reduce("", (all, part) -> all + part + "\n\n")
                        .stripTrailing()
                + "\n";
    }

    private OptionalDouble figure(String task, String figure) {
        return results.figure(name(task, figure));
    }

    private static String sizesOf(Load load, Keeper keeper, String format) {
        return "sizes-" + load.id() + "-" + keeper.id() + (format.isEmpty() ? "" : "-" + format);
    }

    private static String ratesOf(Keeper keeper, String format) {
        return "rates-" + keeper.id() + (keeper.formats().contains("") ? "" : "-" + format);
    }

    private String sizes() {
        List<List<String>> rows = new ArrayList<>();
        for (Load load : Load.values()) {
            for (String format : FORMATS) {
                String segments = sizesOf(load, Keeper.SYNC, format);
                String directory = sizesOf(load, Keeper.DIRECTORY, format);
                size(rows, load, format, "SegmentBlockStore", segments, "");
                size(rows, load, format, Keeper.DIRECTORY.title(), directory, "");
                figure(segments, "car").ifPresent(car -> {
                    List<String> row = size(load, format, "one CAR of all blocks", car, OptionalDouble.empty());
                    row.addAll(List.of("", ""));
                    rows.add(row);
                });
            }
            size(rows, load, "", "git, packed", sizesOf(load, Keeper.GIT, ""), "");
            size(rows, load, "", "git, loose objects", sizesOf(load, Keeper.GIT, ""), "loose ");
            size(rows, load, "", Keeper.MVSTORE.title(), sizesOf(load, Keeper.MVSTORE, ""), "");
        }
        List<String> head = List.of(
                "changes",
                "format",
                "store",
                "MB",
                "MB allocated",
                "bytes a version",
                "of the blocks' bytes",
                "beside segments",
                "versions read",
                "listed");
        return rows.isEmpty() ? "" : Report.table(head, rows);
    }

    private void size(List<List<String>> rows, Load load, String format, String title, String task, String kind) {
        OptionalDouble bytes = figure(task, kind + "bytes");
        if (bytes.isPresent()) {
            List<String> row = size(load, format, title, bytes.getAsDouble(), figure(task, kind + "allocated"));
            row.add(kind.isEmpty() ? count(figure(task, "versions")) : "");
            row.add(kind.isEmpty() ? count(figure(task, "listed")) : "");
            rows.add(row);
        }
    }

    private List<String> size(Load load, String format, String title, double bytes, OptionalDouble allocated) {
        OptionalDouble logical = figure(sizesOf(load, Keeper.SYNC, format), "logical");
        List<String> beside = new ArrayList<>();
        for (String segments : format.isEmpty() ? FORMATS : List.of(format)) {
            figure(sizesOf(load, Keeper.SYNC, segments), "bytes")
                    .ifPresent(ours ->
                            beside.add(Report.number(bytes / ours) + "×" + (format.isEmpty() ? " " + segments : "")));
        }
        return new ArrayList<>(List.of(
                load.title(),
                format,
                title,
                megabytes(OptionalDouble.of(bytes)),
                megabytes(allocated),
                Report.number(bytes / changes),
                logical.isPresent() ? Report.number(100 * bytes / logical.getAsDouble()) + "%" : "",
                String.join(", ", beside)));
    }

    private static String megabytes(OptionalDouble bytes) {
        return bytes.isPresent() ? Report.number(bytes.getAsDouble() / 1e6) : "";
    }

    private static String count(OptionalDouble number) {
        return number.isPresent() ? String.format(Locale.ROOT, "%,.0f", number.getAsDouble()) : "";
    }

    /** What is known of segments alone. */
    private String segments() {
        List<List<String>> rows = new ArrayList<>();
        for (Load load : Load.values()) {
            for (String format : FORMATS) {
                String task = sizesOf(load, Keeper.SYNC, format);
                if (figure(task, "blocks").isPresent()) {
                    rows.add(List.of(
                            load.title(),
                            format,
                            count(figure(task, "blocks")),
                            megabytes(figure(task, "logical")),
                            count(figure(task, "longest chain")),
                            number(figure(task, "mean chain"))));
                }
            }
        }
        List<String> head =
                List.of("SegmentBlockStore", "format", "blocks", "MB of blocks", "longest chain", "mean chain");
        return rows.isEmpty() ? "" : Report.table(head, rows);
    }

    private static String number(OptionalDouble value) {
        return value.isPresent() ? Report.number(value.getAsDouble()) : "";
    }

    private String rates() {
        List<List<String>> rows = new ArrayList<>();
        for (Keeper keeper : Keeper.values()) {
            if (FORMATS.stream()
                    .anyMatch(format -> perSecond(ratesOf(keeper, format)).isPresent())) {
                rows.add(List.of(keeper.title(), rate(ratesOf(keeper, "v0"), "v0"), rate(ratesOf(keeper, "v1"), "v1")));
            }
        }
        if (perSecond(FLOOR).isPresent()) {
            rows.add(List.of("4 KiB appended, and a sync", rate(FLOOR, "v0"), rate(FLOOR, "v1")));
        }
        return rows.isEmpty() ? "" : Report.table(List.of("puts a second", "v0", "v1"), rows);
    }

    private OptionalDouble perSecond(String task) {
        return figure(task, "a second");
    }

    /** The rate, and how often it goes into that of one writer with SYNC. */
    private String rate(String task, String format) {
        String sync = ratesOf(Keeper.SYNC, format);
        OptionalDouble factor = Target.quotient(perSecond(sync), perSecond(task));
        return number(perSecond(task))
                + (factor.isEmpty() || task.equals(sync) ? "" : " (" + Report.number(factor.getAsDouble()) + "×)");
    }

    private String reads() {
        List<List<String>> rows = new ArrayList<>();
        for (String format : FORMATS) {
            for (Before before : Before.values()) {
                for (Version version : Version.values()) {
                    OptionalDouble median = read(results, format, version, before, "median");
                    if (median.isPresent()) {
                        OptionalDouble newest = read(results, format, Version.NEWEST, before, "median");
                        rows.add(List.of(
                                version == Version.OLD ? "a random version" : "the newest",
                                format,
                                before.title(),
                                number(median),
                                number(read(results, format, version, before, "99th")),
                                version == Version.OLD ? number(Target.quotient(median, newest)) + "×" : ""));
                    }
                }
            }
        }
        List<String> head = List.of(
                "lookup of a key in",
                "format",
                "the store is",
                "median, µs",
                "99th percentile, µs",
                "beside the newest");
        return rows.isEmpty() ? "" : Report.table(head, rows);
    }

    private static OptionalDouble read(Results results, String format, Version version, Before before, String what) {
        return results.figure(name("reads-" + format, OldReads.name(version, before, what)));
    }

    static List<Target> targets() {
        List<Target> targets = new ArrayList<>();
        for (String format : FORMATS) {
            targets.add(rate(Keeper.SYNC, format, Keeper.DIRECTORY, 5));
        }
        targets.add(rate(Keeper.SYNC, "v1", Keeper.ROCKSDB, 0.8));
        for (String format : FORMATS) {
            // The time, which is the other way round.
            targets.add(new Target(
                    Keeper.NONE.title() + ", " + format,
                    "≤ 1.5× the time of " + Keeper.MEMORY.title(),
                    Target.Bound.AT_MOST,
                    1.5,
                    "×",
                    results -> quotient(results, ratesOf(Keeper.MEMORY, format), ratesOf(Keeper.NONE, format))));
        }
        for (String format : FORMATS) {
            for (Before before : Before.values()) {
                targets.add(new Target(
                        "a random version, " + format + ", store " + before.title(),
                        "≤ 3× the median of the newest",
                        Target.Bound.AT_MOST,
                        3,
                        "×",
                        results -> Target.quotient(
                                read(results, format, Version.OLD, before, "median"),
                                read(results, format, Version.NEWEST, before, "median"))));
            }
        }
        return targets;
    }

    private static Target rate(Keeper ours, String format, Keeper other, double factor) {
        return new Target(
                ours.title() + ", " + format,
                "≥ " + Report.number(factor) + "× " + other.title(),
                Target.Bound.AT_LEAST,
                factor,
                "×",
                results -> quotient(results, ratesOf(ours, format), ratesOf(other, format)));
    }

    private static OptionalDouble quotient(Results results, String one, String other) {
        return Target.quotient(results.figure(name(one, "a second")), results.figure(name(other, "a second")));
    }
}
