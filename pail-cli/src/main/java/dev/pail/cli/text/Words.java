package dev.pail.cli.text;

import java.util.ArrayList;
import java.util.List;

/** Splits a line into words, as a shell does: between spaces, with quotes and backslashes, up to a comment. Nothing is expanded. */
public final class Words {
    private Words() {}

    /**
     * Returns the words of a line; none, if it is empty or a comment.
     *
     * @throws IllegalArgumentException if a quote has no end, or nothing is behind the last backslash
     */
    public static List<String> of(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean isWord = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote == '\'') {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '\\' && (quote == 0 || isEscaped(line, i + 1))) {
                i++;
                if (i == line.length()) {
                    throw new IllegalArgumentException("nothing is behind the last backslash");
                }
                word.append(line.charAt(i));
                isWord = true;
            } else if (quote == '"') {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
                isWord = true;
            } else if (c == ' ' || c == '\t' || c == '\r') {
                if (isWord) {
                    words.add(word.toString());
                    word.setLength(0);
                }
                isWord = false;
            } else if (c == '#' && !isWord) {
                break;
            } else {
                word.append(c);
                isWord = true;
            }
        }
        if (quote != 0) {
            throw new IllegalArgumentException("a quote has no end");
        }
        if (isWord) {
            words.add(word.toString());
        }
        return words;
    }

    /** Whether a backslash in double quotes escapes this character: else it stands for itself. */
    private static boolean isEscaped(String line, int at) {
        return at < line.length() && "\"\\$`".indexOf(line.charAt(at)) >= 0;
    }
}
