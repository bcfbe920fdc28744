package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.Batch;
import dev.pail.Conflict;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.MergeRules;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A three-way merge of versions with tables (spec rules R6 to R9). Unlike a merge of keys, it recognizes the rows of a table that
 * one side dropped, merges the indexes of a table as a set, and derives index entries from rows.
 *
 * <p>If both sides have changed a row, a policy decides, or the version that a clock has replayed. Everything else is symmetric: replicas
 * get the same result, whichever side is ours.
 *
 * <p>The cost is proportional to the changes of both sides, plus one read for each table. Immutable and safe for use by several threads,
 * if the block stores are. All methods may throw what reading a {@link Pail} throws.
 *
 * <pre>{@code
 * TableMerge merge = TableMerge.of(base, ours, theirs);
 * merge.conflicts().forEach(conflict -> System.err.println(conflict.subject()));
 * Repair repair = merge.by(MergePolicy.theirs());
 * Pail merged = repair.tables().pail(); // with indexes that fit the rows
 * }</pre>
 */
@CheckReturnValue
public final class TableMerge implements MergeRules.Comparison {
    private static final int OURS = 0;
    private static final int THEIRS = 1;

    private final Pail base;
    private final Pail ours;
    private final Pail theirs;
    private final List<Declarations> versions;
    private final MergePlan plan;

    private TableMerge(Pail base, Pail ours, Pail theirs, Set<String> madeByOurs, Set<String> madeByTheirs) {
        this.base = base;
        this.ours = ours;
        this.theirs = theirs;
        this.versions = List.of(Declarations.of(base), Declarations.of(ours), Declarations.of(theirs));
        this.plan = new MergePlan(versions.get(0), versions.get(1), versions.get(2), List.of(madeByOurs, madeByTheirs));
    }

    /**
     * Compares versions without their history. A table with the same number as one of the base counts as that table.
     *
     * <pre>{@code
     * Repair merged = TableMerge.of(base, ours, theirs).by(MergePolicy.ours());
     * Tables tables = merged.tables();
     * }</pre>
     *
     * <p>In a repository, use {@link Tables#mergeRules}: the other branch then becomes a part of the history.
     */
    public static TableMerge of(Pail base, Pail ours, Pail theirs) {
        return of(base, ours, theirs, Set.of(), Set.of());
    }

    /**
     * Compares versions with a known history.
     *
     * @param base the common version of both sides (spec rule M20); an empty pail, if there is none
     * @param madeByOurs names of tables that our side has dropped and created again since: {@link TableLineage} finds them
     * @param madeByTheirs the same for their side
     */
    public static TableMerge of(Pail base, Pail ours, Pail theirs, Set<String> madeByOurs, Set<String> madeByTheirs) {
        return new TableMerge(
                Objects.requireNonNull(base, "base"),
                Objects.requireNonNull(ours, "ours"),
                Objects.requireNonNull(theirs, "theirs"),
                Set.copyOf(madeByOurs),
                Set.copyOf(madeByTheirs));
    }

    /** Returns the conflicts in the order of keys: each table and each row once, and other keys. */
    @Override
    public List<TableConflict> conflicts() {
        return List.copyOf(plan.conflicts);
    }

    /**
     * Makes the merged version from ours.
     *
     * @param policy decides conflicts of rows and of other keys. A table that one side dropped and the other wrote to stays
     * @throws MergeConflictException if the policy refuses conflicts, and there are any. Nothing was stored
     */
    @Override
    public Repair by(MergePolicy policy) {
        if (policy.isFailing() && !plan.conflicts.isEmpty()) {
            throw new MergeConflictException(plan.conflicts, "changes");
        }
        Map<String, Conflict> found = new HashMap<>();
        plan.conflicts.forEach(conflict -> found.put(conflict.key(), conflict));
        MergePolicy ofOthers = MergePolicy.resolve(conflict -> policy.isFailing() || plan.isDecided(conflict.key())
                ? conflict.ours()
                : policy.value(found.getOrDefault(conflict.key(), conflict)));
        return onto(Pail.merge(base, ours, theirs, ofOthers));
    }

