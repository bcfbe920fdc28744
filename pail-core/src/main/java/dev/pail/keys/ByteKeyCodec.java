package dev.pail.keys;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.KeyNotAllowedException;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.MalformedDataException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A way to write a key within a namespace as bytes, for key/value databases whose keys are bytes: the two forms of key-namespacing. Rules
 * N15 to N17. {@link KeyCodec} writes keys of a pail, which are texts.
 *
 * <p>A namespace in a namespace is part of the outer one's key. So the bytes do not say how many levels there are: the reader gives the
 * number, and all keys of one database, or of one namespace, have the same.
 *
 * <p>Immutable, safe for use by several threads. Time and size are linear in the size of the input.
 *
 * <pre>{@code
 * ByteKeyCodec codec = ByteKeyCodec.lengthPrefixed(1);
 * byte[] key = codec.encode(List.of(Name.of("foo")), Name.of("bar")); // 03 666f6f 626172
 * NamespacedKey read = codec.decode(key, 1); // path [foo], key bar
 * }</pre>
 */
@CheckReturnValue
public final class ByteKeyCodec {
    private static final int MAX_WIDTH = 4;
    private static final ByteKeyCodec ASCII_HEX = new ByteKeyCodec(0);

    /** The bytes of a length; 0 for ascii hex. */
    private final int width;

    private ByteKeyCodec(int width) {
        this.width = width;
    }

    /**
     * Writes {@code len(namespace) | namespace | key}. The length is an unsigned integer with the highest byte first. The codec has all
     * properties but {@link KeyProperty#NAMESPACE_ORDER}. It takes names of namespaces of up to 256^width - 1 bytes, and keys of any length.
     *
     * @param width the bytes of a length, from 1 to 4
     * @throws IllegalArgumentException if the width is out of range
     */
    public static ByteKeyCodec lengthPrefixed(int width) {
        if (width < 1 || width > MAX_WIDTH) {
            throw new IllegalArgumentException("a length has 1 to " + MAX_WIDTH + " bytes, not " + width);
        }
        return new ByteKeyCodec(width);
    }

    /**
     * Writes {@code asciihex(namespace) | 0x00 | asciihex(key)}, in small letters. The codec has all properties, for twice the size and a
     * byte a level.
     */
    public static ByteKeyCodec asciiHex() {
        return ASCII_HEX;
    }

    /** Returns the properties of this codec. */
    public Set<KeyProperty> properties() {
        return width == 0
                ? EnumSet.allOf(KeyProperty.class)
                : EnumSet.complementOf(EnumSet.of(KeyProperty.NAMESPACE_ORDER));
    }

    /**
     * Returns the bytes of a key within a namespace.
     *
     * @param path the names of the namespace, from the outermost; one or more
     * @throws KeyNotAllowedException if a name is longer than a length can say
     * @throws IllegalArgumentException if the path is empty
     */
    public byte[] encode(List<Name> path, Name key) {
        Objects.requireNonNull(key, "key");
        byte[] prefix = prefix(path);
        byte[] own = own(key);
        byte[] bytes = Arrays.copyOf(prefix, Math.addExact(prefix.length, own.length));
        System.arraycopy(own, 0, bytes, prefix.length, own.length);
        return bytes;
    }

    /**
     * Returns what the keys of a namespace and of all nested ones start with, and no other keys of as many levels or more.
     *
     * @throws KeyNotAllowedException if a name is longer than a length can say
     * @throws IllegalArgumentException if the path is empty
     */
    public byte[] prefix(List<Name> path) {
        if (path.isEmpty()) {
            throw new IllegalArgumentException("a namespace has one level or more");
        }
        List<byte[]> names = path.stream().map(this::own).toList();
        int size = 0;
        for (byte[] name : names) {
            size = Math.addExact(size, Math.addExact(name.length, width == 0 ? 1 : width));
        }
        ByteBuffer out = ByteBuffer.allocate(size);
        // Rule N17.
        for (int i = 0; i < names.size(); i++) {
            putLength(out, path.get(i));
            out.put(names.get(i));
            if (width == 0) {
                // Rule N16.
                out.put((byte) 0);
            }
        }
        return out.array();
    }

    /** Rule N15. */
    private void putLength(ByteBuffer out, Name name) {
        if (width > 0 && width < MAX_WIDTH && name.length() >>> (Byte.SIZE * width) != 0) {
            int most = (1 << (Byte.SIZE * width)) - 1;
            throw new KeyNotAllowedException(
                    name.toString(),
                    "a namespace has " + most + " bytes at most if its length has " + width + " (N15), not "
                            + name.length());
        }
        for (int i = width - 1; i >= 0; i--) {
            out.put((byte) (name.length() >>> (Byte.SIZE * i)));
        }
    }

    private byte[] own(Name name) {
        return width > 0 ? name.array() : Utf8.encode(KeyText.HEX.encode(name.array()));
    }

    /**
     * Decodes the bytes of a key.
     *
     * @param levels the number of namespaces, 1 or more
     * @throws MalformedDataException if {@link #encode} never returns such bytes. Its offset is one of bytes; its source has them in hexadecimal
     * @throws IllegalArgumentException if the number is less than 1
     */
    public NamespacedKey decode(byte[] bytes, int levels) {
        Objects.requireNonNull(bytes, "bytes");
        if (levels < 1) {
            throw new IllegalArgumentException("a key has one level or more, not " + levels);
        }
        List<Name> path = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < levels; i++) {
            int from = at + width;
            int end = width > 0 ? endOfLength(bytes, at) : endOfHex(bytes, at);
            path.add(name(bytes, from, end));
            at = width > 0 ? end : end + 1;
        }
        return new NamespacedKey(path, name(bytes, at, bytes.length));
    }

    private int endOfLength(byte[] bytes, int at) {
        long length = 0;
        for (int i = at; i < at + width; i++) {
            if (i >= bytes.length) {
                throw malformed(bytes, bytes.length, "the bytes end within a length (N15)");
            }
            length = (length << Byte.SIZE) | (bytes[i] & 0xff);
        }
        if (length > bytes.length - at - width) {
            throw malformed(bytes, at, "the namespace is longer than what follows (N15)");
        }
        return at + width + (int) length;
    }

    private static int endOfHex(byte[] bytes, int at) {
        for (int i = at; i < bytes.length; i++) {
            if (bytes[i] == 0) {
                return i;
            }
        }
        throw malformed(bytes, bytes.length, "no 0x00 behind a namespace (N16)");
    }

    private Name name(byte[] bytes, int from, int end) {
        if (width > 0) {
            return Name.of(Arrays.copyOfRange(bytes, from, end));
        }
        StringBuilder text = new StringBuilder(end - from);
        for (int i = from; i < end; i++) {
            text.append((char) (bytes[i] & 0xff));
        }
        try {
            return Name.trusted(KeyText.HEX.decode(text.toString()));
        } catch (MalformedDataException e) {
            throw malformed(bytes, from + e.offset(), e.rule());
        }
    }

    private static MalformedDataException malformed(byte[] bytes, long index, String rule) {
        return MalformedDataException.ofKey(KeyText.HEX.encode(bytes), index, rule);
    }

    @Override
    public String toString() {
        return width == 0 ? "asciihex" : "length-prefixed:" + width;
    }
}
