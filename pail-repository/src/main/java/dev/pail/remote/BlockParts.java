package dev.pail.remote;

import dev.pail.CorruptBlockException;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.unsafe.UnsafeBlocks;
import java.io.ByteArrayOutputStream;

/** The bytes of a block that come on several connections. Takes memory for those that came. For one use, by one thread. */
final class BlockParts implements Remote.PartReceiver {
    private final Cid cid;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** As the remote says it; -1 before it does. */
    private int size = -1;

    private int most;

    BlockParts(Cid cid) {
        this.cid = cid;
    }

    @Override
    public void take(int announced, byte[] part, int length) {
        boolean isAsBefore = size < 0 || size == announced;
        if (!isAsBefore || announced > Block.MAX_SIZE || length > announced - bytes.size()) {
            throw new CorruptBlockException(cid, "the remote sends a part that is none of a block");
        }
        size = announced;
        bytes.write(part, 0, length);
    }

    /** How many bytes came. */
    int size() {
        return bytes.size();
    }

    boolean isWhole() {
        return bytes.size() == size;
    }

    /** Notes how many bytes a connection carried. */
    void carried(int count) {
        most = Math.max(most, count);
    }

    /**
     * Returns the block.
     *
     * @throws CorruptBlockException if the bytes do not match the CID
     */
    Block block() {
        return UnsafeBlocks.verified(cid, bytes.toByteArray());
    }

    /** The failure of a transfer whose connections carry too little. */
    StoreIOException tooLarge(StoreIOException cause, Remote remote) {
        String place = remote.address();
        String reason = Sending.reason(cause, remote) + "; no connection carried the block " + cid
                + (size < 0 ? "" : " of " + size + " bytes: they carried at most " + most + " bytes of it");
        return new StoreIOException("cannot exchange", place, reason, cause);
    }
}
