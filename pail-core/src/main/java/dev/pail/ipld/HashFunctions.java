package dev.pail.ipld;

/**
 * A provider of hash functions that the JDK lacks. When a block is first verified by such a function, a
 * {@link java.util.ServiceLoader} finds providers with the class loader of this interface. The module {@code pail-hashes} has one.
 *
 * <p>Implementations are safe for use by several threads.
 *
 * <pre>{@code
 * class DoubleSha256 implements HashFunctions { // named in META-INF/services/dev.pail.ipld.HashFunctions
 *     public boolean has(long function) {
 *         return function == 0x56; // dbl-sha2-256
 *     }
 *     public byte[] hash(long function, int length, byte[] bytes) {
 *         try {
 *             MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
 *             return sha256.digest(sha256.digest(bytes));
 *         } catch (NoSuchAlgorithmException e) {
 *             throw new IllegalStateException(e);
 *         }
 *     }
 * }
 * }</pre>
 */
public interface HashFunctions {
    /** Whether this has a function, by its code in the multicodec table. */
    boolean has(long function);

    /**
     * Hashes bytes with a function that this has.
     *
     * @param length the length of the hash in bytes, 20 to 128, for a function with hashes of any length
     * @return the whole hash
     */
    byte[] hash(long function, int length, byte[] bytes);
}
