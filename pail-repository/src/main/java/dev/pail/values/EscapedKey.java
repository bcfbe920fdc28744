package dev.pail.values;

import dev.pail.Escapes;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A key as {@code ls} prints it: the inverse of {@link Escapes#escape}. */
public final class EscapedKey {
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:\\\\|u\\{([0-9a-fA-F]{1,6})}|)");

    private EscapedKey() {}

    /**
     * Reads a key.
     *
     * @throws IllegalArgumentException if there is a backslash that is no part of an escape; its message is a sentence
     */
    public static String parse(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder key = new StringBuilder(text.length());
        Matcher escape = ESCAPE.matcher(text);
        int from = 0;
        while (escape.find()) {
            key.append(text, from, escape.start());
            from = escape.end();
            if (escape.group().equals("\\\\")) {
                key.append('\\');
            } else {
                key.appendCodePoint(codePoint(text, escape));
            }
        }
        return key.append(text, from, text.length()).toString();
    }

    private static int codePoint(String text, Matcher escape) {
        String hex = escape.group(1);
        int codePoint = hex == null ? -1 : Integer.parseInt(hex, 16);
        // Two surrogates would become one character, which is written as itself or in one escape.
        if (!Character.isValidCodePoint(codePoint) || Character.getType(codePoint) == Character.SURROGATE) {
            throw new IllegalArgumentException("in the key " + Escapes.brief(text) + " the backslash at character "
                    + (escape.start() + 1) + " begins no escape: \\\\ is a backslash, \\u{HEX} another character");
        }
        return codePoint;
    }
}
