package dev.pail.table.merge;

import dev.pail.Conflict;
import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.RowMerge;
import dev.pail.table.TableConflict;
import dev.pail.table.TableException;
import dev.pail.table.index.Declarations;
import dev.pail.table.index.IndexKeys;
import dev.pail.table.index.IndexName;
import dev.pail.table.index.InlineRows;
import dev.pail.table.index.KeyText;
import dev.pail.table.index.OrphanRows;
import dev.pail.table.index.TableInfo;
import dev.pail.table.schema.SchemaParts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is to become of each table in a merge, and what the conflicts are (spec rules R6 to R9). Depends on the base and the two sides,
 * and not on which of them is ours, but for the names of the sides in conflicts.
 */
public final class MergePlan {
    private static final int OURS = 0;
    private static final int THEIRS = 1;
    private static final int SHOWN = 3;

    /** How documents merge by fields. */
    public interface Documents {
        /**
         * Merges two documents.
         *
         * @return empty if both changed a field in different ways
         * @throws TableException if a block is no document
         */
        Optional<Block> merged(Optional<Block> base, Block ours, Block theirs);
    }

    /** What a side has under the name of a table, seen from the base. */
    private enum Lineage {
        NONE,
        SAME,
        NEW
    }

    /** Whose rows are kept under a number. */
    public enum RowFate {
        /** What one side wrote; otherwise what the other has. */
        WRITTEN,
        /** All that one side has, and nothing else: the number has another table there. */
        ONE_SIDE,
        /** What either side has, as if there had been nothing in the base. */
        AFRESH
    }

    /**
     * What becomes of the rows under a number.
     *
     * @param moved the table whose written rows go to another number; null, if none do
     */
    public record Fate(RowFate rows, int side, @Nullable Dropped moved) {}

    /** A table that one side dropped. */
    public static final class Dropped {
        public final TableInfo base;
        public final TableInfo written;
        public final int writer;
        public final boolean madeAgain;
        public final SortedSet<IndexName> indexes;
        public final List<String> first = new ArrayList<>();
        public long rows;

        public Dropped(TableInfo base, TableInfo written, int writer, Lineage inDropper) {
            this.base = base;
            this.written = written;
            this.writer = writer;
            this.madeAgain = inDropper == Lineage.NEW;
            this.indexes = written.names();
            indexes.removeAll(base.names());
        }

        public boolean isWritten() {
            return rows > 0 || !indexes.isEmpty();
        }

        private TableConflict.DroppedTable described() {
            return new TableConflict.DroppedTable(
                    writer != OURS,
                    madeAgain,
                    rows,
                    first,
                    indexes.stream().map(IndexName::index).toList());
        }
    }

    /** A table that both sides made under different numbers: the rows of the second number are kept apart. */
    public static final class Apart {
        public final String name;
        public final int number;
        private final int side;
        public long rows;

        public Apart(String name, int number, int side) {
            this.name = name;
            this.number = number;
            this.side = side;
        }
    }

    public final Declarations base;
    public final List<Declarations> sides;
    private final List<Set<String>> madeAgain;
    private final Documents documents;

    /** What is declared of each name: nothing, if there is no such table. Names that are not here are merged key by key. */
    public final SortedMap<String, Optional<TableInfo>> tables = new TreeMap<>();

    /** Numbers that are not here are merged key by key. */
    public final Map<Integer, Fate> fates = new HashMap<>();

    public final List<Dropped> dropped = new ArrayList<>();
    public final List<Apart> apart = new ArrayList<>();
    public final List<TableConflict> conflicts = new ArrayList<>();

    /** The rows that both sides changed and whose fields merge, by key. Rule R11. */
    public final SortedMap<String, Block> byFields = new TreeMap<>();

    private final boolean hasTables;

