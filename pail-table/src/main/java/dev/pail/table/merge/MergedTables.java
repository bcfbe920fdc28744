package dev.pail.table.merge;

import dev.pail.Batch;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.table.Orphans;
import dev.pail.table.TableException;
import dev.pail.table.index.Declarations;
import dev.pail.table.index.EscapedText;
import dev.pail.table.index.InlineRows;
import dev.pail.table.index.KeyText;
import dev.pail.table.index.OrphanRows;
import dev.pail.table.index.TableInfo;
import dev.pail.table.index.TableText;
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

/** What has to change in a merged version, but for index entries. */
public final class MergedTables {
    private static final int OURS = 0;
    private static final int THEIRS = 1;

    private final MergePlan plan;
    private final Pail base;
    private final Pail ours;
    private final Pail theirs;
    private final Pail merged;
    private final SortedMap<String, Optional<TableInfo>> tables = new TreeMap<>();
    private final SortedMap<String, Optional<Cid>> changes = new TreeMap<>();
    private final Map<MergePlan.Dropped, Integer> numbers = new HashMap<>();
    private final Set<Integer> taken = new HashSet<>();
    private final SortedMap<Integer, String> kept = new TreeMap<>();
    /** Notes of orphans that one side took away: the other can have added rows. */
    private final SortedMap<Integer, String> gone = new TreeMap<>();

    private final List<String> notes = new ArrayList<>();
    private final List<Orphans> orphans = new ArrayList<>();
    private final List<Block> blocks = new ArrayList<>();

    public MergedTables(MergePlan plan, Pail merged) {
        this.plan = plan;
        this.base = plan.base.pail;
        this.ours = plan.sides.get(OURS).pail;
        this.theirs = plan.sides.get(THEIRS).pail;
        this.merged = merged;
        tables.putAll(plan.tables);
    }

    /** Stores the version that the merge is to have, but for index entries. */
    public Pail done() {
        plan.versions().forEach(version -> version.tables.values().forEach(info -> taken.add(info.number)));
        Declarations.of(merged).tables.values().forEach(info -> taken.add(info.number));
        plan.dropped.stream().filter(MergePlan.Dropped::isWritten).forEach(this::keep);
        plan.apart.stream().filter(one -> one.rows > 0).forEach(this::keep);
        ThreeWay.forEach(base, List.of(ours, theirs, merged), this::key);
        tables.forEach(this::declare);
        if (!plan.byFields.isEmpty()) {
            notes.add(TableText.rows(plan.byFields.size()) + " that both sides changed: merged by fields");
        }
        if (changes.isEmpty() && kept.isEmpty() && gone.isEmpty()) {
            return merged;
        }
        merged.blocks().putAll(blocks);
        Batch batch = merged.batch();
        changes.forEach((key, value) -> value.ifPresentOrElse(cid -> batch.put(key, cid), () -> batch.delete(key)));
        kept.forEach((number, name) -> OrphanRows.note(merged, batch, number, name));
        return OrphanRows.noteAgain(batch.commit(), gone);
    }

    /** A sentence for each table that was dropped or kept. */
    public List<String> notes() {
        return notes;
    }

    /** The rows that are kept under numbers that no table has. */
    public List<Orphans> orphans() {
        return orphans;
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
            tables.put(
                    name,
                    Optional.of(TableInfo.of(name, number, drop.written.names(), drop.written.rowMerge)
                            .withInline(drop.written.inline)
                            .withSchema(drop.written.schema)));
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
        return drop.indexes.stream().map(name -> name.index().toString()).toList();
    }

    private void keep(MergePlan.Apart one) {
        boolean owned = tables.values().stream().flatMap(Optional::stream).anyMatch(info -> info.number == one.number);
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
        Block byFields = plan.byFields.get(key);
        if (byFields != null) {
            Cid value = InlineRows.value(byFields, plan.inline(KeyText.number(key)));
            wanted = Optional.of(value);
            if (InlineRows.document(value) == null) {
                blocks.add(byFields);
            }
        } else if (key.startsWith(KeyText.ROWS) && KeyText.number(key) >= 0) {
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
                changes.put(KeyText.rows(Objects.requireNonNull(numbers.get(drop))) + EscapedText.of(id), written);
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
