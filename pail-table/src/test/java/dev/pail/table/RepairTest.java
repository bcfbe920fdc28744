package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.Batch;
import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.Conflict;
import dev.pail.CorruptBlockException;
import dev.pail.Entry;
import dev.pail.KeyChange;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.OrderedValue;
import dev.pail.table.index.TableInfo;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tables of versions that were merged: what a merge leaves that knows nothing of tables, and what a repair makes of it. */
class RepairTest {
    private static final int HISTORIES = Randomness.times(300, 20_000);
    private static final int STEPS = 12;

    /** Two names that wish for one number. */
    private static final String TWIN = "t388";

    private static final String OTHER_TWIN = "t466";

    private static final FieldPath AGE = FieldPath.parse("age");
    private static final FieldPath CITY = FieldPath.parse("city");
    private static final FieldPath TAGS = FieldPath.parse("tags");

    private final MemoryBlockStore blocks = new MemoryBlockStore();
    private final Pail empty = Pail.create(blocks, ShardFormat.v1());
    private final Table people = Tables.of(empty).create("people");

    private static Document document(String json) {
        return Document.parse(json);
    }

    private static List<String> keys(Pail pail) {
        return pail.entries().map(Entry::key).toList();
    }

    private static List<String> ids(Table table, String filter) {
        return table.rows(Filter.parse(filter)).map(Row::id).sorted().toList();
    }

    /** Merges and repairs, from either side: both must come to the same. */
    private static Repair merged(Pail base, Pail ours, Pail theirs) {
        Pail merged = Pail.merge(base, ours, theirs, MergePolicy.theirs());
        Repair repair = Tables.of(merged).repair(ours);
        assertThat(Tables.of(merged).repair(theirs)).satisfies(other -> {
            assertThat(other.tables().pail().root())
                    .isEqualTo(repair.tables().pail().root());
            assertThat(other.notes()).isEqualTo(repair.notes());
        });
        assertThat(Tables.of(merged).reindex().tables().pail().root())
                .isEqualTo(repair.tables().pail().root());
        assertRight(repair.tables());
        return repair;
    }

    private static void assertRight(Tables tables) {
        Repair again = tables.reindex();
        assertThat(again.tables().pail().root()).isEqualTo(tables.pail().root());
        assertThat(again.added() + again.removed()).isZero();
        if (again.notes().isEmpty()) {
            assertThat(tables.pail().entries().filter(RepairTest::isOfAnIndex))
                    .containsExactlyElementsOf(wanted(tables));
        }
    }

    private static boolean isOfAnIndex(Entry entry) {
        try {
            if (entry.key().startsWith("F")) {
                FieldKey.parse(entry.key());
            } else {
                ReverseKey.parse(entry.key());
            }
            return true;
        } catch (TableException e) {
            return false;
        }
    }

    /** The entries of indexes that the rows ask for, in order: what a repair comes to, written down as plainly as it goes. */
    private static List<Entry> wanted(Tables tables) {
        List<Entry> wanted = new ArrayList<>();
        for (Table table : tables.list()) {
            for (FieldPath field : table.indexes()) {
                table.rows()
                        .forEach(row -> row.document().get(field).ifPresent(value -> {
                            Bytes id = Bytes.of(row.id());
                            FieldKey entry = new FieldKey(field.text(), table.name(), value, id);
                            wanted.add(new Entry(entry.toKey(), row.cid()));
                            wanted.add(new Entry(
                                    new ReverseKey(table.name(), field.text(), id).toKey(),
                                    IndexKeys.inline(OrderedValue.encode(value.value))));
                        }));
            }
        }
        wanted.sort(Comparator.comparing(Entry::key));
        return wanted;
    }

    @Test
    void anIndexOnOneSideAndARowOnTheOther_R1() {
        Table ours = people.createIndex(AGE);
        Table theirs = people.put("bo", document("{\"age\":9}"));
        Repair repair = merged(people.pail(), ours.pail(), theirs.pail());
        assertThat(ids(repair.tables().table("people"), "age == 9")).containsExactly("bo");
        assertThat(repair.added()).isEqualTo(2);
        assertThat(repair.notes()).isEmpty();
        Pail right = repair.tables().pail();
        assertThat(right.root()).isEqualTo(theirs.createIndex(AGE).pail().root());
        assertThat(repair.tables().repair(ours.pail()).tables().pail().root()).isEqualTo(right.root());
    }

