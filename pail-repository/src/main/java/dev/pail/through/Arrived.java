package dev.pail.through;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Takes the blocks of an answer: keeps those that were asked for, and puts all into another store. For one answer. */
final class Arrived implements BlockStore {
    private final Set<Cid> asked;
    private final BlockStore target;
    private final Map<Cid, Block> wanted = new LinkedHashMap<>();

    Arrived(Collection<Cid> asked, BlockStore target) {
        this.asked = new LinkedHashSet<>(asked);
        this.target = target;
    }

    /** The blocks that were asked for. */
    synchronized Map<Cid, Block> wanted() {
        return new LinkedHashMap<>(wanted);
    }

    @Override
    public void putAll(Collection<Block> blocks) {
        List<Block> all = List.copyOf(blocks);
        target.putAll(all);
        synchronized (this) {
            for (Block block : all) {
                if (asked.contains(block.cid())) {
                    wanted.put(block.cid(), block);
                }
            }
        }
    }

    @Override
    public synchronized Optional<Block> get(Cid cid) {
        return Optional.ofNullable(wanted.get(cid));
    }

    @Override
    public boolean has(Cid cid) {
        return get(cid).isPresent();
    }

    @Override
    public void close() {
        // The other store stays open.
    }
}
