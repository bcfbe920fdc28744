package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.ShardFormat;
import dev.pail.car.CarExport;
import dev.pail.car.CarReader;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.MemoryRefs;
import dev.pail.repository.Repository;
import dev.pail.repository.model.ImportOptions;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables in a repository that merges, reverts and takes in CARs by their rules (spec rules R6 to R9). */
class TableRulesTest {
    private static final FieldPath CITY = FieldPath.parse("city");
    private static final MergeOptions DEFAULT = MergeOptions.DEFAULT;

    private final Repository repository = Repository.inMemory().with(Tables.mergeRules());

    @BeforeEach
    void makeTable() {
        change(
                repository,
                "main",
                tables -> Tables.of(tables.create("people")
                        .createIndex(CITY)
                        .put("ann", person("Rome", 1))
                        .put("bob", person("Oslo", 1))
                        .pail()));
        repository.branches().create("side", repository.head("main"));
    }

    @AfterEach
    void close() {
        repository.close();
    }

    private static Document person(String city, int age) {
        return Document.parse("{\"city\":\"" + city + "\",\"age\":" + age + "}");
    }

    private static void change(Repository repository, String branch, UnaryOperator<Tables> change) {
        repository.update(branch, pail -> change.apply(Tables.of(pail)).pail());
    }

    private void put(String branch, String id, String city, int age) {
        put(repository, branch, id, city, age);
    }

    private static void put(Repository repository, String branch, String id, String city, int age) {
        change(
                repository,
                branch,
                tables -> Tables.of(
                        tables.table("people").put(id, person(city, age)).pail()));
    }

    private static List<String> in(MergeResult result, String city) {
        try (var rows = Tables.of(result.pail()).table("people").find(CITY, ValueRange.equal(Scalar.of(city)))) {
            return rows.map(Row::id).toList();
        }
    }

    private static void assertRight(MergeResult result) {
        TableCheck check = Tables.of(result.pail()).check();
        assertThat(check.wrongEntries()).isEmpty();
        assertThat(check.orphans()).isEmpty();
    }

    private static Optional<Document> row(MergeResult result, String id) {
        return Tables.of(result.pail()).table("people").get(id).map(Row::document);
    }

    /** Both sides change the city of Ann, and each adds a row. */
    private void diverge() {
        put("main", "ann", "Paris", 2);
        put("main", "cid", "Oslo", 2);
        put("side", "ann", "Berlin", 3);
        put("side", "dan", "Oslo", 3);
    }

    @Test
    void aMergeOfRowsKeepsIndexesAndNamesRows_R6() {
        diverge();
        MergeResult result = repository.merge("main", "side", DEFAULT);
        TableConflict conflict = (TableConflict) result.conflicts().get(0).conflict();
        assertThat(result.conflicts()).hasSize(1);
        assertThat(conflict.table()).hasValue("people");
        assertThat(conflict.row()).hasValue("ann");
        assertRight(result);
        assertThat(in(result, "Oslo")).containsExactly("bob", "cid", "dan");
        assertThat(in(result, "Paris").size() + in(result, "Berlin").size()).isEqualTo(1);
        assertThat(result.root()).isEqualTo(repository.root("main"));
        assertThat(repository.merge("side", "main", DEFAULT).root()).isEqualTo(result.root());
    }

    /** The rules are what the other merges lack. */
    @Test
    void withoutRulesIndexEntriesOfBothSidesStay() {
        diverge();
        MergeResult wrong = repository.with(dev.pail.MergeRules.keys()).merge("main", "side", DEFAULT);
        assertThat(Tables.of(wrong.pail()).check().wrongEntries()).isNotEmpty();
        assertThat(wrong.outcomes()).allMatch(outcome -> !(outcome instanceof Repair));
    }

