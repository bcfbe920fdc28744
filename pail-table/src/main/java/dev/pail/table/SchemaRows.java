package dev.pail.table;

import dev.pail.CorruptBlockException;
import dev.pail.Entry;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.table.index.Declarations;
import dev.pail.table.index.TableInfo;
import dev.pail.table.index.TableText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The rows that fit the schemas of their tables, and those that do not (Rule T15). For one version. */
final class SchemaRows {
    /** The most rows that a message names. */
    static final int MOST_NAMED = 10;

    /** By the names of tables, since the filters of a schema are parsed but once. */
    private final Map<String, Schema> schemas = new HashMap<>();

    /**
     * The document that a row gets, with the default values of absent columns (Rule T16).
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
        List<String> notes = new ArrayList<>();
        long[] more = {0};
        try {
            Schema schema = Schema.of(Objects.requireNonNull(info.schema));
            info.forEachRow(
                    pail,
                    entry -> misfit(pail, info, schema, entry).ifPresent(note -> {
                        if (notes.size() < MOST_NAMED) {
                            notes.add(note + " (R15)");
                        } else {
                            more[0]++;
                        }
                    }));
        } catch (TableException e) {
            notes.add("the rows of the table " + TableText.quoted(info.name) + " are not checked: " + e.getMessage());
        }
        if (more[0] > 0) {
            notes.add(TableText.rows(more[0]) + " more of the table " + TableText.quoted(info.name)
                    + " not fitting its schema (R15)");
        }
        return notes;
    }

    /** What does not fit in a row, in words. A document that cannot be read is found elsewhere. */
    private static Optional<String> misfit(Pail pail, TableInfo info, Schema schema, Entry entry) {
        String id = String.valueOf(info.rowId(entry.key()));
        try {
            return schema.misfit(id, new Row(pail.blocks(), entry.key(), id, entry.value()).document())
                    .map(why -> misfit(info.name, id, why));
        } catch (MissingBlockException | CorruptBlockException | TableException e) {
            return Optional.empty();
        }
    }
}
