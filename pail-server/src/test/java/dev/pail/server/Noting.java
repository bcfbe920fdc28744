package dev.pail.server;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Notes the CID of each block that is read. */
record Noting(BlockStore blocks, List<Cid> read) implements BlockStore {
    @Override
    public Optional<Block> get(Cid cid) {
        read.add(cid);
        return blocks.get(cid);
    }

    @Override
    public boolean has(Cid cid) {
        return blocks.has(cid);
    }

    @Override
    public void putAll(Collection<Block> all) {
        blocks.putAll(all);
    }

    @Override
    public void close() {
        blocks.close();
    }
}
