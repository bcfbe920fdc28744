package dev.pail.cli.text;

import java.util.Arrays;
import java.util.BitSet;

/**
 * A pattern of keys: {@code *} is any text without a slash, {@code **} any text, {@code ?} any one character but a slash.
 * A backslash makes the next character stand for itself.
 */
public final class KeyPattern {
    private static final int ONE = -1;
    private static final int PART = -2;
    private static final int ANY = -3;

    /** A code point each, or {@link #ONE}, {@link #PART}, {@link #ANY}. */
    private final int[] tokens;

    private final String prefix;

    private KeyPattern(int[] tokens, String prefix) {
        this.tokens = tokens;
        this.prefix = prefix;
    }

    /** Whether a word has characters that make it a pattern. */
    public static boolean isPattern(String word) {
        return word.indexOf('*') >= 0 || word.indexOf('?') >= 0;
    }

    public static KeyPattern of(String word) {
        int[] given = word.codePoints().toArray();
        int[] tokens = new int[given.length];
        int size = 0;
        StringBuilder prefix = new StringBuilder();
        boolean isLiteral = true;
        for (int i = 0; i < given.length; i++) {
            int token = given[i];
            if (token == '\\' && i + 1 < given.length) {
                token = given[++i];
            } else if (token == '?') {
                token = ONE;
            } else if (token == '*') {
                boolean isDouble = i + 1 < given.length && given[i + 1] == '*';
                i += isDouble ? 1 : 0;
                token = isDouble ? ANY : PART;
            }
            isLiteral &= token >= 0;
            if (isLiteral) {
                prefix.appendCodePoint(token);
            }
            tokens[size++] = token;
        }
        return new KeyPattern(Arrays.copyOf(tokens, size), prefix.toString());
    }

    /** The text that every key of the pattern starts with. */
    public String prefix() {
        return prefix;
    }

    /** Whether a key matches. Takes time in proportion to the length of the key times that of the pattern, for every pattern. */
    public boolean matches(String key) {
        BitSet at = new BitSet(tokens.length + 1);
        at.set(0);
        skipEmpty(at);
        for (int c : (Iterable<Integer>) key.codePoints()::iterator) {
            BitSet next = new BitSet(tokens.length + 1);
            for (int i = at.nextSetBit(0); i >= 0 && i < tokens.length; i = at.nextSetBit(i + 1)) {
                int token = tokens[i];
                if (token == ANY || (token == PART && c != '/')) {
                    next.set(i);
                } else if (token == c || (token == ONE && c != '/')) {
                    next.set(i + 1);
                }
            }
            skipEmpty(next);
            at = next;
        }
        return at.get(tokens.length);
    }

    /** Adds the positions that are reached by text of no length. */
    private void skipEmpty(BitSet at) {
        for (int i = at.nextSetBit(0); i >= 0 && i < tokens.length; i = at.nextSetBit(i + 1)) {
            if (tokens[i] == ANY || tokens[i] == PART) {
                at.set(i + 1);
            }
        }
    }
}
