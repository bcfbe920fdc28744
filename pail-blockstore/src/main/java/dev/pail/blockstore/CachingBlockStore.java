package dev.pail.blockstore;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.pail.BlockStore;
import dev.pail.OriginHints;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Holds blocks of a slower store in memory, up to so many bytes: the ones that were used most. For stores whose reading
 * costs more than looking into memory, such as files.
 *
 * <p>A block that is held is not read again, so damage that comes later is noticed when it is.
 */
public final class CachingBlockStore implements OriginHints {
    /** What an entry takes beside the bytes of its block. */
    private static final int OVERHEAD = 200;

    private final BlockStore store;
    private final Cache<Cid, Block> cache;
    private volatile boolean closed;

    /**
     * @param store what is closed with this one
     * @param maxBytes how many bytes to hold at most
     * @throws IllegalArgumentException if that is negative
     */
    public CachingBlockStore(BlockStore store, long maxBytes) {
        this.store = Objects.requireNonNull(store);
        this.cache = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .executor(Runnable::run)
                .weigher((Cid cid, Block block) -> OVERHEAD + block.size())
                .build();
    }

    private BlockStore open() {
        if (closed) {
            throw new IllegalStateException("the block store is closed");
        }
        return store;
    }

    @Override
    public Optional<Block> get(Cid cid) {
        BlockStore from = open();
        Block held = cache.getIfPresent(cid);
        if (held != null) {
            return Optional.of(held);
        }
        Optional<Block> read = from.getChecked(cid);
        read.ifPresent(block -> cache.put(cid, block));
        return read;
    }

    /** Asks the store together for those that are not held. */
    @Override
    public Map<Cid, Block> getAll(Collection<Cid> cids) {
        BlockStore from = open();
        Map<Cid, Block> found = new LinkedHashMap<>(cache.getAllPresent(cids));
        List<Cid> others =
                cids.stream().filter(cid -> !found.containsKey(cid)).distinct().toList();
        if (!others.isEmpty()) {
            Map<Cid, Block> read = from.getAll(others);
            cache.putAll(read);
            found.putAll(read);
        }
        return found;
    }

    @Override
    public void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
        OriginHints.putAll(open(), blocks, origins);
        blocks.forEach(block -> cache.put(block.cid(), block));
    }

    @Override
    public boolean has(Cid cid) {
        BlockStore in = open();
        return cache.getIfPresent(cid) != null || in.has(cid);
    }

    @Override
    public void close() {
        closed = true;
        cache.invalidateAll();
        store.close();
    }
}
