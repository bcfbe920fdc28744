package dev.pail.repository.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.table.Column;
import dev.pail.table.Document;
import dev.pail.table.FieldPath;
import dev.pail.table.Filter;
import dev.pail.table.Repair;
import dev.pail.table.Row;
import dev.pail.table.RowMerge;
import dev.pail.table.Schema;
import dev.pail.table.Table;
import dev.pail.table.TableBatch;
import dev.pail.table.TableConflict;
import dev.pail.table.TableException;
import dev.pail.table.TableMerge;
import dev.pail.table.Tables;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Merges of tables with schemas: parts merge by themselves, no row is lost, rows that do not fit are named, and replicas converge. */
class SchemaMergeTest {
    private static final int SCHEDULES = Randomness.times(150, 5_000);
    private static final MergeRules RULES = Tables.mergeRules();
    private static final Schema SCHEMA = Schema.of(List.of(Column.parse("a integer"), Column.parse("b text")));

    private static Table table() {
        return Tables.of(Pail.create(new MemoryBlockStore())).create("t", RowMerge.FIELDS);
    }

    private static Document document(String json) {
        return Document.parse(json);
    }

    private static TableMerge merge(Table base, Table ours, Table theirs) {
        return TableMerge.of(base.pail(), ours.pail(), theirs.pail());
    }

    private static Optional<Schema> schema(TableMerge merge) {
        return merge.by(MergePolicy.ours()).tables().table("t").schema();
    }

    @Test
    void partsOfBothSidesMerge_R13() {
        Schema before = SCHEMA.check(Filter.parse("a != 1")).check(Filter.parse("a != 2"));
        Table base = table().withSchema(before);
        Table ours = base.withSchema(before.with(Column.parse("c date"))
                .without(FieldPath.parse("b"))
                .withoutCheck(Filter.parse("a != 1"))
                .closed());
        Table theirs = base.withSchema(before.with(Column.parse("a integer required"))
                .with(Column.parse("d text"))
                .check(Filter.parse("a != 3"))
                .key(FieldPath.parse("a")));
        for (TableMerge merge : List.of(merge(base, ours, theirs), merge(base, theirs, ours))) {
            assertThat(merge.conflicts()).isEmpty();
            assertThat(schema(merge))
                    .contains(Schema.of(List.of(
                                    Column.parse("a integer required"), Column.parse("c date"), Column.parse("d text")))
                            .check(Filter.parse("a != 2"))
                            .check(Filter.parse("a != 3"))
                            .key(FieldPath.parse("a"))
                            .closed());
        }
        Table dropped = base.withoutSchema();
        assertThat(schema(merge(base, dropped, base.put("x", document("{}"))))).isEmpty();
        assertThat(schema(merge(base, dropped, base.withSchema(before.with(Column.parse("d text"))))))
                .contains(Schema.of(List.of(Column.parse("d text"))));
    }

    @Test
    void aColumnThatBothSidesChangedIsAConflictOfTheTable_R13() {
        Table base = table().withSchema(SCHEMA);
        Table ours = base.withSchema(SCHEMA.with(Column.parse("a decimal")));
        Table theirs = base.withSchema(SCHEMA.with(Column.parse("a text")));
        TableMerge merge = merge(base, ours, theirs);
        assertThat(merge.conflicts()).hasSize(1);
        TableConflict conflict = merge.conflicts().get(0);
        assertThat(conflict.subject())
                .isEqualTo("the schema of the table \"t\" (column: ours \"a decimal\", theirs \"a text\")");
        assertThatThrownBy(() -> merge.by(MergePolicy.fail())).isInstanceOf(MergeConflictException.class);
        Pail merged = merge.by(MergePolicy.ours()).tables().pail();
        assertThat(Tables.of(merged).table("t").schema()).contains(SCHEMA.with(Column.parse("a text")));
        assertThat(merge(base, theirs, ours)
                        .by(MergePolicy.theirs())
                        .tables()
                        .pail()
                        .root())
                .isEqualTo(merged.root());
        // A change is before a removal.
        TableMerge removed = merge(base, ours, base.withSchema(SCHEMA.without(FieldPath.parse("a"))));
        assertThat(removed.conflicts()).hasSize(1);
        assertThat(schema(removed)).contains(SCHEMA.with(Column.parse("a decimal")));
    }

