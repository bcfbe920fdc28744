package dev.pail.s3;

import dev.pail.StoreIOException;
import java.io.Serial;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Objects by key: what a repository needs of S3. Each method is one request, or several parts of one. All throw {@link StoreIOException} if
 * the bucket refuses a request or does not answer. Safe for use by several threads.
 */
interface Bucket extends AutoCloseable {
    /** The largest object that is read, in bytes. */
    int MAX_SIZE = 64 << 20;

    /**
     * An object as a list has it.
     *
     * @param modified by the clock of the bucket
     */
    record Listed(String key, long size, Instant modified) {}

    /** An object, if there is one. */
    Optional<byte[]> get(String key);

    /**
     * A part of an object, if there is one. May be shorter where the object is.
     *
     * @param from the first byte
     */
    Optional<byte[]> get(String key, long from, int length);

    /** The size of an object, in bytes, if there is one. */
    OptionalLong size(String key);

    /** Whether there is an object. */
    default boolean exists(String key) {
        return size(key).isPresent();
    }

    /**
     * Creates an object.
     *
     * @return false, if there is one of this key: nothing is changed
     * @throws UnansweredException if it may have been created, or may be still
     */
    boolean create(String key, byte[] content);

    /** Writes an object, which may be there. */
    void put(String key, byte[] content);

    /**
     * Overwrites an object, if it has these bytes. For the object {@code repository} alone, which few requests change.
     *
     * @return false, if it has other bytes: nothing is changed
     */
    boolean replace(String key, byte[] before, byte[] content);

    /**
     * Lists objects in the order of their keys.
     *
     * @param after the key after which the list begins
     * @param most how many at most, 1 to 1,000; fewer are all that there are
     */
    List<Listed> list(String prefix, String after, int most);

    /** Deletes an object, which need not be there. */
    void delete(String key);

    /** The place, for messages. */
    String location();

    /** The place of an object, for messages. */
    default String where(String key) {
        return location() + "/" + key;
    }

    @Override
    void close();

    /** No answer came to a request that changes something. */
    final class UnansweredException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        private final StoreIOException failure;

        UnansweredException(StoreIOException failure) {
            super(failure);
            this.failure = failure;
        }

        /** What failed. */
        StoreIOException failure() {
            return failure;
        }
    }
}
