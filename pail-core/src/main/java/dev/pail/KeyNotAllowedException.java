package dev.pail;

/**
 * A key that the format does not take. Nothing was changed.
 *
 * <pre>{@code
 * try {
 *     Pail next = Pail.create(blocks, ShardFormat.v1()).put("größe", value);
 * } catch (KeyNotAllowedException e) {
 *     System.err.println(e.key() + ": " + e.rule()); // größe: a character that is not printable ASCII, ...
 * }
 * }</pre>
 */
public final class KeyNotAllowedException extends PailException {
    private final String key;
    private final String rule;

    public KeyNotAllowedException(String key, String rule) {
        super("key not allowed: " + Escapes.brief(key) + ": " + rule);
        this.key = key;
        this.rule = rule;
    }

    /** The key. */
    public String key() {
        return key;
    }

    /** The rule that it breaks. */
    public String rule() {
        return rule;
    }

    @Override
    public String code() {
        return "key-not-allowed";
    }

    @Override
    public Kind kind() {
        return Kind.REFUSED;
    }
}
