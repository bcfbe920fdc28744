package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.MergePolicy;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.proof.Answer;
import dev.pail.proof.Proof;
import dev.pail.proof.Query;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.OrderedValue;
import dev.pail.table.index.TableInfo;
import dev.pail.testkit.LyingBlockStore;
import dev.pail.testkit.Randomness;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables, rows and indexes, case by case. */
class TableTest {
    private static final FieldPath CITY = FieldPath.parse("address.city");
    private static final FieldPath AGE = FieldPath.parse("age");

    private final MemoryBlockStore blocks = new MemoryBlockStore();

    static Stream<ShardFormat> formats() {
        return Stream.of(ShardFormat.v0(), ShardFormat.v1(), ShardFormat.v2(), ShardFormat.v0(300, 16));
    }

    /** In which many rows of one table have room. */
    static Stream<ShardFormat> largerFormats() {
        return Stream.of(ShardFormat.v0(), ShardFormat.v1(), ShardFormat.v2(), ShardFormat.v0(4000, 64));
    }

    private Tables empty() {
        return Tables.of(Pail.create(blocks));
    }

    private static Document person(String city, int age) {
        return Document.parse("{\"address\":{\"city\":\"" + city + "\"},\"age\":" + age + "}");
    }

    private Table people() {
        return empty().create("people").createIndex(CITY).createIndex(AGE);
    }

    private static List<String> ids(Stream<Row> rows) {
        return rows.map(Row::id).toList();
    }

