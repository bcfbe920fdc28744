package dev.pail.segment.format;

import java.io.IOException;

/** Something in a file is not what was written there. The message says what, and in the end where. */
public final class DamageException extends IOException {
    public DamageException(String what) {
        super(what);
    }

    /** The same, with the place. */
    public DamageException at(Object file, long offset) {
        return new DamageException(getMessage() + ", in " + file + " at offset " + offset);
    }
}
