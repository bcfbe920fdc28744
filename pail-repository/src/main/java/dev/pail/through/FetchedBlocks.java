package dev.pail.through;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.update.Arrived;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The blocks of a remote, behind those of a cache. Takes no blocks. */
final class FetchedBlocks implements BlockStore {
    private final RemoteReads reads;
    private final BlockStore cache;

    FetchedBlocks(RemoteReads reads, BlockStore cache) {
        this.reads = reads;
        this.cache = cache;
    }

    @Override
    public Optional<Block> get(Cid cid) {
        return Optional.ofNullable(getAll(List.of(cid)).get(cid));
    }

    @Override
    public Map<Cid, Block> getAll(Collection<Cid> cids) {
        Map<Cid, Block> found = new LinkedHashMap<>();
        List<Cid> missing = new ArrayList<>();
        for (Cid cid : cids) {
            Optional<Block> there = cache.get(cid);
            there.ifPresent(block -> found.put(cid, block));
            if (there.isEmpty() && cid.canNameBlock()) {
                missing.add(cid);
            }
        }
        if (!missing.isEmpty()) {
            Arrived arrived = new Arrived(missing, cache::putAll);
            reads.fetch(missing, arrived);
            found.putAll(arrived.wanted());
        }
        found.values().forEach(reads::read);
        return found;
    }

    @Override
    public boolean has(Cid cid) {
        return get(cid).isPresent();
    }

    @Override
    public void putAll(Collection<Block> blocks) {
        throw new UnsupportedOperationException("blocks behind a server are pushed");
    }

    @Override
    public void close() {
        cache.close();
    }
}