    private static List<String> keys(Pail pail) {
        return pail.entries().map(Entry::key).toList();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void aRowHasItsPositionAndForEachIndexTwoEntries_T5_T6(ShardFormat format) {
        Table people = Tables.of(Pail.create(blocks, format))
                .create("people")
                .createIndex(CITY)
                .put("ada", person("New York", 36));
        int number = people.info().number;
        Document ada = people.get("ada").orElseThrow().document();
        List<Entry> entries = people.pail().entries().toList();

        assertThat(entries.get(0))
                .isEqualTo(new Entry(
                        new FieldKey("address.city", "people", Scalar.of("New York"), Bytes.of("ada")).toKey(),
                        ada.cid()));
        assertThat(entries.get(1)).isEqualTo(new Entry(new PositionKey(number, Bytes.of("ada")).toKey(), ada.cid()));
        assertThat(entries.get(2).key()).isEqualTo(new ReverseKey("people", "address.city", Bytes.of("ada")).toKey());
        assertThat(IndexKeys.values(entries.get(2).value())).containsExactly(OrderedValue.encode("New York"));
        assertThat(entries.get(3).key())
                .isEqualTo(new TableKey(Bytes.of("people")).toKey())
                .isEqualTo("Tpeople");
        assertThat(entries).hasSize(4);

        assertThat(keys(people.delete("ada").pail())).containsExactly("Tpeople");
        assertThat(people.delete("ada").pail().root())
                .isEqualTo(Tables.of(Pail.create(blocks, format))
                        .create("people")
                        .createIndex(CITY)
                        .pail()
                        .root());
    }

    /** What is committed in parts makes the version that it makes in one. */
    @ParameterizedTest
    @MethodSource("largerFormats")
    void theVersionOfABatchDoesNotHangOnItsParts(ShardFormat format) {
        Pail none = Tables.of(Pail.create(blocks, format))
                .create("people")
                .createIndex(CITY)
                .createIndex(AGE)
                .pail();
        TableBatch first = Tables.of(none).batch();
        for (int i = 0; i < 60; i++) {
            first.put("people", "p" + i, person("City " + i % 7, i));
        }
        Pail base = first.commit().pail();
        Cid root =
                changes(base).commit(Integer.MAX_VALUE, Long.MAX_VALUE).pail().root();
        assertThat(root).isNotEqualTo(base.root());
        for (int together : new int[] {1, 3, 50}) {
            assertThat(changes(base).commit(together, Long.MAX_VALUE).pail().root())
                    .isEqualTo(root);
        }
        assertThat(changes(base).commit(Integer.MAX_VALUE, 1).pail().root()).isEqualTo(root);
    }

    private static TableBatch changes(Pail base) {
        TableBatch batch = Tables.of(base).batch();
        for (int i = 40; i < 100; i++) {
            batch.put("people", "p" + i, person("City " + i % 11, i / 2));
        }
        for (int i = 0; i < 100; i += 3) {
            batch.delete("people", "p" + i);
        }
        return batch.put("people", "p3", person("Oslo", 3));
    }

    @Test
    void tablesAreMadeListedAndDropped() {
        Table people = empty().create("people");
        Tables two = Tables.of(
                Tables.of(people.pail()).create("orders").createIndex(AGE).pail());
        assertThat(two.list().stream().map(Table::name)).containsExactly("orders", "people");
        assertThat(two.table("orders").indexes()).containsExactly(AGE);
        assertThat(two.find("places")).isEmpty();
        Tables rows = two.batch()
                .put("orders", "1", person("Oslo", 1))
                .put("people", "1", person("Oslo", 1))
                .commit();
        Tables one = rows.drop("orders").tables();
        assertThat(one.list().stream().map(Table::name)).containsExactly("people");
        assertThat(keys(one.pail()))
                .containsExactly(new PositionKey(one.table("people").info().number, Bytes.of("1")).toKey(), "Tpeople");
        assertThat(rows.table("orders").get("1")).isPresent();
    }

    @Test
    void deletesClearTheirIndexes() {
        Table two = people().put("1", person("Oslo", 30)).put("2", person("Oslo", 31));
        Table one = two.delete("1");
        assertThat(ids(one.find(CITY, ValueRange.equal(Scalar.of("Oslo"))))).containsExactly("2");
        assertThat(ids(one.find(AGE, ValueRange.all()))).containsExactly("2");
        assertThat(keys(one.delete("2").pail())).containsExactly("Tpeople");
        assertThat(one.delete("1").pail().root()).isEqualTo(one.pail().root());
        assertThat(ids(two.find(AGE, ValueRange.all()))).containsExactly("1", "2");
    }

    @Test
    void rowsOfAnIndexAreReadAsTheyAreAskedFor() {
        AtomicInteger reads = new AtomicInteger();
        BlockStore counting = counting(reads);
        Tables tables = Tables.of(people().pail());
        TableBatch batch = tables.batch();
        for (int i = 0; i < 100; i++) {
            batch.put("people", "row " + i, person(i % 2 == 0 ? "Oslo" : "Rome", i));
        }
        Table table =
                Tables.of(Pail.open(counting, batch.commit().pail().root())).table("people");
        for (String filter : List.of(
                "address.city == 'Oslo'",
                "address.city in ['Oslo', 'Rome']",
                "address.city == 'Oslo' or age > 10",
                "exists age and not age < 0")) {
            Filter asked = Filter.parse(filter);
            assertThat(table.explain(asked).isFullScan()).isFalse();
            assertThat(table.rows(asked).findFirst()).isPresent();
            reads.set(0);
            Iterator<Row> rows = table.rows(asked).iterator();
            assertThat(rows.next().id()).startsWith("row");
            assertThat(reads).as(filter).hasValue(1);
        }
    }

    /** A store that counts what it is asked for, and lacks a block. */
    private record Remote(BlockStore blocks, AtomicInteger single, AtomicInteger together, Cid absent, boolean isNear)
            implements BlockStore {
        @Override
        public Optional<Block> get(Cid cid) {
            single.incrementAndGet();
            return cid.equals(absent) ? Optional.empty() : blocks.get(cid);
        }

        @Override
        public Map<Cid, Block> getAll(Collection<Cid> cids) {
            together.incrementAndGet();
            Map<Cid, Block> found = new HashMap<>(blocks.getAll(cids));
            found.remove(absent);
            return found;
        }

        @Override
        public void putAll(Collection<Block> all) {
            blocks.putAll(all);
        }

        @Override
        public boolean has(Cid cid) {
            return blocks.has(cid);
        }

        @Override
        public void close() {
            blocks.close();
        }
    }

    @Test
    void aRemoteStoreFetchesTheDocumentsOfAWalkTogether() {
        for (int length : new int[] {10, 100_000}) {
            TableBatch batch = Tables.of(people().pail()).batch();
            int count = length == 10 ? 1000 : 60;
            for (int i = 0; i < count; i++) {
                String text = "x".repeat(length);
                batch.put("people", "row " + (1000 + i), Document.parse("{\"age\":" + i + ",\"a\":\"" + text + "\"}"));
            }
            Table table = batch.commit().table("people");
            Cid absent = table.get("row 1050").orElseThrow().cid();
            Remote remote = new Remote(blocks, new AtomicInteger(), new AtomicInteger(), absent, false);
            Table again = Tables.of(Pail.open(remote, table.pail().root())).table("people");
            for (Function<Table, Stream<Row>> each :
                    List.<Function<Table, Stream<Row>>>of(Table::rows, asked -> asked.find(AGE, ValueRange.all()))) {
                long unused = each.apply(again).count();
                remote.single.set(0);
                remote.together.set(0);
                List<String> found = new ArrayList<>();
                List<Row> kept = new ArrayList<>();
                each.apply(again).forEachOrdered(row -> {
                    kept.add(row);
                    if (row.id().equals("row 1005")) {
                        return;
                    }
                    if (row.cid().equals(absent)) {
                        assertThatThrownBy(row::document).isInstanceOf(MissingBlockException.class);
                    } else {
                        found.add(row.id() + row.document().json());
                    }
                });
                List<String> expected = each.apply(table)
                        .filter(row -> !row.cid().equals(absent) && !row.id().equals("row 1005"))
                        .map(row -> row.id() + row.document().json())
                        .toList();
                assertThat(found).isEqualTo(expected).hasSize(count - 2);
                assertThat(remote.single).hasValueBetween(1, 12);
                assertThat(remote.together).hasValueBetween(5, 40);
                // What was fetched is not kept.
                assertThat(kept.get(count - 40).document()).isNotNull();
                int before = remote.single.get();
                assertThat(kept.get(3).document()).isNotNull();
                assertThat(kept.get(5).document()).isNotNull();
                assertThat(remote.single).hasValue(before + 2);
            }
        }
    }

    @Test
    void aNearStoreIsAskedForOneDocumentAfterTheOther() {
        TableBatch batch = Tables.of(people().pail()).batch();
        for (int i = 0; i < 100; i++) {
            batch.put("people", "row " + i, person("Oslo", i));
        }
        Pail pail = batch.commit().pail();
        Remote near = new Remote(blocks, new AtomicInteger(), new AtomicInteger(), pail.root(), true);
        Table table = Tables.of(pail.in(near)).table("people");
        Iterator<Row> rows = table.find(AGE, ValueRange.all()).iterator();
        near.single.set(0);
        assertThat(rows.next().document()).isEqualTo(person("Oslo", 0));
        assertThat(rows.next().document()).isEqualTo(person("Oslo", 1));
        assertThat(near.single).hasValue(2);
        assertThat(near.together).hasValue(0);
    }

    @Test
    void aParallelStreamHasEachRowOnceThatSeveralAccessesFind() {
        Tables tables = Tables.of(people().pail());
        TableBatch batch = tables.batch();
        for (int i = 0; i < 2000; i++) {
            batch.put("people", "row " + i, person(i % 2 == 0 ? "Oslo" : "Rome", i % 7));
        }
        Table table = batch.commit().table("people");
        Filter twice = Filter.parse("address.city in ['Oslo', 'Rome'] or age in [0, 1, 2, 3, 4, 5, 6] or age >= 0");
        assertThat(table.explain(twice).accesses()).hasSize(10);
        for (int round = 0; round < 100; round++) {
            assertThat(table.rows(twice).parallel().map(Row::id).toList())
                    .hasSize(2000)
                    .doesNotHaveDuplicates();
        }
    }

    @Test
    void aDiffReadsTheRowsOfATableThatIsGoneAsTheyAreAskedFor() {
        Pail empty = Pail.create(blocks, ShardFormat.v1());
        TableBatch batch = Tables.of(Tables.of(empty).create("people").pail()).batch();
        for (int i = 0; i < 1000; i++) {
            batch.put("people", "row " + i, Document.parse("{}"));
        }
        Cid full = batch.commit().pail().root();
        for (boolean gone : new boolean[] {true, false}) {
            AtomicInteger reads = new AtomicInteger();
            BlockStore counting = counting(reads);
            Tables tables = Tables.of(Pail.open(counting, full));
            Tables none = Tables.of(Pail.open(counting, empty.root()));
            Iterator<RowChange> changes = (gone ? tables.diff(none) : none.diff(tables)).iterator();
            assertThat(changes.next().id()).isEqualTo("row 0");
            assertThat(reads).hasValueLessThan(50);
            assertThat(changes).toIterable().hasSize(999);
            assertThat(reads).hasValueGreaterThan(100);
        }
    }

    private BlockStore lying(Cid asked, Cid given) {
        return new LyingBlockStore(blocks, asked, given);
    }

    @Test
    void anotherBlockIsNotTheDocumentOfARow() {
        Table table = people().put("1", person("Oslo", 1)).put("2", person("Oslo", 2));
        Cid first = table.get("1").orElseThrow().cid();
        Cid second = table.get("2").orElseThrow().cid();
        Pail pail = Pail.open(lying(first, second), table.pail().root());
        Row row = Tables.of(pail).table("people").get("1").orElseThrow();
        assertThatThrownBy(row::document)
                .isInstanceOf(CorruptBlockException.class)
                .hasMessageContaining(second.toString());
    }

    @Test
    void anotherBlockDoesNotDescribeATable() {
        Pail both = Tables.of(people().pail()).create("other").pail();
        Cid people = both.get("Tpeople").orElseThrow();
        Cid other = both.get("Tother").orElseThrow();
        Pail lying = Pail.open(lying(people, other), both.root());
        assertThatThrownBy(() -> Tables.of(lying).table("people"))
                .isInstanceOf(TableException.class)
                .hasMessageContaining("damaged: " + people)
                .cause()
                .isInstanceOf(CorruptBlockException.class)
                .hasMessageContaining(other.toString());
    }

    private BlockStore counting(AtomicInteger reads) {
        return new OtherReads(blocks, cid -> {
            reads.incrementAndGet();
            return blocks.get(cid);
        });
    }

    @Test
    void noRowHasALoneSurrogateInItsId() {
        Table table = people();
        for (ThrowingCallable use : List.<ThrowingCallable>of(
                () -> table.get("a\ud800"),
                () -> table.put("a\ud800", person("Oslo", 1)),
                () -> table.delete("a\ud800"))) {
            assertThatThrownBy(use).isInstanceOf(TableException.class).hasMessageContaining("lone surrogate");
        }
    }

    /** As for all that goes through the rows. */
    @Test
    void whatIsUnderALongerIdThanARowHasIsNoRow_T4() {
        Table table = people().put("a".repeat(1024), person("Oslo", 1));
        Cid document = table.get("a".repeat(1024)).orElseThrow().cid();
        Pail foreign = table.pail();
        for (String id : List.of("a".repeat(1025), "é".repeat(513))) {
            foreign = foreign.put(new PositionKey(table.info().number, Bytes.of(id)).toKey(), document);
            assertThat(Tables.of(foreign).table("people").get(id)).isEmpty();
        }
        assertThat(ids(Tables.of(foreign).table("people").rows())).containsExactly("a".repeat(1024));
    }

    @Test
    void changesMoveIndexEntries() {
        Table table = people().put("1", person("Oslo", 30)).put("1", person("Rome", 30));
        assertThat(ids(table.find(CITY, ValueRange.equal(Scalar.of("Oslo"))))).isEmpty();
        assertThat(ids(table.find(CITY, ValueRange.equal(Scalar.of("Rome"))))).containsExactly("1");
        assertThat(keys(table.pail())).hasSize(6);
        Table without = table.put("1", Document.parse("{\"name\":\"x\"}"));
        assertThat(keys(without.pail())).hasSize(2);
        assertThat(without.find(AGE, ValueRange.all())).isEmpty();
        assertThat(without.put("1", Document.parse("{\"name\":\"x\"}")).pail().root())
                .isEqualTo(without.pail().root());
    }

    @Test
    void severalChangesOfOneRowInABatch() {
        TableBatch batch =
                Tables.of(people().put("1", person("Oslo", 30)).pail()).batch();
        batch.put("people", "1", person("Rome", 31)).put("people", "2", person("Paris", 1));
        assertThat(batch.delete("people", "1")).isTrue();
        assertThat(batch.delete("people", "1")).isFalse();
        batch.insert("people", "1", person("Quito", 32));
        Table table = batch.commit().table("people");
        assertThat(table.pail().root())
                .isEqualTo(people().put("2", person("Paris", 1))
                        .put("1", person("Quito", 32))
                        .pail()
                        .root());
        assertThatThrownBy(batch::commit).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void rangesAreInTheOrderOfValues() {
        Table table = people();
        int[] ages = {9, 10, -1, -10, 100, 0, 1000000, 99};
        for (int age : ages) {
            table = table.put("r" + age, person(age % 2 == 0 ? "New York" : "Newcastle", age));
        }
        table = table.put("half", Document.parse("{\"age\":9.5}")).put("text", Document.parse("{\"age\":\"9\"}"));
        assertThat(ids(table.find(AGE, ValueRange.all())))
                .containsExactly("r-10", "r-1", "r0", "r9", "half", "r10", "r99", "r100", "r1000000", "text");
        assertThat(ids(table.find(AGE, ValueRange.from(Scalar.of(9)).and(ValueRange.before(Scalar.of(100))))))
                .containsExactly("r9", "half", "r10", "r99");
        assertThat(ids(table.find(AGE, ValueRange.after(Scalar.of(9)).and(ValueRange.through(Scalar.of(100))))))
                .containsExactly("half", "r10", "r99", "r100");
        assertThat(ids(table.find(AGE, ValueRange.before(Scalar.of(0))))).containsExactly("r-10", "r-1");
        assertThat(ids(table.find(AGE, ValueRange.from(Scalar.of(5)).and(ValueRange.before(Scalar.of(5))))))
                .isEmpty();
        assertThat(ids(table.find(CITY, ValueRange.prefix("New ")))).hasSize(5);
        assertThat(ids(table.find(CITY, ValueRange.prefix("New")))).hasSize(8);
        assertThat(ids(table.find(CITY, ValueRange.after(Scalar.of("New York")))))
                .hasSize(3);
    }

    @Test
    void aRowThatSeveralRangesNameIsThereOnce() {
        Table table = people().put("1", person("Oslo", 30)).put("2", person("Rome", 30));
        assertThat(ids(table.rows(Filter.parse("age == 30 or address.city == 'Oslo'"))))
                .containsExactlyInAnyOrder("1", "2");
        assertThat(ids(table.rows(Filter.parse("age in [30, 30.0, 1]")))).containsExactly("1", "2");
    }

    @Test
    void indexesAreBuiltOfRowsAndDropped() {
        Table table = empty().create("people").put("1", person("Oslo", 30)).put("2", person("Rome", 31));
        Table indexed = table.createIndex(CITY);
        assertThat(ids(indexed.find(CITY, ValueRange.equal(Scalar.of("Rome"))))).containsExactly("2");
        assertThat(indexed.pail().root())
                .isEqualTo(empty().create("people")
                        .createIndex(CITY)
                        .put("2", person("Rome", 31))
                        .put("1", person("Oslo", 30))
                        .pail()
                        .root());
        assertThat(indexed.dropIndex(CITY).pail().root()).isEqualTo(table.pail().root());
    }

    private static void assertRefused(TableException.Reason reason, String named, ThrowingCallable change) {
        assertThatThrownBy(change).isInstanceOfSatisfying(TableException.class, e -> {
            assertThat(e.reason()).isEqualTo(reason);
            assertThat(e).hasMessageContaining(named);
        });
    }

    @Test
    void whatCannotBeDoneIsRefusedAndChangesNothing_T1_T4_T5() {
        Table people = people().put("1", person("Oslo", 30));
        Tables tables = Tables.of(people.pail());
        Cid root = people.pail().root();
        assertRefused(TableException.Reason.NO_TABLE, "\"x\"", () -> tables.table("x"));
        assertRefused(TableException.Reason.NO_TABLE, "\"x\"", () -> tables.drop("x"));
        assertRefused(
                TableException.Reason.NO_TABLE, "\"x\"", () -> tables.batch().put("x", "1", person("a", 1)));
        assertRefused(TableException.Reason.TABLE_EXISTS, "\"people\"", () -> tables.create("people"));
        assertRefused(TableException.Reason.NAME, "1 to 255 bytes", () -> tables.create(""));
        assertRefused(TableException.Reason.NAME, "1 to 255 bytes", () -> tables.create("é".repeat(128)));
        assertRefused(TableException.Reason.NAME, "separator", () -> tables.create("a\u001fb"));
        assertRefused(
                TableException.Reason.NO_INDEX,
                "\"name\"",
                () -> people.find(FieldPath.parse("name"), ValueRange.all()));
        assertRefused(TableException.Reason.NO_INDEX, "\"name\"", () -> people.dropIndex(FieldPath.parse("name")));
        assertRefused(TableException.Reason.INDEX_EXISTS, "\"age\"", () -> people.createIndex(AGE));
        assertRefused(TableException.Reason.ROW_EXISTS, "\"1\"", () -> people.insert("1", person("a", 1)));
        assertRefused(TableException.Reason.NAME, "separator", () -> people.put("a\u001fb", person("a", 1)));
        assertRefused(TableException.Reason.NAME, "1024", () -> people.put("a".repeat(1025), person("a", 1)));
        for (String age : List.of(
                "[1]",
                "{}",
                "\"" + "x".repeat(128) + "\"",
                "\"\\ud800\"",
                "1e3000",
                "1".repeat(125),
                "-" + "1".repeat(124))) {
            assertRefused(
                    TableException.Reason.NOT_INDEXABLE,
                    "\"2\"",
                    () -> people.put("2", Document.parse("{\"age\":" + age + "}")));
        }
        assertRefused(
                TableException.Reason.NOT_INDEXABLE,
                "a text of more than 127 bytes",
                () -> people.find(CITY, ValueRange.equal(Scalar.of("x".repeat(128)))));
        assertThat(people.find(CITY, ValueRange.equal(Scalar.of("x".repeat(127)))))
                .isEmpty();
        for (String age : List.of("1".repeat(124), "-" + "1".repeat(123))) {
            Table longest = people.put("2", Document.parse("{\"age\":" + age + "}"));
            assertThat(longest.find(AGE, ValueRange.equal(Scalar.parse(age)))).hasSize(1);
        }
        Table list = people.put("2", Document.parse("{\"tags\":[1]}"));
        assertRefused(TableException.Reason.NOT_INDEXABLE, "\"2\"", () -> list.createIndex(FieldPath.parse("tags")));
        TableBatch batch = tables.batch();
        assertThatThrownBy(() -> batch.put("people", "3", Document.parse("{\"age\":[]}")))
                .isInstanceOf(TableException.class);
        assertThat(batch.commit().pail().root()).isEqualTo(root);
    }

    @Test
    void aRowWhoseKeysThePailDoesNotTakeIsRefusedAndTheOthersStay() {
        Pail small = Pail.create(blocks, ShardFormat.v1(64));
        Table table = Tables.of(small).create("people").createIndex(AGE);
        TableBatch batch = Tables.of(table.pail()).batch();
        batch.put("people", "1", person("Oslo", 1));
        assertRefused(
                TableException.Reason.NOT_INDEXABLE,
                "the row \"2\" of the table \"people\"",
                () -> batch.put("people", "2", Document.parse("{\"age\":\"" + "x".repeat(45) + "\"}")));
        batch.put("people", "3", Document.parse("{\"age\":\"" + "x".repeat(44) + "\"}"));
        assertRefused(
                TableException.Reason.NOT_INDEXABLE,
                "\"age\"",
                () -> batch.put("people", "r".repeat(45), Document.parse("{\"age\":1}")));
        batch.put("people", "r".repeat(45), Document.parse("{}"));
        assertRefused(
                TableException.Reason.NAME,
                "of the table \"people\"",
                () -> batch.put("people", "r".repeat(62), Document.parse("{}")));
        Table changed = batch.commit().table("people");
        assertThat(ids(changed.rows())).containsExactly("1", "3", "r".repeat(45));
        assertThat(ids(changed.find(AGE, ValueRange.all()))).containsExactly("1", "3");
        assertThatThrownBy(() -> load(table, false, "{\"id\":1}", "{\"id\":\"" + "r".repeat(62) + "\"}"))
                .isInstanceOf(TableException.class)
                .hasMessageStartingWith("line 2: the row ");
    }

    private static TableBatch load(Table table, boolean replace, String... lines) {
        TableBatch batch = Tables.of(table.pail()).batch();
        Iterator<String> all = Arrays.asList(lines).iterator();
        long[] last = new long[1];
        long count = batch.load(
                table.name(),
                () -> all.hasNext() ? all.next() : null,
                new TableBatch.Load(FieldPath.parse("id"), replace),
                n -> last[0] = n);
        assertThat(last[0]).isEqualTo(count);
        return batch;
    }

    @Test
    void loadsLines() {
        Table table = load(people(), false, "{\"id\":\"b\",\"age\":1}", "", "{\"id\":7,\"age\":2}")
                .commit()
                .table("people");
        assertThat(ids(table.rows())).containsExactly("7", "b");
        assertThat(table.pail().root())
                .isEqualTo(people().put("7", Document.parse("{\"age\":2,\"id\":7}"))
                        .put("b", Document.parse("{\"id\":\"b\",\"age\":1}"))
                        .pail()
                        .root());
        Table replaced = load(table, true, "{\"id\":\"b\",\"age\":5}", "{\"id\":\"b\",\"age\":6}")
                .commit()
                .table("people");
        assertThat(ids(replaced.find(AGE, ValueRange.from(Scalar.of(3))))).containsExactly("b");
        assertThat(replaced.find(AGE, ValueRange.all())).hasSize(2);
    }

    @Test
    void loadsDocumentsThatAreFieldsOfLines() {
        Pail base = people().pail();
        TableBatch.Load load =
                new TableBatch.Load(FieldPath.parse("key"), Optional.of(FieldPath.parse("in.doc")), false);
        Iterator<String> good = List.of(
                        "{\"key\":1,\"in\":{\"doc\":{\"age\":2}}}", "{\"in\":{\"doc\":{}},\"key\":\"b\"}")
                .iterator();
        TableBatch batch = Tables.of(base).batch();
        assertThat(batch.load("people", () -> good.hasNext() ? good.next() : null, load, count -> {}))
                .isEqualTo(2);
        assertThat(batch.commit().pail().root())
                .isEqualTo(people().put("1", Document.parse("{\"age\":2}"))
                        .put("b", Document.parse("{}"))
                        .pail()
                        .root());
        for (String bad :
                List.of("{\"key\":1}", "{\"key\":1,\"in\":{\"doc\":[{}]}}", "{\"key\":1,\"in\":{\"doc\":\"{}\"}}")) {
            assertThatThrownBy(() -> Tables.of(base).batch().load("people", () -> bad, load, count -> {}))
                    .isInstanceOf(DocumentException.class)
                    .hasMessage("line 1, column 1: a row has its document in the field \"in.doc\": an object");
        }
    }

    /** What a line has around a document is no part of it: neither its levels nor its bytes. */
    @Test
    void whateverIsADocumentCanBeAFieldOfALine() {
        List<String> documents = new ArrayList<>();
        for (int levels : new int[] {127, 128, 129, 499, 500}) {
            documents.add("{\"a\":" + "[".repeat(levels - 1) + "]".repeat(levels - 1) + "}");
        }
        documents.add("{\"a\":\"" + "x".repeat(Document.MAX_SIZE - 8) + "\"}");
        documents.add("{\"a\":1e400,\"b\":\"" + "x".repeat(Document.MAX_SIZE - 20) + "\"}");
        documents.add("{\"a\":" + "[".repeat(127) + "false,".repeat(1_500_000) + "false" + "]".repeat(127) + "}");
        for (String json : documents) {
            Document document = Document.parse(json);
            List<String> fields = json.length() < Document.MAX_SIZE / 2
                    ? List.of("document", "a.b.c", "a" + ".a".repeat(127))
                    : List.of("document");
            for (String field : fields) {
                String names = "{\"" + field.replace(".", "\":{\"") + "\":";
                String line = "{\"id\":\"x\"," + names.substring(1) + document.json()
                        + "}".repeat(field.split("\\.", -1).length);
                Iterator<String> lines = List.of(line).iterator();
                TableBatch batch = Tables.of(people().pail()).batch();
                batch.load(
                        "people",
                        () -> lines.hasNext() ? lines.next() : null,
                        new TableBatch.Load(FieldPath.parse("id"), Optional.of(FieldPath.parse(field)), false),
                        count -> {});
                Row row = batch.commit().table("people").get("x").orElseThrow();
                assertThat(row.cid()).isEqualTo(document.cid());
                assertThat(row.document()).isEqualTo(document);
            }
        }
        for (String[] bad : new String[][] {
            {"{\"a\":" + "[".repeat(500) + "]".repeat(500) + "}", "line 1, column 520: more than 500 levels (D1)"},
            {"{\"a\":\"" + "x".repeat(Document.MAX_SIZE - 7) + "\"}", "8388609 bytes"},
            {"{\"a\":1,\"a\":2}", "twice"},
            {"[]", "line 1, column 1: a row has its document in the field \"doc\": an object"}
        }) {
            assertThatThrownBy(() -> Tables.of(people().pail())
                            .batch()
                            .load(
                                    "people",
                                    () -> "{\"id\":1,\"doc\":" + bad[0] + "}",
                                    new TableBatch.Load(
                                            FieldPath.parse("id"), Optional.of(FieldPath.parse("doc")), false),
                                    count -> {}))
                    .isInstanceOf(DocumentException.class)
                    .hasMessageContaining(bad[1]);
        }
    }

    /** In small shards of version 0 the root depends on the order of changes: it is that of the keys (T8). */
    @Test
    void theRootDoesNotDependOnTheOrderOfRows_T8() {
        Random random = new Random(Randomness.seed("TableTest.theRootDoesNotDependOnTheOrderOfRows"));
        Pail empty = Tables.of(Pail.create(blocks, ShardFormat.v0(1_200, 16)))
                .create("people")
                .createIndex(CITY)
                .createIndex(AGE)
                .pail();
        List<Integer> numbers = new ArrayList<>(IntStream.range(0, 100).boxed().toList());
        Pail inOrder = loaded(empty, numbers);
        Pail changed = changed(inOrder, numbers);

        Pail oneByOne = empty;
        for (Entry entry : inOrder.entries().toList()) {
            oneByOne = oneByOne.put(entry.key(), entry.value());
        }
        assertThat(inOrder.root()).isEqualTo(oneByOne.root());
        for (int i = 0; i < 10; i++) {
            Collections.shuffle(numbers, random);
            assertThat(loaded(empty, numbers).root()).isEqualTo(inOrder.root());
            assertThat(changed(inOrder, numbers).root()).isEqualTo(changed.root());
        }
    }

    private static Pail loaded(Pail pail, List<Integer> numbers) {
        TableBatch batch = Tables.of(pail).batch();
        Iterator<String> lines = numbers.stream()
                .map(n -> "{\"id\":" + n + ",\"age\":" + n % 7 + ",\"address\":{\"city\":\"" + "abc".charAt(n % 3) + n
                        + "\"}}")
                .iterator();
        batch.load(
                "people",
                () -> lines.hasNext() ? lines.next() : null,
                new TableBatch.Load(FieldPath.parse("id"), false),
                n -> {});
        return batch.commit().pail();
    }

    private static Pail changed(Pail pail, List<Integer> numbers) {
        TableBatch batch = Tables.of(pail).batch();
        for (int n : numbers) {
            switch (n % 4) {
                case 0 -> batch.delete("people", "" + n);
                case 1 -> batch.put("people", "" + n, person("Oslo", n));
                case 2 -> batch.insert("people", "new " + n, person("Rome", n));
                default -> batch.put("people", "" + n, person("a" + n, 100 + n));
            }
        }
        return batch.commit().pail();
    }

    @Test
    void aBadLineIsNamedAndNothingIsLoaded() {
        Table table = people().put("7", person("Oslo", 1));
        assertThatThrownBy(() -> load(table, false, "{\"id\":\"a\"}", "{\"id\":\"b\",}"))
                .isInstanceOfSatisfying(DocumentException.class, e -> {
                    assertThat(e.line()).isEqualTo(2);
                    assertThat(e.column()).isBetween(10, 12);
                })
                .hasMessageStartingWith("line 2, column 1");
        assertThatThrownBy(() -> load(table, false, "{\"id\":\"a\"}", "{\"no\":1}"))
                .hasMessageContaining("line 2")
                .hasMessageContaining("\"id\"");
        assertThatThrownBy(() -> load(table, false, "{\"id\":[1]}")).hasMessageContaining("line 1");
        assertThatThrownBy(() -> load(table, false, "{\"id\":1}", "{\"id\":7}"))
                .hasMessageContaining("line 2")
                .hasMessageContaining("already");
        assertThatThrownBy(() -> load(table, false, "{\"id\":1}", "{\"id\":\"1\"}"))
                .hasMessageContaining("line 2: there is a row \"1\"");
        assertThatThrownBy(() -> load(table, true, "{\"id\":1,\"age\":{}}"))
                .hasMessageContaining("line 1: the row \"1\" has an object");
    }

    @Test
    void differencesAreRows() {
        Tables before = Tables.of(
                people().put("1", person("a", 1)).put("2", person("b", 2)).pail());
        Tables after = Tables.of(before.table("people")
                .put("2", person("c", 2))
                .delete("1")
                .put("3", person("d", 3))
                .pail());
        List<RowChange> changes = before.diff(after).toList();
        assertThat(changes.stream().map(RowChange::id)).containsExactly("1", "2", "3");
        assertThat(changes.get(0).after()).isEmpty();
        assertThat(changes.get(1).before().orElseThrow().document()).isEqualTo(person("b", 2));
        assertThat(changes.get(1).after().orElseThrow().document()).isEqualTo(person("c", 2));
        assertThat(changes.get(2).before()).isEmpty();
        assertThat(changes).allMatch(change -> change.table().equals("people"));
        Tables dropped = after.drop("people").tables();
        assertThat(after.diff(dropped).map(RowChange::id)).containsExactly("2", "3");
        assertThat(dropped.diff(after).map(change -> change.after().isPresent()))
                .containsExactly(true, true);
        assertThat(after.diff(Tables.of(
                        after.table("people").createIndex(FieldPath.parse("x")).pail())))
                .isEmpty();
    }

    @Test
    void copiesThatMadeTheSameTableAndWereMergedAgree_T3_T7() {
        Pail base = Pail.create(blocks);
        Table ours = Tables.of(base)
                .create("people")
                .createIndex(AGE)
                .put("1", person("Oslo", 1))
                .put("x", person("a", 5));
        Table theirs = Tables.of(base)
                .create("people")
                .createIndex(AGE)
                .put("2", person("Rome", 2))
                .put("x", person("b", 6));
        Pail merged = Pail.merge(base, ours.pail(), theirs.pail(), MergePolicy.theirs());
        Table both = Tables.of(merged).table("people");
        assertThat(ids(both.rows())).containsExactly("1", "2", "x");
        // The entry of the document that gave way is there, but it counts no more.
        assertThat(ids(both.find(AGE, ValueRange.all()))).containsExactly("1", "2", "x");
        assertThat(ids(both.rows(Filter.parse("age == 5")))).isEmpty();
        assertThat(ids(both.rows(Filter.parse("age == 6")))).containsExactly("x");
    }

    @Test
    void otherKeysStayOutOfTheWay_T9() {
        Cid value = Block.of(Cid.RAW, new byte[0]).cid();
        Pail pail = people().put("1", person("a", 1))
                .pail()
                .put("Zebra", value)
                .put("F", value)
                .put("Photos", value);
        Table table = Tables.of(pail).table("people");
        assertThat(ids(table.rows())).containsExactly("1");
        assertThat(ids(table.find(AGE, ValueRange.all()))).containsExactly("1");
        assertThat(keys(Tables.of(pail).drop("people").tables().pail())).containsExactly("F", "Photos", "Zebra");
    }

    @Test
    void keysThatAreNoEntriesStayOutOfTheWayBesideThoseThatAre_T9() {
        Table table = people().put("1", person("a", 1)).put("2", person("a", 1));
        Cid document = table.get("1").orElseThrow().cid();
        String entry = new FieldKey("age", "people", Scalar.of(1), Bytes.of("1")).toKey();
        String start = entry.substring(0, entry.length() - 1);
        Pail pail = table.pail().put(start.replace("41P11!O", "41P110!O") + "1", document);
        for (String rest : List.of("!", "0~~", "1!O2", "1~~", "}", "~~")) {
            pail = pail.put(start + rest, document).put(table.key("") + rest, document);
        }
        Table odd = Tables.of(pail).table("people");
        assertThat(pail.count(KeyRange.prefix(start))).isEqualTo(8);
        assertThat(ids(odd.find(AGE, ValueRange.all()))).containsExactly("1", "2");
        assertThat(ids(odd.rows())).containsExactly("1", "2");
    }

    @Test
    void damageIsNamed() {
        Table table = people().put("1", person("a", 1));
        byte[] tooLarge = new DagCborWriter()
                .map(2)
                .text("number")
                .integer(1 << 16)
                .text("indexes")
                .array(0)
                .toByteArray();
        Block foreign = Block.of(Cid.DAG_CBOR, tooLarge);
        blocks.put(foreign);
        Tables odd = Tables.of(table.pail().put("Tpeople", foreign.cid()));
        assertRefused(TableException.Reason.DAMAGED, foreign.cid().toString(), () -> odd.table("people"));
        assertRefused(TableException.Reason.DAMAGED, foreign.cid().toString(), odd::list);
    }

    @Test
    void numbersOfTablesAreThoseOfTheirNamesUnlessTaken_T3() {
        Tables tables = empty();
        int wished = TableInfo.wishedNumber("people");
        byte[] hash = Block.of(Cid.RAW, "people".getBytes(StandardCharsets.UTF_8))
                .cid()
                .digest();
        assertThat(wished).isEqualTo(ByteBuffer.wrap(hash).getShort(30) & 0xffff);
        assertThat(tables.create("people").info().number).isEqualTo(wished);
        // Another name with the same number: the next one is taken.
        String other = Stream.iterate(0, n -> n + 1)
                .map(n -> "t" + n)
                .filter(name -> TableInfo.wishedNumber(name) == wished)
                .findFirst()
                .orElseThrow();
        Tables both = Tables.of(
                Tables.of(tables.create("people").pail()).create(other).pail());
        assertThat(both.table(other).info().number).isEqualTo((wished + 1) & 0xffff);
        Tables rows = both.batch()
                .put("people", "1", person("a", 1))
                .put(other, "1", person("b", 2))
                .commit();
        assertThat(rows.table("people").get("1").orElseThrow().document()).isEqualTo(person("a", 1));
        assertThat(rows.table(other).rows()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void aRowIsProvedByItsKey(ShardFormat format) {
        Table table = Tables.of(Pail.create(blocks, format)).create("people").put("ann", person("Oslo", 30));
        Cid row = table.get("ann").orElseThrow().cid();
        Cid root = table.pail().root();
        Proof present = Proof.read(table.pail().prove(table.key("ann")).bytes());
        assertThat(present.verify(root, new Query.Key(table.key("ann")))).isEqualTo(new Answer.Present(row));
        Proof absent = Proof.read(table.pail().prove(table.key("bob")).bytes());
        assertThat(absent.verify(root, new Query.Key(table.key("bob")))).isEqualTo(new Answer.Absent());
        assertThatThrownBy(() -> table.key("\ud800")).isInstanceOf(TableException.class);
    }
}
