package dev.pail.bench;

import com.fasterxml.jackson.core.type.TypeReference;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What was measured so far. */
final class Results {
    private static final TypeReference<Map<String, List<Double>>> ROUNDS = new TypeReference<>() {};

    /** No measurement is more exact. */
    private static final MathContext DIGITS = new MathContext(4);

    private final Map<String, Map<Contestant, List<Trial.Outcome>>> outcomes = new LinkedHashMap<>();
    private final Map<String, List<Double>> figures = new LinkedHashMap<>();
    private final List<String> failures = new ArrayList<>();

    void add(Work work, Contestant contestant, Trial.Outcome outcome) {
        of(work.id()).computeIfAbsent(contestant, any -> new ArrayList<>()).add(outcome);
    }

    /** Adds one measurement of something that is no {@link Work}. */
    void add(String figure, double value) {
        figures.computeIfAbsent(figure, any -> new ArrayList<>()).add(value);
    }

    /** Adds what went wrong, in a sentence. */
    void fail(String failure) {
        failures.add(failure);
    }

    List<String> failures() {
        return failures;
    }

    private Map<Contestant, List<Trial.Outcome>> of(String work) {
        return outcomes.computeIfAbsent(work, any -> new EnumMap<>(Contestant.class));
    }

    /** The outcomes of all rounds; none, if it was not measured. */
    List<Trial.Outcome> rounds(String work, Contestant contestant) {
        return outcomes.getOrDefault(work, Map.of()).getOrDefault(contestant, List.of());
    }

    /** The median of the rounds, in operations a second. */
    OptionalDouble perSecond(String work, Contestant contestant) {
        return median(
                rounds(work, contestant).stream().map(Trial.Outcome::perSecond).toList());
    }

    /** The time of the work in terms of its floor, the median of the rounds. */
    OptionalDouble overFloor(String work, Contestant contestant) {
        return median(rounds(work, contestant).stream()
                .filter(outcome -> outcome.floorNanos() > 0)
                .map(outcome -> (double) outcome.nanos() / outcome.floorNanos())
                .toList());
    }

    /** How many blocks a diff read for each new shard, the median of the rounds. */
    OptionalDouble readsForEachNewShard(String work, Contestant contestant) {
        return median(rounds(work, contestant).stream()
                .map(Trial.Outcome::readsForEachNewShard)
                .filter(reads -> reads > 0)
                .toList());
    }

    /** The names of all figures, in the order in which they were added first. */
    Set<String> names() {
        return Collections.unmodifiableSet(figures.keySet());
    }

    OptionalDouble figure(String name) {
        return median(figures.getOrDefault(name, List.of()));
    }

    /** The fastest of some, if any was measured. */
    Optional<Contestant> best(String work, Collection<Contestant> some) {
        return some.stream()
                .filter(contestant -> perSecond(work, contestant).isPresent())
                .max((a, b) -> Double.compare(
                        perSecond(work, a).orElseThrow(), perSecond(work, b).orElseThrow()));
    }

    /** Adds the figures of a file that {@link #write} wrote. */
    static Results read(Path file) throws IOException {
        Results results = new Results();
        if (Files.exists(file)) {
            Trial.JSON
                    .readValue(Files.readString(file), ROUNDS)
                    .forEach((name, rounds) -> rounds.forEach(value -> results.add(name, value)));
        }
        return results;
    }

    /**
     * Writes all figures as JSON: a name, and the values of all rounds. Rates of works are named {@code WORK CONTESTANT a second}. Other
     * figures that the file has stay there.
     */
    void write(Path file) throws IOException {
        Map<String, List<Double>> all = new TreeMap<>(read(file).figures);
        all.putAll(figures);
        outcomes.forEach((work, contestants) -> contestants.forEach((contestant, rounds) -> all.put(
                work + " " + contestant.id() + " a second",
                rounds.stream().map(Trial.Outcome::perSecond).toList())));
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, List<Double>> figure : all.entrySet()) {
            List<BigDecimal> values = figure.getValue().stream()
                    .map(value -> new BigDecimal(value, DIGITS))
                    .toList();
            lines.add("  " + Trial.JSON.writeValueAsString(figure.getKey()) + ": "
                    + values.stream().map(BigDecimal::toString).collect(Collectors.joining(", ", "[", "]")));
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, "{\n" + String.join(",\n", lines) + "\n}\n");
    }

    /** The middle one, the mean of the two in the middle, or nothing of nothing. */
    static OptionalDouble median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        if (sorted.length == 0) {
            return OptionalDouble.empty();
        }
        int middle = sorted.length / 2;
        return OptionalDouble.of(
                sorted.length % 2 == 1
                        ? sorted[middle]
                        : Arrays.stream(sorted, middle - 1, middle + 1).sum() / 2);
    }
}
