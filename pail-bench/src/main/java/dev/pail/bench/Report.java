package dev.pail.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was measured as tables in Markdown. */
final class Report {
    private Report() {}

    /** What each contestant did, a row for a work and a format of ours. */
    static String works(List<Work> works, Results results) {
        List<Contestant> others = Arrays.stream(Contestant.values())
                .filter(contestant -> !contestant.isOurs())
                .toList();
        List<String> head = new ArrayList<>(List.of("work", "format", "ours a second", "its floor"));
        others.forEach(other -> head.add(other.title()));
        List<List<String>> rows = new ArrayList<>();
        for (Work work : works) {
            for (Contestant ours : List.of(Contestant.V0, Contestant.V1)) {
                OptionalDouble rate = results.perSecond(work.id(), ours);
                if (rate.isEmpty()) {
                    continue;
                }
                OptionalDouble floor = results.overFloor(work.id(), ours);
                List<String> row = new ArrayList<>(List.of(
                        work.title(),
                        ours.title(),
                        number(rate.getAsDouble()),
                        floor.isPresent() ? number(floor.getAsDouble()) + "×" : ""));
                others.forEach(other -> row.add(peer(work, ours, other, results)));
                rows.add(row);
            }
        }
        return table(head, rows);
    }

    /** The rate of a peer, how often it goes into ours, and how it was cut short. */
    private static String peer(Work work, Contestant ours, Contestant peer, Results results) {
        OptionalDouble rate = results.perSecond(work.id(), peer);
        if (rate.isEmpty()) {
            return "";
        }
        double factor = results.perSecond(work.id(), ours).orElseThrow() / rate.getAsDouble();
        List<String> less = new ArrayList<>();
        List<Trial.Outcome> rounds = results.rounds(work.id(), peer);
        if (rounds.size() < results.rounds(work.id(), ours).size()) {
            less.add(rounds.size() + (rounds.size() == 1 ? " round" : " rounds"));
        }
        if (rounds.get(0).count() < work.keys()) {
            less.add(String.format(Locale.ROOT, "%,d keys", rounds.get(0).count()));
        }
        return number(rate.getAsDouble()) + " (" + number(factor) + "×)"
                + (less.isEmpty() ? "" : " [" + String.join(", ", less) + "]");
    }

    /** Each target with what was measured. */
    static String targets(List<Target> targets, Results results) {
        List<List<String>> rows = new ArrayList<>();
        for (Target target : targets) {
            OptionalDouble value = target.measured().apply(results);
            rows.add(List.of(
                    target.subject(),
                    target.wanted(),
                    value.isEmpty()
                            ? "not measured"
                            : target.unit().isEmpty() ? "" : number(value.getAsDouble()) + target.unit(),
                    value.isEmpty() ? "" : target.isMet(value.getAsDouble()) ? "met" : "**missed**"));
        }
        return table(List.of("what", "target", "measured", ""), rows);
    }

    /** A table in Markdown, its columns aligned for reading as text. */
    static String table(List<String> head, List<List<String>> rows) {
        int[] widths = new int[head.size()];
        List<List<String>> all = Stream.concat(Stream.of(head), rows.stream())
                .map(row -> row.stream().map(cell -> cell.replace("|", "\\|")).toList())
                .toList();
        for (List<String> row : all) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(Math.max(widths[i], 3), row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder(line(all.get(0), widths, " "));
        text.append(line(Arrays.stream(widths).mapToObj("-"::repeat).toList(), widths, "-"));
        all.subList(1, all.size()).forEach(row -> text.append(line(row, widths, " ")));
        return text.toString();
    }

    private static String line(List<String> cells, int[] widths, String padding) {
        List<String> padded = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            String cell = cells.get(i);
            padded.add(cell + padding.repeat(Math.max(0, widths[i] - cell.length())));
        }
        return padded.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    /** Three digits that matter, with commas in thousands. */
    static String number(double value) {
        if (value >= 100) {
            double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(value)) - 2));
            return String.format(Locale.ROOT, "%,.0f", Math.round(value / unit) * unit);
        }
        String text = String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
        return text.replaceFirst("\\.?0+$", "");
    }
}
