package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.table.index.TableInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Indexes and conditions on the lower case of texts and on the items of lists. */
class FieldFormTest {
    private static Table table(String... indexes) {
        Table table = Tables.of(Pail.create(new MemoryBlockStore())).create("t");
        for (String index : indexes) {
            table = table.createIndex(Index.parse(index));
        }
        return table;
    }

    private static Document document(String json) {
        return Document.parse(json);
    }

    private static List<String> ids(Table table, String filter) {
        return table.rows(Filter.parse(filter)).map(Row::id).sorted().toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lower(city)|lower(city)",
                "tags[] desc|tags[] desc",
                "lower(a.b),tags[] , c desc|lower(a.b),tags[],c desc",
                "lower(a b\\,\\(c)|lower(a\\ b\\,\\(c)",
                "tags\\[]|tags\\[]",
                "lower\\(city)|lower\\(city)",
                "lower|lower",
                "a\\[][]|a\\[][]"
            })
    void indexesHaveOneName_T11(String text, String name) {
        Index index = Index.parse(text);
        assertThat(index.name()).isEqualTo(name);
        assertThat(Index.parse(name)).isEqualTo(index);
        assertThat(index.isPlain()).isEqualTo(index.fields().stream().allMatch(f -> f.form() == FieldForm.VALUE));
        Table table = table(text);
        assertThat(Tables.of(table.pail()).table("t").declaredIndexes()).containsExactly(index);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a[],b[]",
                "a,a[]",
                "lower(a),a",
                "upper(a)",
                "a[0]",
                "lower(a[])",
                "lower(a)[]",
                "a[].b",
                "[]",
                "lower()",
                "lower(a",
                "a[",
                "lower(lower(a))"
            })
    void othersAreRefused_T11_T20(String text) {
        assertThatThrownBy(() -> Index.parse(text))
                .isInstanceOfSatisfying(
                        TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.NAME));
    }

    @Test
    void declarationsSayWhichFieldsHaveAForm_T11() {
        Table table = table("tags[] desc,lower(city),age");
        DagCborWriter writer = new DagCborWriter().map(2).text("number").integer(TableInfo.wishedNumber("t"));
        writer.text("declaration").map(1).text("indexes").array(1).map(4);
        writer.text("items").array(1).text("tags");
        writer.text("lower").array(1).text("city");
        writer.text("fields").array(3).text("tags").text("city").text("age");
        writer.text("descending").array(1).text("tags");
        assertThat(table.pail().get("Tt"))
                .contains(Block.of(Cid.DAG_CBOR, writer.toByteArray()).cid());
        new DagCborReader(writer.toByteArray()).readMap();
    }

    @ParameterizedTest
    @ValueSource(strings = {"b", "a,b", "a,a", ""})
    void declarationsWithOtherFormsAreRefused_T11(String lower) {
        String[] paths = lower.split(",", -1);
        DagCborWriter writer = new DagCborWriter().map(2).text("number").integer(TableInfo.wishedNumber("t"));
        writer.text("declaration").map(1).text("indexes").array(1).map(2);
        writer.text("lower").array(lower.isEmpty() ? 0 : paths.length);
        for (String path : paths) {
            if (!path.isEmpty()) {
                writer.text(path);
            }
        }
        writer.text("fields").array(1).text("a");
        Block block = Block.of(Cid.DAG_CBOR, writer.toByteArray());
        Pail pail = Pail.create(new MemoryBlockStore());
        pail.blocks().put(block);
        Pail declared = pail.put("Tt", block.cid());
        assertThatThrownBy(() -> Tables.of(declared).table("t"))
                .isInstanceOfSatisfying(
                        TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.DAMAGED));
    }

    /** An entry for each value, a reverse entry for all of them. */
    @Test
    void itemsHaveAnEntryEach_T20() {
        Table table = table("tags[]", "lower(city)")
                .put("x", document("{\"tags\":[\"b\",\"a\",[1],\"b\",{},2,2.0],\"city\":\"OSLO\"}"));
        List<String> keys = table.pail().entries().map(Entry::key).toList();
        assertThat(keys)
                .containsSequence(
                        "F!O.lower(city)!Ot!O5oslo!Ox",
                        "F!O.tags[]!Ot!O41P12!Ox",
                        "F!O.tags[]!Ot!O5a!Ox",
                        "F!O.tags[]!Ot!O5b!Ox")
                .hasSize(8);
        assertThat(table.pail().get("R!Ot!O.tags[]!Ox").orElseThrow().digest())
                .asString()
                .isEqualTo("41P12\u001d5a\u001d5b");
        Table less = table.put("x", document("{\"tags\":[\"a\"],\"city\":\"Oslo\"}"));
        assertThat(less.pail().entries().map(Entry::key))
                .contains("F!O.tags[]!Ot!O5a!Ox")
                .doesNotContain("F!O.tags[]!Ot!O5b!Ox")
                .hasSize(6);
        assertThat(less.delete("x").pail().root())
                .isEqualTo(table("tags[]", "lower(city)").pail().root());
        for (String none : List.of("{}", "{\"tags\":[]}", "{\"tags\":\"a\"}", "{\"tags\":[[\"a\"]]}")) {
            assertThat(less.put("x", document(none)).pail().entries()).hasSize(2);
        }
    }

    @Test
    void itemsThatNoIndexTakesAreRefused_T5_T20() {
        Table table = table("tags[]");
        for (String item : List.of("\"" + "x".repeat(128) + "\"", "\"\\ud800\"", "1e3000")) {
            assertThatThrownBy(() -> table.put("x", document("{\"tags\":[1," + item + "]}")))
                    .isInstanceOfSatisfying(
                            TableException.class,
                            e -> assertThat(e.reason()).isEqualTo(TableException.Reason.NOT_INDEXABLE))
                    .hasMessageContaining("\"tags\"");
        }
        // Of 10 bytes each, and one between them.
        String most = IntStream.range(100, 281)
                .mapToObj(i -> "\"" + "x".repeat(6) + i + "\"")
                .collect(Collectors.joining(",", "[", ",\"12345678\"]"));
        assertThat(table.put("x", document("{\"tags\":" + most + "}")).pail().entries())
                .hasSize(1 + 1 + 1 + 182);
        assertThatThrownBy(() -> table.put("x", document("{\"tags\":" + most.replace("12345678", "123456789") + "}")))
                .hasMessageContainingAll("\"x\"", "more than 2000 bytes", "tags[]", "T20");
        // Each counts once.
        assertThat(table.put("x", document("{\"tags\":[" + "7,".repeat(100_000) + "7]}"))
                        .pail()
                        .entries())
                .hasSize(4);
        // The limit is that of all values together.
        Table wide = table("tags[],a");
        String a = ",\"a\":\"" + "y".repeat(100) + "\"";
        assertThatThrownBy(() -> wide.put(
                        "x", document("{\"tags\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]" + a + "}")))
                .hasMessageContaining("T20");
    }

    /** The lower case of a text can be longer than it. */
    @Test
    void formsAreNoLongerThanOthers_T5_T19() {
        Table table = table("lower(a)");
        assertThatThrownBy(() -> table.put("x", document("{\"a\":\"" + "Ⱥ".repeat(60) + "\"}")))
                .hasMessageContaining("more than 127 bytes");
        assertThat(table.put("x", document("{\"a\":\"" + "Ⱥ".repeat(42) + "\"}"))
                        .pail()
                        .entries())
                .hasSize(4);
        assertThatThrownBy(() -> table.put("x", document("{\"a\":[]}"))).hasMessageContaining("a list");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lower(a) == \"oslo\"|x y",
                "lower(a) == \"Oslo\"|",
                "LOWER ( a ) in ['oslo', 3]|n x y",
                "lower(a) starts \"os\"|x y",
                "lower(a) contains \"sl\"|x y",
                "lower(a) contains 1|l",
                "lower(a) > 2|n",
                "lower(a) != \"oslo\"|l n z",
                "exists lower(a)|l n x y",
                "t[] == 1|y z",
                "t[] == null|z",
                "t[] != 1|l n x",
                "not t[] == 1|l n x",
                "t[] > 1 and t[] < 2|y",
                "t[] >= \"b\"|x",
                "t[] in [1, \"a\"]|x y z",
                "t[] starts \"a\"|x",
                "t[] contains \"b\"|x",
                "t[] contains 7|",
                "exists t[]|x y z",
                "`t`[] == 1 and lower(`a`) == \"oslo\"|y",
                "lower == 1 or lower in [1] or not exists lower and t[] == null|z"
            })
    void conditionsHoldForOneOfTheValues_T19_T20(String text, String expected) {
        Filter filter = Filter.parse(text);
        assertThat(Filter.parse(filter.toString())).isEqualTo(filter);
        List<String> wanted = expected == null ? List.of() : List.of(expected.split(" "));
        for (Table table : List.of(
                table(), table("lower(a)", "t[]"), table("t[] desc,lower(a)"), table("lower(a),t[]"), table("t[]"))) {
            Table rows = table.put("n", document("{\"a\":3,\"t\":\"a\"}"))
                    .put("x", document("{\"a\":\"OSLO\",\"t\":[\"a\",\"b\",\"b1\"]}"))
                    .put("y", document("{\"a\":\"oslo\",\"t\":[1,3,{\"x\":7}]}"))
                    .put("z", document("{\"t\":[null,1]}"));
            boolean takesLists = rows.declaredIndexes().stream()
                    .noneMatch(index -> index.name().contains("lower"));
            rows = takesLists ? rows.put("l", document("{\"a\":[1],\"t\":[]}")) : rows;
            List<String> there = new ArrayList<>(wanted);
            there.removeIf(id -> !takesLists && id.equals("l"));
            assertThat(ids(rows, text)).as("%s", rows.explain(filter)).isEqualTo(there);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lower(a == 1|closing bracket",
                "lower(t[]) == 1|closing bracket",
                "lower() == 1|a field",
                "upper(a) == 1|==, !=",
                "t[].a == 1|a path ends with its []",
                "t[0] == 1|==, !=",
                "[] == 1|a field"
            })
    void otherTermsAreRefused_Q1(String text, String expected) {
        assertThatThrownBy(() -> Filter.parse(text))
                .isInstanceOf(TableException.class)
                .hasMessageContaining(expected);
    }

    @Test
    void plansSayWhichFormTheyRead_Q4() {
        Table table = table("tags[],age desc", "lower(city)");
        assertThat(table.explain(Filter.parse("tags[] == \"red\" and age > 3 and lower(city) starts \"o\"")))
                .asString()
                .startsWith("index tags[],age desc: tags[] == \"red\", age > 3; filter:");
        assertThat(table.explain(Filter.parse("lower(city) == \"oslo\"")))
                .asString()
                .startsWith("index lower(city): lower(city) == \"oslo\"; filter:");
        for (String other : List.of("city == \"oslo\"", "tags == 1", "tags contains \"red\"", "tags[] != 1")) {
            assertThat(table.explain(Filter.parse(other)).isFullScan())
                    .as(other)
                    .isTrue();
        }
        List<Table.Order> newest = List.of(new Table.Order(FieldPath.parse("age"), true));
        Table rows = table.put("x", document("{\"tags\":[\"red\",\"green\"],\"age\":1}"))
                .put("y", document("{\"tags\":[\"red\"],\"age\":2}"))
                .put("z", document("{\"tags\":[\"green\"],\"age\":3}"));
        Filter red = Filter.parse("tags[] == \"red\"");
        assertThat(rows.explain(red, newest).sort()).isEqualTo(Plan.Sort.INDEX);
        assertThat(rows.rows(red, newest, 9).map(Row::id)).containsExactly("y", "x");
        // An index has no order of rows by the items of a list, nor by the lower case.
        for (String field : List.of("tags", "city")) {
            assertThat(rows.explain(Filter.all(), List.of(new Table.Order(FieldPath.parse(field), false)))
                            .sort())
                    .isEqualTo(Plan.Sort.MEMORY);
        }
    }

    /** A range of items has a row several times. */
    @Test
    void eachRowIsFoundOnce_Q4_T20() {
        Table table = table("a,t[]")
                .put("x", document("{\"a\":1,\"t\":[1,2,3]}"))
                .put("y", document("{\"a\":1,\"t\":[2,5]}"));
        for (String filter : List.of("a == 1", "a == 1 and t[] > 1", "a == 1 and t[] in [1, 2]", "exists a")) {
            assertThat(ids(table, filter)).as(filter).containsExactly("x", "y");
            List<String> pages = new ArrayList<>();
            Optional<String> next = Optional.of("");
            while (next.isPresent()) {
                RowPage page = table.page(Filter.parse(filter), next.filter(token -> !token.isEmpty()), 1);
                page.rows().forEach(row -> pages.add(row.id()));
                next = page.next();
            }
            assertThat(pages).as(filter).containsExactly("x", "y");
        }
        assertThat(table.find(FieldPath.parse("a"), ValueRange.all()).map(Row::id))
                .containsExactly("x", "y");
        assertThat(table.count(Filter.parse("exists a"))).isEqualTo(2);
    }

    @Test
    void uniqueItemsAreThoseOfOneRow_T12() {
        Table table = Tables.of(Pail.create(new MemoryBlockStore()))
                .create("t")
                .createIndex(Index.parse("mails[]").unique())
                .createIndex(Index.parse("lower(name)").unique())
                .put("x", document("{\"mails\":[\"a\",\"b\",\"a\",null],\"name\":\"Ann\"}"));
        assertThatThrownBy(() -> table.put("y", document("{\"mails\":[\"c\",\"b\"]}")))
                .hasMessageContainingAll("\"y\"", "\"x\"", "\"b\"", "mails[]");
        assertThatThrownBy(() -> table.put("y", document("{\"name\":\"ANN\"}")))
                .hasMessageContainingAll("\"y\"", "\"x\"", "\"ann\"", "lower(name)");
        Table next = Tables.of(table.pail())
                .batch()
                .put("t", "x", document("{\"mails\":[\"a\"]}"))
                .put("t", "y", document("{\"mails\":[\"b\",null],\"name\":\"ann\"}"))
                .commit()
                .table("t");
        assertThatThrownBy(() -> next.put("z", document("{\"mails\":[\"b\"]}"))).hasMessageContaining("\"y\"");
        assertThatThrownBy(() -> next.dropIndex(Index.parse("mails[]"))
                        .put("z", document("{\"mails\":[\"b\"]}"))
                        .createIndex(Index.parse("mails[]").unique()))
                .hasMessageContainingAll("\"y\"", "\"z\"");
        assertThat(Tables.of(next.pail()).check().wrongEntries()).isEmpty();
    }
}
