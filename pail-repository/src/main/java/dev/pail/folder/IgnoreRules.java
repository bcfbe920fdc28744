package dev.pail.folder;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The patterns of a {@code .pailignore} file, in the form of {@code .gitignore}: the last one that matches decides. For every pattern,
 * matching takes time in proportion to the length of the pattern times that of the path.
 */
final class IgnoreRules {
    private final List<Rule> rules = new ArrayList<>();

    /** What the patterns say of a file or a folder. */
    enum Verdict {
        LEFT_OUT,
        TAKEN,
        NOTHING
    }

    /** Whether a name is that of a folder: a pattern that ends in a slash matches nothing else. */
    enum Kind {
        FILE,
        FOLDER
    }

    /**
     * One pattern.
     *
     * @param verdict of what it matches
     * @param parts of the pattern, between slashes; of a pattern without a slash, which matches at any depth, the first is {@code **}
     */
    private record Rule(Verdict verdict, boolean isForFolders, List<String> parts) {}

    /** The patterns of a text, one a line. */
    static IgnoreRules parse(String text) {
        String lines = text.startsWith("\ufeff") ? text.substring(1) : text;
        return of(List.of(lines.split("\n", -1)));
    }

    static IgnoreRules of(List<String> lines) {
        IgnoreRules rules = new IgnoreRules();
        lines.forEach(rules::add);
        return rules;
    }

    private void add(String given) {
        String line = withoutBlanks(given.endsWith("\r") ? given.substring(0, given.length() - 1) : given);
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        Verdict verdict = Verdict.LEFT_OUT;
        if (line.startsWith("!")) {
            verdict = Verdict.TAKEN;
            line = line.substring(1);
        }
        boolean isForFolders = line.endsWith("/");
        String pattern = isForFolders ? line.substring(0, line.length() - 1) : line;
        boolean isAnchored = pattern.indexOf('/') >= 0;
        List<String> parts = new ArrayList<>();
        if (!isAnchored) {
            parts.add("**");
        }
        parts.addAll(List.of((pattern.startsWith("/") ? pattern.substring(1) : pattern).split("/", -1)));
        rules.add(new Rule(verdict, isForFolders, List.copyOf(parts)));
    }

    /** A line without the blanks at its end; one behind a backslash stays. */
    private static String withoutBlanks(String line) {
        int end = line.length();
        while (end > 0 && line.charAt(end - 1) == ' ') {
            end--;
        }
        int backslashes = 0;
        while (backslashes < end && line.charAt(end - 1 - backslashes) == '\\') {
            backslashes++;
        }
        return line.substring(0, Math.min(line.length(), end + backslashes % 2));
    }

    /** @param path below the folder of the patterns, with slashes between its names */
    Verdict verdict(String path, Kind kind) {
        String[] names = path.split("/", -1);
        for (int i = rules.size() - 1; i >= 0; i--) {
            Rule rule = rules.get(i);
            if ((kind == Kind.FOLDER || !rule.isForFolders) && matches(rule.parts, names)) {
                return rule.verdict;
            }
        }
        return Verdict.NOTHING;
    }

    /** Matches parts with names; where a part fails, the last {@code **} takes one name more. */
    private static boolean matches(List<String> parts, String... names) {
        int part = 0;
        int name = 0;
        int retryPart = -1;
        int retryName = 0;
        while (name < names.length) {
            if (part < parts.size() && isAnyFolders(parts.get(part))) {
                // At the end it stands for all that is in a folder, but not for the folder.
                if (part + 1 == parts.size()) {
                    return true;
                }
                retryPart = ++part;
                retryName = name;
            } else if (part < parts.size() && matches(parts.get(part), names[name])) {
                part++;
                name++;
            } else if (retryPart >= 0) {
                part = retryPart;
                name = ++retryName;
            } else {
                return false;
            }
        }
        return part == parts.size();
    }

    /** Two stars or more, and nothing else. */
    private static boolean isAnyFolders(String part) {
        return part.length() >= 2 && part.chars().allMatch(c -> c == '*');
    }

