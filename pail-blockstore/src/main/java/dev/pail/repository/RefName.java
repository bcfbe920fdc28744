package dev.pail.repository;

/** The rule of names of branches and tags (spec rule REP2), which every ref store has to take. */
public final class RefName {
    /** The longest, where a slash counts as three characters: it is {@code %2F} in the name of a file. */
    private static final int MAX_LENGTH = 100;

    private RefName() {}

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