    @Test
    void aRefusedMergeNamesRowsAndChangesNothing_R6() {
        diverge();
        Head before = repository.head("main");
        MergeConflictException refused = catchThrowableOfType(
                MergeConflictException.class,
                () -> repository.merge("main", "side", DEFAULT.withPolicy(MergePolicy.fail())));
        assertThat(refused).hasMessage("merge conflict: both sides changed the row \"ann\" of the table \"people\"");
        assertThat(refused.conflicts())
                .singleElement()
                .isInstanceOfSatisfying(
                        TableConflict.class,
                        conflict -> assertThat(conflict.row()).hasValue("ann"));
        assertThat(repository.head("main")).isEqualTo(before);
    }

    @Test
    void aFunctionDecidesByTableAndRow_R6() {
        diverge();
        MergePolicy byRow = MergePolicy.resolve(conflict ->
                conflict instanceof TableConflict found && found.row().equals(Optional.of("ann"))
                        ? found.theirs()
                        : conflict.ours());
        MergeResult result = repository.merge("main", "side", DEFAULT.withPolicy(byRow));
        assertThat(row(result, "ann")).hasValue(person("Berlin", 3));
        assertThat(in(result, "Berlin")).containsExactly("ann");
        assertThat(in(result, "Paris")).isEmpty();
        assertRight(result);
    }

    @Test
    void aDroppedTableThatWasWrittenStaysWithTheRows_R7() {
        put("side", "dan", "Oslo", 3);
        change(repository, "main", tables -> tables.drop("people").tables());
        MergeResult preview = repository.merge("main", "side", DEFAULT.withDryRun());
        assertThat(repository.pail().entries()).isEmpty();
        MergeResult result = repository.merge("main", "side", DEFAULT);
        assertThat(preview.root()).isEqualTo(result.root());
        assertThat(result.conflicts())
                .extracting(each -> ((TableConflict) each.conflict()).dropped().isPresent())
                .containsExactly(true);
        assertThat(result.notes())
                .containsExactly("the table \"people\" was dropped on one side and written on the other: it is declared"
                        + " again, with 1 row written meanwhile");
        assertThat(in(result, "Oslo")).containsExactly("dan");
        assertRight(result);
    }

    /** The table that was made again has the number of the old one: only the events tell. */
    @Test
    void rowsWrittenToATableMadeAgainAreKeptApart_R8() {
        put("side", "dan", "Oslo", 3);
        change(repository, "main", tables -> tables.drop("people").tables());
        change(repository, "main", tables -> Tables.of(tables.create("people").pail()));
        put("main", "eve", "Bern", 1);
        MergeResult result = repository.merge("main", "side", DEFAULT);
        assertThat(((Repair) result.outcomes().get(0)).orphans())
                .extracting(Orphans::rows)
                .containsExactly(1L);
        try (var rows = Tables.of(result.pail()).table("people").rows()) {
            assertThat(rows.map(Row::id)).containsExactly("eve");
        }
    }

    @Test
    void aMergeByContentFollowsTheRules_R6() {
        diverge();
        MergeOptions content = DEFAULT.withBase(repository.resolve("main@{2}")).withPolicy(MergePolicy.theirs());
        MergeResult preview = repository.merge("main", "side", content.withDryRun());
        MergeResult result = repository.merge("main", "side", content);
        assertThat(preview.root()).isEqualTo(result.root());
        assertThat(in(result, "Berlin")).containsExactly("ann");
        assertThat(in(result, "Oslo")).containsExactly("bob", "cid", "dan");
        assertRight(result);
    }

    @Test
    void aRevertOfRowsKeepsIndexes_M21() {
        put("main", "ann", "Paris", 2);
        Cid event = repository.head("main").events().get(0);
        put("main", "bob", "Paris", 2);
        MergeResult result = repository.revert("main", event, MergePolicy.fail());
        assertThat(in(result, "Paris")).containsExactly("bob");
        assertThat(in(result, "Rome")).containsExactly("ann");
        assertRight(result);
        put("main", "bob", "Bern", 3);
        Cid changed = repository.head("main").events().get(0);
        put("main", "bob", "Oslo", 4);
        MergeConflictException refused = catchThrowableOfType(
                MergeConflictException.class, () -> repository.revert("main", changed, MergePolicy.fail()));
        assertThat(refused.conflicts().get(0).subject()).isEqualTo("the row \"bob\" of the table \"people\"");
        MergeResult theirs = repository.revert("main", changed, MergePolicy.theirs());
        assertThat(in(theirs, "Paris")).containsExactly("bob");
        assertRight(theirs);
    }

