package dev.pail.segment;

import java.io.IOException;

/** Something in a file is not what was written there. The message says what, and in the end where. */
final class DamageException extends IOException {
    DamageException(String what) {
        super(what);
    }

    /** The same, with the place. */
    DamageException at(Object file, long offset) {
        return new DamageException(getMessage() + ", in " + file + " at offset " + offset);
    }
}