    /** Twenty-one times two links to the same shard. */
    @Test
    void moreKeysThanAnybodyCanGoThroughAreNotLookedAt() {
        Cid shard = Pail.create(blocks)
                .put("k", Block.of(Cid.RAW, new byte[1]).cid())
                .root();
        for (int level = 0; level < 21; level++) {
            DagCborWriter out = new DagCborWriter().map(3).text("entries").array(2);
            for (String key : List.of("a", "b")) {
                out.array(2).text(key).array(1).link(shard);
            }
            out.text("maxSize").integer(512 * 1024).text("maxKeyLength").integer(64);
            Block block = Block.of(Cid.DAG_CBOR, out.toByteArray());
            blocks.put(block);
            shard = block.cid();
        }
        Tables bomb = Tables.of(Pail.open(blocks, shard));
        assertThatThrownBy(() -> bomb.repair(Pail.create(blocks)))
                .hasMessageStartingWith("malformed shard: ")
                .hasMessageContaining("X7");
    }

    /** What a load of more changes than an event has comes to: the row of the one, the entries of the other. */
    @Test
    void aRowOfOneSideAndEntriesOfTheOther() {
        Table base = people.createIndex(AGE).put("bo", document("{\"age\":9}"));
        Pail ours = base.put("bo", document("{\"age\":10}")).pail();
        Pail theirs = base.put("bo", document("{\"age\":11}")).pail();
        MergePolicy apart = MergePolicy.resolve(
                (Conflict conflict) -> conflict.key().startsWith("P") ? conflict.ours() : conflict.theirs());
        Tables merged = Tables.of(Pail.merge(base.pail(), ours, theirs, apart));
        for (Pail before : List.of(ours, theirs, base.pail())) {
            Tables right = merged.repair(before).tables();
            assertThat(right.pail().diff(ours).isEmpty()).isTrue();
        }
        assertThat(merged.reindex().tables().pail().diff(ours).isEmpty()).isTrue();
        assertThat(merged.reindex("people").tables().pail().diff(ours).isEmpty())
                .isTrue();
    }

    /** Where there is no index, nothing is asked of documents. */
    @Test
    void ofATableWithoutIndexesNoDocumentIsRead() {
        Cid absent = Block.of(Cid.DAG_CBOR, new byte[] {(byte) 0xa1}).cid();
        Pail theirs = people.pail().put(people.info().rows + "bo", absent);
        Pail ours = people.put("ada", document("{}")).pail();
        Repair repair = merged(people.pail(), ours, theirs);
        assertThat(repair.notes()).isEmpty();
        assertThat(repair.tables().table("people").rows().map(Row::id)).containsExactly("ada", "bo");
    }

    @Test
    void anIndexThatARowDoesNotFitInIsTakenAway_R3() {
        Table base = people.put("ada", document("{\"tags\":\"x\"}"));
        Repair repair = merged(
                base.pail(),
                base.createIndex(TAGS).createIndex(AGE).pail(),
                base.put("bo", document("{\"age\":9,\"tags\":[\"x\"]}")).pail());
        Table table = repair.tables().table("people");
        assertThat(table.indexes()).containsExactly(AGE);
        assertThat(ids(table, "exists tags")).containsExactly("ada", "bo");
        assertThat(ids(table, "age == 9")).containsExactly("bo");
        assertThat(repair.notes()).singleElement().asString().contains("\"tags\"", "\"people\"", "\"bo\"", "a list");
    }

    @Test
    void anIndexWhoseKeysThePailDoesNotTakeIsTakenAway_R3() {
        Pail small = Pail.create(blocks, ShardFormat.v1(40));
        Table base = Tables.of(small).create("p");
        Repair repair = merged(
                base.pail(),
                base.createIndex(AGE).pail(),
                base.put("r".repeat(30), document("{\"age\":9}")).pail());
        assertThat(repair.tables().table("p").indexes()).isEmpty();
        assertThat(repair.notes()).singleElement().asString().contains("was taken away");
    }

