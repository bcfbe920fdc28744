package dev.pail.shard;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * The states of SHA2-256 on the way through the bytes of a large shard. Hashing bytes that start the same needs to start
 * only where they begin to differ.
 *
 * <p>Immutable.
 */
public final class Midstates {
    public static final Midstates NONE = new Midstates(new MessageDigest[0]);

    /** The number of bytes from one state to the next. */
    private static final int STEP = 16 << 10;

    /** The size from which on the states are kept. */
    private static final int LARGE = 4 * STEP;

    /** What the cache should count for one state, in bytes. */
    private static final int WEIGHT = 256;

    private final MessageDigest[] states;

    private Midstates(MessageDigest[] states) {
        this.states = states;
    }

    int weight() {
        return WEIGHT * states.length;
    }

    /** A digest that is fed with some bytes, and the states on the way. */
    record Hash(MessageDigest sha256, Midstates midstates) {}

    /**
     * Hashes bytes.
     *
     * @param same the number of bytes that are the same as those that these are the states for
     * @param fresh a digest that may be used
     */
    Hash hash(byte[] bytes, int same, MessageDigest fresh) {
        if (bytes.length < LARGE) {
            fresh.update(bytes);
            return new Hash(fresh, NONE);
        }
        int known = Math.min(same / STEP, states.length);
        MessageDigest sha256 = known == 0 ? fresh : copy(states[known - 1]);
        MessageDigest[] all = Arrays.copyOf(states, (bytes.length - 1) / STEP);
        for (int i = known; i < all.length; i++) {
            sha256.update(bytes, i * STEP, STEP);
            all[i] = copy(sha256);
        }
        sha256.update(bytes, all.length * STEP, bytes.length - all.length * STEP);
        return new Hash(sha256, new Midstates(all));
    }

    private static MessageDigest copy(MessageDigest digest) {
        try {
            return (MessageDigest) digest.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the Java runtime cannot copy a digest of SHA2-256", e);
        }
    }
}
