package dev.pail;

import java.util.function.IntPredicate;

/**
 * Text from outside, made fit for one line of a terminal or a log.
 *
 * <pre>{@code
 * String title = "a title\033[31m";
 * String quoted = Escapes.quote(title); // in double quotes, the control character as an escape
 * String brief = Escapes.brief("x".repeat(1000)); // the first 200 characters and the length
 * }</pre>
 */
public final class Escapes {
    private static final int SHOWN = 200;

    private Escapes() {}

    /**
     * The text with control, separator, bidirectional and other hidden characters and lone surrogates written as
     * {@code \}{@code u{hex}}, and backslashes doubled. Different texts stay different.
     */
    public static String escape(String text) {
        return escape(text, c -> c == '\\' || isHidden(c));
    }

    /** The text with hidden characters as {@link #escape} writes them, and backslashes as they are. */
    public static String printable(String text) {
        return escape(text, Escapes::isHidden);
    }

    /** As {@link #printable}, but newlines and tabs stay: for output of several lines and columns. */
    public static String printableLines(String text) {
        return escape(text, c -> c != '\n' && c != '\t' && isHidden(c));
    }

    /** JSON with hidden characters as its own escapes, and line ends as they are. A reader gets the same values. */
    public static String printableJson(String json) {
        if (json.codePoints().noneMatch(c -> c != '\n' && isHidden(c))) {
            return json;
        }
        StringBuilder out = new StringBuilder(json.length() + 16);
        json.codePoints().forEach(c -> {
            if (c == '\n' || !isHidden(c)) {
                out.appendCodePoint(c);
            } else {
                Character.toString(c).chars().forEach(unit -> out.append(String.format("\\u%04x", unit)));
            }
        });
        return out.toString();
    }

    /** The text in double quotes, with {@link #escape}d characters and escaped quotes. */
    public static String quote(String text) {
        return '"' + escape(text).replace("\"", "\\\"") + '"';
    }

    /** As {@link #quote}, but truncates a very long text and adds its length. */
    public static String brief(String text) {
        return text.length() <= SHOWN
                ? quote(text)
                : quote(text.substring(0, SHOWN)) + "... (" + text.length() + " characters)";
    }

    private static String escape(String text, IntPredicate special) {
        if (text.codePoints().noneMatch(special)) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (!special.test(c)) {
                out.appendCodePoint(c);
            } else if (c == '\\') {
                out.append("\\\\");
            } else {
                out.append("\\u{").append(Integer.toHexString(c)).append('}');
            }
        });
        return out.toString();
    }

    private static boolean isHidden(int c) {
        if (c >= 0x20 && c < 0x7f) {
            return false;
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> true;
            default -> isIgnorable(c);
        };
    }

    /** Characters that have a category of their own, but are not to be seen. */
    private static boolean isIgnorable(int c) {
        return c == 0x34f
                || c == 0x115f
                || c == 0x1160
                || c == 0x17b4
                || c == 0x17b5
                || (c >= 0x180b && c <= 0x180f)
                || c == 0x3164
                || (c >= 0xfe00 && c <= 0xfe0f)
                || c == 0xffa0
                || (c >= 0xe0100 && c <= 0xe01ef);
    }
}