    @Test
    void rowsWithoutTheirDocumentsAreLeftAndTold_R4() {
        Pail ours = people.createIndex(AGE).pail();
        Document absent = document("{\"age\":9}");
        String row = new PositionKey(people.info().number, Bytes.of("bo")).toKey();
        Pail theirs = people.pail().put(row, absent.cid());
        Tables merged = Tables.of(Pail.merge(people.pail(), ours, theirs));
        Repair repair = merged.repair(ours);
        assertThat(repair.tables().pail().root()).isEqualTo(merged.pail().root());
        assertThat(repair.notes())
                .singleElement()
                .asString()
                .contains(
                        "1 rows of the table \"people\"", "\"bo\"", absent.cid().toString());
        blocks.put(absent.block());
        assertThat(ids(repair.tables().reindex().tables().table("people"), "age == 9"))
                .containsExactly("bo");
    }

    @Test
    void aTableThatWasDroppedOnOneSideLeavesNothingInTheNextOfItsName_R2() {
        Table base = people.createIndex(AGE).put("ada", document("{\"age\":36}"));
        Pail dropped = Tables.of(base.pail()).drop("people").tables().pail();
        Pail put = base.put("bo", document("{\"age\":9}")).pail();
        Repair repair = merged(base.pail(), dropped, put);
        Pail unrepaired = Pail.merge(base.pail(), dropped, put);
        for (Tables tables : List.of(repair.tables(), Tables.of(unrepaired))) {
            assertThat(tables.list()).isEmpty();
            assertThat(keys(tables.create("people").pail()))
                    .noneMatch(key -> key.startsWith("F") || key.startsWith("R"));
            Table again = tables.create("people").createIndex(AGE);
            assertThat(again.rows()).isEmpty();
            assertThat(again.find(AGE, ValueRange.all())).isEmpty();
            assertThat(keys(again.pail())).noneMatch(key -> key.startsWith("F") || key.startsWith("R"));
        }
    }

    /** The row is there in both versions, as it was left under a number without a table. */
    @Test
    void aTableThatIsThereAgainFindsTheRowsThatWereLeft_R5() {
        Table base = people.createIndex(AGE).put("ada", document("{\"age\":36}"));
        Pail dropped = Tables.of(base.pail()).drop("people").tables().pail();
        Pail left = merged(
                        base.pail(),
                        dropped,
                        base.put("bo", document("{\"age\":9}")).pail())
                .tables()
                .pail();
        assertThat(keys(left)).containsExactly(people.info().rows + "bo");
        String key = TableInfo.key("people");
        Tables again = Tables.of(left.put(key, base.pail().get(key).orElseThrow()));
        Repair repair = again.repair(left);
        assertThat(ids(repair.tables().table("people"), "age == 9")).containsExactly("bo");
        assertRight(repair.tables());
    }

    /** A row that was left is in no version without its table, and in each with it, whether its key differs or not. */
    @Test
    void aDiffHasTheRowsOfTablesAndNoneThatWereLeft() {
        Table base = people.put("ada", document("{}"));
        Pail dropped = Tables.of(base.pail()).drop("people").tables().pail();
        Tables left = merged(
                        base.pail(), dropped, base.put("bo", document("{}")).pail())
                .tables();
        String key = TableInfo.key("people");
        Tables again = Tables.of(left.pail().put(key, base.pail().get(key).orElseThrow()));
        assertThat(changes(base.pail(), left.pail())).containsExactly("- ada");
        assertThat(changes(left.pail(), base.pail())).containsExactly("+ ada");
        assertThat(changes(dropped, left.pail())).isEmpty();
        assertThat(changes(left.pail(), again.pail())).containsExactly("+ bo");
        assertThat(changes(again.pail(), left.pail())).containsExactly("- bo");
        assertThat(changes(base.pail(), again.pail())).containsExactlyInAnyOrder("- ada", "+ bo");
        Table other = left.create("others").put("bo", document("{}"));
        assertThat(changes(again.pail(), other.pail())).containsExactlyInAnyOrder("- bo", "+ bo");
    }

    private static List<String> changes(Pail before, Pail after) {
        return Tables.of(before)
                .diff(Tables.of(after))
                .map(change -> (change.before().isPresent() ? "-" : "")
                        + (change.after().isPresent() ? "+" : "")
                        + " " + change.id())
                .toList();
    }

