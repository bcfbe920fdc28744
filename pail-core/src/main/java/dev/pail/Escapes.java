package dev.pail;

/** Text from outside, made fit for one line of a terminal or a log. */
public final class Escapes {
    private static final int SHOWN = 200;

    private Escapes() {}

    /**
     * The text with control, separator, bidirectional and invisible formatting characters, lone surrogates and
     * backslashes written as {@code \}{@code u{hex}}; a backslash is doubled. Different texts stay different.
     */
    public static String escape(String text) {
        StringBuilder out = null;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            int next = i + Character.charCount(c);
            boolean plain = (c >= 0x20 && c < 0x7f && c != '\\') || (c >= 0xa0 && !isHidden(c));
            if (!plain && out == null) {
                out = new StringBuilder(text.length() + 16).append(text, 0, i);
            }
            if (out != null) {
                if (plain) {
                    out.appendCodePoint(c);
                } else if (c == '\\') {
                    out.append("\\\\");
                } else {
                    out.append("\\u{").append(Integer.toHexString(c)).append('}');
                }
            }
            i = next;
        }
        return out == null ? text : out.toString();
    }

    private static boolean isHidden(int c) {
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

    /** The text in double quotes, escaped, and cut where it is very long. */
    public static String quote(String text) {
        int end = Math.min(text.length(), SHOWN);
        String shown = escape(text.substring(0, end)).replace("\"", "\\\"");
        return end == text.length() ? '"' + shown + '"' : '"' + shown + "\"... (" + text.length() + " characters)";
    }
}
