package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows of tables that merge by fields (spec rules T10 and R11). */
class RowMergeTest {
    private static final FieldPath CITY = FieldPath.parse("city");
    private static final MergeOptions DEFAULT = MergeOptions.DEFAULT;
    private static final List<String> BRANCHES = List.of("main", "side", "third");
    private static final int ROUNDS = 60;
    private static final int FIELDS = 4;

    private final Repository repository = Repository.inMemory().with(Tables.mergeRules());

    @AfterEach
    void close() {
        repository.close();
    }

    private void change(String branch, UnaryOperator<Table> change) {
        repository.update(
                branch, pail -> change.apply(Tables.of(pail).table("people")).pail());
    }

    private void put(String branch, String id, String json) {
        change(branch, table -> table.put(id, Document.parse(json)));
    }

    private void begin(RowMerge rowMerge) {
        repository.update(
                "main",
                pail -> Tables.of(pail)
                        .create("people", rowMerge)
                        .createIndex(CITY)
                        .put("ann", Document.parse("{\"city\":\"Rome\",\"age\":1}"))
                        .pail());
        repository.branches().create("side", repository.head("main"));
    }

    private static String row(Pail pail, String id) {
        return Tables.of(pail)
                .table("people")
                .get(id)
                .map(Row::document)
                .map(Document::json)
                .orElse("none");
    }

    private MergeResult bothWays() {
        repository.branches().create("copy", repository.head("side"));
        MergeResult other = repository.merge("copy", "main", DEFAULT);
        MergeResult result = repository.merge("main", "side", DEFAULT);
        assertThat(repository.head("copy")).isEqualTo(repository.head("main"));
        assertThat(other.root()).isEqualTo(result.root());
        assertThat(Tables.of(result.pail()).check().wrongEntries()).isEmpty();
        return result;
    }

    @Test
    void changesOfDifferentFieldsAreMerged_R11() {
        begin(RowMerge.FIELDS);
        put("main", "ann", "{\"city\":\"Paris\",\"age\":1}");
        put("side", "ann", "{\"city\":\"Rome\",\"age\":2}");
        MergeResult result = bothWays();
        assertThat(result.conflicts()).isEmpty();
        assertThat(result.notes()).containsExactly("1 row that both sides changed: merged by fields");
        assertThat(row(result.pail(), "ann")).isEqualTo("{\"age\":2,\"city\":\"Paris\"}");
        assertThat(Tables.of(result.pail()).table("people").find(CITY, ValueRange.equal(Scalar.of("Paris"))))
                .hasSize(1);
    }

    @Test
    void aPolicyIsNotAskedAboutMergedRows_R11() {
        begin(RowMerge.FIELDS);
        put("main", "ann", "{\"city\":\"Paris\",\"age\":1}");
        put("side", "ann", "{\"city\":\"Rome\",\"age\":2}");
        for (MergePolicy policy : List.of(MergePolicy.fail(), MergePolicy.ours(), MergePolicy.theirs())) {
            MergeResult result =
                    repository.merge("main", "side", DEFAULT.withPolicy(policy).withDryRun());
            assertThat(row(result.pail(), "ann")).isEqualTo("{\"age\":2,\"city\":\"Paris\"}");
        }
    }

    @Test
    void aFieldThatBothChangedIsAConflictOfTheRow_R11() {
        begin(RowMerge.FIELDS);
        put("main", "ann", "{\"city\":\"Paris\",\"age\":3}");
        put("side", "ann", "{\"city\":\"Rome\",\"age\":2}");
        MergeConflictException refused = catchThrowableOfType(
                MergeConflictException.class,
                () -> repository.merge("main", "side", DEFAULT.withPolicy(MergePolicy.fail())));
        assertThat(refused.conflicts()).hasSize(1);
        MergeResult result = bothWays();
        assertThat(result.conflicts()).hasSize(1);
        // No part of one side gets into the row of the other.
        assertThat(row(result.pail(), "ann")).isIn("{\"age\":3,\"city\":\"Paris\"}", "{\"age\":2,\"city\":\"Rome\"}");
    }

    @Test
    void aTableWithoutTheRuleMergesWholeRows_R11() {
        begin(RowMerge.WHOLE);
        put("main", "ann", "{\"city\":\"Paris\",\"age\":1}");
        put("side", "ann", "{\"city\":\"Rome\",\"age\":2}");
        assertThat(bothWays().conflicts()).hasSize(1);
    }

    @Test
    void rowsThatBothAddHaveTheFieldsOfBoth_R11() {
        begin(RowMerge.FIELDS);
        put("main", "bob", "{\"city\":\"Paris\"}");
        put("side", "bob", "{\"age\":2}");
        put("main", "cid", "{\"age\":1}");
        change("side", table -> table.delete("ann"));
        put("main", "ann", "{\"age\":1}");
        MergeResult result = bothWays();
        assertThat(row(result.pail(), "bob")).isEqualTo("{\"age\":2,\"city\":\"Paris\"}");
        assertThat(result.conflicts())
                .singleElement()
                .satisfies(found -> assertThat(found.conflict().subject()).contains("\"ann\""));
    }

