package dev.pail.repository.model;

import dev.pail.Escapes;
import java.util.Objects;

/**
 * The rule of names of branches and tags (Rule REP2). A repository checks it, so a ref store need not.
 *
 * <pre>{@code
 * boolean isName = RefName.isValid("release-1.2"); // true
 * boolean isNone = !RefName.isValid("../main"); // true
 * }</pre>
 */
public final class RefName {
    /** The branch that every repository has. */
    public static final String MAIN = "main";

    /** The longest, where a slash counts as three characters: it is {@code %2F} in the name of a file. */
    private static final int MAX_LENGTH = 100;

    private RefName() {}

    /**
     * Checks that a branch or a tag can have this name.
     *
     * @param what "a branch" or "a tag", for the message
     * @throws RepositoryException if not
     */
    public static void check(String what, String name) {
        Objects.requireNonNull(what, "what");
        if (!isValid(name)) {
            throw new RepositoryException(
                    RepositoryException.Reason.NAME,
                    "not the name of " + what + ": " + Escapes.brief(name),
                    "letters, digits, '.', '_', '-' and '/', at most 100, a letter or digit first, and behind each '/'",
                    null);
        }
    }

    /** Whether a branch or a tag can have this name. */
    public static boolean isValid(String name) {
        boolean isFirst = true;
        int slashes = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letterOrDigit = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            if (!letterOrDigit && (isFirst || (c != '.' && c != '_' && c != '-' && c != '/'))) {
                return false;
            }
            isFirst = c == '/';
            slashes += isFirst ? 1 : 0;
        }
        return !isFirst && name.length() + 2 * slashes <= MAX_LENGTH;
    }
}
