package dev.pail.table;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;

/** A block store that is asked for blocks in another way. */
record OtherReads(BlockStore blocks, Function<Cid, Optional<Block>> read) implements BlockStore {
    @Override
    public Optional<Block> get(Cid cid) {
        return read.apply(cid);
    }

    @Override
    public void putAll(Collection<Block> all) {
        blocks.putAll(all);
    }

    @Override
    public boolean has(Cid cid) {
        return blocks.has(cid);
    }

    @Override
    public void close() {
        blocks.close();
    }
}
