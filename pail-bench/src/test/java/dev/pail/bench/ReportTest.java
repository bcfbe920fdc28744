package dev.pail.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private static final Work WORK = Work.all().get(0);

    private final Results results = new Results();

    @TempDir
    Path folder;

    private void measured(Contestant contestant, long nanos, long floor, long count) {
        results.add(WORK, contestant, new Trial.Outcome(nanos, 1_000, floor, 0, count, "digest"));
    }

    @Test
    void numbersHaveThreeDigitsThatMatter() {
        assertThat(List.of(1_234_567.0, 999.6, 123.4, 45.67, 12.0, 1.234, 1.0, 0.051, 0.0))
                .map(Report::number)
                .containsExactly("1,230,000", "1,000", "123", "45.7", "12", "1.23", "1", "0.05", "0");
    }

    @Test
    void aTableIsAlignedMarkdown() {
        assertThat(Report.table(List.of("a", "long"), List.of(List.of("1 | 2", "x"))))
                .isEqualTo("""
                        | a      | long |
                        | ------ | ---- |
                        | 1 \\| 2 | x    |
                        """);
    }

    @Test
    void theMedianIsTheOneInTheMiddle() {
        assertThat(Results.median(List.of(9.0, 1.0, 2.0))).hasValue(2);
        assertThat(Results.median(List.of(9.0, 1.0, 2.0, 4.0))).hasValue(3);
        assertThat(Results.median(List.of())).isEmpty();
    }

    @Test
    void aPeerIsShownWithItsRatioAndHowItWasCutShort() {
        measured(Contestant.V0, 1_000_000, 500_000, WORK.keys());
        measured(Contestant.V0, 1_000_000, 500_000, WORK.keys());
        measured(Contestant.NPM_05, 40_000_000, 0, 2_000);

        assertThat(Report.works(List.of(WORK), results))
                .contains("| v0     | 1,000,000     | 2×        | 25,000 (40×) [1 round, 2,000 keys] |")
                .doesNotContain("v1");
    }

    @Test
    void targetsAreMetOrMissed() {
        measured(Contestant.V0, 1_000_000, 900_000, WORK.keys());
        measured(Contestant.NPM_05, 39_000_000, 0, WORK.keys());

        String table = Report.targets(Target.all(), results);

        assertThat(table.lines().filter(line -> line.contains("put-W1-10000, v0")))
                .map(line -> line.replaceAll(" +", " "))
                .containsExactly(
                        "| put-W1-10000, v0 | ≥ 40× npm pail 0.5.0 | 39× | **missed** |",
                        "| put-W1-10000, v0 | ≤ 1.2× the floor | 1.11× | met |");
        assertThat(table.lines().filter(line -> line.contains("put-W3")))
                .allMatch(line -> line.contains("not measured"));
    }

    @Test
    void aDiffOfManyKeysIsHeldAgainstOneOfFew() {
        for (Work work : Work.all()) {
            boolean many = work.keys() == 1_000_000;
            results.add(
                    work,
                    Contestant.V1,
                    new Trial.Outcome(many ? 4_000 : 1_000, 100, 0, many ? 3.5 : 1.5, work.keys(), "digest"));
        }

        assertThat(Report.targets(Target.all(), results).lines().filter(line -> line.contains("diff-W1")))
                .map(line -> line.replaceAll(" +", " "))
                .containsExactly(
                        "| diff-W1-10000, v1 | ≥ 10× npm pail 0.6.2 | not measured | |",
                        "| diff-W1-1000000, v1 | ≥ 0.33× diff-W1-10000 | 0.25× | **missed** |",
                        "| diff-W1-10000, v0 | ≤ 3 blocks read for each new shard | not measured | |",
                        "| diff-W1-10000, v1 | ≤ 3 blocks read for each new shard | 1.5 blocks | met |",
                        "| diff-W1-1000000, v0 | ≤ 3 blocks read for each new shard | not measured | |",
                        "| diff-W1-1000000, v1 | ≤ 3 blocks read for each new shard | 3.5 blocks | **missed** |");
    }

    @Test
    void whatHasToPassHasAFigureOfOne() {
        results.add(MemoryTrial.LOAD, 1);
        results.add(MemoryTrial.GET, 0);

        String table = Report.targets(Target.all(), results);

        assertThat(table.lines().filter(line -> line.startsWith("| " + MemoryTrial.LOAD)))
                .allMatch(line -> line.endsWith("| met        |"));
        assertThat(table.lines().filter(line -> line.startsWith("| " + MemoryTrial.GET)))
                .allMatch(line -> line.endsWith("| **missed** |"));
    }

    @Test
    void theBestPeerIsTheFastest() {
        measured(Contestant.NPM_06, 3_000_000, 0, 1);
        measured(Contestant.MST, 2_000_000, 0, 1);

        assertThat(results.best(WORK.id(), List.of(Contestant.NPM_06, Contestant.MST, Contestant.PROLLY)))
                .contains(Contestant.MST);
        assertThat(results.best(WORK.id(), List.of(Contestant.PROLLY))).isEmpty();
    }

    @Test
    void everyTargetOfAWorkNamesOneThatIsMeasured() {
        Set<String> measured = Work.all().stream()
                .flatMap(work -> work.entrants().stream()
                        .map(entrant -> work.id() + ", " + entrant.contestant().title()))
                .collect(Collectors.toSet());

        assertThat(Target.all())
                .extracting(Target::subject)
                .filteredOn(subject -> subject.contains("-W"))
                .hasSizeGreaterThan(20)
                .isSubsetOf(measured);
    }

    @Test
    void aFileKeepsFiguresThatAreNotMeasuredAgain() throws IOException {
        Path file = folder.resolve("results/some.json");
        results.add("one", 1.23456);
        results.add("one", 2_000_000);
        results.add("two \"of\" it", 0.5);
        measured(Contestant.V1, 1_000_000, 0, 1);
        results.write(file);
        Results again = new Results();
        again.add("one", 3);
        again.write(file);

        assertThat(Files.readString(file)).isEqualTo("""
                        {
                          "one": [3],
                          "put-W1-10000 v1 a second": [1.000E+6],
                          "two \\"of\\" it": [0.5]
                        }
                        """);
        assertThat(Results.read(file).figure("two \"of\" it")).hasValue(0.5);
        assertThat(Results.read(file).names()).hasSize(3);
    }

    @Test
    void aFileThatIsNotThereHasNoFigures() throws IOException {
        assertThat(Results.read(folder.resolve("none.json")).names()).isEmpty();
    }
}
