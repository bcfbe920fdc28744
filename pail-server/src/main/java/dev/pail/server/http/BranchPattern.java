package dev.pail.server.http;

import java.util.regex.Pattern;

/**
 * A pattern of names of branches: {@code *} is any text without a slash, {@code **} any text, {@code ?} one character but a slash.
 *
 * @param text the pattern
 */
public record BranchPattern(String text) {
    public static final BranchPattern ALL = new BranchPattern("**");

    /** The characters of names of branches and of patterns, as many as a name has at most. */
    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._/*?-]{1,100}");

    public static boolean isValid(String text) {
        return VALID.matcher(text).matches();
    }

    /** Whether a branch has such a name. Takes time that grows with the length of the pattern times that of the name. */
    public boolean matches(String branch) {
        int end = text.length();
        // Whether the pattern from each index on matches the name from the next character on.
        boolean[] next = new boolean[end + 1];
        for (int i = branch.length(); i >= 0; i--) {
            char c = i < branch.length() ? branch.charAt(i) : 0;
            boolean[] here = new boolean[end + 1];
            here[end] = i == branch.length();
            for (int at = end - 1; at >= 0; at--) {
                char token = text.charAt(at);
                int width = text.startsWith("**", at) ? 2 : 1;
                here[at] = token == '*'
                        ? here[at + width] || (next[at] && (width == 2 || c != '/'))
                        : next[at + 1] && (token == c || (token == '?' && c != '/'));
            }
            next = here;
        }
        return next[0];
    }
}
