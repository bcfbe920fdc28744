package dev.pail;

import dev.pail.ipld.Cid;

/** Bytes that do not match the CID they stand under. They are never handed out, and never deleted. */
public final class CorruptBlockException extends PailException {
    private final Cid cid;
    private final String found;

    /** @param found what was found in the place of the block, and where */
    public CorruptBlockException(Cid cid, String found) {
        super("corrupt block: " + cid + ": " + found);
        this.cid = cid;
        this.found = found;
    }

    /** The name of the block. */
    public Cid cid() {
        return cid;
    }

    /** What was found in its place, and where. */
    public String found() {
        return found;
    }
}
