package dev.pail.remote;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The store for an answer to a request for blocks: it takes those alone, and no more sections than blocks (SY17). For one answer. */
final class AskedBlocks extends ReceivingBlocks {
    private final Set<Cid> asked;
    private final int most;
    private final String address;

    /** How many bytes of other blocks may still come. */
    private long others;

    private int sections;

    AskedBlocks(BlockStore blocks, List<Cid> cids, String address) {
        this(blocks, cids, 0, 0, address);
    }

    /** For an answer with other blocks, too, which a remote sends ahead. */
    AskedBlocks(BlockStore blocks, List<Cid> cids, NextReads next, String address) {
        this(blocks, cids, next.most(), NextReads.MOST_BYTES + (long) Block.MAX_SIZE, address);
    }

    private AskedBlocks(BlockStore blocks, List<Cid> cids, int ahead, long others, String address) {
        super(blocks);
        this.most = cids.size() + ahead;
        this.others = others;
        this.asked = cids.stream().map(Cid::raw).collect(Collectors.toSet());
        this.address = address;
    }

    /** Counts a section of the answer. */
    void count() {
        sections++;
        if (sections > most) {
            throw foreign("more blocks than were asked for");
        }
    }

    @Override
    public void putAll(Collection<Block> all) {
        for (Block block : all) {
            if (asked.contains(block.cid().raw())) {
                continue;
            }
            others -= block.size();
            if (others < 0) {
                throw foreign("the block " + block.cid() + ", which was not asked for");
            }
        }
        blocks.putAll(all);
    }

    private RemoteException foreign(String what) {
        return RemoteException.foreign(address, "it sends " + what);
    }
}
