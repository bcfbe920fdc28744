package dev.pail.keys;

import dev.pail.Escapes;
import dev.pail.KeyNotAllowedException;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.MalformedDataException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names with a character between that none of them has: in hexadecimal, or text as it is (spec rules N6 to N9 and N13). Behind a
 * namespace comes the character and a key, or the character twice and another namespace. So the keys of a namespace and
 * those of the namespaces within it do not mix, and neither are read to list the other.
 */
final class Separated extends KeyCodec {
    private static final KeyText FORM = KeyText.HEX;

    private final char separator;

    /** Whether names are in hexadecimal (Rule N6), or are the text that they are (Rule N8). */
    private final boolean hex;

    Separated(char separator, boolean hex) {
        super("", String.valueOf(separator));
        if (Character.isSurrogate(separator)) {
            throw new IllegalArgumentException("a separator is no surrogate");
        }
        if (hex && FORM.isDigit(separator)) {
            throw new IllegalArgumentException("a separator is none of the digits 0-9a-f, not " + separator);
        }
        this.separator = separator;
        this.hex = hex;
    }

    @Override
    public Set<KeyProperty> properties() {
        Set<KeyProperty> properties = EnumSet.allOf(KeyProperty.class);
        if (!hex) {
            properties.remove(KeyProperty.ANY_BYTES);
        }
        // It must be less than all that can stand in its place in a longer name.
        if (separator >= (hex ? '0' : 1)) {
            properties.remove(KeyProperty.NAMESPACE_ORDER);
        }
        return properties;
    }

    @Override
    public NamespacedKey decode(String pailKey) {
        List<Name> path = new ArrayList<>();
        int at = 0;
        while (true) {
            int end = pailKey.indexOf(separator, at);
            if (end < 0) {
                // What is no name is worth more of a message than that something is missing behind it.
                name(pailKey, at, pailKey.length());
                throw MalformedDataException.ofKey(
                        pailKey, pailKey.length(), "no " + shown() + " behind a namespace (N7)");
            }
            path.add(name(pailKey, at, end));
            at = end + 1;
            // Rule N7: a second separator leads to a namespace within this one, anything else is a key.
            if (at == pailKey.length() || pailKey.charAt(at) != separator) {
                return new NamespacedKey(path, name(pailKey, at, pailKey.length()));
            }
            at++;
        }
    }

    private Name name(String pailKey, int from, int to) {
        if (hex) {
            return name(FORM, pailKey, from, to);
        }
        String text = pailKey.substring(from, to);
        int lone = Utf8.loneSurrogate(text);
        if (lone >= 0) {
            throw MalformedDataException.ofKey(pailKey, from + lone, "a lone surrogate (K1)");
        }
        int found = text.indexOf(separator);
        if (found >= 0) {
            throw MalformedDataException.ofKey(pailKey, from + found, shown() + " within a key (N9)");
        }
        return Name.trusted(Utf8.encode(text));
    }

    @Override
    public String text(Name name) {
        if (hex) {
            return FORM.encode(name.array());
        }
        // Rule N9.
        String text = name.text()
                .orElseThrow(() -> new KeyNotAllowedException(
                        name.toString(), "it is not UTF-8, and between delimiters are texts (N9)"));
        int found = text.indexOf(separator);
        if (found >= 0) {
            throw new KeyNotAllowedException(text, "the delimiter " + shown() + " at index " + found + " (N9)");
        }
        return text;
    }

    @Override
    public String last(Name prefix) {
        return text(prefix);
    }

    @Override
    String level(Name name) {
        return text(name) + separator;
    }

    private String shown() {
        return Escapes.quote(Character.toString(separator));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Separated codec && separator == codec.separator && hex == codec.hex;
    }

    @Override
    public int hashCode() {
        return separator * 2 + (hex ? 1 : 0);
    }

    @Override
    public String toString() {
        return (hex ? "hexadecimal separated by " : "text delimited by ") + shown();
    }
}
