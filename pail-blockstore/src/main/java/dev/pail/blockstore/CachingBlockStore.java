package dev.pail.blockstore;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.pail.BlockLocation;
import dev.pail.BlockStore;
import dev.pail.LocatedBlocks;
import dev.pail.OriginHints;
import dev.pail.PailException;
import dev.pail.RowLoc;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.trace.Trace;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the most used blocks of a slower store, such as files. It holds up to a number of bytes in memory.
 *
 * <p>The cache does not read a cached block again, so it notices later damage only after it has evicted the block.
 *
 * <pre>{@code
 * BlockStore cached = new CachingBlockStore(CarBlockStore.open(file), 64 << 20); // holds up to 64 MiB
 * Optional<Block> block = cached.get(value); // a second get reads no file
 * }</pre>
 */
public final class CachingBlockStore implements OriginHints, LocatedBlocks {
    /** What an entry takes beside the bytes of its block. */
    private static final int OVERHEAD = 200;

    private static final int MOST_TOGETHER = 1024;

    private final BlockStore store;
    private final Cache<Cid, Block> cache;
    private final @Nullable ReadAhead ahead;
    private volatile boolean closed;

    /**
     * Creates a cache.
     *
     * @param store the slower store, which is closed with this one
     * @param maxBytes the maximum size of the cache, in bytes
     * @throws IllegalArgumentException if the size is negative
     */
    public CachingBlockStore(BlockStore store, long maxBytes) {
        this(store, maxBytes, 1);
    }

    /**
     * Creates a cache that also reads ahead, for a remote store. When a walk follows the links of a block in order, the cache fetches the
     * next blocks together, by {@link BlockStore#getAll}. It evicts unused blocks like any others.
     *
     * @param store the slower store, which is closed with this one
     * @param maxBytes the maximum size of the cache, in bytes
     * @param together the maximum number of blocks to fetch together, from 1 (each alone) to 1,024
     * @throws IllegalArgumentException if a number is out of its range
     */
    public CachingBlockStore(BlockStore store, long maxBytes, int together) {
        this.store = Objects.requireNonNull(store, "store");
        if (together < 1 || together > MOST_TOGETHER) {
            throw new IllegalArgumentException(
                    "1 to " + MOST_TOGETHER + " blocks are fetched together, not " + together);
        }
        this.ahead = together == 1 ? null : new ReadAhead(together);
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
        Optional<Block> found = held == null ? read(from, cid) : Optional.of(held);
        if (ahead != null) {
            if (held != null) {
                ahead.pass(cid);
            }
            found.ifPresent(ahead::note);
        }
        return found;
    }

    /** Reads a block, together with those that a walk will ask for next. */
    private Optional<Block> read(BlockStore from, Cid cid) {
        List<Cid> due = ahead == null
                ? List.of(cid)
                : ahead.with(cid).stream()
                        .filter(each -> each.equals(cid) || cache.getIfPresent(each) == null)
                        .toList();
        Map<Cid, Block> together = due.size() == 1 ? Map.of() : readIfSound(from, due);
        cache.putAll(together);
        Optional<Block> found = Optional.ofNullable(together.get(cid)).or(() -> from.getChecked(cid));
        found.ifPresent(block -> cache.put(cid, block));
        return found;
    }

    private static Map<Cid, Block> readIfSound(BlockStore from, List<Cid> due) {
        try {
            return from.getAll(due);
        } catch (PailException e) {
            // The damaged block may be one that was only read ahead.
            Trace.swallowed("cannot read blocks ahead, so one is read alone", e);
            return Map.of();
        }
    }

    /** Gets all blocks that are not cached from the store together. */
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
    public BlockLocation locate(Cid cid) {
        return LocatedBlocks.locate(open(), cid);
    }

    @Override
    public Optional<Block> read(RowLoc location) {
        return LocatedBlocks.read(open(), location);
    }

    @Override
    public boolean isErased(Cid cid) {
        return store.isErased(cid);
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
