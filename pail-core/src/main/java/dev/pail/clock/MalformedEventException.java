package dev.pail.clock;

import dev.pail.BlockException;
import dev.pail.ipld.Cid;

/**
 * A block that matches its CID but is not the event that it should be.
 *
 * <pre>{@code
 * try {
 *     Event event = MerkleClock.open(blocks).event(value);
 * } catch (MalformedEventException e) {
 *     System.err.println(e.cid() + " is no event: " + e.rule() + ", at byte " + e.offset());
 * }
 * }</pre>
 */
public final class MalformedEventException extends BlockException {
    private final long offset;
    private final String rule;
    private final boolean foreign;

    public MalformedEventException(Cid cid, long offset, String rule) {
        this(cid, offset, rule, false);
    }

    MalformedEventException(Cid cid, long offset, String rule, boolean foreign) {
        super(cid, "malformed event: " + cid + ": " + rule + " (at offset " + offset + ")");
        this.offset = offset;
        this.rule = rule;
        this.foreign = foreign;
    }

    /** Where in the block the rule is broken. */
    public long offset() {
        return offset;
    }

    /** The rule that is broken. */
    public String rule() {
        return rule;
    }

    /** Whether the data of the event are no operation of a pail (M3, M4), as in a merkle clock of another program. */
    public boolean isForeign() {
        return foreign;
    }

    @Override
    public String code() {
        return "malformed-event";
    }

    @Override
    public Kind kind() {
        return foreign ? Kind.MALFORMED : Kind.DAMAGED;
    }
}
