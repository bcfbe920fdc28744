package dev.pail.table.index;

import dev.pail.table.FieldPath;
import dev.pail.table.TableException;

/**
 * What a table declares of an index: its kind and its field. In declarations and keys, an index on a field as it is has the text of the path. An
 * index of another kind has a dot, the name of the kind, a dot and that text: no path starts with a dot.
 */
public record IndexName(IndexKind kind, FieldPath field) implements Comparable<IndexName> {
    private static final String MARK = ".";

    /** The name of the index on a field as it is. */
    public static IndexName of(FieldPath field) {
        return new IndexName(IndexKinds.FIELD, field);
    }

    /**
     * Reads a name.
     *
     * @throws TableException if it is neither a path nor the name of an index of a known kind
     */
    public static IndexName parse(String text) {
        int end = text.startsWith(MARK) ? text.indexOf(MARK, 1) : -1;
        IndexKind kind = end < 0 ? null : IndexKinds.named(text.substring(1, end));
        return kind == null || kind == IndexKinds.FIELD
                ? of(FieldPath.parse(text))
                : new IndexName(kind, FieldPath.parse(text.substring(end + 1)));
    }

    public String text() {
        return kind == IndexKinds.FIELD ? field.text() : MARK + kind.name() + MARK + field.text();
    }

    @Override
    public int compareTo(IndexName other) {
        return text().compareTo(other.text());
    }
}
