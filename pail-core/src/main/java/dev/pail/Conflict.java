package dev.pail;

import dev.pail.ipld.Cid;
import java.util.Objects;
import java.util.Optional;

/**
 * A key that both sides of a merge have changed, and not in the same way.
 *
 * @param key the whole key
 * @param base its value before, if it had one
 * @param ours its value on our side, if it has one there
 * @param theirs its value on their side, if it has one there
 */
public record Conflict(String key, Optional<Cid> base, Optional<Cid> ours, Optional<Cid> theirs) {
    public Conflict {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(base, "base");
        Objects.requireNonNull(ours, "ours");
        Objects.requireNonNull(theirs, "theirs");
    }

    /** The key and the three values. */
    @Override
    public String toString() {
        return Escapes.quote(key) + " base " + text(base) + " ours " + text(ours) + " theirs " + text(theirs);
    }

    private static String text(Optional<Cid> value) {
        return value.map(Cid::toString).orElse("-");
    }
}
