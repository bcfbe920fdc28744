package dev.pail.sign;

import dev.pail.ipld.MalformedDataException;
import java.security.SecureRandom;
import java.util.Objects;

/**
 * A private Ed25519 key with a name: {@link SignedHead#sign} signs with it. Its text is a secret: keep it where only its owner reads it.
 * Immutable, and safe for use by several threads.
 *
 * <pre>{@code
 * SigningKey key = SigningKey.generate("example.com/ann"); // the name of nothing else: what the signatures are for
 * String secret = key.encoded(); // to be kept
 * String published = key.verifierKey().toString(); // for readers
 * }</pre>
 */
public final class SigningKey {
    private static final String PRIVATE = "PRIVATE+KEY+";

    private final byte[] seed;
    private final VerifierKey verifierKey;

    private SigningKey(String name, byte[] seed) {
        this.seed = seed;
        this.verifierKey = new VerifierKey(name, Ed25519.publicKey(seed));
    }

    /**
     * Makes a key from random bytes.
     *
     * @param name 1 to 255 characters without spaces, plus and hidden characters (spec rule SN1); best a URL without {@code https://}
     * @throws IllegalArgumentException if it is no such name
     */
    public static SigningKey generate(String name) {
        KeyForm.checkName(Objects.requireNonNull(name, "name"));
        byte[] seed = new byte[Ed25519.KEY_LENGTH];
        new SecureRandom().nextBytes(seed);
        return new SigningKey(name, seed);
    }

    /**
     * Reads a key: {@code PRIVATE+KEY+NAME+HASH+BASE64}. Rule SN4.
     *
     * @throws MalformedDataException if the text is no such key. The message has nothing of the text
     */
    public static SigningKey parse(String text) {
        String what = "a private key is PRIVATE+KEY+NAME+HASH+BASE64, with 33 bytes that start with 1 (SN4)";
        if (!Objects.requireNonNull(text, "text").startsWith(PRIVATE)) {
            throw new MalformedDataException(0, what);
        }
        KeyForm form = KeyForm.read(text.substring(PRIVATE.length()), what);
        SigningKey key = new SigningKey(form.name, form.key);
        form.checkHash(Ed25519.publicKey(form.key));
        return key;
    }

    /** The public half. */
    public VerifierKey verifierKey() {
        return verifierKey;
    }

    /** The secret as text, which {@link #parse} reads. */
    public String encoded() {
        return PRIVATE + KeyForm.write(verifierKey.name(), verifierKey.hash(), seed);
    }

    byte[] sign(byte[] text) {
        return Ed25519.sign(seed, text);
    }

    /** The name and hash of the key, and nothing of its secret. */
    @Override
    public String toString() {
        return verifierKey.id();
    }
}
