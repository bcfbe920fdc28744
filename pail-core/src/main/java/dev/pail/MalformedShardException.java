package dev.pail;

import dev.pail.ipld.Cid;

/**
 * A block that matches its CID but is not the shard that it should be.
 *
 * <pre>{@code
 * try {
 *     Pail version = Pail.open(blocks, value);
 * } catch (MalformedShardException e) {
 *     System.err.println(e.cid() + " is no pail: " + e.rule() + ", at byte " + e.offset());
 * }
 * }</pre>
 */
public final class MalformedShardException extends BlockException {
    private final long offset;
    private final String rule;

    public MalformedShardException(Cid cid, long offset, String rule) {
        super(cid, "malformed shard: " + cid + ": " + rule + " (at offset " + offset + ")");
        this.offset = offset;
        this.rule = rule;
    }

    /** Where in the block the rule is broken. */
    public long offset() {
        return offset;
    }

    /** The rule that is broken. */
    public String rule() {
        return rule;
    }

    @Override
    public String code() {
        return "malformed-shard";
    }

    @Override
    public Kind kind() {
        return Kind.DAMAGED;
    }
}
