package dev.pail.repository;

import dev.pail.PailException;
import dev.pail.dag.Oversize;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.sweep.SweptBlocks;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The blocks of a repository in memory, for tests and for what need not outlive the process. Safe for use by several threads.
 */
public final class MemoryBlocks implements RepositoryBlocks {
    private static final int PORTION = 256;

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
        this.clock = Objects.requireNonNull(clock);
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
        Objects.requireNonNull(origins);
        Oversize.refuse(all);
        for (Block block : all) {
            trash.remove(block.cid().raw());
            blocks.put(block.cid().raw(), new Kept(block, clock.instant()));
        }
    }

    @Override
    public void renew() {}

    @Override
    public void rely(Cid found) {
        Objects.requireNonNull(found);
    }

    @Override
    public boolean confirm() {
        return false;
    }

    @Override
    public void offer(Collection<Block> made, Map<Cid, Cid> origins) {
        putAll(made, origins);
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    @Override
    public void check(Consumer<PailException> damaged, Runnable progress) {
        Objects.requireNonNull(damaged);
        Objects.requireNonNull(progress);
        List<Cid> all;
        synchronized (this) {
            all = List.copyOf(blocks.keySet());
        }
        // They were verified when they came in, and nothing changes them.
        all.forEach(cid -> progress.run());
    }

    @Override
    public SweptBlocks swept() {
        return new SweptBlocks() {
            @Override
            public Optional<Block> look(Cid cid) {
                Objects.requireNonNull(cid);
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
            public Iterator<SweptBlocks.Portion> portions() {
                synchronized (MemoryBlocks.this) {
                    List<SweptBlocks.Portion> portions = new ArrayList<>();
                    cut(List.copyOf(blocks.keySet()), portions, false);
                    cut(List.copyOf(trash.keySet()), portions, true);
                    return portions.iterator();
                }
            }
        };
    }

    private void cut(List<Cid> all, List<SweptBlocks.Portion> portions, boolean isTrash) {
        for (int from = 0; from < all.size(); from += PORTION) {
            portions.add(new Some(all.subList(from, Math.min(all.size(), from + PORTION)), isTrash));
        }
    }

    /** Some blocks, or some of the trash. */
    private final class Some implements SweptBlocks.Portion {
        private final List<Cid> cids;
        private final boolean isTrash;

        Some(List<Cid> cids, boolean isTrash) {
            this.cids = cids;
            this.isTrash = isTrash;
        }

        @Override
        public Swept preview(SweepRule rule) {
            Objects.requireNonNull(rule);
            return swept(rule, false);
        }

        @Override
        public Swept sweep(SweepRule rule) {
            Objects.requireNonNull(rule);
            return swept(rule, true);
        }

        private Swept swept(SweepRule rule, boolean really) {
            synchronized (MemoryBlocks.this) {
                Swept sum = Swept.NOTHING;
                for (Cid cid : cids) {
                    Kept kept = (isTrash ? trash : blocks).get(cid);
                    if (kept != null) {
                        sum = sum.plus(swept(cid, kept, rule, really));
                    }
                }
                return sum;
            }
        }

        private Swept swept(Cid cid, Kept kept, SweepRule rule, boolean really) {
            long size = kept.block.size();
            if (!isTrash && !rule.isDue(cid, kept.stamp)) {
                return Swept.kept(size);
            }
            if (!isTrash) {
                if (really) {
                    blocks.remove(cid);
                    trash.put(cid, new Kept(kept.block, clock.instant()));
                }
                return Swept.moved(size);
            }
            if (rule.isNeeded().test(cid)) {
                if (really) {
                    trash.remove(cid);
                    blocks.put(cid, new Kept(kept.block, clock.instant()));
                }
                return Swept.restored(size);
            }
            if (!kept.stamp.isBefore(rule.before())) {
                return Swept.waiting(size);
            }
            if (really) {
                trash.remove(cid);
            }
            return Swept.deleted(size);
        }
    }
}
