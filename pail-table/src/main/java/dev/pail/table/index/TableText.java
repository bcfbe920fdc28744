package dev.pail.table.index;

import dev.pail.Escapes;
import dev.pail.table.Index;
import java.util.Collection;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** How messages name tables, rows and indexes. */
public final class TableText {
    private TableText() {}

    public static String quoted(String name) {
        return Escapes.brief(name);
    }

    public static String rows(long count) {
        return count == 1 ? "1 row" : count + " rows";
    }

    public static String indexOn(Index index) {
        return "the " + index(index);
    }

    /** The same without an article. */
    public static String index(Index index) {
        return (index.fields().size() == 1 ? "index on the field " : "index on the fields ")
                + quoted(index.isPlain() ? index.toString() : index.name());
    }

    public static String indexesOn(Collection<String> fields) {
        return (fields.size() == 1 ? "the index on " : "the indexes on ")
                + fields.stream().map(TableText::quoted).collect(Collectors.joining(", "));
    }

    /** What to say of tables that have the same number. */
    public static String sharing(SortedSet<String> names) {
        return "the tables " + names.stream().map(TableText::quoted).collect(Collectors.joining(" and "))
                + " got the same number by a merge, so that their rows are the same (T2)";
    }
}
