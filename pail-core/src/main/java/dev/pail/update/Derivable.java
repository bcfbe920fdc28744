package dev.pail.update;

import org.jspecify.annotations.Nullable;

/** A version of a map that an update may have handed out, or that was derived from one. */
public abstract class Derivable {
    /** Null outside of updates. */
    final @Nullable Derivation derivation;

    protected Derivable(@Nullable Derivation derivation) {
        this.derivation = derivation;
    }
}