    @Test
    void entriesOfATableWhoseBlockIsMissingAreLeftAndTold_R4() {
        Table table = people.createIndex(AGE).put("bo", document("{\"age\":9}"));
        Cid absent = Block.of(Cid.DAG_CBOR, new byte[] {(byte) 0xa1}).cid();
        Pail without = table.pail().put(TableInfo.key("people"), absent);
        for (Repair repair : List.of(
                Tables.of(without).repair(table.pail()), Tables.of(without).reindex())) {
            assertThat(repair.tables().pail().root()).isEqualTo(without.root());
            assertThat(repair.notes()).singleElement().asString().contains("\"people\"", absent.toString());
        }
    }

    /** What has other bytes than it should in the place of a block. */
    private BlockStore corrupting(Cid corrupt) {
        return new OtherReads(blocks, cid -> {
            if (cid.equals(corrupt)) {
                throw new CorruptBlockException(cid, "other bytes");
            }
            return blocks.get(cid);
        });
    }

    @Test
    void aTableWhoseBlockIsDamagedIsToldAndTheOthersGoOn() {
        Table table = people.createIndex(AGE).put("bo", document("{\"age\":9}"));
        Table towns = Tables.of(table.pail()).create("towns").createIndex(CITY).put("o", document("{\"city\":\"x\"}"));
        Cid definition = towns.pail().get("Tpeople").orElseThrow();
        Pail merged = towns.pail().delete(new ReverseKey("towns", "city", Bytes.of("o")).toKey());
        Tables tables = Tables.of(Pail.open(corrupting(definition), merged.root()));
        assertThat(ids(tables.table("towns"), "city == 'x'")).containsExactly("o");
        for (ThrowingCallable use : List.<ThrowingCallable>of(
                tables::list, () -> tables.table("people"), () -> tables.create("more"), () -> tables.drop("people"))) {
            assertThatThrownBy(use)
                    .isInstanceOf(TableException.class)
                    .hasMessageContainingAll("the key \"Tpeople\"", "is damaged: " + definition)
                    .hasCauseInstanceOf(CorruptBlockException.class);
        }
        for (Repair repair : List.of(tables.repair(towns.pail()), tables.reindex())) {
            assertThat(repair.tables().pail().root()).isEqualTo(towns.pail().root());
            assertThat(repair.added()).isEqualTo(1);
        }
        assertThat(tables.reindex().notes()).singleElement().asString().contains("\"people\"", definition.toString());
    }

    /** Its rows may be those of the table whose declaration cannot be read. */
    @Test
    void aTableIsNotDroppedWhereAnotherCannotBeRead_T2() {
        Pail base = people.pail();
        Pail merged = Pail.merge(
                base,
                Tables.of(base).create(TWIN).put("a", document("{}")).pail(),
                Tables.of(base)
                        .create(OTHER_TWIN)
                        .createIndex(AGE)
                        .put("b", document("{}"))
                        .pail());
        String key = TableInfo.key(OTHER_TWIN);
        Cid definition = merged.get(key).orElseThrow();
        Cid absent = Block.of(Cid.DAG_CBOR, new byte[] {(byte) 0xa1}).cid();
        for (Pail unreadable : List.of(merged.put(key, absent), Pail.open(corrupting(definition), merged.root()))) {
            for (String name : List.of(TWIN, "people")) {
                assertThatThrownBy(() -> Tables.of(unreadable).drop(name))
                        .isInstanceOf(TableException.class)
                        .hasMessageContainingAll(
                                "the table \"" + name + "\" is not dropped",
                                "the key \"" + key + "\"",
                                unreadable.get(key).orElseThrow().toString())
                        .cause()
                        .isInstanceOf(BlockException.class);
            }
        }
        // A caller that knows that the key belongs to no table removes it.
        assertThat(keys(Tables.of(merged.put(key, absent).delete(key))
                        .drop(TWIN)
                        .tables()
                        .pail()))
                .containsExactly("Tpeople");
    }