    @Test
    void aRowOfOneSideThatDoesNotFitTheSchemaOfTheOtherIsKeptAndNamed_R14() {
        Table base = table().put("x", document("{\"a\":1}"));
        Table ours = base.withSchema(SCHEMA);
        Table theirs = base.put("y", document("{\"a\":\"no\"}")).put("z", document("{\"a\":2}"));
        TableMerge merge = merge(base, ours, theirs);
        assertThat(merge.conflicts().stream().map(TableConflict::subject))
                .containsExactly(
                        "the row \"y\" of the table \"t\" (the column \"a\" has \"no\", and takes an integer)");
        assertThat(merge.conflicts().get(0).row()).contains("y");
        assertThatThrownBy(() -> merge.by(MergePolicy.fail())).isInstanceOf(MergeConflictException.class);
        Repair merged = merge.by(MergePolicy.theirs());
        assertThat(merged.notes())
                .containsExactly("the row \"y\" of the table \"t\" does not fit its schema: "
                        + "the column \"a\" has \"no\", and takes an integer (R14)");
        Table now = merged.tables().table("t");
        assertThat(now.rows().map(Row::id)).containsExactly("x", "y", "z");
        assertThat(merge(base, theirs, ours)
                        .by(MergePolicy.ours())
                        .tables()
                        .pail()
                        .root())
                .isEqualTo(now.pail().root());
        assertThat(merged.tables().check().notes()).hasSize(1);
        assertThatThrownBy(() -> now.put("y", document("{\"a\":true}"))).isInstanceOf(TableException.class);
        Table right = now.put("y", document("{\"a\":3}"));
        assertThat(Tables.of(right.pail()).check().notes()).isEmpty();
        // A later merge does not name again what one side has already.
        assertThat(merge(ours, now.put("q", document("{}")), ours.put("r", document("{}")))
                        .conflicts())
                .isEmpty();
    }

    @Test
    void rowsMergedByFieldsCanFailACheckThatBothSidesKept_R11_R14() {
        Schema schema = Schema.of(List.of(Column.parse("a integer"))).check(Filter.parse("a == 1 or b == 1"));
        Table base = table().withSchema(schema).put("x", document("{\"a\":1,\"b\":1}"));
        TableMerge merge =
                merge(base, base.put("x", document("{\"a\":0,\"b\":1}")), base.put("x", document("{\"a\":1,\"b\":0}")));
        assertThat(merge.conflicts()).hasSize(1);
        assertThat(merge.conflicts().get(0).subject()).contains("\"x\"", "\"a == 1 or b == 1\" does not hold");
    }

    @Test
    void manyRowsThatDoNotFitAreCounted_R15() {
        Table base = table();
        TableBatch batch = Tables.of(base.pail()).batch();
        for (int i = 0; i < 25; i++) {
            batch.put("t", "r" + i, document("{\"a\":\"" + i + "\"}"));
        }
        TableMerge merge = merge(base, base.withSchema(SCHEMA), batch.commit().table("t"));
        assertThat(merge.conflicts()).hasSize(25);
        Repair merged = merge.by(MergePolicy.ours());
        assertThat(merged.notes())
                .hasSize(11)
                .last()
                .isEqualTo("15 rows more of the table \"t\" not fitting its schema (R14)");
        assertThat(merged.tables().check().notes())
                .hasSize(11)
                .last()
                .isEqualTo("15 rows more of the table \"t\" not fitting its schema (R15)");
    }

    @Test
    void aTableThatIsDeclaredAgainHasItsSchema_R8_R13() {
        Table base = table().withSchema(SCHEMA);
        Pail dropped = Tables.of(base.pail()).drop("t").pail();
        Table theirs = base.withSchema(SCHEMA.closed()).put("x", document("{\"a\":1}"));
        TableMerge merge = TableMerge.of(base.pail(), dropped, theirs.pail());
        assertThat(schema(merge)).contains(SCHEMA.closed());
        TableMerge alone = TableMerge.of(
                base.pail(), dropped, base.withSchema(SCHEMA.closed()).pail());
        assertThat(alone.by(MergePolicy.fail()).tables().list()).isEmpty();
    }

    @Test
    void replicasConvergeInAnyOrderOfMerges_R6_R13_R14() {
        long seed = Randomness.seed("SchemaMergeTest");
        int[] counts = new int[3];
        for (int i = 0; i < SCHEDULES; i++) {
            try {
                schedule(new Random(seed + i), counts);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("schedule -Dpail.seed=" + (seed + i), e);
            }
        }
        assertThat(counts[0]).as("rows that do not fit").isGreaterThan(SCHEDULES / 5);
        assertThat(counts[1]).as("refused changes").isGreaterThan(SCHEDULES / 5);
        assertThat(counts[2]).as("schemas that conflict").isGreaterThan(SCHEDULES / 20);
    }

