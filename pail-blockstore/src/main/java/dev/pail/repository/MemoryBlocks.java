package dev.pail.repository;

import dev.pail.PailException;
import dev.pail.dag.Oversize;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.sweep.CollectableBlocks;
import dev.pail.sweep.SweptBlocks;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The blocks of a repository in memory, for tests and for what need not outlive the process. Safe for use by several threads.
 *
 * <pre>{@code
 * Repository inMemory = Repository.open(new MemoryRefs(), new MemoryBlocks(), ShardFormat.v1());
 * Pail next = inMemory.update("main", before -> before.putBytes("title", new byte[] {1}));
 * }</pre>
 */
public final class MemoryBlocks implements RepositoryBlocks {
    /** A block, and when it was put last, or when it came to the trash. */
    private record Kept(Block block, Instant stamp) {}

    private final Clock clock;

    /** By the raw CID of their multihash. Guarded by this. */
    private final TreeMap<Cid, Kept> blocks = new TreeMap<>();

    private final TreeMap<Cid, Kept> trash = new TreeMap<>();
    private boolean closed;

    /** A store without blocks. */
    public MemoryBlocks() {
        this(Clock.systemUTC());
    }

    /** The same, whose collector goes by a clock. */
    public MemoryBlocks(Clock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the block store is closed");
        }
    }

    @Override
    public synchronized Optional<Block> get(Cid cid) {
        checkOpen();
        return find(cid).map(kept -> named(cid, kept.block));
    }

    private Optional<Kept> find(Cid cid) {
        Cid raw = cid.raw();
        Kept kept = blocks.get(raw);
        if (kept == null) {
            kept = trash.remove(raw);
            if (kept != null) {
                kept = new Kept(kept.block, clock.instant());
                blocks.put(raw, kept);
            }
        }
        return Optional.ofNullable(kept);
    }

    /** The block under the CID that was asked for, which may have another codec. */
    private static Block named(Cid cid, Block block) {
        return block.cid().equals(cid) ? block : Block.verified(cid, block.bytes());
    }

    @Override
    public synchronized boolean has(Cid cid) {
        checkOpen();
        return find(cid).isPresent();
    }

    @Override
    public synchronized void putAll(Collection<Block> all, Map<Cid, Cid> origins) {
        checkOpen();
        Objects.requireNonNull(origins, "origins");
        Oversize.refuse(all);
        for (Block block : all) {
            trash.remove(block.cid().raw());
            blocks.put(block.cid().raw(), new Kept(block, clock.instant()));
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    @Override
    public void check(Consumer<PailException> damaged, Runnable progress) {
        Objects.requireNonNull(damaged, "damaged");
        Objects.requireNonNull(progress, "progress");
        List<Cid> all;
        synchronized (this) {
            checkOpen();
            all = List.copyOf(blocks.keySet());
        }
        // They were verified when they came in, and nothing changes them.
        all.forEach(cid -> progress.run());
    }

    @Override
    public SweptBlocks swept() {
        return SweptBlocks.of(collectable());
    }

    CollectableBlocks collectable() {
        return new Collectable();
    }

    private final class Collectable implements CollectableBlocks {
        @Override
        public List<Listed> list() {
            synchronized (MemoryBlocks.this) {
                List<Listed> all = new ArrayList<>();
                blocks.forEach((cid, kept) -> all.add(new Listed(cid, kept.block.size(), kept.stamp, false)));
                trash.forEach((cid, kept) -> all.add(new Listed(cid, kept.block.size(), kept.stamp, true)));
                return all;
            }
        }

        @Override
        public Optional<Block> look(Cid cid) {
            synchronized (MemoryBlocks.this) {
                Kept kept = blocks.getOrDefault(cid.raw(), trash.get(cid.raw()));
                return Optional.ofNullable(kept).map(each -> named(cid, each.block));
            }
        }

        @Override
        public Instant clock() {
            return clock.instant();
        }

        @Override
        public boolean condemn(Listed block) {
            return move(block, blocks, trash);
        }

        @Override
        public boolean restore(Listed block) {
            return move(block, trash, blocks);
        }

        @Override
        public boolean remove(Listed block) {
            return move(block, trash, new TreeMap<>());
        }

        private boolean move(Listed block, Map<Cid, Kept> from, Map<Cid, Kept> to) {
            synchronized (MemoryBlocks.this) {
                Kept kept = from.get(block.cid());
                if (kept == null || !kept.stamp.equals(block.time())) {
                    return false;
                }
                from.remove(block.cid());
                to.put(block.cid(), new Kept(kept.block, clock.instant()));
                return true;
            }
        }
    }
}