    @Test
    void aKeyUnderTheNumberOfATableThatIsNoRowHasNoEntries() {
        Table table = people.createIndex(AGE).put("bo", document("{\"age\":9}"));
        Document document = document("{\"age\":10}");
        blocks.put(document.block());
        List<Bytes> ids = List.of(Bytes.of(new byte[] {(byte) 0xff}), Bytes.of("x".repeat(1_025)));
        Batch rows = table.pail().batch();
        ids.forEach(id -> rows.put(new PositionKey(people.info().number, id).toKey(), document.cid()));
        Pail right = rows.commit();
        Batch entries = right.batch();
        ids.forEach(id -> entries.put(new FieldKey("age", "people", Scalar.of(10), id).toKey(), document.cid()));
        Tables stray = Tables.of(entries.commit());
        for (Repair repair : List.of(stray.repair(right), stray.reindex())) {
            assertThat(repair.tables().pail().diff(right).keys()).isEmpty();
        }
    }

    /** Zeros at an end of the digits, where the exponent is at its limit: without them there is no such exponent. */
    @Test
    void aKeyWhoseValueIsNoNumberIsNoEntry() {
        Table table = people.createIndex(AGE).put("bo", document("{\"age\":9}"));
        Document document = document("{\"age\":10}");
        blocks.put(document.block());
        for (String value : List.of("410001", "4-oo98:")) {
            Pail foreign = table.pail().put("F!Oage!Opeople!O" + value + "!Ox", document.cid());
            Table with = Tables.of(foreign).table("people");
            assertThat(with.find(AGE, ValueRange.all()).map(Row::id)).containsExactly("bo");
            assertThat(ids(with, "age > 0 or age < 0")).containsExactly("bo");
            for (Repair repair : List.of(
                    Tables.of(foreign).repair(table.pail()), Tables.of(foreign).reindex())) {
                assertThat(repair.tables().pail().root()).isEqualTo(foreign.root());
                assertThat(repair.notes()).isEmpty();
            }
        }
    }

    @Test
    void droppingATableTakesAllIndexesOfItsName_T8() {
        Table base = people.put("ada", document("{\"age\":36,\"city\":\"Oslo\"}"));
        Pail age = base.createIndex(AGE).pail();
        Pail city = base.createIndex(CITY).pail();
        Pail merged = Pail.merge(base.pail(), age, city, MergePolicy.theirs());
        Pail other = Tables.of(merged)
                .create("places")
                .createIndex(AGE)
                .put("o", document("{\"age\":1}"))
                .pail();
        assertThat(keys(Tables.of(merged).drop("people").tables().pail())).isEmpty();
        assertThat(keys(Tables.of(other).drop("people").tables().pail())).hasSize(4);
        assertThat(keys(merged(base.pail(), age, city).tables().pail())).hasSize(4);
        // An index that is made where entries of an earlier one were left has its own only.
        Table without = Tables.of(merged).table("people").put("ada", document("{\"age\":5}"));
        assertThat(without.createIndex(AGE).find(AGE, ValueRange.all()).map(Row::id))
                .containsExactly("ada");
        assertThat(keys(without.createIndex(AGE).pail()))
                .filteredOn(key -> key.startsWith("F!Oage"))
                .hasSize(1);
    }

    @Test
    void theBlockOfATableHasItsNumberAndFieldsInOrder_T2() {
        Table table = people.createIndex(CITY).createIndex(AGE);
        byte[] expected = new DagCborWriter()
                .map(2)
                .text("number")
                .integer(table.info().number)
                .text("indexes")
                .array(2)
                .text("age")
                .text("city")
                .toByteArray();
        assertThat(table.pail().get("Tpeople"))
                .contains(Block.of(Cid.DAG_CBOR, expected).cid());
    }

