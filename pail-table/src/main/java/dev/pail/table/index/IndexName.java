package dev.pail.table.index;

import dev.pail.table.FieldPath;
import dev.pail.table.Index;
import dev.pail.table.TableException;
import java.util.List;

/**
 * An index of a table, under the text that the keys of its entries have as the field (spec rule T11): the path of a plain index, else a dot and the
 * name of the index. No path starts with a dot.
 */
public record IndexName(Index index) implements Comparable<IndexName> {
    private static final String MARK = ".";

    /** The name of the plain index on a field. */
    public static IndexName of(FieldPath field) {
        return new IndexName(Index.on(field));
    }

    /**
     * Reads the text of a key: what it says of the index. That is not all, such as whether the index is unique.
     *
     * @throws TableException if it is neither a path nor the name of an index
     */
    static Index parse(String text) {
        if (!text.startsWith(MARK)) {
            return Index.on(FieldPath.parse(text));
        }
        String name = text.substring(MARK.length());
        Index index = Index.parse(name);
        if (!index.name().equals(name)) {
            throw new TableException(
                    TableException.Reason.KEY,
                    "the index " + TableText.quoted(name) + " has the name " + TableText.quoted(index.name())
                            + " (T11)");
        }
        return index;
    }

    public String text() {
        return index.isPlain() ? index.fields().get(0).path().text() : MARK + index.name();
    }

    public List<Index.Field> fields() {
        return index.fields();
    }

    @Override
    public int compareTo(IndexName other) {
        return text().compareTo(other.text());
    }
}
