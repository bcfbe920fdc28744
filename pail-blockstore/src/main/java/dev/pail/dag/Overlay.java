package dev.pail.dag;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The blocks of a store that is only read, and the blocks that were put here since: these are in memory. For several threads. */
public final class Overlay implements BlockStore {
    private final BlockStore below;
    private final Map<Cid, Block> above = new ConcurrentHashMap<>();

    /** @param below is not closed with this */
    public Overlay(BlockStore below) {
        this.below = Objects.requireNonNull(below, "below");
    }

    @Override
    public Optional<Block> get(Cid cid) {
        Optional<Block> found = added(cid);
        return found.isPresent() ? found : below.get(cid);
    }

    /** A block that was put since. */
    public Optional<Block> added(Cid cid) {
        return Optional.ofNullable(above.get(cid));
    }

    @Override
    public boolean isErased(Cid cid) {
        return below.isErased(cid);
    }

    @Override
    public boolean has(Cid cid) {
        return above.containsKey(cid) || below.has(cid);
    }

    @Override
    public void putAll(Collection<Block> blocks) {
        Oversize.refuse(blocks);
        blocks.forEach(block -> above.putIfAbsent(block.cid(), block));
    }

    @Override
    public void close() {}
}
