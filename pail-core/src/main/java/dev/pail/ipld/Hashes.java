package dev.pail.ipld;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** The hash functions by which blocks are verified: those of the JDK, and those of {@link HashFunctions}. Rule I4. */
final class Hashes {
    private static final String SHA_256 = "SHA-256";
    private static final long DOUBLE_SHA2_256 = 0x56;

    /** Never updated, only cloned: a lookup by name takes longer than hashing a small block. */
    private static final MessageDigest UNUSED_SHA_256 = digest(SHA_256);

    private Hashes() {}

    /** Functions that the JDK lacks, loaded on first use. */
    private static final class Others {
        static final List<HashFunctions> ALL =
                ServiceLoader.load(HashFunctions.class, HashFunctions.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();

        private Others() {}

        static @Nullable HashFunctions with(long function) {
            for (HashFunctions each : ALL) {
                if (each.has(function)) {
                    return each;
                }
            }
            return null;
        }
    }

    /** Whether a function is here, by its code in the multicodec table. */
    static boolean has(long function) {
        return algorithm(function) != null || Others.with(function) != null;
    }

    /** Hashes bytes with a function that is here. */
    static byte[] hash(long function, int length, byte[] bytes) {
        if (function == Cid.SHA2_256) {
            return sha256().digest(bytes);
        }
        if (function == DOUBLE_SHA2_256) {
            return sha256().digest(sha256().digest(bytes));
        }
        String algorithm = algorithm(function);
        if (algorithm != null) {
            return digest(algorithm).digest(bytes);
        }
        HashFunctions others = Others.with(function);
        if (others == null) {
            throw new IllegalArgumentException("no hash function 0x" + Long.toHexString(function));
        }
        return others.hash(function, length, bytes);
    }

    private static @Nullable String algorithm(long function) {
        return switch (function > Integer.MAX_VALUE ? -1 : (int) function) {
            case 0x11 -> "SHA-1";
            case 0x12, 0x56 -> SHA_256;
            case 0x13 -> "SHA-512";
            case 0x14 -> "SHA3-512";
            case 0x15 -> "SHA3-384";
            case 0x16 -> "SHA3-256";
            case 0x17 -> "SHA3-224";
            case 0x20 -> "SHA-384";
            default -> null;
        };
    }

    /** A SHA2-256 digest without input. */
    static MessageDigest sha256() {
        try {
            return (MessageDigest) UNUSED_SHA_256.clone();
        } catch (CloneNotSupportedException e) {
            return digest(SHA_256);
        }
    }

    private static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the Java runtime lacks " + algorithm, e);
        }
    }
}
