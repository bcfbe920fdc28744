package dev.pail.table;

import dev.pail.Escapes;
import dev.pail.table.document.JsonReader;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The columns of a schema, as the fields of a document are within each other. It is as deep as paths have names: 128 at most. */
final class ColumnTree {
    /** The fields in the object that is here, by their names. */
    final SortedMap<String, ColumnTree> fields = new TreeMap<>(JsonReader::compareNames);

    /** What is here, or null: then other columns are below. */
    @Nullable
    Column column;

    static ColumnTree of(Collection<Column> columns) {
        ColumnTree root = new ColumnTree();
        columns.forEach(column -> root.add(column, column.path().list()));
        return root;
    }

    private void add(Column added, List<String> names) {
        ColumnTree at = this;
        for (String name : names) {
            at = at.fields.computeIfAbsent(name, each -> new ColumnTree());
        }
        at.column = added;
    }

    /** What is at a path, or null. */
    @Nullable
    ColumnTree at(FieldPath path) {
        ColumnTree at = this;
        for (String name : path.list()) {
            at = at == null ? null : at.fields.get(name);
        }
        return at;
    }

    /** Whether the object above has this field. Without a column of its own, it has it if a column below is required. */
    boolean isRequired() {
        return required() != null;
    }

    /** The first column that requires this field, or null. */
    @Nullable
    Column required() {
        if (column != null) {
            return column.isRequired() ? column : null;
        }
        for (ColumnTree field : fields.values()) {
            Column found = field.required();
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Why an object does not fit, or null if it does. Rule T15. */
    @Nullable
    String misfit(Map<?, ?> object, boolean isClosed) {
        for (Map.Entry<String, ColumnTree> field : fields.entrySet()) {
            String why = field.getValue().misfitOf(object.get(field.getKey()), isClosed);
            if (why != null) {
                return why;
            }
        }
        if (isClosed) {
            for (Object name : object.keySet()) {
                if (!fields.containsKey((String) name)) {
                    return "the field " + Escapes.brief((String) name) + " is no column, and the schema is closed";
                }
            }
        }
        return null;
    }

    private @Nullable String misfitOf(@Nullable Object value, boolean isClosed) {
        if (value == null) {
            Column missing = required();
            return missing == null ? null : named(missing) + " is missing, and is required";
        }
        if (column != null && !column.accepts(value)) {
            return named(column) + " has " + Column.brief(value) + ", and takes " + column.type().wanted
                    + (column.isNullable() ? " or null" : "");
        }
        if (value instanceof Map<?, ?> object && !fields.isEmpty()) {
            return misfit(object, isClosed);
        }
        return column == null ? misfitAbove(value) : null;
    }

    private String misfitAbove(Object value) {
        ColumnTree at = this;
        while (at.column == null) {
            at = Objects.requireNonNull(at.fields.get(at.fields.firstKey()));
        }
        return named(at.column) + " is within " + Column.brief(value) + ", and takes a field of an object";
    }

    private static String named(Column column) {
        return "the column " + Escapes.brief(column.path().text());
    }

    /** The tree of a document with the default values of absent columns; the same if none is missing. Rule T16. */
    Object withDefaults(Object tree, Collection<Column> columns) {
        Object filled = tree;
        for (Column each : columns) {
            if (each.defaultValue().isPresent()
                    && takesDefault(filled, each.path().list())) {
                filled = each.path().with(filled, each.defaultTree());
            }
        }
        return filled;
    }

    /** Whether a field is absent, and all that is above it is an object, or absent and required: then the default makes it. */
    private boolean takesDefault(Object tree, List<String> names) {
        @Nullable Object value = tree;
        ColumnTree at = this;
        for (String name : names) {
            boolean isObject = value instanceof Map<?, ?>;
            if (!isObject && (value != null || !at.isRequired())) {
                return false;
            }
            value = value instanceof Map<?, ?> object ? object.get(name) : null;
            at = Objects.requireNonNull(at.fields.get(name));
        }
        return value == null;
    }
}
