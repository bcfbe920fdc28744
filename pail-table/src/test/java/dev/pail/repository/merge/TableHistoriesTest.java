package dev.pail.repository.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.BlockStore;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.car.CarExport;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.clock.ReplicatedPail;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.ipld.Cid;
import dev.pail.table.Document;
import dev.pail.table.FieldPath;
import dev.pail.table.Orphans;
import dev.pail.table.Repair;
import dev.pail.table.Row;
import dev.pail.table.Table;
import dev.pail.table.TableBatch;
import dev.pail.table.TableCheck;
import dev.pail.table.TableConflict;
import dev.pail.table.TableException;
import dev.pail.table.Tables;
import dev.pail.testkit.Randomness;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random histories of tables on two and three branches, merged both ways under each policy (spec rules R1 and R6 to R9): no row and no
 * index is gone without a conflict or a note, index entries are those of a rebuild, and replicas have equal roots.
 */
class TableHistoriesTest {
    private static final int HISTORIES = Randomness.times(200, 20_000);
    private static final int STEPS = 14;
    private static final MergeRules RULES = Tables.mergeRules();
    private static final List<String> NAMES = List.of("t", "u");
    private static final List<FieldPath> FIELDS =
            List.of(FieldPath.parse("a"), FieldPath.parse("b"), FieldPath.parse("c"));

    @Test
    void nothingIsLostAndReplicasConverge_R6_R7_R8_R9() {
        long seed = Randomness.seed("TableHistoriesTest");
        Counts counts = new Counts();
        for (int i = 0; i < HISTORIES; i++) {
            try {
                new History(seed + i, counts).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("history -Dpail.seed=" + (seed + i), e);
            }
        }
        assertThat(counts.merges).isGreaterThan(HISTORIES);
        assertThat(counts.travels).isGreaterThan(HISTORIES);
        assertThat(List.of(counts.rows, counts.dropped, counts.madeAgain, counts.orphans, counts.refused))
                .as("conflicts of rows, drops, tables made again, orphans, merges refused")
                .allMatch(count -> count > HISTORIES / 20);
    }

    /** Both sides have two events whose replay leaves rows under no table. */
    @Test
    void rowsAreKeptWhenTheBaseHasThemUnderNoTable_R6() {
        new History(-5906335182414995380L, new Counts()).run();
    }

    @Test
    void revertsKeepRowsIndexesAndEntries_M21_R6_R7_R8_R9() {
        long seed = Randomness.seed("TableHistoriesTest");
        Counts counts = new Counts();
        for (int i = 0; i < HISTORIES / 4; i++) {
            try {
                new History(seed + i, counts).revert();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("history -Dpail.seed=" + (seed + i), e);
            }
        }
        assertThat(List.of(counts.reverts, counts.revertsRefused)).allMatch(count -> count > HISTORIES / 4);
    }

    private static final class Counts {
        int merges;
        int travels;
        int reverts;
        int revertsRefused;
        int rows;
        int dropped;
        int madeAgain;
        int orphans;
        int refused;
    }

    /** A table as users see it. */
    private record Logical(Set<FieldPath> indexes, Map<String, Cid> rows) {
        static final Logical NONE = new Logical(Set.of(), Map.of());

        static Map<String, Logical> of(Pail pail) {
            Map<String, Logical> all = new TreeMap<>();
            for (Table table : Tables.of(pail).list()) {
                all.put(
                        table.name(),
                        new Logical(
                                Set.copyOf(table.indexes()),
                                table.rows().collect(Collectors.toMap(Row::id, Row::cid))));
            }
            return all;
        }
    }

    /** Up to three replicas over one block store. */
    private static final class History {
        private final Random random;
        private final Counts counts;
        private final BlockStore blocks = new MemoryBlockStore();
        private final ReplicatedPail[] all;

        /** Apart from the other, so that a seed keeps its history. */
        private final Random more;

