package dev.pail;

import dev.pail.ipld.Cid;

/** A block that is linked to is not in the block store. */
public final class MissingBlockException extends PailException {
    private final Cid cid;

    public MissingBlockException(Cid cid) {
        super("missing block: " + cid);
        this.cid = cid;
    }

    /** The name of the block. */
    public Cid cid() {
        return cid;
    }
}