    public MergePlan(
            Declarations base,
            Declarations ours,
            Declarations theirs,
            List<Set<String>> madeAgain,
            Documents documents) {
        this.documents = documents;
        this.base = base;
        this.sides = List.of(ours, theirs);
        this.madeAgain = madeAgain;
        this.hasTables = !base.tables.isEmpty() || !ours.tables.isEmpty() || !theirs.tables.isEmpty();
        names().forEach(this::decide);
        ThreeWay.forEach(base.pail, List.of(ours.pail, theirs.pail), this::look);
        dropped.forEach(this::decideDropped);
        apart.stream().filter(one -> one.rows > 0).forEach(one -> conflicts.add(ofTable(one.name, Optional.empty())));
        conflicts.sort(Comparator.comparing(found -> found.conflict().key()));
    }

    private SortedSet<String> names() {
        SortedSet<String> names = new TreeSet<>(base.tables.keySet());
        sides.forEach(side -> names.addAll(side.tables.keySet()));
        versions().forEach(version -> {
            names.removeAll(version.unreadable.keySet());
            names.removeIf(name -> versions().stream().anyMatch(other -> isShared(version, other.table(name))));
        });
        return names;
    }

    public List<Declarations> versions() {
        return List.of(base, sides.get(OURS), sides.get(THEIRS));
    }

    private static boolean isShared(Declarations version, @Nullable TableInfo info) {
        return info != null && version.isShared(info.number);
    }

    private void decide(String name) {
        TableInfo before = base.table(name);
        Lineage ours = lineage(before, name, OURS);
        Lineage theirs = lineage(before, name, THEIRS);
        @Nullable Dropped drop = null;
        if (ours == theirs) {
            tables.put(
                    name,
                    both(
                            ours,
                            before,
                            sides.get(OURS).table(name),
                            sides.get(THEIRS).table(name)));
        } else {
            int writer = ours == Lineage.SAME ? OURS : THEIRS;
            TableInfo other = sides.get(ours == Lineage.NEW ? OURS : THEIRS).table(name);
            boolean isNew = ours == Lineage.NEW || theirs == Lineage.NEW;
            tables.put(name, Optional.ofNullable(isNew ? other : null));
            TableInfo written = sides.get(writer).table(name);
            if (before != null && written != null && (ours == Lineage.SAME || theirs == Lineage.SAME)) {
                drop = new Dropped(before, written, writer, writer == OURS ? theirs : ours);
                dropped.add(drop);
            }
        }
        for (Declarations side : sides) {
            TableInfo now = side.table(name);
            if (now != null && base.named(now.number).isEmpty()) {
                // The replay of several events can leave rows under a number of no table: neither side has deleted one
                // of them.
                fates.put(now.number, new Fate(RowFate.AFRESH, OURS, null));
            }
        }
        if (before != null) {
            decideRows(before.number, drop, ours, theirs);
        }
    }

    private Lineage lineage(@Nullable TableInfo before, String name, int side) {
        TableInfo now = sides.get(side).table(name);
        if (now == null) {
            return Lineage.NONE;
        }
        boolean same = before != null
                && before.number == now.number
                && !madeAgain.get(side).contains(name);
        return same ? Lineage.SAME : Lineage.NEW;
    }

    /** Where both sides have the table of the base, or both a new one, or neither has any. Rule R7. */
    private Optional<TableInfo> both(
            Lineage lineage, @Nullable TableInfo before, @Nullable TableInfo ours, @Nullable TableInfo theirs) {
        if (ours == null || theirs == null) {
            return Optional.empty();
        }
        SortedSet<IndexName> names = indexes(lineage == Lineage.SAME ? before : null, ours, theirs);
        if (ours.number != theirs.number) {
            int last = ours.number > theirs.number ? OURS : THEIRS;
            apart.add(new Apart(ours.name, Math.max(ours.number, theirs.number), last));
        }
        RowMerge origin = before == null || lineage == Lineage.NEW ? RowMerge.WHOLE : before.rowMerge;
        RowMerge rowMerge = ours.rowMerge == origin ? theirs.rowMerge : ours.rowMerge;
        if (lineage == Lineage.NEW && ours.rowMerge != theirs.rowMerge) {
            rowMerge = RowMerge.WHOLE;
        }
        int inline = ours.inline == (before == null ? 0 : before.inline) ? theirs.inline : ours.inline;
        if (lineage == Lineage.NEW) {
            inline = Math.min(ours.inline, theirs.inline);
        }
        SchemaParts.Merged schema = SchemaParts.merge(
                before == null || lineage == Lineage.NEW ? null : before.schema, ours.schema, theirs.schema);
        if (!schema.conflicts().isEmpty()) {
            conflicts.add(ofTable(ours.name, Optional.empty(), Optional.of(String.join("; ", schema.conflicts()))));
        }
        return Optional.of(TableInfo.of(ours.name, Math.min(ours.number, theirs.number), names, rowMerge)
                .withInline(inline)
                .withSchema(schema.parts()));
    }

