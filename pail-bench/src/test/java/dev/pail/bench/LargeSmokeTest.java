package dev.pail.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.bench.LargeTrial.Contestant;
import dev.pail.bench.LargeTrial.Task;
import dev.pail.bench.LargeTrial.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** That each measurement of large maps runs, on small ones, and that the page shows the figures of the file. No time counts here. */
class LargeSmokeTest {
    private static final int KEYS = 300;
    private static final int PUTS = 5;
    private static final Path MODULE =
            Path.of(System.getProperty("pail.project", "..")).resolve("pail-bench");

    @TempDir
    Path folder;

    private Map<String, Double> run(Work work, Contestant contestant) throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Task task = new Task(work, contestant, folder.toString(), data.toString(), KEYS, PUTS, 0);
        return new LargeTrial(task).run();
    }

    private void writeKeys(KeySet set, int count) throws IOException {
        LargeCompare.writeKeys(set, count, PUTS + 110, folder);
    }

    @ParameterizedTest
    @EnumSource
    void eachContestantHasWhatWasPut(Contestant contestant) throws IOException {
        writeKeys(contestant == Contestant.V0 ? KeySet.W1 : KeySet.W2, KEYS);

        assertThat(run(Work.LOAD, contestant)).isEmpty();
        assertThat(run(Work.READS, contestant))
                .containsKeys("open ms", "cold get a second", "get a second of processor", "scan a second")
                .allSatisfy((name, value) -> assertThat(value).isPositive());
        assertThat(run(Work.PUTS, contestant))
                .containsKey("put a second")
                .allSatisfy((name, value) -> assertThat(value).isPositive())
                .hasSize(contestant.isOurs() ? 4 : 2);
    }

    @Test
    void aBatchIsReadAsALoadIs() throws IOException {
        writeKeys(KeySet.W1, KEYS);
        run(Work.BATCH, Contestant.V1);

        assertThat(run(Work.READS, Contestant.V1)).containsKey("scan a second");
    }

    @Test
    void otherEntriesThanThoseOfTheFileAreNoticed() throws IOException {
        writeKeys(KeySet.W1, KEYS);
        run(Work.LOAD, Contestant.V1);
        String keys = Files.readString(folder.resolve(LargeTrial.KEYS));
        String first = keys.lines().findFirst().orElseThrow();
        String value = first.substring(first.indexOf('\t') + 1);
        Files.writeString(
                folder.resolve(LargeTrial.KEYS),
                keys.replace(value, Entries.value(KEYS).toString()));

        assertThatThrownBy(() -> run(Work.READS, Contestant.V1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(KEYS + " entries");
    }

    @Test
    void keysAreWrittenInTheirOrder() throws IOException {
        LargeCompare.writeKeys(KeySet.W2, 250_000, 10, folder);

        List<String> keys = KeySet.W2.keys(250_010);
        Entries loaded = Entries.read(folder.resolve(LargeTrial.KEYS), Integer.MAX_VALUE);
        assertThat(loaded.keys()).isEqualTo(keys.subList(0, 250_000));
        assertThat(loaded.values().get(249_999)).isEqualTo(Entries.value(249_999));
        assertThat(Entries.read(folder.resolve(LargeTrial.MORE), 20).keys()).isEqualTo(keys.subList(250_000, 250_010));
        List<String> sample = Entries.read(folder.resolve(LargeTrial.SAMPLE), Integer.MAX_VALUE)
                .keys();
        assertThat(sample)
                .hasSize(125_000)
                .contains(keys.get(0), keys.get(249_998))
                .doesNotContain(keys.get(1));
    }

    @Test
    void sizesAreReadFromTheCommandLine() {
        List<String> given = new ArrayList<>(List.of("--quick", "--sizes", "1000,2000", "--rounds", "2"));

        assertThat(LargeCompare.sizes(given)).containsExactly(1_000, 2_000);
        assertThat(given).containsExactly("--quick", "--rounds", "2");
        assertThat(LargeCompare.sizes(new ArrayList<>())).containsExactly(1_000_000, 10_000_000);
        assertThat(LargeCompare.sizes(new ArrayList<>(List.of("--all"))))
                .containsExactly(1_000_000, 10_000_000, 50_000_000);
        for (List<String> bad : List.of(
                List.of("--sizes"), List.of("--sizes", "x"), List.of("--sizes", "1"), List.of("--sizes", "99000000"))) {
            assertThatThrownBy(() -> LargeCompare.sizes(new ArrayList<>(bad)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void javaIsStartedAsTheCommandStartsIt() throws IOException {
        assertThat(Files.readString(MODULE.resolve("../bin/pail")))
                .contains("collector='" + LargeCompare.PAIL_OPTIONS + "'");
    }

    /** With {@code -Dpail.write}, the tables and the plot are written. */
    @Test
    void thePageShowsTheFiguresOfTheFile() throws IOException {
        LargeReport report = new LargeReport(Results.read(MODULE.resolve(LargeReport.FILE)));
        if (System.getProperty("pail.write") != null) {
            report.write(MODULE);
        }
        String page = Files.readString(MODULE.resolve("results/large.md"));

        assertThat(report.in(page)).as("write it with -Dpail.write").isEqualTo(page);
        assertThat(Files.readString(MODULE.resolve(LargeReport.PLOT)))
                .isEqualTo(report.plot().svg());
    }

    @Test
    void targetsHaveTheNamesOfFigures() {
        Results results = new Results();
        for (KeySet set : List.of(KeySet.W1, KeySet.W2)) {
            for (int size : List.of(1_000_000, 10_000_000)) {
                for (Contestant contestant : List.of(Contestant.V1, Contestant.V0, Contestant.MVSTORE)) {
                    String id = LargeReport.id(set, size, contestant) + " ";
                    Stream.of("load", "batch", "get", "scan", "put", "diff").forEach(work -> {
                        results.add(id + work + " a second", 2);
                        results.add(id + work + " a second of processor", 2);
                    });
                    Stream.of("verify", "gc", "stat")
                            .forEach(work -> results.add(id + work + " seconds of processor", 2));
                }
            }
        }

        assertThat(Report.targets(LargeReport.targets(), results))
                .contains("| met")
                .doesNotContain("missed", "not measured");
    }
}
