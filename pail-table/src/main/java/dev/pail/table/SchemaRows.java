package dev.pail.table;

import dev.pail.CorruptBlockException;
import dev.pail.Entry;
import dev.pail.KeyChange;
import dev.pail.KeyRange;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.table.index.Declarations;
import dev.pail.table.index.KeyText;
import dev.pail.table.index.TableInfo;
import dev.pail.table.index.TableText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rows that fit the schemas of their tables, and those that do not (spec rule T15). For one version. */
final class SchemaRows {
    /** The most rows that a message names. */
    static final int MOST_NAMED = 10;

    /** By the names of tables, since the filters of a schema are parsed but once. */
    private final Map<String, Schema> schemas = new HashMap<>();

    /**
     * The document that a row gets, with the default values of absent columns (spec rule T16).
     *
     * @throws TableException if it does not fit
     */
    Document fitted(TableInfo info, String id, Document given) {
        if (info.schema == null) {
            return given;
        }
        Schema schema = schemas.computeIfAbsent(info.name, each -> Schema.of(info.schema));
        Document document;
        try {
            document = schema.withDefaults(given);
        } catch (TableException e) {
            throw new TableException(e.reason(), misfit(info.name, id, String.valueOf(e.getMessage())), e);
        }
        Optional<String> why = schema.misfit(id, document);
        if (why.isPresent()) {
            throw new TableException(TableException.Reason.MISFIT, misfit(info.name, id, why.get() + " (T15)"));
        }
        return document;
    }

    static String misfit(String table, String id, String why) {
        return "the row " + TableText.quoted(id) + " of the table " + TableText.quoted(table)
                + " does not fit its schema: " + why;
    }

    /** The first rows of a table that do not fit a schema, each in words. */
    static List<String> misfits(Table table, Schema schema, int most) {
        try (Stream<Row> rows = table.rows()) {
            return rows.flatMap(row -> schema.misfit(row.id(), row.document()).stream()
                            .map(why -> "the row " + TableText.quoted(row.id()) + ", where " + why))
                    .limit(most)
                    .toList();
        }
    }

    /** A sentence for each row that does not fit, at most 10 of a table, and one for its others (Rule R15). */
    static List<String> notes(Pail pail) {
        Declarations declared = Declarations.of(pail);
        List<String> notes = new ArrayList<>();
        declared.tables.values().stream()
                .filter(info -> info.schema != null && !declared.isShared(info.number))
                .forEach(info -> notes.addAll(notes(pail, info)));
        return notes;
    }

    private static List<String> notes(Pail pail, TableInfo info) {
        Notes notes = new Notes(info.name, " (R15)");
        try {
            Schema schema = Schema.of(Objects.requireNonNull(info.schema));
            info.forEachRow(pail, entry -> misfit(pail, info, schema, entry).ifPresent(notes::add));
        } catch (TableException e) {
            return List.of(
                    "the rows of the table " + TableText.quoted(info.name) + " are not checked: " + e.getMessage());
        }
        return notes.done();
    }

    /** The first notes of a table, and the number of the others. */
    private static final class Notes {
        private final String table;
        private final String rule;
        private final List<String> notes = new ArrayList<>();
        private long more;

        Notes(String table, String rule) {
            this.table = table;
            this.rule = rule;
        }

        void add(Misfit found) {
            if (notes.size() < MOST_NAMED) {
                notes.add(misfit(found.table, found.row, found.why) + rule);
            } else {
                more++;
            }
        }

        List<String> done() {
            if (more > 0) {
                notes.add(TableText.rows(more) + " more of the table " + TableText.quoted(table)
                        + " not fitting its schema" + rule);
            }
            return notes;
        }
    }

    /**
     * A row that does not fit.
     *
     * @param why what does not fit, in words
     */
    record Misfit(String table, String row, Entry entry, String why) {}

