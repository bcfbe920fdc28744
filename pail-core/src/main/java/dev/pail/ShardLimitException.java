package dev.pail;

/**
 * A put that would make a shard larger than its format allows. Nothing was changed.
 *
 * <pre>{@code
 * try {
 *     Pail next = Pail.create(blocks, ShardFormat.v0()).put("title", value);
 * } catch (ShardLimitException e) {
 *     System.err.println("no room for " + e.key() + ": " + e.limit()); // other formats have more room
 * }
 * }</pre>
 */
public final class ShardLimitException extends PailException {
    private final String key;
    private final String limit;

    public ShardLimitException(String key, String limit) {
        super("shard limit reached: " + Escapes.brief(key) + ": " + limit);
        this.key = key;
        this.limit = limit;
    }

    /** The key that was put. */
    public String key() {
        return key;
    }

    /** Returns the limit, and why a split could not keep the shard within it. */
    public String limit() {
        return limit;
    }

    @Override
    public String code() {
        return "shard-limit";
    }

    @Override
    public Kind kind() {
        return Kind.REFUSED;
    }
}
