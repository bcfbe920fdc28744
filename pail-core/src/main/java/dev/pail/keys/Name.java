package dev.pail.keys;

import dev.pail.Escapes;
import dev.pail.KeyNotAllowedException;
import dev.pail.bytes.Utf8;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The application's name of a namespace, or its key within one: any number of any bytes. A text is its bytes in UTF-8. Names
 * are in the order of their unsigned bytes; a prefix comes first.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * <pre>{@code
 * Name text = Name.of("größe");
 * Name bytes = Name.of(new byte[] {0, 7});
 * Optional<String> same = text.text(); // Optional[größe]
 * Namespace orders = pail.namespace("orders").put(bytes, value);
 * }</pre>
 */
public final class Name implements Comparable<Name> {
    private final byte[] bytes;

    private Name(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Makes a name of a copy of some bytes. */
    public static Name of(byte[] bytes) {
        return new Name(bytes.clone());
    }

    /**
     * Makes a name of a text.
     *
     * @throws KeyNotAllowedException if it has a lone surrogate
     */
    public static Name of(String text) {
        try {
            return new Name(Utf8.encode(text));
        } catch (IllegalArgumentException e) {
            throw new KeyNotAllowedException(text, "a lone surrogate at index " + Utf8.loneSurrogate(text) + " (K1)");
        }
    }

    /** The name with these bytes, without a copy: the caller must not change them. */
    static Name trusted(byte[] bytes) {
        return new Name(bytes);
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The bytes themselves, not to be changed. */
    byte[] array() {
        return bytes;
    }

    /** Returns the number of bytes. */
    public int length() {
        return bytes.length;
    }

    /** Decodes the bytes as UTF-8; empty if they are not. */
    public Optional<String> text() {
        return Utf8.firstMalformed(bytes, 0, bytes.length) < 0
                ? Optional.of(Utf8.decode(bytes, 0, bytes.length))
                : Optional.empty();
    }

    @Override
    public int compareTo(Name other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Name name && Arrays.equals(bytes, name.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /**
     * The text as {@link Escapes#escape} writes it, and each byte that is not part of UTF-8 as {@code \x} and two hexadecimal
     * digits. Different names stay different.
     */
    @Override
    public String toString() {
        StringBuilder shown = new StringBuilder();
        int from = 0;
        while (from < bytes.length) {
            int malformed = Utf8.firstMalformed(bytes, from, bytes.length);
            int to = malformed < 0 ? bytes.length : malformed;
            shown.append(Escapes.escape(Utf8.decode(bytes, from, to)));
            if (malformed >= 0) {
                shown.append("\\x").append(KeyText.HEX.encode(new byte[] {bytes[malformed]}));
            }
            from = to + 1;
        }
        return shown.toString();
    }
}
