package dev.pail.table;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.Pail;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.document.DagCbor;
import dev.pail.table.document.JsonReader;
import dev.pail.table.index.TableInfo;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas of tables: which documents fit, what a put writes, and what a declaration has. */
class SchemaTest {
    private static final Schema PEOPLE = Schema.of(List.of(
                    Column.parse("id text required"),
                    Column.parse("age integer null"),
                    Column.parse("address.city text required default \"Oslo\""),
                    Column.parse("since date")))
            .check(Filter.parse("not exists age or age == null or age >= 0"))
            .key(FieldPath.parse("id"));

    private static Table table() {
        return Tables.of(Pail.create(new MemoryBlockStore())).create("people");
    }

    private static Document document(String json) {
        return Document.parse(json);
    }

    private static String refusal(Table table, String id, String json) {
        AtomicInteger done = new AtomicInteger();
        String[] message = {""};
        assertThatThrownBy(() -> {
                    Table unused = table.put(id, document(json));
                    done.incrementAndGet();
                })
                .isInstanceOfSatisfying(TableException.class, e -> {
                    assertThat(e.reason()).isEqualTo(TableException.Reason.MISFIT);
                    message[0] = e.getMessage();
                });
        return message[0];
    }

    @Test
    void aPutOfARowThatDoesNotFitNamesRowColumnAndValue_T15() {
        Table people = table().withSchema(PEOPLE);
        assertThat(refusal(people, "ada", "{\"id\":\"ada\",\"age\":\"x\\u001b\"}"))
                .isEqualTo("the row \"ada\" of the table \"people\" does not fit its schema: "
                        + "the column \"age\" has \"x\\u001b\", and takes an integer or null (T15)");
        assertThat(refusal(people, "ada", "{\"age\":3}")).contains("the column \"id\" is missing, and is required");
        assertThat(refusal(people, "ada", "{\"id\":\"bo\"}"))
                .contains("the key \"id\" has \"bo\", and takes the id of the row");
        assertThat(refusal(people, "ada", "{\"id\":\"ada\",\"age\":-1}"))
                .contains("the check \"not exists age or age == null or age >= 0\" does not hold");
        assertThat(refusal(people, "ada", "{\"id\":\"ada\",\"since\":\"2025-02-29\"}"))
                .contains("has \"2025-02-29\", and takes a date");
        assertThat(refusal(people, "ada", "{\"id\":\"ada\",\"address\":7}"))
                .contains("the column \"address.city\" is within 7, and takes a field of an object");
        assertThat(refusal(people, "ada", "{\"id\":\"ada\",\"since\":\"" + "x".repeat(1000) + "\"}"))
                .contains("... (1002 characters)")
                .hasSizeLessThan(500);
        Document ada = document("{\"id\":\"ada\",\"age\":null,\"address\":{\"city\":\"Rome\"},\"other\":[1]}");
        assertThat(people.put("ada", ada).get("ada").orElseThrow().cid()).isEqualTo(ada.cid());
    }

