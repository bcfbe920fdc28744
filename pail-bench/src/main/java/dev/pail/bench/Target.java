package dev.pail.bench;

import static dev.pail.bench.Contestant.MST;
import static dev.pail.bench.Contestant.NPM_05;
import static dev.pail.bench.Contestant.NPM_06;
import static dev.pail.bench.Contestant.PROLLY;
import static dev.pail.bench.Contestant.V0;
import static dev.pail.bench.Contestant.V1;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A bound for something that is measured.
 *
 * @param subject what is measured
 * @param wanted the bound, in words
 * @param measured what came out, if it was measured
 */
record Target(
        String subject,
        String wanted,
        Bound bound,
        double limit,
        String unit,
        Function<Results, OptionalDouble> measured) {
    private static final List<Contestant> NPM = List.of(NPM_05, NPM_06, MST, PROLLY);

    enum Bound {
        AT_LEAST,
        AT_MOST
    }

    /** Whether a measured value is within the bound. */
    boolean isMet(double value) {
        return bound == Bound.AT_LEAST ? value >= limit : value <= limit;
    }

    static List<Target> all() {
        List<Target> all = new ArrayList<>();
        all.add(over("put-W1-10000", V0, NPM_05, 40));
        all.add(floor("put-W1-10000", V0, 1.2));
        all.add(over("batch-W1-10000", V0, NPM_05, 300));
        for (KeySet set : KeySet.values()) {
            all.add(rate("batch-" + set + "-100000", V0, 1_000_000));
        }
        for (String work : List.of("put-W1-10000", "put-W1-100000")) {
            all.add(over(work, V1, NPM_06, 20));
            all.add(floor(work, V1, 2.5));
        }
        all.add(over("put-W2-10000", V1, NPM_06, 20));
        all.add(over("put-W3-10000", V1, NPM_06, 20));
        all.add(over("batch-W1-100000", V1, NPM_06, 10));
        all.add(over("batch-W2-100000", V1, NPM_06, 20));
        all.add(over("batch-W3-100000", V1, NPM_06, 10));
        all.add(rate("batch-W2-1000000-sorted", V0, 1_500_000));
        all.add(rate("get-W1-100000", V0, 2_000_000));
        all.add(rate("get-W1-100000", V1, 2_000_000));
        all.add(rate("get-W2-100000", V1, 500_000));
        all.add(overBest("get-W1-100000", V0, 10));
        all.add(overBest("get-W1-100000", V1, 10));
        all.add(overBest("get-W2-100000", V1, 10));
        all.add(over("coldGet-W1-10000", V1, NPM_06, 10));
        all.add(over("coldGet-W2-10000", V1, NPM_06, 10));
        all.add(rate("scan-W1-100000", V0, 10_000_000));
        all.add(rate("scan-W2-100000", V0, 10_000_000));
        all.add(rate("scan-W2-100000", V1, 3_000_000));
        all.add(overBest("scan-W1-100000", V0, 1));
        all.add(overBest("scan-W2-100000", V0, 1));
        all.add(overBest("scan-W2-100000", V1, 1));
        all.add(over("diff-W1-10000", V1, NPM_06, 10));
        all.add(overOther("diff-W1-1000000", "diff-W1-10000", V1, 1.0 / 3));
        for (String work : List.of("diff-W1-10000", "diff-W1-1000000")) {
            all.add(reads(work, V0, 3));
            all.add(reads(work, V1, 3));
        }
        all.add(passes(MemoryTrial.LOAD, "within -Xmx512m"));
        all.add(passes(MemoryTrial.GET, "within -Xmx64m"));
        for (String command : List.of("get", "ls")) {
            all.add(ratio(CommandLine.OURS + command, CommandLine.NPM + command, 0.5));
        }
        all.add(ratio(CommandLine.OURS + "get", CommandLine.HELLO, 3));
        return all;
    }

    private static Target over(String work, Contestant ours, Contestant theirs, double factor) {
        return new Target(
                work + ", " + ours.title(),
                "≥ " + number(factor) + "× " + theirs.title(),
                Bound.AT_LEAST,
                factor,
                "×",
                results -> quotient(results.perSecond(work, ours), results.perSecond(work, theirs)));
    }

    private static Target overBest(String work, Contestant ours, double factor) {
        return new Target(
                work + ", " + ours.title(),
                "≥ " + number(factor) + "× the best of npm",
                Bound.AT_LEAST,
                factor,
                "×",
                results -> results.best(work, NPM)
                        .map(best -> quotient(results.perSecond(work, ours), results.perSecond(work, best)))
                        .orElse(OptionalDouble.empty()));
    }

    private static Target floor(String work, Contestant ours, double factor) {
        return new Target(
                work + ", " + ours.title(),
                "≤ " + number(factor) + "× the floor",
                Bound.AT_MOST,
                factor,
                "×",
                results -> results.overFloor(work, ours));
    }

    private static Target rate(String work, Contestant ours, double rate) {
        return new Target(
                work + ", " + ours.title(),
                "≥ " + number(rate) + " a second",
                Bound.AT_LEAST,
                rate,
                " a second",
                results -> results.perSecond(work, ours));
    }

    /** Bounds the speed of one work by that of another, at any size. */
    private static Target overOther(String work, String other, Contestant ours, double factor) {
        return new Target(
                work + ", " + ours.title(),
                "≥ " + number(factor) + "× " + other,
                Bound.AT_LEAST,
                factor,
                "×",
                results -> quotient(results.perSecond(work, ours), results.perSecond(other, ours)));
    }

    private static Target reads(String work, Contestant ours, double most) {
        return new Target(
                work + ", " + ours.title(),
                "≤ " + number(most) + " blocks read for each new shard",
                Bound.AT_MOST,
                most,
                " blocks",
                results -> results.readsForEachNewShard(work, ours));
    }

    private static Target ratio(String ours, String theirs, double factor) {
        return new Target(
                ours,
                "≤ " + number(factor) + "× " + theirs,
                Bound.AT_MOST,
                factor,
                "×",
                results -> quotient(results.figure(ours), results.figure(theirs)));
    }

    /** The figure is 1 if it passed and 0 if not. */
    private static Target passes(String figure, String wanted) {
        return new Target(figure, wanted, Bound.AT_LEAST, 1, "", results -> results.figure(figure));
    }

    /** Nothing, if either is not there. */
    static OptionalDouble quotient(OptionalDouble a, OptionalDouble b) {
        return a.isPresent() && b.isPresent()
                ? OptionalDouble.of(a.getAsDouble() / b.getAsDouble())
                : OptionalDouble.empty();
    }

    private static String number(double value) {
        return Report.number(value);
    }
}
