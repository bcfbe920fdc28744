package dev.pail;

import dev.pail.ipld.Cid;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A needed block that is not in the block store.
 *
 * <pre>{@code
 * try {
 *     Pail next = pail.requiringBlocks().put("title", value);
 * } catch (MissingBlockException e) {
 *     System.err.println("put the block first: " + e.cid());
 * }
 * }</pre>
 */
public final class MissingBlockException extends BlockException {
    private final @Nullable Cid linkedFrom;

    public MissingBlockException(Cid cid) {
        super(cid, "missing block: " + cid);
        this.linkedFrom = null;
    }

    /** @param linkedFrom the block that links to it */
    public MissingBlockException(Cid cid, Cid linkedFrom) {
        super(cid, "missing block: " + cid + ", which " + linkedFrom + " links to");
        this.linkedFrom = linkedFrom;
    }

    /** Returns the block that links to it, if known. */
    public Optional<Cid> linkedFrom() {
        return Optional.ofNullable(linkedFrom);
    }

    @Override
    public String code() {
        return "missing-block";
    }

    @Override
    public Kind kind() {
        return Kind.MISSING;
    }
}
