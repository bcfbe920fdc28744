package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.BlockLocation;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.table.index.TableInfo;
import dev.pail.testkit.Randomness;
import dev.pail.unsafe.UnsafeBlocks;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows whose documents are in the map. */
class InlineRowsTest {
    private static final int SCHEDULES = Randomness.times(40, 2_000);

    private static Table table(RowMerge rowMerge, int inline) {
        return Tables.of(Pail.create(new MemoryBlockStore(), ShardFormat.v1())).create("t", rowMerge, inline);
    }

    private static Document document(String json) {
        return Document.parse(json);
    }

    @Test
    void smallDocumentsAreInTheMap_T21() {
        Document small = document("{\"a\":\"" + "x".repeat(251) + "\"}");
        Document large = document("{\"a\":\"" + "x".repeat(252) + "\"}");
        Document raw = Document.raw(new byte[] {'{', ' ', '}'});
        assertThat(small.block().size()).isEqualTo(256);
        Table table = table(RowMerge.WHOLE, 256).put("s", small).put("l", large).put("r", raw);
        assertThat(table.pail().get(table.key("s")))
                .contains(Cid.ofIdentity(Cid.DAG_CBOR, UnsafeBlocks.bytes(small.block())));
        assertThat(table.pail().get(table.key("r"))).contains(Cid.ofIdentity(Cid.RAW, new byte[] {'{', ' ', '}'}));
        assertThat(table.pail().get(table.key("l"))).contains(large.cid());
        assertThat(table.pail().blocks().get(small.cid())).isEmpty();
        assertThat(table.pail().blocks().get(large.cid())).isPresent();
        for (String id : List.of("s", "l", "r")) {
            Row row = table.get(id).orElseThrow();
            assertThat(row.isInline()).isEqualTo(!id.equals("l"));
            Document wanted = id.equals("s") ? small : id.equals("l") ? large : raw;
            assertThat(row.document()).isEqualTo(wanted);
            assertThat(Document.read(table.pail().blocks(), row.cid())).isEqualTo(wanted);
            assertThat(table.locate(id).orElseThrow().form() == BlockLocation.Form.INLINE)
                    .isEqualTo(row.isInline());
        }
        assertThat(table.rows().map(row -> row.document().cid())).containsExactly(large.cid(), raw.cid(), small.cid());
        assertThat(table.put("s", small).pail().root()).isEqualTo(table.pail().root());
        assertThat(Tables.of(table.pail()).table("t").inline()).isEqualTo(256);
    }

    @Test
    void declarationsHaveTheSize_T10_T21() {
        DagCborWriter writer = new DagCborWriter().map(2).text("number").integer(TableInfo.wishedNumber("t"));
        writer.text("declaration").map(3).text("merge").text("fields");
        writer.text("inline").integer(100).text("indexes").array(0);
        Table table = table(RowMerge.FIELDS, 100);
        assertThat(table.pail().get("Tt"))
                .contains(Block.of(Cid.DAG_CBOR, writer.toByteArray()).cid());
        assertThat(table.createIndex(Index.parse("a"))
                        .dropIndex(Index.parse("a"))
                        .pail()
                        .root())
                .isEqualTo(table.pail().root());
        for (int size : List.of(-1, 257)) {
            assertThatThrownBy(() -> table(RowMerge.WHOLE, size)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 257})
    void otherSizesAreRefused_T10_T21(int size) {
        DagCborWriter writer = new DagCborWriter().map(2).text("number").integer(TableInfo.wishedNumber("t"));
        writer.text("declaration")
                .map(2)
                .text("inline")
                .integer(size)
                .text("indexes")
                .array(0);
        Block block = Block.of(Cid.DAG_CBOR, writer.toByteArray());
        Pail pail = Pail.create(new MemoryBlockStore());
        pail.blocks().put(block);
        Pail declared = pail.put("Tt", block.cid());
        assertThatThrownBy(() -> Tables.of(declared).table("t"))
                .isInstanceOfSatisfying(
                        TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.DAMAGED));
    }

    /** A document that is to be whole in a segment has a block of its own. */
    @Test
    void wholeDocumentsKeepTheirBlocks_T21() {
        TableBatch batch = Tables.of(table(RowMerge.WHOLE, 256).pail()).batch();
        Iterator<String> lines = List.of("{\"id\":1}", "{\"id\":2}").iterator();
        long rows = batch.load(
                "t",
                () -> lines.hasNext() ? lines.next() : null,
                new TableBatch.Load(FieldPath.parse("id"), Optional.empty(), true, TableBatch.Blob.RAW_WHOLE),
                count -> {});
        Table table = batch.commit().table("t");
        assertThat(rows).isEqualTo(2);
        assertThat(table.rows().filter(Row::isInline)).isEmpty();
        assertThat(table.get("1").orElseThrow().document().json()).isEqualTo("{\"id\":1}");
    }