        History(long seed, Counts counts) {
            this.random = new Random(seed);
            this.more = new Random(~seed);
            this.counts = counts;
            ShardFormat format = random.nextBoolean() ? ShardFormat.v0(2000, 16) : ShardFormat.v1();
            ReplicatedPail first = ReplicatedPail.create(blocks, format);
            first = follow(first, Tables.of(first.pail()).create("t").pail());
            for (int i = random.nextInt(4); i > 0; i--) {
                first = follow(first, change(Tables.of(first.pail())));
            }
            all = new ReplicatedPail[2 + random.nextInt(2)];
            Arrays.fill(all, first);
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                int which = random.nextInt(all.length);
                int other = (which + 1 + random.nextInt(all.length - 1)) % all.length;
                int kind = random.nextInt(12);
                if (kind == 0) {
                    all[which] = merged(all[which], all[other], null);
                } else if (kind == 1) {
                    bothWays(which, other);
                } else {
                    all[which] = follow(all[which], change(Tables.of(all[which].pail())));
                }
            }
            // Two of them merge under a policy, each in its way; then all merge until nothing is new.
            underPolicies(all[0], all[1]);
            if (random.nextBoolean()) {
                ReplicatedPail ours = merged(all[0], all[1], MergePolicy.ours());
                all[1] = merged(all[1], all[0], MergePolicy.ours());
                all[0] = ours;
            }
            for (int i = 1; i < all.length; i++) {
                all[0] = merged(all[0], all[i], null);
            }
            for (int i = 1; i < all.length; i++) {
                all[i] = merged(all[i], all[0], null);
                assertThat(all[i].head()).isEqualTo(all[0].head());
                assertThat(all[i].root()).isEqualTo(all[0].root());
            }
        }

        /** Takes back events of a history, one after the other. */
        void revert() {
            run();
            ReplicatedPail now = all[0];
            for (int i = 0; i < STEPS; i++) {
                List<Cid> events = events(now);
                now = reverted(now, events.get(more.nextInt(events.size())), more.nextBoolean());
            }
        }

        private static List<Cid> events(ReplicatedPail now) {
            Set<Cid> events = new LinkedHashSet<>(now.head().events());
            Deque<Cid> left = new ArrayDeque<>(events);
            while (!left.isEmpty()) {
                now.clock().event(left.remove()).parents().stream()
                        .filter(events::add)
                        .forEach(left::add);
            }
            return List.copyOf(events);
        }

        private ReplicatedPail reverted(ReplicatedPail now, Cid cid, boolean ours) {
            Event event = now.clock().event(cid);
            AppliedChange revert = AppliedChange.inverse(RULES, now, List.of(cid));
            Cid root = now.root();
            if (revert.conflicts().isEmpty()) {
                assertThat(revert.by(MergePolicy.fail()).state().root())
                        .isEqualTo(revert.by(MergePolicy.ours()).state().root());
            } else {
                counts.revertsRefused++;
                assertThatThrownBy(() -> revert.by(MergePolicy.fail())).isInstanceOf(MergeConflictException.class);
            }
            assertThat(now.root()).isEqualTo(root);
            Merged reverted = revert.by(ours ? MergePolicy.ours() : MergePolicy.theirs());
            counts.reverts++;
            Pail base = Pail.open(blocks, event.root());
            Pail before = event.parents().isEmpty()
                    ? Pail.create(blocks, base.format())
                    : version(now, Head.of(event.parents()));
            compare(reverted, base, now.pail(), before);
            return reverted.state();
        }

        private static Pail version(ReplicatedPail at, Head head) {
            return ReplicatedPail.open(at.clock(), head, UnrelatedHistories.REFUSE)
                    .pail();
        }

        private void bothWays(int one, int other) {
            ReplicatedPail here = merged(all[one], all[other], null);
            ReplicatedPail there = merged(all[other], all[one], null);
            assertThat(there.head()).isEqualTo(here.head());
            assertThat(there.root()).isEqualTo(here.root());
            all[one] = here;
            all[other] = there;
        }

        private void underPolicies(ReplicatedPail ours, ReplicatedPail theirs) {
            assertThat(merged(ours, theirs, MergePolicy.ours()).root())
                    .isEqualTo(merged(theirs, ours, MergePolicy.theirs()).root());
            HistoryMerge merge = new HistoryMerge(RULES, ours, theirs.head(), UnrelatedHistories.REFUSE);
            try {
                ReplicatedPail merged = merged(ours, theirs, MergePolicy.fail());
                assertThat(merge.conflicts()).isEmpty();
                assertThat(Logical.of(merged.pail()))
                        .isEqualTo(Logical.of(merged(ours, theirs, null).pail()));
            } catch (MergeConflictException e) {
                counts.refused++;
                assertThat(e.conflicts())
                        .isNotEmpty()
                        .hasSameSizeAs(merge.conflicts())
                        .doesNotHaveDuplicates();
            }
        }

