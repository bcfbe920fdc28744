package dev.pail;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The superclass of all errors of this library. Each type carries its data: the CID, the key, the rule or the file. {@link #kind} says
 * what a program may do about it.
 *
 * <pre>{@code
 * try {
 *     Pail next = pail.put("title", value);
 * } catch (PailException e) {
 *     System.err.println(e.code() + ": " + e.getMessage()); // such as: shard-limit: ...
 * }
 * }</pre>
 */
public abstract class PailException extends RuntimeException {
    /**
     * What kind of failure it is: what a program may do about it. The command derives its exit status from the kind, and the server its
     * HTTP status; {@code docs/errors.md} lists the few codes that have another.
     */
    public enum Kind {
        /** The call asks for something that no repository allows, or beyond a limit. Exit status 3, HTTP status 400. */
        REFUSED,
        /** Bytes, a text or entries of a map break a rule of their format. Exit status 3, HTTP status 500. */
        MALFORMED,
        /** There is no block, branch, table or other thing of this name. Exit status 3, HTTP status 404. */
        MISSING,
        /** The repository is in a state that does not allow the call, for example a name is taken. Exit status 3, HTTP status 409. */
        STATE,
        /** Another writer was faster, or both sides changed the same: read the new state, and decide again. Exit status 4, HTTP status 409. */
        CONFLICT,
        /** Another process holds what the call needs: try again later. Exit status 4, HTTP status 503. */
        BUSY,
        /** The thread was interrupted. Exit status 130, HTTP status 503. */
        INTERRUPTED,
        /** Stored data are damaged. Exit status 5, HTTP status 500. */
        DAMAGED,
        /** A file, a store or the network failed. Exit status 3, HTTP status 500. */
        INPUT_OUTPUT,
        /** The program or its store lacks a part that the call needs, or is not configured for it. Exit status 3, HTTP status 500. */
        SETUP
    }

    protected PailException(String message) {
        super(message);
    }

    protected PailException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * Returns a short name for the kind of failure, such as {@code missing-block}, for programs that do not parse messages. It stays the
     * same between versions; {@code docs/errors.md} lists all.
     */
    public abstract String code();

    /** Returns what kind of failure it is. */
    public abstract Kind kind();

    /** Returns what could be done about it, in a few words, if the message does not say so. */
    public Optional<String> hint() {
        return Optional.empty();
    }
}