    private static void schedule(Random random, int[] counts) {
        ReplicatedPail first = ReplicatedPail.create(new MemoryBlockStore(), ShardFormat.v1());
        Table made = Tables.of(first.pail()).create("t", random.nextBoolean() ? RowMerge.FIELDS : RowMerge.WHOLE);
        first = follow(
                first, made.createIndex(FieldPath.parse("a")).withSchema(SCHEMA).pail());
        List<ReplicatedPail> all = new ArrayList<>(List.of(first, first, first));
        for (int step = 0; step < 16; step++) {
            int which = random.nextInt(3);
            int other = (which + 1 + random.nextInt(2)) % 3;
            if (random.nextInt(5) == 0) {
                ReplicatedPail here = merged(all.get(which), all.get(other), counts);
                ReplicatedPail there = merged(all.get(other), all.get(which), counts);
                assertThat(there.root()).isEqualTo(here.root());
                all.set(which, here);
                all.set(other, random.nextBoolean() ? there : all.get(other));
            } else {
                all.set(which, follow(all.get(which), change(all.get(which).pail(), random, counts)));
            }
        }
        ReplicatedPail last = merged(merged(all.get(0), all.get(1), counts), all.get(2), counts);
        for (ReplicatedPail each : all) {
            ReplicatedPail now = merged(each, last, counts);
            assertThat(now.head()).isEqualTo(last.head());
            assertThat(now.root()).isEqualTo(last.root());
        }
    }

    private static Pail change(Pail pail, Random random, int[] counts) {
        try {
            Table table = Tables.of(pail).table("t");
            if (random.nextInt(3) == 0) {
                return changedSchema(table, random).pail();
            }
            String id = "r" + random.nextInt(6);
            if (random.nextInt(6) == 0) {
                return table.delete(id).pail();
            }
            List<String> values = List.of("0", "1", "1.5", "\"x\"", "\"2026-01-31\"", "null");
            return table.put(
                            id,
                            document("{\"a\":" + values.get(random.nextInt(6)) + ",\"b\":"
                                    + values.get(random.nextInt(6)) + "}"))
                    .pail();
        } catch (TableException e) {
            assertThat(e.reason()).isIn(TableException.Reason.MISFIT, TableException.Reason.SCHEMA);
            counts[1]++;
            return pail;
        }
    }

    private static Table changedSchema(Table table, Random random) {
        Schema before = table.schema().orElse(SCHEMA);
        String path = random.nextBoolean() ? "a" : "b";
        Column.Type[] types = Column.Type.values();
        Filter check = Filter.parse(path + " != " + random.nextInt(2));
        Schema next = switch (random.nextInt(8)) {
            case 0 -> before.check(check);
            case 1 -> before.withoutCheck(check);
            case 2 -> random.nextBoolean() ? before.closed() : before.open();
            case 3 -> before.without(FieldPath.parse(path));
            default ->
                before.with(new Column(
                        FieldPath.parse(path),
                        types[random.nextInt(types.length)],
                        random.nextInt(3) == 0,
                        random.nextInt(3) == 0,
                        Optional.empty()));
        };
        return random.nextInt(20) == 0 && table.hasSchema() ? table.withoutSchema() : table.withSchema(next);
    }

    private static ReplicatedPail follow(ReplicatedPail state, Pail to) {
        ReplicatedBatch batch = state.batch();
        state.pail()
                .diff(to)
                .keys()
                .forEach(change -> change.after()
                        .ifPresentOrElse(cid -> batch.put(change.key(), cid), () -> batch.delete(change.key())));
        return batch.commit();
    }

    /** The ids of the rows that do not fit. */
    private static Set<String> misfits(Pail pail, Optional<Schema> schema) {
        return Tables.of(pail)
                .table("t")
                .rows()
                .filter(row -> schema.flatMap(each -> each.misfit(row.id(), row.document()))
                        .isPresent())
                .map(Row::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static ReplicatedPail merged(ReplicatedPail ours, ReplicatedPail theirs, int[] counts) {
        HistoryMerge merge = new HistoryMerge(RULES, ours, theirs.head(), UnrelatedHistories.REFUSE);
        Merged merged = merge.merge(null);
        Pail now = merged.state().pail();
        Tables tables = Tables.of(now);
        Optional<Schema> schema = tables.table("t").schema();
        assertThat(tables.check().wrongEntries()).isEmpty();
        Set<String> found = misfits(now, schema);
        assertThat(tables.check().notes()).hasSize(found.size());
        List<String> notes = merged.outcomes().stream()
                .flatMap(outcome -> ((Repair) outcome).notes().stream())
                .filter(note -> note.contains("(R14)"))
                .toList();
        // Rows that one side has under this schema are not named again.
        for (ReplicatedPail side : List.of(ours, theirs)) {
            Table known = Tables.of(side.pail()).table("t");
            if (known.schema().equals(schema)) {
                Tables.of(now)
                        .table("t")
                        .rows()
                        .filter(row -> known.get(row.id()).map(Row::cid).equals(Optional.of(row.cid())))
                        .forEach(row -> found.remove(row.id()));
            }
        }
        boolean isMerge = !merged.outcomes().isEmpty();
        if (isMerge) {
            assertThat(notes).hasSize(found.size());
            found.forEach(id -> assertThat(notes).anyMatch(note -> note.contains('"' + id + '"')));
        }
        counts[0] += found.size();
        counts[2] += (int) merge.conflicts().stream()
                .filter(conflict -> conflict instanceof TableConflict table
                        && table.schema().isPresent()
                        && table.row().isEmpty())
                .count();
        return merged.state();
    }
}
