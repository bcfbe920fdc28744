package dev.pail.ipld;

/**
 * Hash functions that the JDK lacks. A {@link java.util.ServiceLoader} finds them with the class loader of this interface when
 * a block is first verified by a function that the JDK lacks. The module {@code pail-hashes} has an implementation.
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
    /** Whether a function is here, by its code in the multicodec table. */
    boolean has(long function);

    /**
     * Hashes bytes with a function that is here.
     *
     * @param length how long the hash is to be, in bytes, if the function makes hashes of any length: 20 to 128
     * @return the whole hash
     */
    byte[] hash(long function, int length, byte[] bytes);
}
