package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.OperationInterruptedException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Snapshot;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An update whose function changes tables and returns the version without that. */
class LostTableChangesTest {
    private static final Document ANN = Document.parse("{\"age\":30}");

    private final Repository repository = Repository.inMemory(ShardFormat.v1());

    @BeforeEach
    void begin() {
        repository.update(
                "main",
                pail -> Tables.of(pail)
                        .create("people")
                        .createIndex(FieldPath.parse("age"))
                        .put("bo", ANN)
                        .pail());
    }

    private static Arguments change(String name, UnaryOperator<Pail> change) {
        return Arguments.of(name, change);
    }

    static Stream<Arguments> lost() {
        return Stream.of(
                change("a new table", pail -> {
                    Table unused = Tables.of(pail).create("orders");
                    return pail;
                }),
                change("a row", pail -> {
                    Table people = Tables.of(pail).table("people");
                    Table unused = people.put("ann", ANN);
                    return people.pail();
                }),
                change("a removed index", pail -> {
                    Table unused = Tables.of(pail).table("people").dropIndex(FieldPath.parse("age"));
                    return pail;
                }),
                change("an uncommitted batch", pail -> {
                    TableBatch batch = Tables.of(pail).batch();
                    batch.put("people", "ann", ANN);
                    return pail;
                }),
                change("an uncommitted batch of deletes", pail -> {
                    TableBatch batch = Tables.of(pail).batch();
                    batch.delete("people", "bo");
                    return pail;
                }),
                change("a committed batch", pail -> {
                    Tables tables = Tables.of(pail);
                    Tables unused = tables.batch().put("people", "ann", ANN).commit();
                    return tables.pail();
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lost")
    void isRefused_REP33(String name, UnaryOperator<Pail> change) {
        Snapshot before = repository.snapshot("main");
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> repository.update("main", change::apply))
                .withMessageContaining("would be lost");
        assertThat(repository.snapshot("main")).isEqualTo(before);
        Pail after = repository
                .update("main", pail -> change.apply(pail).unchanged())
                .pail();
        assertThat(after.root()).isEqualTo(before.root());
    }

    static Stream<Arguments> kept() {
        return Stream.of(
                change("a batch without changes", pail -> {
                    TableBatch batch = Tables.of(pail).batch();
                    batch.put("people", "bo", ANN);
                    batch.delete("people", "ann");
                    return pail;
                }),
                change(
                        "a reindex that finds nothing",
                        pail -> Tables.of(pail).reindex().tables().pail()),
                change("a repair that finds nothing", pail -> {
                    Repair unused = Tables.of(pail).repair(pail);
                    return pail;
                }),
                change("a committed batch of many", pail -> {
                    TableBatch batch = Tables.of(pail).batch();
                    batch.put("people", "ann", ANN).put("people", "eve", ANN);
                    return batch.commit(1, 1).pail();
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("kept")
    void whatLosesNothingIsTaken_REP33(String name, UnaryOperator<Pail> change) {
        Pail after = repository.update("main", change::apply).pail();
        assertThat(Tables.of(after).table("people").get("bo")).isPresent();
        assertThat(Tables.of(after).check().wrongEntries().values()).allMatch(count -> count == 0);
    }

    @Test
    void anInterruptEndsABatchOfRows_REP34() {
        Snapshot before = repository.snapshot("main");
        int[] rows = new int[1];
        assertThatExceptionOfType(OperationInterruptedException.class)
                .isThrownBy(() -> repository.update("main", pail -> {
                    TableBatch batch = Tables.of(pail).batch();
                    while (rows[0]++ < 10_000) {
                        batch.put("people", "row" + rows[0], ANN);
                        if (rows[0] == 100) {
                            Thread.currentThread().interrupt();
                        }
                    }
                    return batch.commit().pail();
                }));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(rows[0]).isEqualTo(101);
        assertThat(repository.snapshot("main")).isEqualTo(before);
    }
}
