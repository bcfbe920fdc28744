package dev.pail.table.index;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kinds of indexes that there are: another one is added here. */
public final class IndexKinds {
    /** The index on a field as it is. */
    public static final IndexKind FIELD = new FieldIndex();

    private static final List<IndexKind> ALL = List.of(FIELD);

    private IndexKinds() {}

    public static @Nullable IndexKind named(String name) {
        for (IndexKind kind : ALL) {
            if (kind.name().equals(name)) {
                return kind;
            }
        }
        return null;
    }
}
