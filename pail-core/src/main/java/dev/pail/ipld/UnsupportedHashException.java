package dev.pail.ipld;

import dev.pail.PailException;

/**
 * A CID that cannot verify a block. Its hash function is not available here or is the identity, or its digest has less than 20 or
 * more than 128 bytes.
 *
 * <pre>{@code
 * try {
 *     Block block = Block.verified(value, new byte[] {1});
 * } catch (UnsupportedHashException e) {
 *     System.err.println("hash function 0x" + Long.toHexString(e.cid().hashFunction())); // see HashFunctions
 * }
 * }</pre>
 */
public final class UnsupportedHashException extends PailException {
    private final Cid cid;

    public UnsupportedHashException(Cid cid) {
        super("cannot verify a block by hash function 0x" + Long.toHexString(cid.hashFunction()) + " and a digest of "
                + cid.digestLength() + " bytes: " + cid);
        this.cid = cid;
    }

    /** Returns the CID of the block. */
    public Cid cid() {
        return cid;
    }

    @Override
    public String code() {
        return "unsupported-hash";
    }

    @Override
    public Kind kind() {
        return Kind.REFUSED;
    }
}
