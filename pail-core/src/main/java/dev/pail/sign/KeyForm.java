package dev.pail.sign;

import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.MalformedDataException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/** A key as text: {@code NAME+HASH+BASE64}. */
final class KeyForm {
    /** The type of a key and of its signatures: Ed25519. */
    private static final byte TYPE = 1;

    /** The longest name of a key, in UTF-16 code units. */
    private static final int MAX_NAME = 255;

    private static final int MAX_TEXT = 1024;
    private static final int NEXT_LINE = 0x85;

    final String name;

    /** The bytes of the key, behind the byte of its type. */
    final byte[] key;

    private final String hash;

    private KeyForm(String name, String hash, byte[] key) {
        this.name = name;
        this.hash = hash;
        this.key = key;
    }

    /** Whether a key can have this name. Rule SN1. */
    static boolean isName(String name) {
        return !name.isEmpty()
                && name.codePoints()
                        .noneMatch(c ->
                                c == '+' || c == NEXT_LINE || Character.isSpaceChar(c) || Character.isWhitespace(c));
    }

    /**
     * Checks the name of a key.
     *
     * @throws IllegalArgumentException if no key can have it
     */
    static void checkName(String name) {
        boolean isShort = name.length() <= MAX_NAME && Utf8.loneSurrogate(name) < 0;
        // A name without hidden characters may be printed as it is.
        if (!isShort || !isName(name) || !name.equals(Escapes.printable(name))) {
            throw new IllegalArgumentException("the name of a key has 1 to " + MAX_NAME
                    + " characters, and no space, plus or hidden character (SN1)");
        }
    }

    /** The number that names a key together with its name: 4 bytes of a hash of the name and the public key. Rule SN2. */
    static int hash(String name, byte[] publicKey) {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(Utf8.encode(name));
            sha256.update((byte) '\n');
            sha256.update(TYPE);
            return number(sha256.digest(publicKey));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** The first four bytes, the highest first. */
    static int number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getInt();
    }

    static String write(String name, int hash, byte[] key) {
        byte[] typed = new byte[key.length + 1];
        typed[0] = TYPE;
        System.arraycopy(key, 0, typed, 1, key.length);
        return id(name, hash) + '+' + Base64.getEncoder().encodeToString(typed);
    }

    /** What identifies a key. */
    static String id(String name, int hash) {
        return name + '+' + HexFormat.of().toHexDigits(hash);
    }

    /**
     * Reads a key. The hash is not checked: that takes the public key.
     *
     * @param what what the text should be, for the message, which never has the text: it may be a private key
     */
    static KeyForm read(String text, String what) {
        // The name has no plus, and base64 may have some.
        String[] parts = text.split("\\+", 3);
        if (text.length() <= MAX_TEXT && parts.length == 3) {
            try {
                checkName(parts[0]);
                byte[] typed = base64(parts[2]);
                if (typed.length == Ed25519.KEY_LENGTH + 1 && typed[0] == TYPE) {
                    return new KeyForm(parts[0], parts[1], Arrays.copyOfRange(typed, 1, typed.length));
                }
            } catch (IllegalArgumentException e) {
                throw refused(what);
            }
        }
        throw refused(what);
    }

    private static MalformedDataException refused(String what) {
        return new MalformedDataException(0, what);
    }

    /** Checks the hash that the text has. */
    void checkHash(byte[] publicKey) {
        if (!HexFormat.of().toHexDigits(hash(name, publicKey)).equals(hash)) {
            throw new MalformedDataException(
                    name.length() + 1, "the hash of a key is that of its name and bytes (SN2)");
        }
    }

    /**
     * The bytes of canonical base64.
     *
     * @throws IllegalArgumentException if it is none
     */
    static byte[] base64(String text) {
        byte[] bytes = Base64.getDecoder().decode(text);
        // The decoder takes a text without padding, and with bits that no byte has.
        if (!Base64.getEncoder().encodeToString(bytes).equals(text)) {
            throw new IllegalArgumentException("base64 that is not canonical");
        }
        return bytes;
    }
}