    /** The merged set of indexes. Of two that both sides made under one name, that with more properties stays. */
    private static SortedSet<IndexName> indexes(@Nullable TableInfo before, TableInfo ours, TableInfo theirs) {
        Map<String, IndexName> kept = new HashMap<>();
        for (TableInfo side : List.of(ours, theirs)) {
            for (IndexName name : side.names()) {
                boolean isOfBoth = ours.has(name) && theirs.has(name);
                if (isOfBoth || before == null || !before.has(name)) {
                    kept.merge(
                            name.index().name(),
                            name,
                            BinaryOperator.maxBy(
                                    Comparator.comparing(each -> each.index().toString())));
                }
            }
        }
        return new TreeSet<>(kept.values());
    }

    private void decideRows(int number, @Nullable Dropped drop, Lineage ours, Lineage theirs) {
        if (ours == Lineage.SAME && theirs == Lineage.SAME) {
            return;
        }
        boolean otherInOurs =
                ours != Lineage.SAME && !sides.get(OURS).named(number).isEmpty();
        boolean otherInTheirs =
                theirs != Lineage.SAME && !sides.get(THEIRS).named(number).isEmpty();
        if (otherInOurs && otherInTheirs) {
            fates.put(number, new Fate(RowFate.AFRESH, OURS, null));
        } else if (otherInOurs || otherInTheirs) {
            fates.put(number, new Fate(RowFate.ONE_SIDE, otherInOurs ? OURS : THEIRS, drop));
        } else if (drop != null) {
            fates.put(number, new Fate(RowFate.WRITTEN, drop.writer, null));
        }
    }

    private void look(String key, Optional<Cid> before, List<Optional<Cid>> values) {
        Optional<Cid> ours = values.get(OURS);
        Optional<Cid> theirs = values.get(THEIRS);
        if (key.startsWith(KeyText.ROWS) && owner(KeyText.number(key)) != null) {
            row(key, before, values);
        } else if (ThreeWay.isConflict(before, ours, theirs) && !isDecided(key)) {
            Optional<String> former = key.startsWith(KeyText.ROWS) ? former(KeyText.number(key)) : Optional.empty();
            Optional<String> id =
                    former.map(table -> TableInfo.of(table, KeyText.number(key), List.of(), RowMerge.WHOLE)
                            .rowId(key));
            conflicts.add(new TableConflict(Conflict.of(key, before, ours, theirs), former, id, Optional.empty()));
        }
    }

    /** The former table of orphans. */
    private Optional<String> former(int number) {
        return number < 0
                ? Optional.empty()
                : OrphanRows.notedTable(pail(OURS), number).or(() -> OrphanRows.notedTable(pail(THEIRS), number));
    }

    /** Whether the value of a key follows from the rows and the tables. */
    public boolean isDecided(String key) {
        if (key.startsWith(KeyText.TABLES)) {
            String name = TableInfo.name(key);
            return name != null && tables.containsKey(name);
        }
        return hasTables && IndexKeys.tableOf(key) != null;
    }

