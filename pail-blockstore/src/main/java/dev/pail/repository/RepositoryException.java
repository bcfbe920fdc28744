package dev.pail.repository;

import dev.pail.PailException;
import org.jspecify.annotations.Nullable;

/** A folder that is no repository, or not one that can be used as asked. Nothing was changed. */
public final class RepositoryException extends PailException {
    /** What kind of trouble it is. */
    public enum Reason {
        /** There is no repository, no branch of this name, no version that a text names, or not all of one that a change gives. */
        ABSENT,
        /** There is one already. */
        PRESENT,
        /** A file of the repository cannot be understood, or does not fit the others. */
        DAMAGED,
        /** The name of a branch or a version is none. */
        NAME,
        /** A text names several versions. */
        AMBIGUOUS
    }

    private final Reason reason;
    private final String hint;

    /** @param hint what could be done about it */
    public RepositoryException(Reason reason, String message, String hint, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.hint = hint;
    }

    /**
     * What is stored is damaged.
     *
     * @param hint what could be done about it
     */
    public static RepositoryException damaged(String message, String hint, @Nullable Throwable cause) {
        return new RepositoryException(Reason.DAMAGED, message, hint, cause);
    }

    /** What kind of trouble it is. */
    public Reason reason() {
        return reason;
    }

    /** What could be done about it. */
    public String hint() {
        return hint;
    }
}
