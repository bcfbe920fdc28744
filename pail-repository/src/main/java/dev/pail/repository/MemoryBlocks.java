package dev.pail.repository;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.PailException;
import dev.pail.dag.Oversize;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.spi.Erasures;
import dev.pail.repository.spi.RecordErasures;
import dev.pail.repository.spi.RepositoryBlocks;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The blocks of a repository in memory, for tests and data that need not outlive the process. Safe for use by several threads.
 *
 * <pre>{@code
 * Repository inMemory = Repository.open(new MemoryRefs(), new MemoryBlocks(), ShardFormat.v1());
 * Updated next = inMemory.update("main", before -> before.putBytes("title", new byte[] {1}));
 * }</pre>
 */
public final class MemoryBlocks implements RepositoryBlocks {
    /** A block, and when it was put last, or when it came to the trash. */
    private record Stored(Block block, Instant mtime) {}

    private final Clock clock;

    /** By the raw CID of their multihash. */
    @GuardedBy("this")
    private final TreeMap<Cid, Stored> blocks = new TreeMap<>();

    @GuardedBy("this")
    private final TreeMap<Cid, Stored> trash = new TreeMap<>();

    @GuardedBy("this")
    private boolean closed;

    private final MemoryErasures erasures = new MemoryErasures();

    /** A store without blocks. */
    public MemoryBlocks() {
        this(Clock.systemUTC());
    }

    /** A store without blocks, with a clock for the collector. */
    public MemoryBlocks(Clock clock) {
        this.clock = Objects.requireNonNull(clock, "clock");
    }

    @GuardedBy("this")
    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the block store is closed");
        }
    }

    @Override
    public synchronized Optional<Block> get(Cid cid) {
        checkOpen();
        return erasures.isErased(cid) ? Optional.empty() : find(cid).map(stored -> named(cid, stored.block));
    }

    @GuardedBy("this")
    private Optional<Stored> find(Cid cid) {
        Cid raw = cid.raw();
        Stored stored = blocks.get(raw);
        if (stored == null) {
            stored = trash.remove(raw);
            if (stored != null) {
                stored = new Stored(stored.block, clock.instant());
                blocks.put(raw, stored);
            }
        }
        return Optional.ofNullable(stored);
    }

    /** The block under the CID that was asked for, which may have another codec. */
    private static Block named(Cid cid, Block block) {
        return block.cid().equals(cid) ? block : Block.verified(cid, block.bytes());
    }

    @Override
    public boolean isNear() {
        return true;
    }

    @Override
    public synchronized boolean has(Cid cid) {
        checkOpen();
        return !erasures.isErased(cid) && find(cid).isPresent();
    }

    @Override
    public synchronized void putAll(Collection<Block> all, Map<Cid, Cid> origins) {
        checkOpen();
        Objects.requireNonNull(origins, "origins");
        Oversize.refuse(all);
        erasures.refuse(all, erasures.version());
        for (Block block : all) {
            trash.remove(block.cid().raw());
            blocks.put(block.cid().raw(), new Stored(block, clock.instant()));
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
    public Erasures erasures() {
        return erasures;
    }

    /** The marks, in records that only these blocks have. */
    private final class MemoryErasures extends RecordErasures {
        private final AtomicLong changes = new AtomicLong();

        MemoryErasures() {
            super(new MemoryRefs.Records(), "memory");
        }

        @Override
        protected Object version() {
            return changes.get();
        }

        @Override
        protected boolean isInUpdate() {
            return false;
        }

        @Override
        public void add(Collection<Erasure> records) {
            synchronized (MemoryBlocks.this) {
                checkOpen();
                super.add(records);
                changes.incrementAndGet();
            }
        }

        @Override
        public List<Erasure> all() {
            synchronized (MemoryBlocks.this) {
                checkOpen();
                return super.all();
            }
        }

        @Override
        public List<Cid> left() {
            synchronized (MemoryBlocks.this) {
                checkOpen();
                return super.left();
            }
        }

        @Override
        protected void remove(Set<Cid> marked) {
            synchronized (MemoryBlocks.this) {
                checkOpen();
                blocks.keySet().removeAll(marked);
                trash.keySet().removeAll(marked);
                removed(marked);
            }
        }

        @Override
        public Set<Cid> stored(Set<Cid> cids) {
            synchronized (MemoryBlocks.this) {
                checkOpen();
                Set<Cid> found = new TreeSet<>();
                for (Cid cid : cids) {
                    if (blocks.containsKey(cid) || trash.containsKey(cid)) {
                        found.add(cid);
                    }
                }
                return found;
            }
        }
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
                blocks.forEach((cid, stored) -> all.add(new Listed(cid, stored.block.size(), stored.mtime, false)));
                trash.forEach((cid, stored) -> all.add(new Listed(cid, stored.block.size(), stored.mtime, true)));
                return all;
            }
        }

        @Override
        public Optional<Block> look(Cid cid) {
            synchronized (MemoryBlocks.this) {
                Stored stored = blocks.getOrDefault(cid.raw(), trash.get(cid.raw()));
                return Optional.ofNullable(stored).map(each -> named(cid, each.block));
            }
        }

        @Override
        public Instant clock() {
            return clock.instant();
        }

        @Override
        public boolean condemn(Listed block) {
            synchronized (MemoryBlocks.this) {
                return move(block, blocks, trash);
            }
        }

        @Override
        public boolean restore(Listed block) {
            synchronized (MemoryBlocks.this) {
                return move(block, trash, blocks);
            }
        }

        @Override
        public boolean remove(Listed block) {
            synchronized (MemoryBlocks.this) {
                return move(block, trash, new TreeMap<>());
            }
        }

        /** The caller holds the lock of the store. */
        private boolean move(Listed block, Map<Cid, Stored> from, Map<Cid, Stored> to) {
            Stored stored = from.get(block.cid());
            if (stored == null || !stored.mtime.equals(block.time())) {
                return false;
            }
            from.remove(block.cid());
            to.put(block.cid(), new Stored(stored.block, clock.instant()));
            return true;
        }
    }
}