    /** Matches a part with a name; where a character fails, the last star takes one character more. */
    private static boolean matches(String pattern, String name) {
        int at = 0;
        int i = 0;
        int retryAt = -1;
        int retryI = 0;
        while (i < name.length()) {
            int next = at < pattern.length() && pattern.charAt(at) != '*' ? one(pattern, at, name.codePointAt(i)) : -1;
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                retryAt = ++at;
                retryI = i;
            } else if (next >= 0) {
                at = next;
                i += Character.charCount(name.codePointAt(i));
            } else if (retryAt >= 0) {
                at = retryAt;
                retryI += Character.charCount(name.codePointAt(retryI));
                i = retryI;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*') {
            at++;
        }
        return at == pattern.length();
    }

    /** Returns the place in the pattern behind the part that matches a character; -1 if that part does not match. */
    private static int one(String pattern, int at, int character) {
        int c = pattern.codePointAt(at);
        if (c == '?') {
            return at + 1;
        }
        if (c == '[') {
            CharacterClass set = CharacterClass.at(pattern, at);
            return set != null && set.has(character) ? set.end : -1;
        }
        int literal = c == '\\' ? at + 1 : at;
        boolean isEqual = literal < pattern.length() && pattern.codePointAt(literal) == character;
        return isEqual ? literal + Character.charCount(character) : -1;
    }

    /** A set of characters in brackets. */
    private static final class CharacterClass {
        private final List<int[]> ranges = new ArrayList<>();
        private final List<String> names = new ArrayList<>();
        private boolean isInverse;
        private int end;

        /** The one that begins at a place of a pattern; null if it does not end. */
        static @Nullable CharacterClass at(String pattern, int begin) {
            CharacterClass set = new CharacterClass();
            int at = begin + 1;
            if (at < pattern.length() && (pattern.charAt(at) == '!' || pattern.charAt(at) == '^')) {
                set.isInverse = true;
                at++;
            }
            for (boolean isFirst = true; at < pattern.length(); isFirst = false) {
                if (pattern.charAt(at) == ']' && !isFirst) {
                    set.end = at + 1;
                    return set;
                }
                int named = pattern.startsWith("[:", at) ? pattern.indexOf(":]", at + 2) : -1;
                if (named >= 0) {
                    set.names.add(pattern.substring(at + 2, named));
                    at = named + 2;
                    continue;
                }
                at += pattern.charAt(at) == '\\' ? 1 : 0;
                if (at == pattern.length()) {
                    return null;
                }
                int from = pattern.codePointAt(at);
                at += Character.charCount(from);
                int to = from;
                if (at + 1 < pattern.length() && pattern.charAt(at) == '-' && pattern.charAt(at + 1) != ']') {
                    at += pattern.charAt(at + 1) == '\\' ? 2 : 1;
                    if (at == pattern.length()) {
                        return null;
                    }
                    to = pattern.codePointAt(at);
                    at += Character.charCount(to);
                }
                set.ranges.add(new int[] {from, to});
            }
            return null;
        }

        boolean has(int character) {
            boolean found = ranges.stream().anyMatch(range -> range[0] <= character && character <= range[1])
                    || names.stream().anyMatch(name -> isIn(name, character));
            return found != isInverse;
        }

        /** Of characters beyond ASCII, none is in a named class. */
        private static boolean isIn(String name, int c) {
            boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            boolean isDigit = c >= '0' && c <= '9';
            return switch (name.toLowerCase(Locale.ROOT)) {
                case "alpha" -> isLetter;
                case "digit" -> isDigit;
                case "alnum" -> isLetter || isDigit;
                case "upper" -> c >= 'A' && c <= 'Z';
                case "lower" -> c >= 'a' && c <= 'z';
                case "blank" -> c == ' ' || c == '\t';
                case "space" -> c == ' ' || (c >= '\t' && c <= '\r');
                case "punct" -> c > ' ' && c < 0x7f && !isLetter && !isDigit;
                case "cntrl" -> c < ' ' || c == 0x7f;
                case "graph" -> c > ' ' && c < 0x7f;
                case "print" -> c >= ' ' && c < 0x7f;
                case "xdigit" -> isDigit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
                default -> false;
            };
        }
    }
}
