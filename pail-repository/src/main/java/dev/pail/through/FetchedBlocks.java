package dev.pail.through;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.Remote;
import dev.pail.repository.update.Arrived;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The blocks of a remote, behind those of a cache. Takes no blocks. */
final class FetchedBlocks implements BlockStore {
    private final RemoteReads reads;
    private final BlockStore cache;
    private final LinksAhead ahead = new LinksAhead();

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
            there.ifPresent(block -> {
                note(block);
                found.put(cid, block);
            });
            if (there.isEmpty() && cid.canNameBlock()) {
                missing.add(cid);
            }
        }
        if (!missing.isEmpty()) {
            Arrived arrived = new Arrived(missing, this::take);
            reads.fetch(missing, this::withAhead, arrived);
            found.putAll(arrived.wanted());
        }
        found.values().forEach(ahead::read);
        return found;
    }

    private void take(List<Block> blocks) {
        cache.putAll(blocks);
        blocks.forEach(this::note);
    }

    private void note(Block block) {
        ReadLinks links = ReadLinks.of(block);
        reads.note(links);
        ahead.came(links);
    }

    private List<Cid> withAhead(List<Cid> asked) {
        Set<Cid> all = new LinkedHashSet<>(asked);
        all.addAll(ahead.after(
                asked.get(0),
                reads.isDescending(),
                Remote.MAX_BLOCKS - asked.size(),
                cid -> !all.contains(cid) && !cache.has(cid)));
        return List.copyOf(all);
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
