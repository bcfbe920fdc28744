package dev.pail.remote;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The store for an answer to a request for blocks: it takes those alone, and no more sections than blocks (SY17). For one answer. */
final class AskedBlocks implements BlockStore {
    private final BlockStore blocks;
    private final Set<Cid> asked;
    private final int most;
    private final String address;
    private int sections;

    AskedBlocks(BlockStore blocks, List<Cid> cids, String address) {
        this.blocks = blocks;
        this.most = cids.size();
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
            if (!asked.contains(block.cid().raw())) {
                throw foreign("the block " + block.cid() + ", which was not asked for");
            }
        }
        blocks.putAll(all);
    }

    private RemoteException foreign(String what) {
        return new RemoteException(
                RemoteException.Reason.PROTOCOL,
                "not an answer of a pail server: " + address + ": it sends " + what,
                "see whether this is its address; a proxy may answer in its place",
                null);
    }

    @Override
    public Optional<Block> get(Cid cid) {
        return blocks.get(cid);
    }

    @Override
    public boolean has(Cid cid) {
        return blocks.has(cid);
    }

    @Override
    public Set<Cid> hasAll(Collection<Cid> cids) {
        return blocks.hasAll(cids);
    }

    @Override
    public boolean isErased(Cid cid) {
        return blocks.isErased(cid);
    }

    @Override
    public void close() {
        // The store is the caller's.
    }
}
