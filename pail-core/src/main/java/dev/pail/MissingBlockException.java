package dev.pail;

import dev.pail.ipld.Cid;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A block that is linked to is not in the block store. */
public final class MissingBlockException extends PailException {
    private final Cid cid;
    private final @Nullable Cid linkedFrom;

    public MissingBlockException(Cid cid) {
        super("missing block: " + cid);
        this.cid = cid;
        this.linkedFrom = null;
    }

    /** @param linkedFrom the block that links to it */
    public MissingBlockException(Cid cid, Cid linkedFrom) {
        super("missing block: " + cid + ", which " + linkedFrom + " links to");
        this.cid = cid;
        this.linkedFrom = linkedFrom;
    }

    /** The name of the block. */
    public Cid cid() {
        return cid;
    }

    /** The block that links to it, where that is known. */
    public Optional<Cid> linkedFrom() {
        return Optional.ofNullable(linkedFrom);
    }
}