    /**
     * Repairs the tables of a merged version.
     *
     * @param merged the version that a merge of keys or a replay of events has made from both sides. If both have changed a row, this
     *     version's value stays
     */
    @Override
    public Repair onto(Pail merged) {
        Moves moves = new Moves(merged);
        Pail right = moves.done();
        Repair repair = Tables.of(right).repair(ours);
        List<String> notes = new ArrayList<>(moves.notes);
        notes.addAll(repair.notes());
        return new Repair(repair.tables(), repair.added(), repair.removed(), notes, moves.orphans);
    }

    /** What has to change in a merged version, but for index entries. */
    private final class Moves {
        private final Pail merged;
        private final SortedMap<String, Optional<TableInfo>> tables = new TreeMap<>(plan.tables);
        private final SortedMap<String, Optional<Cid>> changes = new TreeMap<>();
        private final Map<MergePlan.Dropped, Integer> numbers = new HashMap<>();
        private final Set<Integer> taken = new HashSet<>();
        private final SortedMap<Integer, String> kept = new TreeMap<>();
        /** Notes of orphans that one side took away: the other can have added rows. */
        private final SortedMap<Integer, String> gone = new TreeMap<>();

        private final List<String> notes = new ArrayList<>();
        private final List<Orphans> orphans = new ArrayList<>();
        private final List<Block> blocks = new ArrayList<>();

        Moves(Pail merged) {
            this.merged = Objects.requireNonNull(merged, "merged");
        }

        Pail done() {
            versions.forEach(version -> version.tables.values().forEach(info -> taken.add(info.number)));
            Declarations.of(merged).tables.values().forEach(info -> taken.add(info.number));
            plan.dropped.stream().filter(MergePlan.Dropped::isWritten).forEach(this::keep);
            plan.apart.stream().filter(one -> one.rows > 0).forEach(this::keep);
            ThreeWay.forEach(base, List.of(ours, theirs, merged), this::key);
            tables.forEach(this::declare);
            if (changes.isEmpty() && kept.isEmpty() && gone.isEmpty()) {
                return merged;
            }
            merged.blocks().putAll(blocks);
            Batch batch = merged.batch();
            changes.forEach((key, value) -> value.ifPresentOrElse(cid -> batch.put(key, cid), () -> batch.delete(key)));
            kept.forEach((number, name) -> OrphanRows.note(merged, batch, number, name));
            return OrphanRows.noteAgain(batch.commit(), gone);
        }

        /** Gives the rows that were written to a table that was dropped a place. */
        private void keep(MergePlan.Dropped drop) {
            MergePlan.Fate fate = plan.fates.get(drop.base.number);
            String name = drop.base.name;
            boolean isMoved = fate != null && fate.moved() == drop;
            int number = isMoved && (drop.rows > 0 || !drop.madeAgain) ? free(drop) : drop.base.number;
            numbers.put(drop, number);
            String table = "the table " + TableText.quoted(name);
            if (!drop.madeAgain) {
                tables.put(name, Optional.of(TableInfo.of(name, number, drop.written.names())));
                notes.add(table + " was dropped on one side and written on the other: it is declared again, with "
                        + (drop.rows > 0 ? TableText.rows(drop.rows) + " written meanwhile" : "no rows")
                        + (drop.indexes.isEmpty() ? "" : " and " + TableText.indexesOn(fields(drop))));
                return;
            }
            notes.add(table + " was dropped and made again on one side, and written on the other: "
                    + (drop.rows == 0 ? "" : TableText.rows(drop.rows) + " kept under the number " + number)
                    + (drop.rows == 0 || drop.indexes.isEmpty() ? "" : ", ")
                    + (drop.indexes.isEmpty() ? "" : TableText.indexesOn(fields(drop)) + " not taken over"));
            if (drop.rows > 0) {
                kept.put(number, name);
                orphans.add(new Orphans(number, Optional.of(name), drop.rows));
            }
        }

