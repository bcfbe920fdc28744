package dev.pail.keys;

import dev.pail.ipld.MalformedDataException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The length of each namespace, then its name in base32hex (spec rules N4, N5 and N13). */
final class LengthPrefixed extends KeyCodec {
    static final LengthPrefixed INSTANCE = new LengthPrefixed();

    private static final KeyText FORM = KeyText.BASE32HEX;
    private static final int LENGTH = 8;
    /** What is behind a namespace. Rule N5. */
    private static final char NESTED = '.';

    private static final char KEY = '/';

    private LengthPrefixed() {
        super(String.valueOf(KEY), String.valueOf(NESTED));
    }

    @Override
    public Set<KeyProperty> properties() {
        return EnumSet.complementOf(EnumSet.of(KeyProperty.NAMESPACE_ORDER));
    }

    @Override
    public NamespacedKey decode(String pailKey) {
        List<Name> path = new ArrayList<>();
        int at = 0;
        while (true) {
            int from = at + LENGTH;
            long end = from + FORM.length(length(pailKey, at));
            if (end > pailKey.length()) {
                throw MalformedDataException.ofKey(pailKey, at, "the namespace is longer than what follows (N4)");
            }
            at = (int) end;
            path.add(name(FORM, pailKey, from, at));
            char next = at < pailKey.length() ? pailKey.charAt(at) : 0;
            if (next == KEY) {
                return new NamespacedKey(path, name(FORM, pailKey, at + 1, pailKey.length()));
            }
            if (next != NESTED) {
                throw MalformedDataException.ofKey(
                        pailKey, at, "behind a namespace comes / and a key, or . and another namespace (N5)");
            }
            at++;
        }
    }

    private static long length(String pailKey, int at) {
        long length = 0;
        for (int i = at; i < at + LENGTH; i++) {
            if (i >= pailKey.length() || !KeyText.HEX.isDigit(pailKey.charAt(i))) {
                throw MalformedDataException.ofKey(
                        pailKey, Math.min(i, pailKey.length()), "a length is eight digits 0-9a-f (N4)");
            }
            length = (length << 4) | Character.digit(pailKey.charAt(i), 16);
        }
        return length;
    }

    @Override
    public String text(Name key) {
        return FORM.encode(key.array());
    }

    @Override
    public String last(Name prefix) {
        return FORM.last(prefix.array());
    }

    /** The length of the name, then the name. Rule N4. */
    @Override
    String level(Name name) {
        String digits = Integer.toHexString(name.length());
        return "0".repeat(LENGTH - digits.length()) + digits + text(name);
    }

    @Override
    public String toString() {
        return "length-prefixed";
    }
}
