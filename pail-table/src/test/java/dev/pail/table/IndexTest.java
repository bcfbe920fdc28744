package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.Pail;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.table.index.TableInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a table declares of its indexes, and how that is written. */
class IndexTest {
    private static final int NUMBER = TableInfo.wishedNumber("t");

    private static Tables tables() {
        return Tables.of(Pail.create(new MemoryBlockStore()));
    }

    private static Document document(String json) {
        return Document.parse(json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "city|city|true",
                "city,age|city,age|false",
                "city , age desc|city,age desc|false",
                "age desc|age desc|false",
                "age asc|age|true",
                "age\\ desc|age\\ desc|true",
                "first name|first\\ name|true",
                "a\\,b|a\\,b|true",
                "a\\.b.c\\\\,d|a\\.b.c\\\\,d|false",
                "a\\\\ desc|a\\\\ desc|false"
            })
    void haveOneName_T11(String text, String name, boolean isPlain) {
        Index index = Index.parse(text);
        assertThat(index.name()).isEqualTo(name);
        assertThat(index.isPlain()).isEqualTo(isPlain);
        assertThat(Index.parse(name)).isEqualTo(index);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "a,", "a,a", "a,a desc", "a\\", "a,b,c,d,e,f,g,h,i"})
    void othersAreRefused_T11(String text) {
        assertThatThrownBy(() -> Index.parse(text))
                .isInstanceOfSatisfying(
                        TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.NAME));
    }

    /** As version 0.2 has written them. */
    @Test
    void plainIndexesKeepTheirBytes_T2_T10_T11() {
        Table table = tables().create("t").createIndex(Index.parse("age")).createIndex(FieldPath.parse("a,b"));
        byte[] block = new DagCborWriter()
                .map(2)
                .text("number")
                .integer(NUMBER)
                .text("indexes")
                .array(2)
                .text("a,b")
                .text("age")
                .toByteArray();
        assertThat(table.pail().get("Tt"))
                .contains(Block.of(Cid.DAG_CBOR, block).cid());
        Table without = table.createIndex(Index.parse("a,b")).dropIndex(Index.parse("a,b"));
        assertThat(without.pail().root()).isEqualTo(table.pail().root());
        assertThat(table.declaredIndexes()).containsExactly(Index.parse("a\\,b"), Index.parse("age"));
    }

    private static DagCborWriter declaration(int members, String... first) {
        DagCborWriter writer = new DagCborWriter()
                .map(2)
                .text("number")
                .integer(NUMBER)
                .text("declaration")
                .map(members);
        for (String text : first) {
            writer.text(text);
        }
        return writer;
    }

    private static DagCborWriter paths(DagCborWriter writer, String name, String... paths) {
        writer.text(name).array(paths.length);
        for (String path : paths) {
            writer.text(path);
        }
        return writer;
    }

    @Test
    void otherIndexesAreMapsOfWhatTheySay_T10_T11() {
        Table table = tables().create("t")
                .createIndex(Index.parse("age"))
                .createIndex(Index.parse("city,age desc").unique());
        DagCborWriter writer = declaration(1, "indexes").array(2).map(3);
        paths(writer, "fields", "city", "age");
        paths(writer.text("unique").bool(true), "descending", "age").text("age");
        assertThat(table.pail().get("Tt"))
                .contains(Block.of(Cid.DAG_CBOR, writer.toByteArray()).cid());
        Table again = Tables.of(table.pail()).table("t");
        assertThat(again.declaredIndexes())
                .containsExactly(Index.parse("city,age desc").unique(), Index.parse("age"));
        assertThat(again.indexes()).containsExactly(FieldPath.parse("age"));
        Table byFields = tables().create("t", RowMerge.FIELDS).createIndex(Index.parse("a,b"));
        DagCborWriter both =
                declaration(2, "merge", "fields", "indexes").array(1).map(1);
        assertThat(byFields.pail().get("Tt"))
                .contains(Block.of(Cid.DAG_CBOR, paths(both, "fields", "a", "b").toByteArray())
                        .cid());
        assertThat(byFields.dropIndex(Index.parse("a,b")).pail().root())
                .isEqualTo(tables().create("t", RowMerge.FIELDS).pail().root());
    }

    @Test
    void otherDeclarationsAreRefused_T10_T11() {
        for (DagCborWriter writer : List.of(
                declaration(1, "indexes").array(1).text("age"),
                declaration(1, "indexes").array(0),
                paths(declaration(1, "indexes").array(1).map(1), "fields", "age"),
                paths(declaration(1, "indexes").array(1).map(1), "fields"),
                paths(declaration(1, "indexes").array(1).map(1), "feelds", "a", "b"),
                paths(declaration(1, "indexes").array(1).map(2), "fields", "a", "b")
                        .text("unique")
                        .bool(false),
                paths(paths(declaration(1, "indexes").array(1).map(2), "fields", "a", "b"), "descending", "c"),
                paths(paths(declaration(1, "indexes").array(1).map(2), "fields", "a", "b"), "descending", "b", "a"),
                paths(declaration(2, "other", "x", "indexes").array(1).map(1), "fields", "a", "b"))) {
            Block block = Block.of(Cid.DAG_CBOR, writer.toByteArray());
            Pail pail = Pail.create(new MemoryBlockStore());
            pail.blocks().put(block);
            Pail declared = pail.put("Tt", block.cid());
            assertThatThrownBy(() -> Tables.of(declared).table("t"))
                    .isInstanceOfSatisfying(
                            TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.DAMAGED));
        }
    }

    @Test
    void aRefusedRowIsNamedWithTheOther_T12() {
        Table table = tables().create("t")
                .createIndex(Index.parse("a,b").unique())
                .put("x", document("{\"a\":1,\"b\":\"z\"}"));
        for (String free : List.of("{\"a\":1}", "{\"a\":1,\"b\":null}", "{\"b\":\"z\"}", "{\"a\":1,\"b\":\"zz\"}")) {
            assertThat(table.put("y", document(free))
                            .put("z", document(free.replace("zz", "yy")))
                            .count(Filter.all()))
                    .isEqualTo(3);
        }
        assertThatThrownBy(() -> table.put("y", document("{\"a\":1.0,\"b\":\"z\"}")))
                .isInstanceOfSatisfying(
                        TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.NOT_UNIQUE))
                .hasMessageContainingAll("\"y\"", "\"x\"", "1, \"z\"", "a,b");
        Table moved = Tables.of(table.pail())
                .batch()
                .put("t", "x", document("{}"))
                .put("t", "y", document("{\"a\":1,\"b\":\"z\"}"))
                .commit()
                .table("t");
        assertThatThrownBy(() -> moved.put("x", document("{\"a\":1,\"b\":\"z\"}")))
                .hasMessageContainingAll("\"x\"", "\"y\"");
        assertThatThrownBy(() -> moved.dropIndex(Index.parse("a,b"))
                        .put("q", document("{\"a\":1,\"b\":\"z\"}"))
                        .createIndex(Index.parse("b desc").unique()))
                .hasMessageContainingAll("\"q\"", "\"y\"", "b desc");
        assertThatThrownBy(() -> moved.createIndex(Index.parse("a,b"))).hasMessageContaining("already");
    }

    @Test
    void rowsOfAnEntryAreRefusedIfAnyFieldIsNotIndexable_T5() {
        Table table = tables().create("t").createIndex(Index.parse("a,b"));
        assertThat(table.put("x", document("{\"b\":[1]}")).count(Filter.all())).isEqualTo(1);
        assertThatThrownBy(() -> table.put("x", document("{\"a\":1,\"b\":[1]}")))
                .hasMessageContainingAll("a list", "\"b\"");
        // Eight fields of the longest values, in a reverse entry.
        Table wide = tables().create("t").createIndex(Index.parse("a,b,c,d,e,f,g,h desc"));
        String value = ":\"" + "x".repeat(127) + "\"";
        String json = "{\"a\"" + value + ",\"b\"" + value + ",\"c\"" + value + ",\"d\"" + value + ",\"e\"" + value
                + ",\"f\"" + value + ",\"g\"" + value + ",\"h\"" + value + "}";
        Table full = wide.put("x", document(json));
        assertThat(full.delete("x").pail().root()).isEqualTo(wide.pail().root());
    }

    @Test
    void queriesThatAnIndexCoversReadNoDocuments_T13() {
        FieldPath name = FieldPath.parse("who.name");
        FieldPath age = FieldPath.parse("age");
        Index index = Index.parse("city").include(List.of(name, age));
        Table table = tables().create("t").createIndex(index);
        for (int i = 0; i < 50; i++) {
            table = table.put(
                    "r" + i,
                    document("{\"city\":\"c" + i % 5 + "\",\"age\":" + i % 7 + ".0,\"who\":{\"name\":\"n" + i
                            + "\",\"more\":1}}"));
        }
        assertThat(table.declaredIndexes()).containsExactly(index);
        Set<Cid> documents = table.rows().map(Row::cid).collect(Collectors.toSet());
        List<Cid> read = new ArrayList<>();
        Table watched = table;
        OtherReads counting = new OtherReads(table.pail().blocks(), cid -> {
            if (documents.contains(cid)) {
                read.add(cid);
            }
            return watched.pail().blocks().get(cid);
        });
        Table again = Tables.of(Pail.open(counting, table.pail().root())).table("t");
        Filter filter = Filter.parse("city in ['c1', 'c3'] and age < 5 and who.name contains '1'");
        assertThat(again.explain(filter).covers(List.of(name, age))).isTrue();
        assertThat(again.explain(filter).covers(List.of(FieldPath.parse("who"))))
                .isFalse();
        List<String> found = again.rows(filter)
                .map(row -> row.document(List.of(name, age)).json(name).orElse("")
                        + row.document(List.of(name, age)).json(age).orElse(""))
                .toList();
        assertThat(again.count(filter)).isEqualTo(found.size());
        assertThat(again.summary(filter, age).rows()).isEqualTo(found.size());
        assertThat(again.summaries(filter, age, Optional.of(name))).isNotEmpty();
        assertThat(again.rows(filter, new Table.Order(age, true), 3)).hasSize(3);
        assertThat(read).isEmpty();
        assertThat(found)
                .containsExactlyInAnyOrderElementsOf(table.dropIndex(index)
                        .rows(filter)
                        .map(row -> row.document().json(name).orElse("")
                                + row.document().json(age).orElse(""))
                        .toList());
        assertThat(again.rows(filter).map(row -> row.document().json(FieldPath.parse("who.more"))))
                .allMatch(Optional.of("1")::equals);
        assertThat(read).containsAll(again.rows(filter).map(Row::cid).toList());
        // A value that is too long for an entry is read.
        Table large = again.put("r0", document("{\"city\":\"c0\",\"age\":\"" + "x".repeat(2000) + "\"}"));
        assertThat(large.rows(Filter.parse("city == 'c0'"))
                        .filter(row -> row.id().equals("r0"))
                        .map(row ->
                                row.document(List.of(age)).plain(age).orElse("").length()))
                .containsExactly(2000);
        assertThat(Tables.of(large.pail()).check().wrongEntries()).isEmpty();
        assertThat(large.delete("r0")
                        .put("r0", document("{\"city\":\"c0\",\"age\":0.0,\"who\":{\"name\":\"n0\",\"more\":1}}"))
                        .pail()
                        .entries())
                .containsExactlyElementsOf(table.pail().entries().toList());
    }
}