        /** Merges, and compares what is there then with both sides. */
        private ReplicatedPail merged(ReplicatedPail ours, ReplicatedPail theirs, @Nullable MergePolicy policy) {
            Merged merged = new HistoryMerge(RULES, ours, theirs.head(), UnrelatedHistories.REFUSE).merge(policy);
            counts.merges++;
            if (more.nextInt(4) == 0) {
                travel(ours, theirs, policy, merged);
            }
            Pail base = version(ours, ours.clock().common(ours.head(), theirs.head()));
            compare(merged, base, ours.pail(), theirs.pail());
            tables(merged).forEach(this::count);
            counts.orphans +=
                    repairs(merged).mapToInt(repair -> repair.orphans().size()).sum();
            return merged.state();
        }

        /** Both sides come to another repository in CARs, and merge there to the same. */
        private void travel(ReplicatedPail ours, ReplicatedPail theirs, @Nullable MergePolicy policy, Merged merged) {
            counts.travels++;
            BlockStore there = new MemoryBlockStore();
            for (ReplicatedPail side : List.of(ours, theirs)) {
                ByteArrayOutputStream car = new ByteArrayOutputStream();
                assertThat(CarExport.of(blocks, side.head().events())
                                .writeTo(car, "car")
                                .leftOut())
                        .isZero();
                try (CarReader reader = CarReader.of(new ByteArrayInputStream(car.toByteArray()), "car")) {
                    assertThat(CarImport.of(reader, there).refusals()).isEmpty();
                }
            }
            ReplicatedPail same = ReplicatedPail.open(MerkleClock.open(there), ours.head(), UnrelatedHistories.REFUSE);
            Merged travelled = new HistoryMerge(RULES, same, theirs.head(), UnrelatedHistories.REFUSE).merge(policy);
            assertThat(travelled.state().head()).isEqualTo(merged.state().head());
            assertThat(travelled.state().root()).isEqualTo(merged.state().root());
            assertThat(travelled.conflicts()).isEqualTo(merged.conflicts());
            assertThat(notes(travelled)).isEqualTo(notes(merged));
        }

        /** Compares a merged version with the base and both sides. */
        private static void compare(Merged merged, Pail base, Pail ours, Pail theirs) {
            Pail now = merged.state().pail();
            TableCheck check = Tables.of(now).check();
            assertThat(check.wrongEntries()).isEmpty();
            assertThat(check.notes()).isEmpty();
            Repair rebuilt = Tables.of(now).reindex();
            assertThat(rebuilt.tables().pail().root()).isEqualTo(now.root());
            assertThat(rebuilt.notes()).isEmpty();
            Map<String, Logical> before = Logical.of(base);
            Map<String, Logical> result = Logical.of(now);
            Map<String, Logical> our = Logical.of(ours);
            Map<String, Logical> their = Logical.of(theirs);
            Set<String> known = known(merged, now, check.orphans());
            for (String name : NAMES) {
                Logical was = before.getOrDefault(name, Logical.NONE);
                Logical a = our.getOrDefault(name, Logical.NONE);
                Logical b = their.getOrDefault(name, Logical.NONE);
                Logical is = result.getOrDefault(name, Logical.NONE);
                nothingIsLost(name, was, a, b, is, known);
                nothingIsLost(name, was, b, a, is, known);
                is.rows()
                        .forEach((id, cid) -> assertThat(List.of(
                                        Objects.equals(a.rows().get(id), cid),
                                        Objects.equals(b.rows().get(id), cid)))
                                .as("row %s of %s comes from a side", id, name)
                                .contains(true));
            }
        }

        private static List<TableConflict> tables(Merged merged) {
            return merged.conflicts().stream().map(TableConflict.class::cast).toList();
        }

        private static Stream<Repair> repairs(Merged merged) {
            return merged.outcomes().stream().map(Repair.class::cast);
        }

        private static List<String> notes(Merged merged) {
            return repairs(merged).flatMap(repair -> repair.notes().stream()).toList();
        }

