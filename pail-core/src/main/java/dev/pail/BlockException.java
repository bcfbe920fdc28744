package dev.pail;

import dev.pail.ipld.Cid;

/**
 * A needed block that is missing, corrupt or malformed.
 *
 * <pre>{@code
 * try {
 *     pail.entries().forEach(System.out::println);
 * } catch (BlockException e) {
 *     System.err.println(e.code() + " " + e.cid()); // such as: missing-block bafyrei...
 * }
 * }</pre>
 */
public abstract class BlockException extends PailException {
    private final Cid cid;

    /** @param cid the name of the block */
    protected BlockException(Cid cid, String message) {
        super(message);
        this.cid = cid;
    }

    /** Returns the CID of the block. */
    public Cid cid() {
        return cid;
    }
}