    @Test
    void tablesThatGotOneNumberAreNotOpened_T2() {
        assertThat(TableInfo.wishedNumber(TWIN)).isEqualTo(TableInfo.wishedNumber(OTHER_TWIN));
        Pail base = people.put("x", document("{}")).pail();
        Pail ours = Tables.of(base)
                .create(TWIN)
                .createIndex(AGE)
                .put("1", document("{\"age\":1}"))
                .pail();
        Pail theirs = Tables.of(base)
                .create(OTHER_TWIN)
                .createIndex(CITY)
                .put("2", document("{\"age\":2}"))
                .pail();
        Repair repair = merged(base, ours, theirs);
        Tables tables = repair.tables();
        assertThat(repair.notes()).singleElement().asString().contains("\"t388\" and \"t466\"", "same number");
        Stream.<ThrowingCallable>of(
                        () -> tables.table(TWIN),
                        () -> tables.find(OTHER_TWIN),
                        tables::list,
                        () -> tables.batch().put(TWIN, "3", document("{}")),
                        () -> tables.reindex(TWIN),
                        () -> assertThat(tables.diff(Tables.of(base))).isEmpty())
                .forEach(use -> assertThatThrownBy(use)
                        .isInstanceOfSatisfying(
                                TableException.class,
                                e -> assertThat(e.reason()).isEqualTo(TableException.Reason.SAME_NUMBER))
                        .hasMessageContaining("\"t388\" and \"t466\""));
        assertThat(tables.table("people").rows()).hasSize(1);
        assertThat(tables.create("new").name()).isEqualTo("new");
        // Who drops one leaves the rows to the other, with the indexes that this has.
        Table left = tables.drop(OTHER_TWIN).tables().table(TWIN);
        assertThat(left.rows().map(Row::id)).containsExactly("1", "2");
        assertThat(ids(left, "age > 1")).containsExactly("2");
        assertRight(Tables.of(left.pail()));
        assertThat(keys(Tables.of(left.pail())
                        .drop(TWIN)
                        .tables()
                        .drop("people")
                        .tables()
                        .pail()))
                .isEmpty();
    }

    @Test
    void allTablesOfOneNumberAreNamed_T2() {
        Pail pail = people.pail();
        for (String name : List.of("t767", "t1786", "t2828", "t1")) {
            String key = TableInfo.key(name);
            pail = pail.put(
                    key, Tables.of(people.pail()).create(name).pail().get(key).orElseThrow());
        }
        Tables tables = Tables.of(pail);
        for (ThrowingCallable use : List.<ThrowingCallable>of(tables::list, () -> tables.find("t1786"))) {
            assertThatThrownBy(use).hasMessageContaining("\"t1786\" and \"t2828\" and \"t767\"");
        }
        assertThat(tables.find("t1")).isPresent();
    }

    @Test
    void otherKeysMayStartAsEntriesOfAnIndexDo_T9() {
        Table table = people.createIndex(AGE).put("bo", document("{\"age\":9}"));
        Cid bo = table.get("bo").orElseThrow().cid();
        String entry = keys(table.pail()).stream()
                .filter(key -> key.startsWith("F"))
                .findFirst()
                .orElseThrow();
        String index = entry.substring(0, entry.indexOf("people!O") + "people!O".length());
        // No row, no byte, no row that can be, and what is no number for the row.
        for (String other : List.of(index + "41", index + "4!", index + "41!O!", index + "4!Obo", index + "4100!Obo")) {
            Tables tables = Tables.of(table.pail().put(other, bo));
            assertThat(tables.reindex().tables().pail().root())
                    .as(other)
                    .isEqualTo(tables.pail().root());
            Table there = tables.table("people");
            assertThat(there.find(AGE, ValueRange.all()).map(Row::id)).as(other).containsExactly("bo");
            assertThat(ids(there, "exists age")).as(other).containsExactly("bo");
        }
    }

