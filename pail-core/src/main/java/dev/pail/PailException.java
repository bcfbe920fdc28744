package dev.pail;

import org.jspecify.annotations.Nullable;

/**
 * The superclass of all errors of this library. Each kind carries its data: the CID, the key, the rule or the file.
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
     * Returns a short name for the kind of failure, such as {@code missing-block}, for programs that do not parse messages. It stays the
     * same between versions; {@code docs/errors.md} lists all.
     */
    public abstract String code();
}
