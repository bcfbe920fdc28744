package dev.pail;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A block store that reports each block that it returns or stores, to show the progress of long operations. An exception of the watcher
 * ends the operation. Safe for use by several threads if the store and the watcher are.
 *
 * <pre>{@code
 * AtomicLong read = new AtomicLong();
 * Pail watched = Pail.open(new WatchedBlockStore(blocks, block -> read.addAndGet(block.size())), pail.root());
 * watched.entries().forEach(entry -> System.out.println(entry.key() + " after " + read + " bytes"));
 * }</pre>
 */
public final class WatchedBlockStore implements OriginHints, LocatedBlocks {
    private final BlockStore blocks;
    private final Consumer<Block> watcher;

    /**
     * Creates a store over another one.
     *
     * @param blocks is not closed with this
     * @param watcher receives each block that was found or put
     */
    public WatchedBlockStore(BlockStore blocks, Consumer<Block> watcher) {
        this.blocks = Objects.requireNonNull(blocks, "blocks");
        this.watcher = Objects.requireNonNull(watcher, "watcher");
    }

    @Override
    public Optional<Block> get(Cid cid) {
        Optional<Block> found = blocks.get(cid);
        found.ifPresent(watcher);
        return found;
    }

    @Override
    public Map<Cid, Block> getAll(Collection<Cid> cids) {
        Map<Cid, Block> found = blocks.getAll(cids);
        found.values().forEach(watcher);
        return found;
    }

    @Override
    public boolean has(Cid cid) {
        return blocks.has(cid);
    }

    @Override
    public boolean isErased(Cid cid) {
        return blocks.isErased(cid);
    }

    @Override
    public Set<Cid> hasAll(Collection<Cid> cids) {
        return blocks.hasAll(cids);
    }

    @Override
    public BlockLocation locate(Cid cid) {
        return LocatedBlocks.locate(blocks, cid);
    }

    @Override
    public Optional<Block> read(RowLoc location) {
        Optional<Block> found = LocatedBlocks.read(blocks, location);
        found.ifPresent(watcher);
        return found;
    }

    @Override
    public void putAll(Collection<Block> all, Map<Cid, Cid> origins) {
        OriginHints.putAll(blocks, all, origins);
        all.forEach(watcher);
    }

    @Override
    public void close() {}
}
