package dev.pail.cli;

import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;

/** Random keys that make the layout of a pail hard: many start with another one, some are long. */
final class InteropKeys {
    static final String ASCII = "abcdefgh /.-_~0Z";
    static final String BASIC_PLANE = "abcde\0\u001f\u007f\u00e9\u07ff\u4e2d\u2028\ud7ff\ue000\uff5e\uffff";
    static final String ASTRAL = "ab\ue000\uffff\ud800\udc00\ud83d\ude00\ud83d\ude01\udbff\udfff";

    private final Random random;
    private final String alphabet;
    private final int longest;

    /** @param longest the number of characters that are added to a key at most; a few keys are longer */
    InteropKeys(Random random, String alphabet, int longest) {
        this.random = random;
        this.alphabet = alphabet;
        this.longest = longest;
    }

    /** Makes {@code count} different keys, none of them empty. */
    Set<String> several(int count) {
        Set<String> keys = new LinkedHashSet<>();
        String last = "";
        while (keys.size() < count) {
            last = next(last);
            if (!last.isEmpty()) {
                keys.add(last);
            }
        }
        return keys;
    }

    /** A key that may start with all or part of another one. */
    String next(String other) {
        StringBuilder key = new StringBuilder();
        if (random.nextInt(3) > 0 && other.length() < 300) {
            int points = other.codePointCount(0, other.length());
            key.append(other, 0, other.offsetByCodePoints(0, random.nextInt(points + 1)));
        }
        int kind = random.nextInt(20);
        if (kind == 0) {
            // Several of these with the same end are linked to one shard.
            key.append(Character.toString(letter()).repeat(64));
        }
        int most = kind == 1 ? 150 : longest;
        for (int length = random.nextInt(most + 1); length > 0; length--) {
            key.appendCodePoint(letter());
        }
        return key.toString();
    }

    private int letter() {
        int letters = alphabet.codePointCount(0, alphabet.length());
        return alphabet.codePointAt(alphabet.offsetByCodePoints(0, random.nextInt(letters)));
    }
}
