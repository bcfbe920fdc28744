package dev.pail.remote;

import dev.pail.BlockStore;
import dev.pail.dag.CidSet;
import dev.pail.ipld.Block;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The store for an answer to a fetch. The answer has at most 64 MiB that bring no new block: blocks that come again, identity CIDs, and
 * blocks that are refused (SY17). For one answer.
 */
final class NewBlocks extends ReceivingBlocks {
    /** More than an import reads before it puts. */
    static final long MOST_OTHER = 64 << 20;

    /** What a block takes in a CAR beside its bytes, in bytes, at most. */
    private static final int SECTION = 128;

    private final String address;
    private final CidSet seen = new CidSet();

    /** The bytes of sections that brought new blocks. An import reads in one thread and puts in another. */
    private final AtomicLong fresh = new AtomicLong();

    private final AtomicLong read = new AtomicLong();
    private long repeated;

    NewBlocks(BlockStore blocks, String address) {
        super(blocks);
        this.address = address;
    }

    /** The body of the answer. */
    InputStream body(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                int count = super.read(bytes, offset, length);
                check(read.addAndGet(Math.max(0, count)) - fresh.get());
                return count;
            }
        };
    }

    private void check(long other) {
        if (other > MOST_OTHER) {
            throw RemoteException.foreign(
                    address, "it sends more than " + MOST_OTHER + " bytes that bring no new block");
        }
    }

    /** A delta of a few bytes may make a large block, so the bytes of blocks that come again count. */
    @Override
    public void putAll(Collection<Block> all) {
        for (Block block : all) {
            if (seen.add(block.cid())) {
                fresh.addAndGet((long) block.size() + SECTION);
            } else {
                repeated += block.size();
            }
        }
        check(repeated);
        blocks.putAll(all);
    }
}
