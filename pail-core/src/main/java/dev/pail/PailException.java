package dev.pail;

import org.jspecify.annotations.Nullable;

/**
 * What all errors of this library extend. Each kind carries what it is about: the CID, the key, the rule, the file.
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
    protected PailException(String message) {
        super(message);
    }

    protected PailException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /**
     * A short name of the kind of failure, such as {@code missing-block}: for programs, which need not read the message. It stays the same
     * between versions; {@code docs/errors.md} lists all.
     */
    public abstract String code();
}
