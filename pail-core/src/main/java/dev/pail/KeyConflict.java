package dev.pail;

import dev.pail.ipld.Cid;
import java.util.Objects;
import java.util.Optional;

/** A conflict that says no more than the key and its values. */
record KeyConflict(String key, Optional<Cid> base, Optional<Cid> ours, Optional<Cid> theirs) implements Conflict {
    KeyConflict {
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