    @Test
    void everyWayInChecks_T15() {
        Table people = table().withSchema(PEOPLE);
        Tables tables = Tables.of(people.pail());
        assertThatThrownBy(() -> people.insert("ada", document("{}"))).isInstanceOf(TableException.class);
        List<String> lines = new ArrayList<>(List.of("{\"id\":\"bo\"}", "{\"id\":\"cy\",\"age\":true}"));
        assertThatThrownBy(() -> tables.batch()
                        .load(
                                "people",
                                () -> lines.isEmpty() ? null : lines.remove(0),
                                new TableBatch.Load(FieldPath.parse("id"), true),
                                count -> {}))
                .hasMessageStartingWith("line 2: the row \"cy\" of the table \"people\" does not fit its schema: ");
        TableBatch batch = tables.batch();
        assertThatThrownBy(() -> batch.put("people", "ada", document("{\"id\":1}")))
                .isInstanceOf(TableException.class);
        batch.put("people", "7", document("{\"id\":\"7\"}"));
        assertThat(batch.commit().table("people").rows().map(Row::id)).containsExactly("7");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "text|\"x\"|1",
                "integer|1.0|1.5",
                "integer|-123456789012345678901234567890|\"1\"",
                "integer|1e300|1e-300",
                "decimal|0.1|\"0.1\"",
                "boolean|false|0",
                "timestamp|\"2026-01-31T23:59:00.5+01:00\"|\"2026-01-31T24:00:00Z\"",
                "timestamp|\"2024-02-29T00:00:00Z\"|\"2026-01-31 23:59:00Z\"",
                "date|\"2024-02-29\"|\"2024-2-29\"",
                "date|\"0000-01-01\"|\"2024-02-30\"",
                "bytes|\"AA==\"|\"AA\"",
                "bytes|\"\"|\"AB==\"",
                "list|[]|{}",
                "object|{}|[]",
                "json|null|",
            })
    void typesAcceptValues_T15(String type, String fits, String other) {
        Schema schema = Schema.of(List.of(Column.parse("a " + type)));
        assertThat(schema.misfit("x", document("{\"a\":" + fits + "}"))).isEmpty();
        assertThat(schema.misfit("x", document("{}"))).isEmpty();
        if (other != null) {
            assertThat(schema.misfit("x", document("{\"a\":" + other + "}"))).isPresent();
            assertThat(schema.misfit("x", document("{\"a\":null}"))).isPresent();
        }
        Schema nullable = schema.with(schema.columns().get(0).nullable().required());
        assertThat(nullable.misfit("x", document("{\"a\":null}"))).isEmpty();
        assertThat(nullable.misfit("x", document("{}"))).isPresent();
    }

    @Test
    void requiredBelowAnObject_T15() {
        Schema implied = Schema.of(List.of(Column.parse("a.b text required")));
        assertThat(implied.misfit("x", document("{}"))).get().asString().contains("\"a.b\" is missing");
        Schema optional = implied.with(Column.parse("a object null"));
        assertThat(optional.misfit("x", document("{}"))).isEmpty();
        assertThat(optional.misfit("x", document("{\"a\":null}"))).isEmpty();
        assertThat(optional.misfit("x", document("{\"a\":{}}"))).isPresent();
        assertThat(optional.misfit("x", document("{\"a\":1}"))).isPresent();
        Schema free = implied.with(Column.parse("a json"));
        assertThat(free.misfit("x", document("{\"a\":1}"))).isEmpty();
        assertThat(free.misfit("x", document("{\"a\":{}}"))).isPresent();
    }

    @Test
    void aClosedSchemaRefusesOtherFields_T15() {
        Schema closed = Schema.of(List.of(Column.parse("a.b text"), Column.parse("c json"), Column.parse("d object")))
                .closed();
        assertThat(closed.misfit("x", document("{\"a\":{\"b\":\"\"},\"c\":{\"e\":1},\"d\":{\"e\":1}}")))
                .isEmpty();
        assertThat(closed.misfit("x", document("{\"e\":1}"))).get().asString().contains("\"e\"");
        assertThat(closed.misfit("x", document("{\"a\":{\"e\":1}}"))).isPresent();
        assertThat(closed.open().misfit("x", document("{\"e\":1}"))).isEmpty();
    }

    @Test
    void aPutWritesDefaults_T16() {
        Table people = table().withSchema(PEOPLE);
        Table next = people.put("ada", document("{\"id\":\"ada\",\"x\":1}"));
        assertThat(next.get("ada").orElseThrow().document().json())
                .isEqualTo("{\"x\":1,\"id\":\"ada\",\"address\":{\"city\":\"Oslo\"}}");
        // What is there stays, also if it is null or empty.
        Schema schema = Schema.of(List.of(
                Column.parse("a integer null default 1"),
                Column.parse("o object"),
                Column.parse("o.b text default \"\"")));
        for (String same : List.of("{\"a\":null}", "{\"a\":2}", "{\"a\":2,\"o\":1}")) {
            Document given = document(same);
            assertThat(schema.withDefaults(given)).isSameAs(given);
        }
        assertThat(schema.withDefaults(document("{\"o\":{}}"))).isEqualTo(document("{\"a\":1,\"o\":{\"b\":\"\"}}"));
        // Its bytes are its own: it is refused, not written anew.
        assertThatThrownBy(() -> people.put("ada", Document.raw("{ \"id\":\"ada\"}".getBytes(UTF_8))))
                .hasMessageContaining("its bytes as they were given");
        Document raw = Document.raw("{ \"id\":\"ada\",\"address\":{\"city\":\"Rome\"}}".getBytes(UTF_8));
        assertThat(people.put("ada", raw).get("ada").orElseThrow().cid()).isEqualTo(raw.cid());
    }

    @Test
    void aSchemaIsGivenOnlyIfAllRowsFit_T17() {
        TableBatch batch = Tables.of(table().pail()).batch();
        for (int i = 0; i < 30; i++) {
            batch.put("people", "r" + (10 + i), document("{\"age\":" + (i < 15 ? "\"x\"" : i) + "}"));
        }
        Table people = batch.commit().table("people");
        Schema schema = Schema.of(List.of(Column.parse("age integer")));
        assertThatThrownBy(() -> people.withSchema(schema))
                .hasMessageContainingAll("\"r10\"", "\"r19\"", "; and more (T17)")
                .hasMessageNotContaining("\"r20\"")
                .hasMessageContaining("the column \"age\" has \"x\", and takes an integer");
        Table right = people.withSchema(
                Schema.of(List.of(Column.parse("age json required"), Column.parse("c text default \"\""))));
        assertThat(right.rows().map(Row::cid))
                .containsExactlyElementsOf(people.rows().map(Row::cid).toList());
        assertThat(right.withoutSchema().pail().root()).isEqualTo(people.pail().root());
        assertThatThrownBy(() -> people.withoutSchema()).hasMessage("no schema of the table \"people\"");
    }

    @Test
    void aDeclarationHasTheSchemaInOneForm_T14() {
        Table people = table().withSchema(PEOPLE);
        Table read = Tables.of(people.pail()).table("people");
        assertThat(read.schema()).contains(PEOPLE);
        assertThat(read.createIndex(FieldPath.parse("age")).schema()).contains(PEOPLE);
        assertThat(declaration(people))
                .isEqualTo("{\"number\":25023,\"declaration\":{\"schema\":{\"key\":\"id\","
                        + "\"checks\":[\"not exists age or age == null or age >= 0\"],\"columns\":["
                        + "{\"path\":\"address.city\",\"type\":\"text\",\"default\":\"\\\"Oslo\\\"\",\"required\":true},"
                        + "{\"null\":true,\"path\":\"age\",\"type\":\"integer\"},"
                        + "{\"path\":\"id\",\"type\":\"text\",\"required\":true},"
                        + "{\"path\":\"since\",\"type\":\"date\"}]},\"indexes\":[]}}");
        assertThat(table().withSchema(PEOPLE.closed()).schema()).contains(PEOPLE.closed());
    }

    private static String declaration(Table table) {
        Cid cid = table.pail().get(TableInfo.key("people")).orElseThrow();
        return Document.of(table.pail().blocks().require(cid)).json();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"closed\":false}",
                "{\"checks\":[]}",
                "{\"columns\":[]}",
                "{\"other\":1}",
                "{\"checks\":[\"b == 1\",\"a == 1\"]}",
                "{\"checks\":[\"a == 1\",\"a == 1\"]}",
                "{\"columns\":[{\"path\":\"a\",\"type\":\"number\"}]}",
                "{\"columns\":[{\"path\":\"a\"}]}",
                "{\"columns\":[{\"path\":\"a\",\"type\":\"text\",\"required\":false}]}",
                "{\"columns\":[{\"path\":\"a\",\"type\":\"text\",\"default\":\"1\"}]}",
                "{\"columns\":[{\"path\":\"a\",\"type\":\"json\",\"default\":\" 1\"}]}",
                "{\"columns\":[{\"null\":true,\"path\":\"a\",\"type\":\"json\"}]}",
                "{\"columns\":[{\"path\":\"b\",\"type\":\"text\"},{\"path\":\"a\",\"type\":\"text\"}]}",
                "{\"columns\":[{\"path\":\"a\",\"type\":\"text\"},{\"path\":\"a\",\"type\":\"text\"}]}",
                "{\"columns\":[{\"path\":\"a\",\"type\":\"text\",\"more\":1}]}",
            })
    void anotherFormIsMalformed_T14(String schema) {
        Pail pail = table().pail();
        String json = "{\"number\":25023,\"declaration\":{\"schema\":" + schema + ",\"indexes\":[]}}";
        Block block = UnsafeBlocks.of(Cid.DAG_CBOR, DagCbor.encode(JsonReader.value(json)));
        pail.blocks().put(block);
        Pail changed = pail.put(TableInfo.key("people"), block.cid());
        assertThatThrownBy(() -> Tables.of(changed).table("people"))
                .isInstanceOfSatisfying(
                        TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.DAMAGED));
    }

    @Test
    void aTableWithoutASchemaKeepsItsBlock_T10_T14() {
        Table people = table();
        assertThat(declaration(people)).isEqualTo("{\"number\":25023,\"indexes\":[]}");
        assertThat(people.schema()).isEmpty();
    }

    @Test
    void aTableIsGivenNoOtherSchemas_T14() {
        Table people = table();
        Column column = Column.parse("a text");
        List<Schema> refused = List.of(
                Schema.of(List.of()),
                Schema.of(IntStream.rangeClosed(0, Schema.MAX_COLUMNS)
                        .mapToObj(i -> Column.parse("a" + i + " text"))
                        .toList()),
                Schema.of(List.of(column, Column.parse("a.b text"))),
                Schema.of(List.of(column)).key(FieldPath.parse("a")),
                Schema.of(List.of(column)).key(FieldPath.parse("b")),
                Schema.of(List.of(Column.parse("a boolean required"))).key(FieldPath.parse("a")),
                Schema.of(List.of(column.withDefault('"' + "x".repeat(1 << 20) + '"'))));
        refused.forEach(schema -> assertThatThrownBy(() -> people.withSchema(schema))
                .isInstanceOfSatisfying(
                        TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.SCHEMA)));
        List<Column> most = IntStream.range(0, Schema.MAX_COLUMNS)
                .mapToObj(i -> Column.parse("a" + i + " text"))
                .toList();
        assertThat(people.withSchema(Schema.of(most)).schema().orElseThrow().columns())
                .hasSize(Schema.MAX_COLUMNS);
    }

    @Test
    void theTextOfAColumnIsReadAgain_T15() {
        for (String text : List.of(
                "a text",
                "a\\ b json",
                "a\\\\.b\\.c integer required null default 3",
                "a object default {\"b\":\" c\"}")) {
            Column column = Column.parse(text);
            assertThat(column.toString()).isEqualTo(text);
            assertThat(Column.parse(column.toString())).isEqualTo(column);
        }
        assertThat(Column.parse(" a   text  default  \" x\"").defaultValue()).contains("\" x\"");
        for (String text :
                List.of("a", "a b c", "a Text", "a text default", "a text default 1", "a text default {", "")) {
            assertThatThrownBy(() -> Column.parse(text)).isInstanceOf(TableException.class);
        }
        String deep = "[".repeat(501) + "]".repeat(501);
        assertThatThrownBy(() -> Column.parse("a json default " + deep)).hasMessageContaining("levels");
    }

    @Test
    void aMisfitIsFoundInDocumentsOfOtherPrograms_T15() {
        Pail pail =
                table().withSchema(Schema.of(List.of(Column.parse("a text")))).pail();
        Table people = Tables.of(pail).table("people");
        Document given = document("{\"a\":1}");
        pail.blocks().put(given.block());
        Pail changed = pail.put(people.key("x"), given.cid());
        assertThat(Tables.of(changed).check().notes())
                .containsExactly("the row \"x\" of the table \"people\" does not fit its schema: "
                        + "the column \"a\" has 1, and takes a text (R15)");
    }
}