    /** The rows of the old table are none of the new one, although both have the same number: only the events tell. */
    @Test
    void aRevertKeepsRowsOfAnOldTableOutOfTheNewOne_M21_R8() {
        put("main", "ann", "Paris", 2);
        Cid event = repository.head("main").events().get(0);
        change(repository, "main", tables -> tables.drop("people").tables());
        change(
                repository,
                "main",
                tables -> Tables.of(tables.create("people").createIndex(CITY).pail()));
        MergeConflictException refused = catchThrowableOfType(
                MergeConflictException.class, () -> repository.revert("main", event, MergePolicy.fail()));
        assertThat(refused.conflicts())
                .singleElement()
                .isInstanceOfSatisfying(
                        TableConflict.class,
                        conflict -> assertThat(conflict.dropped().orElseThrow().madeAgain())
                                .isTrue());
        MergeResult result = repository.revert("main", event, MergePolicy.theirs());
        assertThat(in(result, "Rome")).isEmpty();
        assertThat(((Repair) result.outcomes().get(0)).orphans())
                .extracting(Orphans::rows)
                .containsExactly(1L);
    }

    /** The events of the CAR were merged without the rules of tables. */
    @Test
    void aCarOfSeveralEventsIsMadeRight_R6() {
        diverge();
        List<Cid> events = List.of(
                repository.head("main").events().get(0),
                repository.head("side").events().get(0));
        ByteArrayOutputStream car = new ByteArrayOutputStream();
        assertThat(CarExport.of(repository.blocks(), events).writeTo(car, "car").leftOut())
                .isZero();
        try (Repository other = Repository.inMemory().with(Tables.mergeRules());
                CarReader reader = CarReader.of(new ByteArrayInputStream(car.toByteArray()), "car")) {
            MergeResult result =
                    other.take("main", reader, ImportOptions.DEFAULT).merge().orElseThrow();
            assertThat(in(result, "Oslo")).containsExactly("bob", "cid", "dan");
            assertRight(result);
            assertThat(result.outcomes()).hasSizeGreaterThan(1);
        }
    }

    @Test
    void aRaceThatIsLostIsMergedWithTheNewerRows_R6() {
        MemoryRefs refs = new MemoryRefs();
        MemoryBlocks blocks = new MemoryBlocks();
        Repository ours = Repository.open(refs, blocks, ShardFormat.v1()).with(Tables.mergeRules());
        Repository other = Repository.open(refs, blocks, ShardFormat.v1());
        change(
                ours,
                "main",
                tables -> Tables.of(tables.create("people")
                        .createIndex(CITY)
                        .put("ann", person("Rome", 1))
                        .pail()));
        ours.branches().create("side", ours.head("main"));
        put(ours, "main", "ann", "Paris", 2);
        put(ours, "side", "ann", "Berlin", 3);
        AtomicInteger calls = new AtomicInteger();
        MergePolicy theirs = MergePolicy.resolve(conflict -> {
            if (calls.incrementAndGet() == 1) {
                put(other, "main", "bob", "Paris", 7);
            }
            return conflict.theirs();
        });
        MergeResult result = ours.merge("main", "side", DEFAULT.withPolicy(theirs));
        assertThat(calls).hasValueGreaterThan(1);
        assertThat(in(result, "Paris")).containsExactly("bob");
        assertThat(in(result, "Berlin")).containsExactly("ann");
        assertRight(result);
        ours.close();
    }
}
