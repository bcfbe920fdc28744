package dev.pail.keys;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.Escapes;
import dev.pail.KeyNotAllowedException;
import dev.pail.ipld.MalformedDataException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;

/**
 * A way to write a key within a namespace as a key of a pail. A codec reads what it writes and nothing else. Rule N3.
 *
 * <p>There are three. {@link #separatedHex} can have every {@link KeyProperty}, for about twice the size.
 * {@link #lengthPrefixed} gives up the order of namespaces for shorter keys. {@link #delimited} writes readable text and takes
 * no other keys. A pail with keys of one codec should have no other keys: the codec may read such a key as one that was
 * never put.
 *
 * <p>Immutable, equal by what they write, safe for use by several threads. Time and size are linear in the size of the input.
 *
 * <pre>{@code
 * KeyCodec codec = KeyCodec.lengthPrefixed();
 * String key = codec.encode(List.of(Name.of("users")), Name.of("ann")); // the key of the pail
 * NamespacedKey read = codec.decode(key); // path [users], key ann
 * Namespace users = pail.namespace(codec, List.of(Name.of("users")));
 * }</pre>
 */
@CheckReturnValue
public abstract sealed class KeyCodec permits LengthPrefixed, Separated {
    private final String beforeKey;
    private final String beforeNested;

    /**
     * @param beforeKey what stands between a namespace and a key
     * @param beforeNested what stands between a namespace and another in it. The other does not start with it
     */
    KeyCodec(String beforeKey, String beforeNested) {
        this.beforeKey = beforeKey;
        this.beforeNested = beforeNested;
    }

    /**
     * Writes each namespace with its length before it: eight hexadecimal digits, and eight characters for five bytes of each name. A
     * namespace costs nine characters beyond its name. Namespaces are ordered by their lengths first; the codec has all other
     * properties.
     */
    public static KeyCodec lengthPrefixed() {
        return LengthPrefixed.INSTANCE;
    }

    /**
     * Writes names in hexadecimal with a separator between them: two characters a byte, and one or two a level. The codec has all
     * properties, but {@link KeyProperty#NAMESPACE_ORDER} only for a separator less than {@code 0}.
     *
     * @param separator between names: U+0000 where keys may hold it, {@code !} where they are printable ASCII
     * @throws IllegalArgumentException if it is a digit of hexadecimal or a surrogate
     */
    public static KeyCodec separatedHex(char separator) {
        return new Separated(separator, true);
    }

    /**
     * Writes names as they are, with a delimiter between them: one character a level, two for nested ones. Names are text: the codec
     * refuses a name that has the delimiter or is not UTF-8. It has {@link KeyProperty#NAMESPACE_ORDER} only for U+0000, which is less
     * than all characters of names.
     *
     * @throws IllegalArgumentException if it is a surrogate
     */
    public static KeyCodec delimited(char delimiter) {
        return new Separated(delimiter, false);
    }

    /**
     * Returns the codec of a name: {@code length-prefixed}, {@code hex:S} or {@code delimited:S}, where S is the separator, one character
     * from {@code !} to {@code ~}, or {@code 0x} and two hexadecimal digits. Rule N14. The forms of {@link ByteKeyCodec} have no name here:
     * keys of a pail are texts.
     *
     * <pre>{@code
     * KeyCodec codec = KeyCodec.named("delimited:0xff");
     * }</pre>
     *
     * @throws IllegalArgumentException if no codec has the name
     */
    public static KeyCodec named(String name) {
        if (name.equals(LengthPrefixed.INSTANCE.toString())) {
            return lengthPrefixed();
        }
        int colon = name.indexOf(':');
        String separator = name.substring(colon + 1);
        String form = colon < 0 ? "" : name.substring(0, colon);
        boolean isCode = separator.matches("0x[0-9a-f]{2}");
        if (isCode) {
            separator = Character.toString(Integer.parseInt(separator.substring(2), 16));
        } else if (!separator.matches("[!-~]")) {
            separator = "";
        }
        if (separator.length() == 1 && form.equals("hex")) {
            return separatedHex(separator.charAt(0));
        }
        if (separator.length() == 1 && form.equals("delimited")) {
            return delimited(separator.charAt(0));
        }
        throw new IllegalArgumentException(
                "a codec is length-prefixed, hex:S or delimited:S, where S is one character or 0x00 to 0xff, not "
                        + Escapes.brief(name));
    }

    /** Returns the properties of this codec. */
    public abstract Set<KeyProperty> properties();

    /**
     * Returns the key of a pail for a key within a namespace.
     *
     * @param path the names of the namespace, from the outermost; one or more
     * @throws KeyNotAllowedException if the codec does not take a name
     */
    public final String encode(List<Name> path, Name key) {
        Objects.requireNonNull(key, "key");
        return keys(path) + text(key);
    }

    /**
     * Decodes a key of a pail.
     *
     * @throws MalformedDataException if {@link #encode} never returns such a key
     */
    public abstract NamespacedKey decode(String pailKey);

    /**
     * Returns the common prefix of all keys of a namespace. The keys of {@link #nested} may have it too, but no other keys. The
     * {@link #text} of a key follows it.
     *
     * @throws IllegalArgumentException if the path is empty
     */
    public final String keys(List<Name> path) {
        if (path.isEmpty()) {
            throw new IllegalArgumentException("a namespace has one level or more");
        }
        return all(path) + beforeKey;
    }

    /** Returns the common prefix of the keys of all nested namespaces, and of no other keys. An empty path is the whole pail. */
    public final String nested(List<Name> path) {
        return path.isEmpty() ? "" : all(path) + beforeNested;
    }

    /** Returns the common prefix of the keys of a namespace and of all nested ones, and of no other keys. An empty path is the whole pail. */
    public final String all(List<Name> path) {
        StringJoiner all = new StringJoiner(beforeNested);
        path.forEach(name -> all.add(level(name)));
        return all.toString();
    }

    /** Returns the text of a key, which follows the prefix of its namespace. */
    public abstract String text(Name key);

    /**
     * What the greatest texts of keys start with that start with a prefix: no such key comes behind all texts that start with
     * this, and no other key is between them and the text of the prefix.
     */
    public abstract String last(Name prefix);

    /** The text of the name of a namespace, with what ends it. */
    abstract String level(Name name);

    /** The name that a part of a key stands for. */
    static Name name(KeyText form, String pailKey, int from, int to) {
        try {
            return Name.trusted(form.decode(pailKey.substring(from, to)));
        } catch (MalformedDataException e) {
            throw MalformedDataException.ofKey(pailKey, from + e.offset(), e.rule());
        }
    }
}
