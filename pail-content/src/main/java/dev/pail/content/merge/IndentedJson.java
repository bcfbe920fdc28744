package dev.pail.content.merge;

import dev.pail.content.Content;
import java.util.Optional;

/** JSON with a line for each field and each item (VM5). */
final class IndentedJson {
    private static final String STEP = "  ";

    private IndentedJson() {}

    /**
     * Indents.
     *
     * @param json correct, without spaces between its parts
     * @return empty if the text would be too long to be merged again: the indentation of nested lists can be much longer than they are
     */
    static Optional<String> of(String json) {
        StringBuilder out = new StringBuilder();
        int depth = 0;
        boolean isString = false;
        for (int i = 0; i < json.length() && out.length() <= Content.MOST_BYTES; i++) {
            char c = json.charAt(i);
            if (isString) {
                out.append(c);
                if (c == '\\') {
                    i++;
                    out.append(json.charAt(i));
                }
                isString = c != '"';
                continue;
            }
            switch (c) {
                case '{', '[' -> {
                    out.append(c);
                    if (json.charAt(i + 1) == c + 2) {
                        // Empty: the closing bracket is two characters behind the opening one in ASCII.
                        i++;
                        out.append(json.charAt(i));
                    } else {
                        depth++;
                        line(out, depth);
                    }
                }
                case '}', ']' -> {
                    depth--;
                    line(out, depth);
                    out.append(c);
                }
                case ',' -> {
                    out.append(c);
                    line(out, depth);
                }
                case ':' -> out.append(": ");
                default -> {
                    isString = c == '"';
                    out.append(c);
                }
            }
        }
        out.append('\n');
        return Optional.of(out.toString()).filter(text -> text.length() <= Content.MOST_BYTES);
    }

    private static void line(StringBuilder out, int depth) {
        out.append('\n').append(STEP.repeat(depth));
    }
}
