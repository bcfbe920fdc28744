package dev.pail.spark;

import dev.pail.KeyRange;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** A range of keys, which one task looks at. */
final class KeyPart implements Serializable {
    private static final long serialVersionUID = 1;

    private final @Nullable String from;
    private final @Nullable String before;

    /**
     * @param from the least key; null for no bound
     * @param before a key greater than all; null for no bound
     */
    KeyPart(@Nullable String from, @Nullable String before) {
        this.from = from;
        this.before = before;
    }

    KeyRange range() {
        KeyRange range = from == null ? KeyRange.all() : KeyRange.all().from(from);
        return before == null ? range : range.before(before);
    }
}