    @Test
    void otherKeysMayStartAsThoseOfTablesDo_T9() {
        Cid raw = Block.of(Cid.RAW, new byte[0]).cid();
        Block map = Block.of(Cid.DAG_CBOR, new byte[] {(byte) 0xa0});
        blocks.put(map);
        String number = people.info().rows;
        List<String> others = List.of(
                "TODO",
                "T",
                "T~",
                "Tao",
                "PHOTO",
                "P",
                "P!",
                "FOO",
                "F",
                "F!O",
                "F!Oage!Opeople",
                "R",
                "R!O",
                "RED",
                number + "!",
                number + "a!Ob",
                number + "~~");
        Pail pail = empty;
        for (String key : others) {
            pail = pail.put(key, key.equals("Tao") ? map.cid() : raw);
        }
        Table table = Tables.of(pail).create("towns").createIndex(AGE).put("oslo", document("{\"age\":900}"));
        Tables tables = Tables.of(table.pail());
        assertThat(tables.list().stream().map(Table::name)).containsExactly("towns");
        assertThat(tables.find("ODO")).isEmpty();
        assertThat(tables.find("ao")).isEmpty();
        assertThat(ids(table, "age > 1")).containsExactly("oslo");
        assertThat(table.rows()).hasSize(1);
        assertThat(Tables.of(empty).diff(tables).map(RowChange::id)).containsExactly("oslo");
        assertThat(tables.repair(empty).tables().pail().root())
                .isEqualTo(table.pail().root());
        assertRight(tables);
        assertThat(keys(tables.drop("towns").tables().pail())).containsExactlyInAnyOrderElementsOf(others);
        assertThatThrownBy(() -> tables.create("ODO")).hasMessageContaining("the key \"TODO\" is where");
        // A number under which there is a key already is not taken.
        Table second = tables.create("people");
        assertThat(second.info().number).isEqualTo(people.info().number + 1);

        Pail unclear = table.pail()
                .put("TODO", Block.of(Cid.DAG_CBOR, new byte[] {(byte) 0xa1}).cid());
        assertThat(Tables.of(unclear).table("towns").rows()).hasSize(1);
        assertThat(Tables.of(unclear).repair(table.pail()).notes()).isEmpty();
        assertThatThrownBy(() -> Tables.of(unclear).list())
                .isInstanceOfSatisfying(
                        TableException.class, e -> assertThat(e.reason()).isEqualTo(TableException.Reason.KEY))
                .hasMessageContaining("the key \"TODO\"");
        Table odd =
                Tables.of(table.pail().put(table.info().rows + "x", map.cid())).table("towns");
        assertThat(odd.get("x").orElseThrow().document()).isEqualTo(document("{}"));
        blocks.put(Block.of(Cid.RAW, new byte[0]));
        Row foreign = Tables.of(table.pail().put(table.info().rows + "x", raw))
                .table("towns")
                .get("x")
                .orElseThrow();
        assertThatThrownBy(foreign::document)
                .isInstanceOf(TableException.class)
                .hasMessageContaining("the key \"" + table.info().rows + "x\"");
    }

    /** Replicas change rows, indexes and tables, and merge in random order: after a repair all are equal, and every index answers. */
    @Test
    void replicasConvergeAndIndexesAnswer_R1_Q4() {
        long seed = Randomness.seed("RepairTest");
        int repairs = 0;
        for (int i = 0; i < HISTORIES; i++) {
            repairs += new Replicas(Randomness.random(seed + i)).run();
        }
        assertThat(repairs).isGreaterThan(HISTORIES);
    }

    /** Three of them, over one block store. */
    private static final class Replicas {
        private static final List<String> NAMES = List.of("t", "u");
        private static final List<FieldPath> FIELDS = List.of(AGE, CITY, TAGS);
        private static final List<String> FILTERS =
                List.of("exists age", "age >= 1", "city == 'x' or age == 0", "exists tags", "tags in ['x', 1, 2]");

        private final Random random;
        private final ReplicatedPail[] all;
        private int repairs;

        Replicas(Random random) {
            this.random = random;
            BlockStore blocks = new MemoryBlockStore();
            ShardFormat format = random.nextBoolean() ? ShardFormat.v0(400, 16) : ShardFormat.v1();
            ReplicatedPail first = ReplicatedPail.create(blocks, format);
            first = follow(first, Tables.of(first.pail()).create("t").pail(), 10);
            all = new ReplicatedPail[] {first, first, first};
        }

        int run() {
            for (int step = 0; step < STEPS; step++) {
                int which = random.nextInt(all.length);
                if (random.nextInt(4) == 0) {
                    all[which] = merge(all[which], all[random.nextInt(all.length)].head());
                } else {
                    all[which] = follow(all[which], change(Tables.of(all[which].pail())), 1 + random.nextInt(4));
                }
            }
            List<Head> heads = Stream.of(all).map(ReplicatedPail::head).toList();
            for (int i = 0; i < all.length; i++) {
                List<Head> order = new ArrayList<>(heads);
                Collections.shuffle(order, random);
                ReplicatedPail merged = all[i];
                for (Head head : order) {
                    merged = merged.merge(head);
                }
                all[i] = repaired(all[i].pail(), merged);
            }
            assertThat(Stream.of(all).map(ReplicatedPail::root).collect(Collectors.toSet()))
                    .hasSize(1);
            assertThat(Stream.of(all).map(ReplicatedPail::head).collect(Collectors.toSet()))
                    .hasSize(1);
            return repairs;
        }

