package dev.pail.repository.exchange;

import dev.pail.BlockStore;
import dev.pail.OriginHints;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The blocks of a repository, for those of another one: erased blocks are left out (ER5). Safe for use by several threads. */
public record ArrivingBlocks(BlockStore blocks) implements OriginHints {
    @Override
    public Optional<Block> get(Cid cid) {
        return blocks.get(cid);
    }

    @Override
    public Map<Cid, Block> getAll(Collection<Cid> cids) {
        return blocks.getAll(cids);
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
    public void putAll(Collection<Block> arriving, Map<Cid, Cid> origins) {
        List<Block> taken =
                arriving.stream().filter(block -> !blocks.isErased(block.cid())).toList();
        OriginHints.putAll(blocks, taken, origins);
    }

    @Override
    public void close() {
        // The blocks are the repository's.
    }
}
