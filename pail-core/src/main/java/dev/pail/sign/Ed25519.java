package dev.pail.sign;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;

/** Ed25519 of RFC 8032, by the JDK. Keys and signatures are the bytes of that RFC. */
final class Ed25519 {
    /** The length of a seed and of a public key, in bytes. */
    static final int KEY_LENGTH = 32;

    private static final int SIGNATURE_LENGTH = 64;

    private static final String NAME = "Ed25519";

    /** What stands before a seed in PKCS #8, and before a public key in X.509 (RFC 8410). */
    private static final String BEFORE_SEED = "302e020100300506032b657004220420";

    private static final String BEFORE_PUBLIC = "302a300506032b6570032100";

    private Ed25519() {}

    /** The public key of a seed. */
    static byte[] publicKey(byte[] seed) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(NAME);
            // The JDK makes a public key only together with a private one, whose seed it takes from a source of random
            // bytes.
            generator.initialize(NamedParameterSpec.ED25519, new Given(seed));
            KeyPair pair = generator.generateKeyPair();
            byte[] used = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
            if (!Arrays.equals(used, seed)) {
                throw new IllegalStateException("this Java makes Ed25519 keys from other bytes than the seed");
            }
            byte[] encoded = pair.getPublic().getEncoded();
            return Arrays.copyOfRange(encoded, encoded.length - KEY_LENGTH, encoded.length);
        } catch (GeneralSecurityException e) {
            throw failure(e);
        }
    }

    static byte[] sign(byte[] seed, byte[] message) {
        try {
            Signature signature = Signature.getInstance(NAME);
            signature.initSign(
                    KeyFactory.getInstance(NAME).generatePrivate(new PKCS8EncodedKeySpec(behind(BEFORE_SEED, seed))));
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw failure(e);
        }
    }

    /** Whether these bytes are a public key: the encoding of a point of the curve. */
    static boolean isPublicKey(byte[] key) {
        try {
            return verifier(key) != null;
        } catch (NoSuchAlgorithmException e) {
            throw failure(e);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Whether a signature is that of a message by the owner of a public key. */
    static boolean verify(byte[] key, byte[] message, byte[] signature) {
        // The JDK takes a signature with zeros behind it.
        if (signature.length != SIGNATURE_LENGTH) {
            return false;
        }
        try {
            Signature verifier = verifier(key);
            verifier.update(message);
            return verifier.verify(signature);
        } catch (NoSuchAlgorithmException e) {
            throw failure(e);
        } catch (GeneralSecurityException e) {
            // The JDK throws for a number out of range.
            return false;
        }
    }

    private static Signature verifier(byte[] key) throws GeneralSecurityException {
        Signature verifier = Signature.getInstance(NAME);
        verifier.initVerify(
                KeyFactory.getInstance(NAME).generatePublic(new X509EncodedKeySpec(behind(BEFORE_PUBLIC, key))));
        return verifier;
    }

    private static byte[] behind(String hex, byte[] key) {
        byte[] before = HexFormat.of().parseHex(hex);
        byte[] whole = Arrays.copyOf(before, before.length + key.length);
        System.arraycopy(key, 0, whole, before.length, key.length);
        return whole;
    }

    private static IllegalStateException failure(GeneralSecurityException cause) {
        return new IllegalStateException("this Java has no Ed25519: does it lack the module jdk.crypto.ec?", cause);
    }

    /** A source of the bytes given. */
    private static final class Given extends SecureRandom {
        private static final long serialVersionUID = 1;

        private final byte[] bytes;

        Given(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public void nextBytes(byte[] out) {
            System.arraycopy(bytes, 0, out, 0, Math.min(bytes.length, out.length));
        }
    }
}
