package dev.pail.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.bench.SegmentsTrial.Task;
import dev.pail.bench.SegmentsTrial.Work;
import dev.pail.bench.Step.Load;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** That each measurement of stores runs, and that all of them keep what was put. No time counts here. */
class SegmentsSmokeTest {
    private static final Trial.Options TINY = SegmentsCompare.QUICK;

    @TempDir
    Path folder;

    static List<Task> tasks() {
        return SegmentsCompare.tasks(Path.of(""));
    }

    @ParameterizedTest
    @MethodSource("tasks")
    void allHaveWhatWasPut(Task task) throws IOException {
        Task here = new Task(task.work(), task.keeper(), task.format(), task.load(), folder.toString());

        Map<String, Double> figures = new SegmentsTrial(here, TINY).run();

        assertThat(figures.values()).isNotEmpty().allMatch(figure -> figure > 0);
        if (task.work() == Work.SIZES) {
            assertThat(figures).containsEntry("versions", (double) TINY.keys()).containsEntry("listed", (double)
                    TINY.lookups());
        }
        if (task.work() == Work.SIZES && task.keeper() == Keeper.DIRECTORY) {
            assertThat(figures.get("bytes")).isLessThan(figures.get("allocated"));
        }
    }

    @Test
    void tasksHaveDifferentNames() {
        assertThat(tasks()).extracting(Task::id).doesNotHaveDuplicates().hasSizeGreaterThan(20);
    }

    @ParameterizedTest
    @EnumSource
    void loadsAreAlwaysTheSame(Load load) {
        assertThat(load.steps(300)).hasSize(300).isEqualTo(load.steps(300));
    }

    @Test
    void aMixedLoadHasChangesOfAllKinds() {
        Map<String, Cid> model = new TreeMap<>();
        Map<String, Long> kinds = Load.MIXED.steps(1_000).stream()
                .map(step -> {
                    if (step.value() == null) {
                        return model.remove(step.key()) == null ? "nothing" : "delete";
                    }
                    return model.put(step.key(), step.value()) == null ? "put" : "overwrite";
                })
                .collect(Collectors.groupingBy(kind -> kind, TreeMap::new, Collectors.counting()));

        assertThat(kinds).containsOnlyKeys("delete", "overwrite", "put");
        assertThat(kinds.values()).allMatch(count -> count > 150);
    }

    @Test
    void theVersionsThatAreComparedAreSpreadEvenly() {
        List<Step> steps = Load.PUTS.steps(100);
        List<Integer> asked = new ArrayList<>();

        int checked = Step.check(steps, 4, changes -> {
            asked.add(changes);
            return steps.subList(0, changes).stream().collect(Collectors.toMap(Step::key, Step::value));
        });

        assertThat(checked).isEqualTo(4);
        assertThat(asked).containsExactly(25, 50, 75, 100);
    }

    @Test
    void aVersionThatDiffersIsNoticed() {
        assertThatThrownBy(() -> Step.check(Load.PUTS.steps(10), 5, changes -> Map.of()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("after 2 changes");
    }

    @Test
    void whatIsMeasuredIsHeldAgainstTargets() {
        Results results = new Results();
        results.add("rates-sync-v1 a second", 900);
        results.add("rates-directory-v1 a second", 200);
        results.add("rates-rocksdb a second", 1_000);
        results.add("rates-none-v0 a second", 1_000);
        results.add("rates-memory-v0 a second", 1_600);

        assertThat(Report.targets(SegmentsReport.targets(), results)
                        .lines()
                        .map(line -> line.replaceAll(" +", " "))
                        .filter(line -> line.contains("met") || line.contains("missed")))
                .containsExactly(
                        "| SegmentBlockStore, SYNC, v1 | ≥ 5× DirectoryBlockStore | 4.5× | **missed** |",
                        "| SegmentBlockStore, SYNC, v1 | ≥ 0.8× RocksDB | 0.9× | met |",
                        "| SegmentBlockStore, NONE, v0 | ≤ 1.5× the time of MemoryBlockStore | 1.6× | **missed** |");
    }

    @Test
    void theFolderIsReadFromTheCommandLine() {
        List<String> given = new ArrayList<>(List.of("--quick", "--dir", folder.toString(), "--rounds", "2"));

        assertThat(SegmentsCompare.around(given)).isEqualTo(folder);
        assertThat(given).containsExactly("--quick", "--rounds", "2");
        for (List<String> bad : List.of(
                List.of("--dir"), List.of("--dir", folder.resolve("none").toString()))) {
            assertThatThrownBy(() -> SegmentsCompare.around(new ArrayList<>(bad)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