    /** A document that cannot be read is found elsewhere. */
    private static Optional<Misfit> misfit(Pail pail, TableInfo info, Schema schema, Entry entry) {
        String id = String.valueOf(info.rowId(entry.key()));
        try {
            return schema.misfit(id, new Row(pail.blocks(), entry.key(), id, entry.value()).document())
                    .map(why -> new Misfit(info.name, id, entry, why));
        } catch (MissingBlockException | CorruptBlockException | TableException e) {
            return Optional.empty();
        }
    }

    /** The first rows of a table that do not fit its schema; none, if it has no schema that this version understands. */
    static List<Misfit> misfits(Pail pail, TableInfo info, int most) {
        Schema schema = understood(info);
        if (schema == null) {
            return List.of();
        }
        try (Stream<Entry> rows = pail.entries(KeyRange.prefix(info.rows))) {
            return rows.filter(entry -> info.rowId(entry.key()) != null)
                    .flatMap(entry -> misfit(pail, info, schema, entry).stream())
                    .limit(most)
                    .toList();
        }
    }

    /** Whether a version has a schema. */
    static boolean canBeIn(Declarations declared) {
        return declared.tables.values().stream().anyMatch(info -> info.schema != null);
    }

    /** The same of some rows in the order of their tables, at most 10 of each. */
    static List<String> notes(List<Misfit> found) {
        Map<String, Notes> notes = new TreeMap<>();
        found.forEach(each -> notes.computeIfAbsent(each.table, table -> new Notes(table, " (R14)"))
                .add(each));
        return notes.values().stream().flatMap(each -> each.done().stream()).toList();
    }

    /** A table with rows to check, and the sides that have it with the same schema. */
    private record Checked(TableInfo info, Schema schema, List<Pail> same) {}

    /** Finds the rows of a merged version that do not fit, and that no side has under the same schema (Rule R14). */
    static List<Misfit> misfits(Declarations ours, Declarations theirs, Pail merged) {
        List<Misfit> found = new ArrayList<>();
        Map<Pail, Map<Integer, Checked>> bySide = new LinkedHashMap<>();
        Declarations declared = Declarations.of(merged);
        for (TableInfo info : declared.tables.values()) {
            Schema schema = declared.isShared(info.number) ? null : understood(info);
            if (schema == null) {
                continue;
            }
            List<Pail> same = Stream.of(ours, theirs)
                    .filter(side -> hasSame(side.table(info.name), info))
                    .map(side -> side.pail)
                    .toList();
            if (same.isEmpty()) {
                info.forEachRow(
                        merged, entry -> misfit(merged, info, schema, entry).ifPresent(found::add));
            } else {
                bySide.computeIfAbsent(same.get(0), side -> new HashMap<>())
                        .put(info.number, new Checked(info, schema, same));
            }
        }
        bySide.forEach((side, tables) -> differing(side, tables, merged, found));
        return found;
    }

    private static boolean hasSame(@Nullable TableInfo side, TableInfo merged) {
        return side != null && side.number == merged.number && Objects.equals(side.schema, merged.schema);
    }

    /** The schema of a table, or null if it has none, or one with a check of a later version. */
    private static @Nullable Schema understood(TableInfo info) {
        try {
            return info.schema == null ? null : Schema.of(info.schema);
        } catch (TableException e) {
            return null;
        }
    }

    /** Checks the rows that differ from a side, and from the other one if that has the same schema. */
    private static void differing(Pail side, Map<Integer, Checked> tables, Pail merged, List<Misfit> found) {
        try (Stream<KeyChange> changes = side.diff(merged).boundedKeys()) {
            changes.filter(change -> change.key().startsWith(KeyText.ROWS)).forEachOrdered(change -> {
                String key = change.key();
                Checked table = tables.get(KeyText.number(key));
                if (table != null && change.after().isPresent() && table.info.rowId(key) != null) {
                    Pail other = table.same.get(table.same.size() - 1);
                    Entry entry = new Entry(key, change.after().get());
                    if (!other.get(key).equals(change.after())) {
                        misfit(merged, table.info, table.schema, entry).ifPresent(found::add);
                    }
                }
            });
        }
    }
}
