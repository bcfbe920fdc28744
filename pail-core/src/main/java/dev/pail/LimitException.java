package dev.pail;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A limit that a change, a clock or a proof would exceed. {@link #subject} says what has the limit. Nothing was changed.
 *
 * <pre>{@code
 * try {
 *     Pail next = Pail.create(blocks, ShardFormat.v0()).put("title", value);
 * } catch (LimitException e) {
 *     System.err.println("no room for " + e.key().orElse("") + ": " + e.limit()); // other formats have more room
 * }
 * }</pre>
 */
public final class LimitException extends PailException {
    /** What has the limit. */
    public enum Subject {
        /** A shard: its format has no room for a key. */
        SHARD("shard-limit"),
        /** A clock: more events, or a larger event, than its limits allow. */
        CLOCK("clock-limit"),
        /** A proof or its answer: larger than its limits allow. */
        PROOF("proof-limit");

        private final String code;

        Subject(String code) {
            this.code = code;
        }
    }

    private final Subject subject;
    private final @Nullable String key;
    private final String limit;

    private LimitException(Subject subject, @Nullable String key, String limit) {
        super(subject.code.replace('-', ' ') + " reached: " + (key == null ? "" : Escapes.brief(key) + ": ") + limit);
        this.subject = subject;
        this.key = key;
        this.limit = limit;
    }

    /**
     * A shard without room for a key.
     *
     * @param limit the limit, and why a split could not keep the shard within it
     */
    public static LimitException ofShard(String key, String limit) {
        return new LimitException(Subject.SHARD, key, limit);
    }

    /** A clock with more events, or a larger one, than the limits allow. */
    public static LimitException ofClock(String limit) {
        return new LimitException(Subject.CLOCK, null, limit);
    }

    /** A proof or an answer that would be larger than the limits allow. */
    public static LimitException ofProof(String limit) {
        return new LimitException(Subject.PROOF, null, limit);
    }

    /** Returns what has the limit. */
    public Subject subject() {
        return subject;
    }

    /** Returns the key that was put, if it is the limit of a shard. */
    public Optional<String> key() {
        return Optional.ofNullable(key);
    }

    /** Returns the limit; of a shard, also why a split could not keep the shard within it. */
    public String limit() {
        return limit;
    }

    @Override
    public String code() {
        return subject.code;
    }

    @Override
    public Kind kind() {
        return Kind.REFUSED;
    }
}