    /** Finds whether a row is a conflict. Rule R6. */
    private void row(String key, Optional<Cid> before, List<Optional<Cid>> values) {
        int number = KeyText.number(key);
        TableInfo owner = owner(number);
        String id = owner == null ? null : owner.rowId(key);
        Fate fate = fates.get(number);
        Optional<Cid> ours = values.get(OURS);
        Optional<Cid> theirs = values.get(THEIRS);
        Optional<Cid> origin = fate != null && fate.rows == RowFate.AFRESH ? Optional.empty() : before;
        boolean ofBoth = fate == null || fate.rows == RowFate.AFRESH;
        if (ofBoth && ThreeWay.isConflict(origin, ours, theirs)) {
            Optional<Block> merged = owner == null || id == null ? Optional.empty() : byFields(owner, origin, values);
            merged.ifPresent(block -> byFields.put(key, block));
            Optional<String> table = owner == null || id == null ? Optional.empty() : Optional.of(owner.name);
            if (merged.isEmpty()) {
                conflicts.add(new TableConflict(
                        Conflict.of(key, origin, ours, theirs), table, Optional.ofNullable(id), Optional.empty()));
            }
        }
        if (id == null) {
            return;
        }
        for (Dropped drop : dropped) {
            if (!ofBoth && drop.base.number == number && isWritten(before, values.get(drop.writer))) {
                drop.rows++;
                if (drop.first.size() < SHOWN) {
                    drop.first.add(id);
                }
            }
        }
        for (Apart one : apart) {
            one.rows += one.number == number && isWritten(origin, values.get(one.side)) ? 1 : 0;
        }
    }

    /** The document of a row, merged by fields if its table in the merged version says so (spec rule R11). */
    private Optional<Block> byFields(TableInfo owner, Optional<Cid> origin, List<Optional<Cid>> values) {
        // A number can have one table in ours and another one in theirs: their rows are not of one table.
        SortedSet<String> name = sides.get(OURS).named(owner.number);
        boolean isRule = name.size() == 1
                && name.equals(sides.get(THEIRS).named(owner.number))
                && tables.getOrDefault(name.first(), Optional.empty())
                        .filter(info -> info.rowMerge == RowMerge.FIELDS)
                        .isPresent();
        if (!isRule || values.get(OURS).isEmpty() || values.get(THEIRS).isEmpty()) {
            return Optional.empty();
        }
        try {
            return documents.merged(
                    origin.map(cid -> InlineRows.read(base.pail.blocks(), cid)),
                    InlineRows.read(pail(OURS).blocks(), values.get(OURS).get()),
                    InlineRows.read(pail(THEIRS).blocks(), values.get(THEIRS).get()));
        } catch (MissingBlockException | CorruptBlockException | TableException e) {
            // A document that cannot be read does not keep the other rows from being merged.
            return Optional.empty();
        }
    }

    /** How large a document is at most that the merged version has in the map, under the number of a table. Rule R16. */
    public int inline(int number) {
        return tables.values().stream()
                .flatMap(Optional::stream)
                .filter(info -> info.number == number)
                .mapToInt(info -> info.inline)
                .findFirst()
                .orElse(0);
    }

    public static boolean isWritten(Optional<Cid> before, Optional<Cid> now) {
        return now.isPresent() && !now.equals(before);
    }

    /** A table that a number has: on our side, on theirs, or in the base. */
    private @Nullable TableInfo owner(int number) {
        for (Declarations version : List.of(sides.get(OURS), sides.get(THEIRS), base)) {
            SortedSet<String> names = version.named(number);
            if (!names.isEmpty()) {
                return version.table(names.first());
            }
        }
        return null;
    }

    /** A drop loses against what the other side wrote. Rule R8. */
    private void decideDropped(Dropped drop) {
        if (!drop.isWritten()) {
            return;
        }
        if (!drop.madeAgain) {
            tables.put(drop.base.name, Optional.of(drop.written));
        }
        conflicts.add(ofTable(drop.base.name, Optional.of(drop.described())));
    }

    private TableConflict ofTable(String name, Optional<TableConflict.DroppedTable> drop) {
        return ofTable(name, drop, Optional.empty());
    }

    private TableConflict ofTable(String name, Optional<TableConflict.DroppedTable> drop, Optional<String> schema) {
        String key = TableInfo.key(name);
        Conflict conflict = Conflict.of(
                key, base.pail.get(key), pail(OURS).get(key), pail(THEIRS).get(key));
        return new TableConflict(conflict, Optional.of(name), Optional.empty(), drop, Optional.empty(), schema);
    }

    private Pail pail(int side) {
        return sides.get(side).pail;
    }
}