    /** The same changes, queries and merges as those of a table whose rows have blocks. */
    @Test
    void tablesAreTheSameWhereverTheirRowsAre_T21_R16() {
        Randomness.schedules("InlineRowsTest", SCHEDULES, random -> {
            RowMerge rowMerge = random.nextBoolean() ? RowMerge.FIELDS : RowMerge.WHOLE;
            List<Table> tables = new ArrayList<>();
            for (int inline : List.of(0, 1 + random.nextInt(40))) {
                tables.add(table(rowMerge, inline)
                        .createIndex(Index.parse("a").include(List.of(FieldPath.parse("b"))))
                        .createIndex(Index.parse("b desc,t[]")));
            }
            List<List<Table>> sides = List.of(changed(tables, random.nextLong()), changed(tables, random.nextLong()));
            List<Table> merged = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                TableMerge merge = TableMerge.of(
                        tables.get(i).pail(),
                        sides.get(0).get(i).pail(),
                        sides.get(1).get(i).pail());
                Tables now = merge.by(MergePolicy.theirs()).tables();
                assertThat(now.check().wrongEntries()).isEmpty();
                assertThat(now.reindex().tables().pail().root())
                        .isEqualTo(now.pail().root());
                merged.add(now.table("t"));
            }
            int most = merged.get(1).inline();
            merged.get(1)
                    .rows()
                    .forEach(row -> assertThat(row.isInline())
                            .isEqualTo(row.document().block().size() <= most));
            for (List<Table> both : List.of(sides.get(0), sides.get(1), merged)) {
                for (Filter filter : List.of(
                        Filter.all(),
                        Filter.parse("a >= 1"),
                        Filter.parse("b == 1 and t[] > 0"),
                        Filter.parse("c != 1"))) {
                    assertThat(rows(both.get(1), filter)).isEqualTo(rows(both.get(0), filter));
                }
            }
            assertThat(Tables.of(sides.get(0).get(1).pail())
                            .diff(Tables.of(sides.get(1).get(1).pail()))
                            .map(RowChange::id)
                            .toList())
                    .isEqualTo(Tables.of(sides.get(0).get(0).pail())
                            .diff(Tables.of(sides.get(1).get(0).pail()))
                            .map(RowChange::id)
                            .toList());
        });
    }

    private static List<Table> changed(List<Table> tables, long seed) {
        List<Table> changed = new ArrayList<>();
        for (Table each : tables) {
            Random random = Randomness.random(seed);
            Table now = each;
            for (int i = 0; i < 8; i++) {
                String id = "r" + random.nextInt(6);
                String padding = random.nextInt(3) == 0 ? "x".repeat(30) : "";
                Document document = document("{\"a\":" + random.nextInt(3) + ",\"b\":" + random.nextInt(3) + ",\"c\":\""
                        + padding + "\",\"t\":[" + random.nextInt(3) + "," + random.nextInt(3) + "]}");
                now = random.nextInt(5) == 0 ? now.delete(id) : now.put(id, document);
            }
            changed.add(now);
        }
        return changed;
    }

    private static List<String> rows(Table table, Filter filter) {
        return table.rows(filter)
                .map(row -> row.id() + row.document().json())
                .sorted()
                .toList();
    }

    @Test
    void theLesserSizeStaysIfBothSidesMadeTheTable_R16() {
        Pail empty = Pail.create(new MemoryBlockStore());
        Pail ours = Tables.of(empty)
                .create("t", RowMerge.WHOLE, 200)
                .put("x", document("{\"a\":1}"))
                .pail();
        for (int other : List.of(0, 3, 256)) {
            Pail theirs = Tables.of(empty)
                    .create("t", RowMerge.WHOLE, other)
                    .put("y", document("{\"a\":2}"))
                    .pail();
            Table merged = TableMerge.of(empty, ours, theirs)
                    .by(MergePolicy.fail())
                    .tables()
                    .table("t");
            assertThat(merged.inline()).isEqualTo(Math.min(200, other));
            assertThat(merged.rows().map(row -> row.document().json())).containsExactly("{\"a\":1}", "{\"a\":2}");
            assertThat(TableMerge.of(empty, theirs, ours)
                            .by(MergePolicy.fail())
                            .tables()
                            .pail()
                            .root())
                    .isEqualTo(merged.pail().root());
        }
    }
}