        private void count(TableConflict conflict) {
            counts.rows += conflict.row().isPresent() ? 1 : 0;
            conflict.dropped().ifPresent(drop -> {
                counts.dropped += drop.madeAgain() ? 0 : 1;
                counts.madeAgain += drop.madeAgain() ? 1 : 0;
            });
        }

        /** What a line names, or a list of orphans has: rows as table, id and perhaps CID; indexes as table and field. */
        private static Set<String> known(Merged merged, Pail now, List<Orphans> orphans) {
            Set<String> known = new HashSet<>();
            for (TableConflict conflict : tables(merged)) {
                String table = conflict.table().orElseThrow();
                conflict.row().ifPresent(id -> known.add(table + " row " + id));
                conflict.dropped()
                        .ifPresent(drop -> drop.indexes().forEach(field -> known.add(table + " index " + field)));
            }
            for (Orphans found : orphans) {
                Tables.of(now)
                        .orphans(found.number())
                        .forEach(row -> known.add(found.table().orElseThrow() + " row " + row.id() + " " + row.cid()));
            }
            for (String note : notes(merged)) {
                for (String name : NAMES) {
                    FIELDS.stream()
                            .filter(field -> note.startsWith("the index on the field \"" + field + "\" of the table \""
                                    + name + "\" was taken away"))
                            .forEach(field -> known.add(name + " index " + field));
                }
            }
            return known;
        }

        private static void nothingIsLost(
                String name, Logical was, Logical side, Logical other, Logical is, Set<String> known) {
            side.rows().forEach((id, cid) -> {
                boolean deleted = cid.equals(was.rows().get(id))
                        && !cid.equals(other.rows().get(id));
                boolean there = cid.equals(is.rows().get(id));
                assertThat(there
                                || deleted
                                || known.contains(name + " row " + id)
                                || known.contains(name + " row " + id + " " + cid))
                        .as("row %s of %s", id, name)
                        .isTrue();
            });
            side.indexes().forEach(field -> {
                boolean deleted =
                        was.indexes().contains(field) && !other.indexes().contains(field);
                assertThat(is.indexes().contains(field) || deleted || known.contains(name + " index " + field))
                        .as("index %s of %s", field, name)
                        .isTrue();
            });
        }

        /** Makes an event of a change: a row that is dropped and made again in one event is one that was changed. */
        private static ReplicatedPail follow(ReplicatedPail at, Pail next) {
            ReplicatedBatch batch = at.batch();
            at.pail()
                    .diff(next)
                    .keys()
                    .forEachOrdered(change -> change.after()
                            .ifPresentOrElse(cid -> batch.put(change.key(), cid), () -> batch.delete(change.key())));
            return batch.commit();
        }

        private Pail change(Tables tables) {
            String name = NAMES.get(random.nextInt(5) == 0 ? 1 : 0);
            Table table = tables.find(name).orElse(null);
            if (table == null) {
                return tables.create(name).pail();
            }
            int kind = random.nextInt(12);
            if (kind < 2) {
                return tables.drop(name).tables().pail();
            }
            if (kind < 5) {
                FieldPath field = FIELDS.get(random.nextInt(FIELDS.size()));
                try {
                    return (table.indexes().contains(field) ? table.dropIndex(field) : table.createIndex(field)).pail();
                } catch (TableException e) {
                    assertThat(e.reason()).isEqualTo(TableException.Reason.NOT_INDEXABLE);
                    return tables.pail();
                }
            }
            TableBatch batch = tables.batch();
            for (int rows = kind == 5 ? 6 : random.nextInt(3); rows >= 0; rows--) {
                String id = "r" + random.nextInt(kind == 5 ? 9 : 4);
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
            for (FieldPath field : FIELDS) {
                if (random.nextBoolean()) {
                    String value = random.nextInt(16) == 0 ? "[]" : String.valueOf(random.nextInt(3));
                    fields.add("\"" + field + "\":" + value);
                }
            }
            try {
                batch.put(name, id, Document.parse("{" + String.join(",", fields) + "}"));
            } catch (TableException e) {
                assertThat(e.reason()).isEqualTo(TableException.Reason.NOT_INDEXABLE);
            }
        }
    }
}
