package dev.pail;

import dev.pail.ipld.Cid;

/**
 * A block that matches its CID but is not the shard or the event that it should be.
 *
 * <pre>{@code
 * try {
 *     Pail version = Pail.open(blocks, value);
 * } catch (MalformedBlockException e) {
 *     System.err.println(e.cid() + " is no pail: " + e.rule() + ", at byte " + e.offset());
 * }
 * }</pre>
 */
public final class MalformedBlockException extends BlockException {
    /** What the block should be. */
    public enum Subject {
        /** A shard. */
        SHARD("malformed-shard", Kind.DAMAGED),
        /** An event. */
        EVENT("malformed-event", Kind.DAMAGED),
        /** An event. Its data are no operation of a pail (M3, M4), as in a merkle clock of another program. */
        FOREIGN_EVENT("malformed-event", Kind.MALFORMED);

        private final String code;
        private final Kind kind;

        Subject(String code, Kind kind) {
            this.code = code;
            this.kind = kind;
        }
    }

    private final Subject subject;
    private final long offset;
    private final String rule;

    private MalformedBlockException(Subject subject, Cid cid, long offset, String rule) {
        super(
                cid,
                (subject == Subject.SHARD ? "malformed shard: " : "malformed event: ") + cid + ": " + rule
                        + " (at offset " + offset + ")");
        this.subject = subject;
        this.offset = offset;
        this.rule = rule;
    }

    /** A malformed shard. */
    public static MalformedBlockException ofShard(Cid cid, long offset, String rule) {
        return new MalformedBlockException(Subject.SHARD, cid, offset, rule);
    }

    /** A malformed event. */
    public static MalformedBlockException ofEvent(Cid cid, long offset, String rule) {
        return new MalformedBlockException(Subject.EVENT, cid, offset, rule);
    }

    /** A {@link Subject#FOREIGN_EVENT}. */
    public static MalformedBlockException ofForeignEvent(Cid cid, long offset, String rule) {
        return new MalformedBlockException(Subject.FOREIGN_EVENT, cid, offset, rule);
    }

    /** Returns what the block should be. */
    public Subject subject() {
        return subject;
    }

    /** Returns where in the block the rule is broken, in bytes. */
    public long offset() {
        return offset;
    }

    /** The rule that is broken. */
    public String rule() {
        return rule;
    }

    @Override
    public String code() {
        return subject.code;
    }

    @Override
    public Kind kind() {
        return subject.kind;
    }
}