    @Test
    void changesOfIndexesAndDropsKeepTheRule_T10() {
        begin(RowMerge.FIELDS);
        change("main", table -> table.dropIndex(CITY).createIndex(FieldPath.parse("age")));
        repository.update(
                "side", pail -> Tables.of(pail).drop("people").tables().pail());
        put("main", "bob", "{\"age\":2}");
        Table merged = Tables.of(bothWays().pail()).table("people");
        assertThat(merged.info().rowMerge).isEqualTo(RowMerge.FIELDS);
        assertThat(merged.rows().map(Row::id)).containsExactly("bob");
    }

    @Test
    void tablesThatWereMadeWithDifferentRulesMergeWholeRows_R11() {
        repository.update(
                "main", pail -> pail.put("x", Block.of(Cid.RAW, new byte[0]).cid()));
        repository.branches().create("side", repository.head("main"));
        repository.update("main", pail -> Tables.of(pail).create("people").pail());
        repository.update(
                "side",
                pail -> Tables.of(pail).create("people", RowMerge.FIELDS).pail());
        put("main", "ann", "{\"a\":1}");
        put("side", "ann", "{\"b\":1}");
        MergeResult result = bothWays();
        assertThat(result.conflicts()).hasSize(1);
        assertThat(Tables.of(result.pail()).table("people").info().rowMerge).isEqualTo(RowMerge.WHOLE);
    }

    @Test
    void theDeclarationHasTheRule_T10() {
        begin(RowMerge.FIELDS);
        Table people = Tables.of(repository.pail("main")).table("people");
        byte[] expected = new DagCborWriter()
                .map(2)
                .text("number")
                .integer(people.info().number)
                .text("declaration")
                .map(2)
                .text("merge")
                .text("fields")
                .text("indexes")
                .array(1)
                .text("city")
                .toByteArray();
        assertThat(people.pail().get("Tpeople"))
                .contains(Block.of(Cid.DAG_CBOR, expected).cid());
    }

    @Test
    void anUnknownRuleIsRefused_T10() {
        Pail pail = Tables.of(repository.pail("main")).create("other").pail();
        byte[] unknown = new DagCborWriter()
                .map(2)
                .text("number")
                .integer(7)
                .text("declaration")
                .map(2)
                .text("merge")
                .text("lines")
                .text("indexes")
                .array(0)
                .toByteArray();
        Block block = Block.of(Cid.DAG_CBOR, unknown);
        pail.blocks().put(block);
        Pail put = pail.put("Tpeople", block.cid());
        TableException refused =
                catchThrowableOfType(TableException.class, () -> Tables.of(put).table("people"));
        assertThat(refused.reason()).isEqualTo(TableException.Reason.DAMAGED);
    }

    /** Each branch changes its own field of each row: without a conflict, no change is lost. */
    @Test
    void replicasThatMergeInAnyOrderHaveOneVersion_R11() {
        long seed = Long.getLong("pail.seed", System.nanoTime());
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        begin(RowMerge.FIELDS);
        repository.branches().create("third", repository.head("main"));
        Map<String, Integer> newest = new TreeMap<>();
        int conflicts = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int branch = random.nextInt(BRANCHES.size());
            String name = BRANCHES.get(branch);
            if (random.nextInt(3) > 0) {
                String id = "r" + random.nextInt(FIELDS);
                String field = "f" + branch;
                newest.put(id + " " + field, round);
                change(
                        name,
                        table -> table.put(
                                id, with(table.get(id).map(Row::document), field, newest.get(id + " " + field))));
            } else {
                String other = BRANCHES.get(random.nextInt(BRANCHES.size()));
                conflicts += repository.merge(name, other, DEFAULT).conflicts().size();
            }
        }
        for (int i = 0; i < 2; i++) {
            for (String one : BRANCHES) {
                for (String other : BRANCHES) {
                    conflicts +=
                            repository.merge(one, other, DEFAULT).conflicts().size();
                }
            }
        }
        assertThat(BRANCHES.stream().map(repository::head).distinct())
                .as("seed %d", seed)
                .hasSize(1);
        if (conflicts > 0) {
            // After criss-cross merges, the base is a replay, which has the row of one side.
            return;
        }
        Map<String, Integer> found = new TreeMap<>();
        Tables.of(repository.pail("main"))
                .table("people")
                .rows()
                .filter(row -> row.id().startsWith("r"))
                .forEach(row -> row.document()
                        .flat()
                        .forEach((field, value) -> found.put(row.id() + " " + field, Integer.valueOf(value))));
        assertThat(found).as("seed %d", seed).isEqualTo(newest);
    }

    private static Document with(Optional<Document> before, String field, int value) {
        Map<String, String> fields =
                new TreeMap<>(before.map(Document::flatJson).orElse(Map.of()));
        fields.put(field, Integer.toString(value));
        return Document.parse(fields.entrySet().stream()
                .map(one -> "\"" + one.getKey() + "\":" + one.getValue())
                .collect(Collectors.joining(",", "{", "}")));
    }
}
