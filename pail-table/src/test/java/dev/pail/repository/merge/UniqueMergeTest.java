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
import dev.pail.table.Document;
import dev.pail.table.FieldPath;
import dev.pail.table.Filter;
import dev.pail.table.Index;
import dev.pail.table.Repair;
import dev.pail.table.Row;
import dev.pail.table.RowMerge;
import dev.pail.table.Table;
import dev.pail.table.TableBatch;
import dev.pail.table.TableConflict;
import dev.pail.table.TableException;
import dev.pail.table.TableMerge;
import dev.pail.table.Tables;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Merges of tables with unique indexes: no row is lost, rows with the same values are named, and replicas converge. */
class UniqueMergeTest {
    private static final int SCHEDULES = Randomness.times(150, 5_000);
    private static final MergeRules RULES = Tables.mergeRules();
    private static final Index UNIQUE = Index.parse("a,b").unique();

    private static Table table(RowMerge rowMerge) {
        return Tables.of(Pail.create(new MemoryBlockStore()))
                .create("t", rowMerge)
                .createIndex(UNIQUE)
                .createIndex(Index.parse("b desc,a"));
    }

    private static Document document(String json) {
        return Document.parse(json);
    }

    @Test
    void rowsOfBothSidesWithTheSameValuesAreAConflictThatNamesThem_R12() {
        Table base = table(RowMerge.WHOLE).put("x", document("{\"a\":0,\"b\":0}"));
        Table ours = base.put("x", document("{\"a\":1,\"b\":2}")).put("o", document("{\"a\":5}"));
        Table theirs = base.put("y", document("{\"a\":1,\"b\":2}")).put("p", document("{\"a\":5}"));
        TableMerge merge = TableMerge.of(base.pail(), ours.pail(), theirs.pail());
        assertThat(merge.conflicts()).hasSize(1);
        TableConflict conflict = merge.conflicts().get(0);
        assertThat(conflict.duplicate().orElseThrow())
                .isEqualTo(new TableConflict.Duplicate(UNIQUE, "1, 2", List.of("x", "y")));
        assertThat(conflict.subject()).contains("\"x\" and \"y\"", "\"t\"", "1, 2", "a,b");
        assertThatThrownBy(() -> merge.by(MergePolicy.fail())).isInstanceOf(MergeConflictException.class);
        Repair merged = merge.by(MergePolicy.ours());
        assertThat(merged.notes()).anyMatch(note -> note.contains("\"x\" and \"y\""));
        assertThat(merged.tables()
                        .table("t")
                        .rows(Filter.parse("a == 1 and b == 2"))
                        .map(Row::id))
                .containsExactly("x", "y");
        assertThat(merged.tables().check().notes()).hasSize(1);
        TableMerge back = TableMerge.of(base.pail(), theirs.pail(), ours.pail());
        assertThat(back.by(MergePolicy.ours()).tables().pail().root())
                .isEqualTo(merged.tables().pail().root());
        // Neither of the rows can be put again with these values, until the other has others.
        Table now = merged.tables().table("t");
        assertThatThrownBy(() -> now.put("y", document("{\"a\":1,\"b\":2,\"c\":1}")))
                .isInstanceOf(TableException.class);
        Table done = now.put("y", document("{\"a\":1,\"b\":3}"));
        assertThat(Tables.of(done.pail()).check().notes()).isEmpty();
        assertThat(done.put("x", document("{\"a\":1,\"b\":2,\"c\":1}")).count(Filter.all()))
                .isEqualTo(4);
        // A later merge does not name again what one side has already.
        assertThat(TableMerge.of(
                                ours.pail(),
                                now.put("q", document("{}")).pail(),
                                ours.put("r", document("{}")).pail())
                        .conflicts())
                .isEmpty();
    }

    @Test
    void rowsMergedByFieldsCanGetTheValuesOfARowThatNeitherSideChanged_R11_R12() {
        Table base =
                table(RowMerge.FIELDS).put("x", document("{\"a\":0,\"b\":0}")).put("y", document("{\"a\":1,\"b\":2}"));
        TableMerge merge = TableMerge.of(
                base.pail(),
                base.put("x", document("{\"a\":1,\"b\":0}")).pail(),
                base.put("x", document("{\"a\":0,\"b\":2}")).pail());
        assertThat(merge.conflicts()).hasSize(1);
        assertThat(merge.conflicts().get(0).duplicate().orElseThrow().rows()).containsExactly("x", "y");
    }

