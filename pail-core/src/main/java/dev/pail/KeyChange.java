package dev.pail;

import dev.pail.ipld.Cid;
import java.util.Objects;
import java.util.Optional;

/**
 * A key whose value differs between two versions.
 *
 * <pre>{@code
 * for (KeyChange change : pail.diff(pail.put("title", value)).keys().toList()) {
 *     System.out.println(change.kind() + " " + change.key()); // ADDED title, or CHANGED title
 * }
 * }</pre>
 *
 * @param key the whole key
 * @param before its value in the earlier version, if it has one there
 * @param after its value in the later version, if it has one there
 */
public record KeyChange(String key, Optional<Cid> before, Optional<Cid> after) {
    /** What happened to a key. */
    public enum Kind {
        ADDED,
        CHANGED,
        REMOVED
    }

    /** @throws IllegalArgumentException if both values are equal, or both are empty */
    public KeyChange {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        if (before.equals(after)) {
            throw new IllegalArgumentException("no change of " + Escapes.brief(key));
        }
    }

    /** What happened to the key. */
    public Kind kind() {
        return before.isEmpty() ? Kind.ADDED : after.isEmpty() ? Kind.REMOVED : Kind.CHANGED;
    }
}
