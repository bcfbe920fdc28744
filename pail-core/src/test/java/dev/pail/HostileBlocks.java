package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Hostile blocks in a store that may lie about them. It forgets what was put at the next put: so the memory that a change
 * takes is not counted with that of the next.
 */
final class HostileBlocks implements BlockStore {
    private final Map<Cid, Block> given = new HashMap<>();
    private final Map<Cid, PailException> refused = new HashMap<>();
    private final Map<Cid, Block> made = new HashMap<>();
    private final List<Block> order = new ArrayList<>();
    private long reads;
    private long size;

    /** Adds a shard and returns its block. */
    Block shard(byte[] shard) {
        return add(HostileShards.block(shard));
    }

    Block add(Block block) {
        return lie(block.cid(), block);
    }

    /** Gives a block whenever this CID is asked for. */
    Block lie(Cid asked, Block block) {
        if (given.put(asked, block) == null) {
            order.add(block);
            size += block.size();
        }
        return block;
    }

    /** Gives no block, but an error. */
    void refuse(Cid asked, PailException error) {
        refused.put(asked, error);
    }

    /** The block that was added last. */
    Block last() {
        return order.get(order.size() - 1);
    }

    int count() {
        return given.size();
    }

    /** The size of all blocks together in bytes. */
    long size() {
        return size;
    }

    /** How often a block was asked for. */
    long reads() {
        return reads;
    }

    /** A CAR with all of them, as a proof would be. */
    byte[] car(Cid root) {
        List<ProofCar.Section> sections = new ArrayList<>();
        given.forEach((asked, block) ->
                sections.add(asked.equals(root) ? 0 : sections.size(), new ProofCar.Section(asked, block.bytes())));
        return new ProofCar(List.of(root), sections).bytes();
    }

    @Override
    public Optional<Block> get(Cid cid) {
        reads++;
        PailException error = refused.get(cid);
        if (error != null) {
            throw error;
        }
        Block block = given.get(cid);
        return Optional.ofNullable(block == null ? made.get(cid) : block);
    }

    @Override
    public void putAll(Collection<Block> blocks) {
        made.clear();
        blocks.forEach(block -> made.put(block.cid(), block));
    }

    @Override
    public boolean has(Cid cid) {
        return given.containsKey(cid) || made.containsKey(cid) || refused.containsKey(cid);
    }

    @Override
    public void close() {}
}