        private List<String> fields(MergePlan.Dropped drop) {
            return drop.indexes.stream().map(index -> index.field().text()).toList();
        }

        private void keep(MergePlan.Apart one) {
            boolean owned =
                    tables.values().stream().flatMap(Optional::stream).anyMatch(info -> info.number == one.number);
            if (!owned) {
                kept.put(one.number, one.name);
                orphans.add(new Orphans(one.number, Optional.of(one.name), one.rows));
                notes.add("the table " + TableText.quoted(one.name) + " was made on both sides with different numbers: "
                        + TableText.rows(one.rows) + " kept under the number " + one.number);
            }
        }

        /** The next number that no table has and no key starts with, or where rows of a former table of this name are kept already. Rule R9. */
        private int free(MergePlan.Dropped drop) {
            for (int i = 1; i <= KeyText.MAX_TABLE; i++) {
                int number = (drop.base.number + i) & KeyText.MAX_TABLE;
                boolean goesOn = drop.madeAgain && OrphanRows.isNoted(merged, number, drop.base.name);
                if (!taken.contains(number) && (goesOn || hasNoKeys(number))) {
                    taken.add(number);
                    return number;
                }
            }
            throw new TableException(
                    TableException.Reason.TOO_MANY_TABLES,
                    "there is no number for the table " + TableText.quoted(drop.base.name));
        }

        private boolean hasNoKeys(int number) {
            return !OrphanRows.hasKeys(merged, number)
                    && !OrphanRows.hasKeys(ours, number)
                    && !OrphanRows.hasKeys(theirs, number);
        }

        /** A replay can order events anew, and so bring back what both sides know to be gone. */
        private void key(String key, Optional<Cid> before, List<Optional<Cid>> values) {
            Optional<Cid> now = values.get(2);
            Optional<Cid> wanted = now;
            if (key.startsWith(KeyText.ROWS) && KeyText.number(key) >= 0) {
                wanted = wanted(key, KeyText.number(key), before, values, now);
                if (wanted.isEmpty()) {
                    OrphanRows.notedName(KeyText.number(key), key).ifPresent(name -> gone.put(KeyText.number(key), name));
                }
            } else if (key.startsWith(KeyText.TABLES) && !plan.isDecided(key)) {
                wanted = ThreeWay.merged(before, values.get(OURS), values.get(THEIRS), now);
            }
            if (!wanted.equals(now)) {
                changes.put(key, wanted);
            }
        }

        private Optional<Cid> wanted(
                String key, int number, Optional<Cid> before, List<Optional<Cid>> values, Optional<Cid> now) {
            Optional<Cid> ourValue = values.get(OURS);
            Optional<Cid> theirValue = values.get(THEIRS);
            MergePlan.Fate fate = plan.fates.get(number);
            if (fate == null) {
                return ThreeWay.merged(before, ourValue, theirValue, now);
            }
            Optional<Cid> value = values.get(fate.side());
            Optional<Cid> other = values.get(1 - fate.side());
            return switch (fate.rows()) {
                case WRITTEN -> value.equals(before) ? other : value;
                case AFRESH -> ThreeWay.merged(Optional.empty(), ourValue, theirValue, now);
                case ONE_SIDE -> {
                    move(fate.moved(), key, before, other);
                    yield value;
                }
            };
        }

        private void move(MergePlan.@Nullable Dropped drop, String key, Optional<Cid> before, Optional<Cid> written) {
            if (drop != null && numbers.containsKey(drop) && MergePlan.isWritten(before, written)) {
                String id = drop.base.rowId(key);
                if (id != null) {
                    changes.put(
                            OrphanRows.prefix(Objects.requireNonNull(numbers.get(drop))) + EscapedText.of(id), written);
                }
            }
        }

        private void declare(String name, Optional<TableInfo> info) {
            String key = TableInfo.key(name);
            Optional<Block> block = info.map(TableInfo::block);
            Optional<Cid> wanted = block.map(Block::cid);
            if (!wanted.equals(merged.get(key))) {
                block.ifPresent(blocks::add);
                changes.put(key, wanted);
            }
        }
    }
}
