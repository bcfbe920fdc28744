package dev.pail.keys;

import dev.pail.Escapes;
import dev.pail.PailException;

/**
 * A text that is no key, or no part of one.
 *
 * <pre>{@code
 * try {
 *     byte[] id = KeyText.HEX.decode("0g");
 * } catch (MalformedKeyException e) {
 *     System.err.println(e.key() + ", index " + e.index() + ": " + e.rule()); // 0g, index 1: ...
 * }
 * }</pre>
 */
public final class MalformedKeyException extends PailException {
    private final String key;
    private final int index;
    private final String rule;

    /** @param index the place of the error, in UTF-16 code units; the length of the text if the text ends too early */
    public MalformedKeyException(String key, int index, String rule) {
        super("malformed key: " + Escapes.brief(key) + ": at index " + index + ": " + rule);
        this.key = key;
        this.index = index;
        this.rule = rule;
    }

    /** The text. */
    public String key() {
        return key;
    }

    /** Returns the place of the error, in UTF-16 code units; the length of the text if the text ends too early. */
    public int index() {
        return index;
    }

    /** The rule that is broken, and by what. */
    public String rule() {
        return rule;
    }

    @Override
    public String code() {
        return "malformed-key";
    }

    @Override
    public Kind kind() {
        return Kind.MALFORMED;
    }
}
