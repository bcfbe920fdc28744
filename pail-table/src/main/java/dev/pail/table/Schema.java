package dev.pail.table;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import dev.pail.table.schema.SchemaParts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the documents of a table look like: columns, checks, and the field with the id. Each put of a row is checked, and a merge names the rows
 * that do not fit. Spec rules T14 to T18.
 *
 * <p>A document may have other fields, unless the schema is {@link #closed}.
 *
 * <p>Immutable and safe for use by several threads. Two schemas are equal if their parts are; the order in which they were given makes no
 * difference.
 *
 * <pre>{@code
 * Schema schema = Schema.of(List.of(Column.parse("id text required"), Column.parse("age integer")))
 *         .check(Filter.parse("not exists age or age >= 0"))
 *         .key(FieldPath.parse("id"));
 * Table people = Tables.of(pail).create("people").withSchema(schema);
 * }</pre>
 */
@CheckReturnValue
public final class Schema {
    /** The most columns that a table is given. */
    public static final int MAX_COLUMNS = 1000;

    /** The most checks that a table is given. */
    public static final int MAX_CHECKS = 1000;

    /** The most bytes of all texts of a schema that a table is given. */
    private static final int MAX_SIZE = 1 << 20;

    private final SchemaParts parts;
    private final ColumnTree tree;
    private final List<Filter> checks;

    /**
     * A schema from a JSON Schema.
     *
     * @param notKept the names of the annotations that a {@link Schema} does not have, such as {@code title}: they say nothing of documents
     */
    public record Imported(Schema schema, List<String> notKept) {
        public Imported {
            Objects.requireNonNull(schema, "schema");
            notKept = List.copyOf(Objects.requireNonNull(notKept, "notKept"));
        }
    }

    private Schema(SchemaParts parts) {
        this.parts = parts;
        this.tree = ColumnTree.of(parts.columns().values());
        this.checks = parts.checks().stream().map(Filter::parse).toList();
    }

    /** @throws TableException if a check is no filter, or one of a later version of this program */
    static Schema of(SchemaParts parts) {
        return new Schema(parts);
    }

    /**
     * Returns an open schema of some columns, without checks and key.
     *
     * @param columns in any order. Of two with the same path, the last counts
     */
    public static Schema of(List<Column> columns) {
        return of(SchemaParts.of(
                List.copyOf(Objects.requireNonNull(columns, "columns")), List.of(), Optional.empty(), false));
    }

    /**
     * Reads a JSON Schema (draft 2020-12) of the supported subset. Spec rule T18 lists its keywords.
     *
     * @throws TableException if the text is no JSON Schema, or has a keyword outside of the subset: the message names it
     */
    public static Imported ofJsonSchema(String json) {
        return new JsonSchema().read(Objects.requireNonNull(json, "json"));
    }

    /**
     * Returns the JSON Schema (draft 2020-12), in one line. Checks and keys that JSON Schema has no keyword for are in {@code x-pail-check} and
     * {@code x-pail-key}, which other programs ignore. {@link #ofJsonSchema} reads a schema with the same meaning from it.
     */
    public String jsonSchema() {
        return JsonSchema.of(this);
    }

    /** Returns the schema with a column, in the place of one with the same path. */
    public Schema with(Column column) {
        List<Column> columns = new ArrayList<>(columns());
        columns.add(Objects.requireNonNull(column, "column"));
        return of(SchemaParts.of(columns, parts.checks(), parts.key(), parts.isClosed()));
    }

    /** Returns the schema without the column at a path; the same if there is none. */
    public Schema without(FieldPath path) {
        Objects.requireNonNull(path, "path");
        List<Column> columns = new ArrayList<>(columns());
        columns.removeIf(column -> column.path().equals(path));
        return of(SchemaParts.of(columns, parts.checks(), parts.key(), parts.isClosed()));
    }

    /**
     * Returns the schema with a check: a filter that accepts each document. As in queries, a comparison with an absent field does not hold: write
     * {@code not exists age or age >= 0} for a field that may be absent.
     *
     * @throws TableException if the filter has no text form
     */
    public Schema check(Filter filter) {
        Objects.requireNonNull(filter, "filter");
        String text = Filter.parse(filter.toString()).toString();
        Set<String> all = new LinkedHashSet<>(parts.checks());
        all.add(text);
        return withChecks(all);
    }

    /** Returns the schema without a check; the same if it has no such check. */
    public Schema withoutCheck(Filter filter) {
        Objects.requireNonNull(filter, "filter");
        Set<String> all = new LinkedHashSet<>(parts.checks());
        all.remove(filter.toString());
        return withChecks(all);
    }

    private Schema withChecks(Collection<String> all) {
        return of(SchemaParts.of(parts.columns().values(), all, parts.key(), parts.isClosed()));
    }

    /** Returns the schema of documents that have the id of their row in a field: a text, or an integer as the text of its digits. */
    public Schema key(FieldPath path) {
        Objects.requireNonNull(path, "path");
        return of(SchemaParts.of(parts.columns().values(), parts.checks(), Optional.of(path), parts.isClosed()));
    }

    /** Returns the schema without a key. */
    public Schema withoutKey() {
        return of(SchemaParts.of(parts.columns().values(), parts.checks(), Optional.empty(), parts.isClosed()));
    }

    /** Returns the schema of documents without fields that are no columns, also in objects with columns. */
    public Schema closed() {
        return of(SchemaParts.of(parts.columns().values(), parts.checks(), parts.key(), true));
    }

    /** Returns the schema of documents that may have other fields. */
    public Schema open() {
        return of(SchemaParts.of(parts.columns().values(), parts.checks(), parts.key(), false));
    }

    /** The columns, in the order of the bytes of their paths. */
    public List<Column> columns() {
        return List.copyOf(parts.columns().values());
    }

    /** The checks, in the order of their texts. */
    public List<Filter> checks() {
        return checks;
    }

    /** The field with the id of the row, if there is one. */
    public Optional<FieldPath> key() {
        return parts.key();
    }

    /** Whether documents have no fields that are no columns. */
    public boolean isClosed() {
        return parts.isClosed();
    }

    SchemaParts parts() {
        return parts;
    }

    ColumnTree tree() {
        return tree;
    }

    /** Returns why a document does not fit, as a part of a sentence, or nothing if it does. A default value does not count. Spec rule T15. */
    public Optional<String> misfit(String id, Document document) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(document, "document");
        Map<?, ?> fields = (Map<?, ?>) document.tree();
        String why = tree.misfit(fields, parts.isClosed());
        return Optional.ofNullable(why != null ? why : misfitOf(id, fields, document));
    }

    private @Nullable String misfitOf(String id, Map<?, ?> fields, Document document) {
        if (parts.key().isPresent()) {
            FieldPath key = parts.key().get();
            Object found = key.in(fields);
            String has = found == null ? "nothing" : Column.brief(found);
            if (found == null || !id.equals(TableBatch.idText(found))) {
                return "the key " + Escapes.brief(key.text()) + " has " + has + ", and takes the id of the row";
            }
        }
        for (Filter check : checks) {
            if (!check.accepts(document)) {
                return "the check " + Escapes.brief(check.toString()) + " does not hold";
            }
        }
        return null;
    }

    /**
     * Returns a document with the default values of absent columns; the same if none is absent.
     *
     * @throws TableException if a default is missing in a document that has its bytes as they were given, or something that JSON lacks
     * @throws DocumentException if the document would have more than 8 MiB or be nested more than 500 deep
     */
    public Document withDefaults(Document document) {
        Objects.requireNonNull(document, "document");
        Object before = document.tree();
        Object filled = tree.withDefaults(before, parts.columns().values());
        if (filled == before) {
            return document;
        }
        if (!Document.ofTree(before).equals(document)) {
            throw new TableException(
                    TableException.Reason.MISFIT,
                    "the document has its bytes as they were given, and would get the default of a column (T16)");
        }
        return Document.ofTree(filled);
    }

    /**
     * Checks that a table may be given this schema. A merge may make others.
     *
     * @throws TableException if not
     */
    void checkDeclarable() {
        check(!parts.equals(SchemaParts.NONE), "it says nothing");
        check(parts.columns().size() <= MAX_COLUMNS, "it has more than " + MAX_COLUMNS + " columns");
        check(checks.size() <= MAX_CHECKS, "it has more than " + MAX_CHECKS + " checks");
        long size = 0;
        for (Column column : columns()) {
            size += Utf8.encode(column.toString()).length;
            checkAbove(column);
        }
        for (String text : parts.checks()) {
            size += Utf8.encode(text).length;
        }
        check(size <= MAX_SIZE, "its texts have more than " + MAX_SIZE + " bytes");
        parts.key().ifPresent(key -> {
            Column column = parts.columns().get(key.text());
            boolean isKey = column != null
                    && column.isRequired()
                    && !column.isNullable()
                    && (column.type() == Column.Type.TEXT || column.type() == Column.Type.INTEGER);
            check(isKey, "its key " + Escapes.brief(key.text()) + " is no required column of type text or integer");
        });
    }

    /** A column above another one has objects. */
    private void checkAbove(Column column) {
        ColumnTree at = tree;
        List<String> names = column.path().list();
        for (String name : names.subList(0, names.size() - 1)) {
            at = Objects.requireNonNull(at.fields.get(name));
            Column above = at.column;
            check(
                    above == null || above.type() == Column.Type.OBJECT || above.type() == Column.Type.JSON,
                    "the column " + Escapes.brief(column.path().text()) + " is within one that is no object");
        }
    }

    private static void check(boolean isRight, String why) {
        if (!isRight) {
            throw new TableException(TableException.Reason.SCHEMA, "no schema of a table: " + why + " (T14)");
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Schema schema && parts.equals(schema.parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }

    /** The columns, checks and the key, in words. */
    @Override
    public String toString() {
        List<String> all = new ArrayList<>();
        columns().forEach(column -> all.add(column.toString()));
        parts.checks().forEach(check -> all.add("check " + check));
        parts.key().ifPresent(key -> all.add("key " + key.text()));
        all.add(parts.isClosed() ? "closed" : "open");
        return String.join(", ", all);
    }
}