        private ReplicatedPail merge(ReplicatedPail ours, Head theirs) {
            return repaired(ours.pail(), ours.merge(theirs));
        }

        private ReplicatedPail repaired(Pail before, ReplicatedPail merged) {
            Repair repair = Tables.of(merged.pail()).repair(before);
            assertThat(repair.notes()).allMatch(note -> note.contains("was taken away"));
            assertThat(Tables.of(merged.pail()).reindex().tables().pail().root())
                    .isEqualTo(repair.tables().pail().root());
            boolean same = repair.tables().pail().root().equals(merged.root());
            assertThat(same)
                    .isEqualTo(repair.added() + repair.removed() == 0
                            && repair.notes().isEmpty());
            repairs += same ? 0 : 1;
            check(repair.tables());
            return follow(merged, repair.tables().pail(), Integer.MAX_VALUE);
        }

        /** Makes events of a change with at most {@code most} keys each, which splits a change of many keys. */
        private static ReplicatedPail follow(ReplicatedPail at, Pail next, int most) {
            List<KeyChange> changes = at.pail().diff(next).keys().toList();
            ReplicatedPail now = at;
            for (int from = 0; from < changes.size(); from += Math.min(most, changes.size())) {
                ReplicatedBatch batch = now.batch();
                int to = (int) Math.min(changes.size(), (long) from + most);
                for (KeyChange change : changes.subList(from, to)) {
                    change.after()
                            .ifPresentOrElse(cid -> batch.put(change.key(), cid), () -> batch.delete(change.key()));
                }
                now = batch.commit();
            }
            return now;
        }

        private Pail change(Tables tables) {
            String name = NAMES.get(random.nextInt(NAMES.size()));
            Table table = tables.find(name).orElse(null);
            if (table == null) {
                return tables.create(name).pail();
            }
            int kind = random.nextInt(12);
            if (kind == 0) {
                return tables.drop(name).tables().pail();
            }
            if (kind < 4) {
                FieldPath field = FIELDS.get(random.nextInt(FIELDS.size()));
                try {
                    return (table.indexes().contains(field) ? table.dropIndex(field) : table.createIndex(field)).pail();
                } catch (TableException e) {
                    assertThat(e.reason()).isEqualTo(TableException.Reason.NOT_INDEXABLE);
                    return tables.pail();
                }
            }
            TableBatch batch = tables.batch();
            for (int rows = random.nextInt(3); rows >= 0; rows--) {
                String id = "r" + random.nextInt(3);
                if (random.nextInt(4) == 0) {
                    batch.delete(name, id);
                } else {
                    put(batch, name, id);
                }
            }
            return batch.commit().pail();
        }

        private void put(TableBatch batch, String name, String id) {
            List<String> fields = new ArrayList<>();
            if (random.nextBoolean()) {
                fields.add("\"age\":" + random.nextInt(3));
            }
            if (random.nextBoolean()) {
                fields.add("\"city\":\"" + "xyz".charAt(random.nextInt(3)) + "\"");
            }
            if (random.nextInt(3) == 0) {
                fields.add("\"tags\":" + List.of("\"x\"", "1", "[2]").get(random.nextInt(3)));
            }
            try {
                batch.put(name, id, document("{" + String.join(",", fields) + "}"));
            } catch (TableException e) {
                assertThat(e.reason()).isEqualTo(TableException.Reason.NOT_INDEXABLE);
            }
        }

        private static void check(Tables tables) {
            assertRight(tables);
            for (Table table : tables.list()) {
                for (String text : FILTERS) {
                    Filter filter = Filter.parse(text);
                    Set<String> expected = table.rows()
                            .filter(row -> filter.accepts(row.document()))
                            .map(Row::id)
                            .collect(Collectors.toCollection(TreeSet::new));
                    assertThat(table.rows(filter).map(Row::id).toList())
                            .as("%s, by %s", filter, table.explain(filter))
                            .containsExactlyInAnyOrderElementsOf(expected);
                }
            }
        }
    }
}
