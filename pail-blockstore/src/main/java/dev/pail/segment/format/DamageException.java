package dev.pail.segment.format;

import java.io.IOException;

/** The bytes of a file break a rule of the format. The message says which, and where. */
public final class DamageException extends IOException {
    public DamageException(String what) {
        super(what);
    }

    /** The same with the place in the message. */
    public DamageException at(Object file, long offset) {
        return new DamageException(getMessage() + ", in " + file + " at offset " + offset);
    }
}
