package dev.pail.ipld;

import dev.pail.PailException;

/** A CID that cannot vouch for a block: its hash function is too weak, is none at all, or cannot be computed here. */
public final class UnsupportedHashException extends PailException {
    private final Cid cid;

    public UnsupportedHashException(Cid cid) {
        super("cannot verify a block by hash function 0x" + Long.toHexString(cid.hashFunction()) + ": " + cid);
        this.cid = cid;
    }

    /** The name that the block has. */
    public Cid cid() {
        return cid;
    }
}
