package dev.pail.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.bench.Entries.Order;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** That each measurement in Java runs, and that all have the same entries at its end. No time counts here. */
class CompareSmokeTest {
    private static final Trial.Options TINY = new Trial.Options(60, 20, 30, 0, 0);
    private static final Set<Operation> NOT_IN_MVSTORE =
            EnumSet.of(Operation.COLD_GET, Operation.PUT_MORE, Operation.DIFF);

    static Stream<Arguments> trials() {
        return Arrays.stream(Contestant.values())
                .filter(contestant -> !contestant.isNode())
                .flatMap(contestant -> Arrays.stream(Operation.values())
                        .filter(operation -> contestant.isOurs() || !NOT_IN_MVSTORE.contains(operation))
                        .flatMap(operation ->
                                Arrays.stream(KeySet.values()).map(set -> Arguments.of(contestant, operation, set))));
    }

    @ParameterizedTest
    @MethodSource("trials")
    void allHaveTheEntriesOfTheKeyFile(Contestant contestant, Operation operation, KeySet set) {
        Entries entries = Entries.of(set, TINY.keys(), Order.GIVEN);

        Trial.Outcome outcome = new Trial(contestant, operation, TINY).run(entries);

        assertThat(outcome.count()).isEqualTo(TINY.keys());
        assertThat(outcome.digest()).isEqualTo(entries.digest());
        assertThat(outcome.operations()).isEqualTo(operations(operation));
        assertThat(outcome.nanos()).isPositive();
        assertThat(outcome.floorNanos() > 0).isEqualTo(contestant.isOurs() && operation.makesVersions());
        assertThat(outcome.readsForEachNewShard() > 0).isEqualTo(operation == Operation.DIFF);
    }

    private static long operations(Operation operation) {
        return switch (operation) {
            case PUT, BATCH, SCAN -> TINY.keys();
            case GET, COLD_GET, PUT_MORE, DIFF -> TINY.lookups();
        };
    }

    static Stream<Arguments> tableTrials() {
        return Arrays.stream(PeopleTable.Contestant.values())
                .flatMap(contestant ->
                        Arrays.stream(TablesTrial.Work.values()).map(work -> Arguments.of(contestant, work)));
    }

    @ParameterizedTest
    @MethodSource("tableTrials")
    void allTablesFindTheRowsThatAPlainLookFinds(PeopleTable.Contestant contestant, TablesTrial.Work work) {
        Trial.Options options = new Trial.Options(TINY.keys(), work == TablesTrial.Work.LOAD ? 1 : 20, 30, 0, 0);
        Entries.Digest expected = TablesTrial.expected(work, new People(options.keys()), options);

        Trial.Outcome outcome = new TablesTrial(work, contestant, options).run();

        assertThat(outcome.count()).isPositive().isEqualTo(expected.count());
        assertThat(outcome.digest()).isEqualTo(expected.toString());
        assertThat(outcome.operations()).isEqualTo(work == TablesTrial.Work.LOAD ? TINY.keys() : 20);
        assertThat(outcome.nanos()).isPositive();
    }

    @Test
    void everyQuickWorkIsOfADifferentOperation() {
        assertThat(Work.quick()).extracting(Work::operation).doesNotHaveDuplicates();
        assertThat(Work.quick()).allMatch(work -> work.keys() == 200);
    }

    @Test
    void worksHaveDifferentNames() {
        assertThat(Work.all()).extracting(Work::id).doesNotHaveDuplicates();
    }

    @Test
    void optionsAreReadFromTheCommandLine() {
        Compare.Settings settings = Compare.Settings.parse(List.of("--rounds", "2", "--only", "get.*W2"));

        assertThat(settings.rounds()).isEqualTo(2);
        assertThat(settings.wants("coldget-W2-10")).isTrue();
        assertThat(settings.wants("get-W1-10")).isFalse();
        assertThat(Compare.Settings.parse(List.of()).rounds()).isEqualTo(5);
        assertThat(Compare.Settings.parse(List.of("--quick")).rounds()).isEqualTo(1);
        assertThat(Compare.Settings.parse(List.of("--plot")).plot()).isTrue();
        assertThat(Compare.Settings.parse(List.of("--json", "a.json")).json()).contains(Path.of("a.json"));
        assertThat(settings.json()).isEmpty();
    }

    @Test
    void badOptionsAreRefused() {
        for (List<String> bad : List.of(
                List.of("--fast"),
                List.of("--rounds"),
                List.of("--rounds", "0"),
                List.of("--rounds", "x"),
                List.of("--json"))) {
            assertThatThrownBy(() -> Compare.Settings.parse(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
