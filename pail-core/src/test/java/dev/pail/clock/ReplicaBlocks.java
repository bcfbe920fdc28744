package dev.pail.clock;

import dev.pail.BlockStore;
import dev.pail.MalformedBlockException;
import dev.pail.MapBlocks;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The blocks of one of several replicas: shards are in a store that all share, events are there only if they were brought. */
final class ReplicaBlocks implements BlockStore {
    private final MapBlocks shared;
    private final Set<Cid> brought = new HashSet<>();

    ReplicaBlocks(MapBlocks shared) {
        this.shared = shared;
    }

    void bring(Cid event) {
        brought.add(event);
    }

    Set<Cid> brought() {
        return brought;
    }

    private static boolean isEvent(Block block) {
        try {
            Event.fromBlock(block);
            return true;
        } catch (MalformedBlockException e) {
            return false;
        }
    }

    @Override
    public Optional<Block> get(Cid cid) {
        return shared.get(cid).filter(block -> brought.contains(cid) || !isEvent(block));
    }

    @Override
    public void put(Block block) {
        shared.put(block);
        if (isEvent(block)) {
            brought.add(block.cid());
        }
    }

    @Override
    public void putAll(Collection<Block> blocks) {
        blocks.forEach(this::put);
    }

    @Override
    public boolean has(Cid cid) {
        return get(cid).isPresent();
    }

    @Override
    public void close() {}
}