    @Test
    void anIndexOfOneSideMeetsRowsOfTheOther_R7_R12() {
        Table base = Tables.of(Pail.create(new MemoryBlockStore())).create("t").put("x", document("{\"a\":1}"));
        Table ours = base.createIndex(Index.parse("a").unique());
        Table theirs = base.put("y", document("{\"a\":1}"));
        TableMerge merge = TableMerge.of(base.pail(), ours.pail(), theirs.pail());
        assertThat(merge.conflicts().get(0).duplicate().orElseThrow().rows()).containsExactly("x", "y");
        // Of two declarations on the same fields, the unique one stays.
        Table plain = base.createIndex(FieldPath.parse("a"));
        for (TableMerge both : List.of(
                TableMerge.of(base.pail(), ours.pail(), plain.pail()),
                TableMerge.of(base.pail(), plain.pail(), ours.pail()))) {
            assertThat(both.by(MergePolicy.fail()).tables().table("t").declaredIndexes())
                    .containsExactly(Index.parse("a").unique());
        }
        Table made =
                plain.dropIndex(Index.parse("a")).createIndex(Index.parse("a").unique());
        assertThat(TableMerge.of(
                                plain.pail(),
                                made.pail(),
                                plain.put("z", document("{}")).pail())
                        .by(MergePolicy.fail())
                        .tables()
                        .table("t")
                        .declaredIndexes())
                .containsExactly(Index.parse("a").unique());
    }

    @Test
    void replicasConvergeInAnyOrderOfMerges_R6_R12() {
        long seed = Randomness.seed("UniqueMergeTest");
        int[] counts = new int[2];
        for (int i = 0; i < SCHEDULES; i++) {
            try {
                schedule(new Random(seed + i), counts);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("schedule -Dpail.seed=" + (seed + i), e);
            }
        }
        assertThat(counts[0]).as("duplicates").isGreaterThan(SCHEDULES / 5);
        assertThat(counts[1]).as("refused changes").isGreaterThan(SCHEDULES / 5);
    }

    private static void schedule(Random random, int[] counts) {
        MemoryBlockStore blocks = new MemoryBlockStore();
        ReplicatedPail first = ReplicatedPail.create(blocks, ShardFormat.v1());
        first = follow(
                first,
                Tables.of(first.pail())
                        .create("t", random.nextBoolean() ? RowMerge.FIELDS : RowMerge.WHOLE)
                        .createIndex(UNIQUE)
                        .createIndex(Index.parse("b desc,a"))
                        .createIndex(Index.parse("t[] desc,lower(c)").include(List.of(FieldPath.parse("a"))))
                        .pail());
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
        TableBatch batch = Tables.of(pail).batch();
        for (int i = random.nextInt(3); i >= 0; i--) {
            String id = "r" + random.nextInt(6);
            if (random.nextInt(5) == 0) {
                batch.delete("t", id);
                continue;
            }
            String json = "{\"a\":" + random.nextInt(2) + (random.nextInt(5) == 0 ? "" : ",\"b\":" + random.nextInt(3))
                    + ",\"c\":\"" + "xXy".charAt(random.nextInt(3)) + "\",\"t\":[" + random.nextInt(3) + ","
                    + random.nextInt(3) + "]}";
            try {
                batch.put("t", id, document(json));
            } catch (TableException e) {
                assertThat(e.reason()).isEqualTo(TableException.Reason.NOT_UNIQUE);
                counts[1]++;
            }
        }
        return batch.commit().pail();
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

    /** The ids of the rows that have the same values, by these. */
    private static Set<Set<String>> duplicates(Pail pail) {
        Map<String, Set<String>> rows = new TreeMap<>();
        Tables.of(pail).table("t").rows().forEach(row -> {
            @Nullable String b = row.document().json(FieldPath.parse("b")).orElse(null);
            if (b != null) {
                String value = row.document().json(FieldPath.parse("a")).orElse("") + "," + b;
                rows.computeIfAbsent(value, key -> new TreeSet<>()).add(row.id());
            }
        });
        return rows.values().stream().filter(ids -> ids.size() > 1).collect(Collectors.toSet());
    }

    private static ReplicatedPail merged(ReplicatedPail ours, ReplicatedPail theirs, int[] counts) {
        HistoryMerge merge = new HistoryMerge(RULES, ours, theirs.head(), UnrelatedHistories.REFUSE);
        Merged merged = merge.merge(null);
        Pail now = merged.state().pail();
        Tables tables = Tables.of(now);
        assertThat(tables.check().wrongEntries()).isEmpty();
        assertThat(tables.reindex().tables().pail().root()).isEqualTo(now.root());
        Set<Set<String>> found = duplicates(now);
        assertThat(tables.check().notes()).hasSize(found.size());
        // Rows that one side has together already are not named again.
        Set<Set<String>> known = duplicates(ours.pail());
        known.addAll(duplicates(theirs.pail()));
        found.removeIf(rows -> known.stream().anyMatch(each -> each.containsAll(rows)));
        counts[0] += found.size();
        List<String> notes = merged.outcomes().stream()
                .flatMap(outcome -> ((Repair) outcome).notes().stream())
                .toList();
        for (Set<String> rows : found) {
            String named = rows.stream().map(id -> '"' + id + '"').collect(Collectors.joining(" and "));
            assertThat(notes).anyMatch(note -> note.contains(named));
        }
        if (!merge.conflicts().isEmpty()) {
            assertThatThrownBy(() -> merge.merge(MergePolicy.fail())).isInstanceOf(MergeConflictException.class);
        }
        return merged.state();
    }
}
