package dev.pail.clock;

import dev.pail.PailException;
import dev.pail.ipld.Cid;

/** A block that matches its CID but is not the event that it should be. */
public final class MalformedEventException extends PailException {
    private final Cid cid;
    private final int offset;
    private final String rule;

    public MalformedEventException(Cid cid, int offset, String rule) {
        super("malformed event: " + cid + ": " + rule + " (at offset " + offset + ")");
        this.cid = cid;
        this.offset = offset;
        this.rule = rule;
    }

    /** The name of the block. */
    public Cid cid() {
        return cid;
    }

    /** Where in the block the rule is broken. */
    public int offset() {
        return offset;
    }

    /** The rule that is broken. */
    public String rule() {
        return rule;
    }
}
