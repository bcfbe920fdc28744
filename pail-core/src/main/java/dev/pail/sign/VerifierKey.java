package dev.pail.sign;

import dev.pail.ipld.MalformedDataException;
import java.util.Arrays;
import java.util.Objects;

/**
 * The public half of a {@link SigningKey}: it checks signatures. Immutable, equal by content, and safe for use by several threads.
 *
 * <pre>{@code
 * VerifierKey ann = SigningKey.generate("example.com/ann").verifierKey();
 * VerifierKey again = VerifierKey.parse(ann.toString()); // equal to ann
 * }</pre>
 */
public final class VerifierKey {
    private final String name;
    private final byte[] key;
    private final int hash;

    VerifierKey(String name, byte[] key) {
        this.name = name;
        this.key = key;
        this.hash = KeyForm.hash(name, key);
    }

    /**
     * Reads a key: {@code NAME+HASH+BASE64}. Rule SN3.
     *
     * @throws MalformedDataException if the text is no such key
     */
    public static VerifierKey parse(String text) {
        String what = "a verifier key is NAME+HASH+BASE64, with 33 bytes that start with 1 (SN3)";
        KeyForm form = KeyForm.read(Objects.requireNonNull(text, "text"), what);
        form.checkHash(form.key);
        if (!Ed25519.isPublicKey(form.key)) {
            throw new MalformedDataException(0, "the bytes of a verifier key are a point of the curve (SN3)");
        }
        return new VerifierKey(form.name, form.key);
    }

    /** The name that the owner has given to the key. */
    public String name() {
        return name;
    }

    int hash() {
        return hash;
    }

    /** What identifies the key (spec rule SN2): {@code NAME+HASH}. */
    public String id() {
        return KeyForm.id(name, hash);
    }

    boolean verifies(byte[] text, byte[] signature) {
        return Ed25519.verify(key, text, signature);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VerifierKey that && name.equals(that.name) && Arrays.equals(key, that.key);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** The key as text, which {@link #parse} reads. */
    @Override
    public String toString() {
        return KeyForm.write(name, hash, key);
    }
}
