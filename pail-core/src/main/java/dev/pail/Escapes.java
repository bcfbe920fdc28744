package dev.pail;

import java.util.function.IntPredicate;

/** Text from outside, made fit for one line of a terminal or a log. */
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

    /** The text in double quotes, escaped, and cut where it is very long. */
    public static String quote(String text) {
        int end = Math.min(text.length(), SHOWN);
        String shown = '"' + escape(text.substring(0, end)).replace("\"", "\\\"") + '"';
        return end == text.length() ? shown : shown + "... (" + text.length() + " characters)";
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
            default -> false;
        };
    }
}
