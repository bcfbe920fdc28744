package dev.pail;

import dev.pail.ipld.Cid;
import java.util.Optional;

/**
 * A condition of a change does not hold: a key does not have the expected value. Nothing was changed: read the value and decide again.
 *
 * <pre>{@code
 * try {
 *     repository.update("main", pail -> pail.putIf("title", Optional.empty(), value));
 * } catch (ConditionFailedException e) {
 *     System.err.println(e.key() + " has " + e.found()); // another writer was faster
 * }
 * }</pre>
 */
public final class ConditionFailedException extends PailException {
    private final String key;
    private final Optional<Cid> expected;
    private final Optional<Cid> found;

    /**
     * @param expected empty if the key should have no value
     * @param found empty if it has none
     */
    public ConditionFailedException(String key, Optional<Cid> expected, Optional<Cid> found) {
        super("the key " + Escapes.quote(key) + " should have " + text(expected) + ", and has " + text(found));
        this.key = key;
        this.expected = expected;
        this.found = found;
    }

    private static String text(Optional<Cid> value) {
        return value.map(cid -> "the value " + cid).orElse("no value");
    }

    /** Returns the key. */
    public String key() {
        return key;
    }

    /** Returns the value that the key should have; empty if none. */
    public Optional<Cid> expected() {
        return expected;
    }

    /** Returns the value that it has; empty if none. */
    public Optional<Cid> found() {
        return found;
    }

    @Override
    public String code() {
        return "condition-failed";
    }

    @Override
    public Kind kind() {
        return Kind.CONFLICT;
    }
}
