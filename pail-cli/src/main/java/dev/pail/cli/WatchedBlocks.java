package dev.pail.cli;

import dev.pail.BlockStore;
import dev.pail.OriginHints;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A block store that tells of each block that it gives or takes. */
final class WatchedBlocks implements OriginHints {
    private final BlockStore blocks;
    private final Consumer<Block> watcher;

    /** @param blocks is not closed with this */
    WatchedBlocks(BlockStore blocks, Consumer<Block> watcher) {
        this.blocks = blocks;
        this.watcher = watcher;
    }

    @Override
    public Optional<Block> get(Cid cid) {
        Optional<Block> found = blocks.get(cid);
        found.ifPresent(watcher);
        return found;
    }

    @Override
    public boolean has(Cid cid) {
        return blocks.has(cid);
    }

    @Override
    public void putAll(Collection<Block> all, Map<Cid, Cid> origins) {
        OriginHints.putAll(blocks, all, origins);
        all.forEach(watcher);
    }

    @Override
    public void close() {}
}
