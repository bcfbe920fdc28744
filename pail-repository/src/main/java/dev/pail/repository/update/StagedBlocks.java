package dev.pail.repository.update;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.BlockLocation;
import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.EntryCounts;
import dev.pail.ErasedBlockException;
import dev.pail.KeyRange;
import dev.pail.LocatedBlocks;
import dev.pail.OperationInterruptedException;
import dev.pail.OriginHints;
import dev.pail.ReadHints;
import dev.pail.RowLoc;
import dev.pail.ShardCache;
import dev.pail.SharedShards;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.dag.Oversize;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.spi.DerivedRoots;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.threads.TaskThread;
import dev.pail.update.BuildListener;
import dev.pail.update.UpdateBlocks;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a repository. A put here goes to the store at once. A {@link Transaction} is a block store that stages: it holds the
 * blocks that any thread puts into it in memory until it is written. So a change that fails leaves nothing behind (Rule REP24). Safe
 * for use by several threads.
 */
public final class StagedBlocks implements OriginHints, LocatedBlocks, SharedShards, ReadHints {
    /** A transaction with more staged bytes begins to write them. As many more may be staged while it does. */
    public static final long MAX_STAGED = 8 << 20;

    private final RepositoryBlocks store;
    private final String location;
    private final EntryCounts counts;

    /** One cache for all pails: there may be many branches, and each keeps a pail in use. */
    private final ShardCache shards = ShardCache.ofDefaultWeight();

    /** Blocks that a reader computed and could not write. The next writer writes them, since its blocks may refer to them. */
    private final Map<Cid, Block> unwritten = new ConcurrentHashMap<>();

    /** Staged blocks that are being written. */
    private record Portion(Map<Cid, Block> blocks, TaskThread.Task<?> write) {}

    /**
     * The blocks that are put until this is closed. If the thread that began a writer's transaction is interrupted, the transaction takes
     * and gives no more blocks, to no thread. Safe for use by several threads.
     */
    public final class Transaction implements OriginHints, LocatedBlocks, SharedShards, ReadHints, UpdateBlocks {
        @GuardedBy("this")
        private Map<Cid, Block> blocks = new LinkedHashMap<>();

        @GuardedBy("this")
        private Map<Cid, Cid> origins = new HashMap<>();

        /** Writes a portion while the next is staged. */
        @GuardedBy("this")
        private final TaskThread other = new TaskThread("pail-staged");

        /** What the other thread writes: it is staged until that is known to be done. */
        @GuardedBy("this")
        private @Nullable Portion portion;

        private final TransactionRole role;

        /** The blocks of the changes before this one that are committed with it. */
        private final StagedGroup group;

        /** The thread that waits for the change; null for a reader, and if the transaction is over. */
        private volatile @Nullable Thread owner;

        /** The bytes that are staged. */
        @GuardedBy("this")
        private long weight;

        /** The blocks that were put; null if there are too many to remember. */
        @GuardedBy("this")
        private @Nullable Set<Cid> made = new LinkedHashSet<>();

        @GuardedBy("this")
        private boolean closed;

        /** What follows versions that are made of an empty one. */
        private volatile Supplier<@Nullable BuildListener> builds = () -> null;

        private Transaction(TransactionRole role, StagedGroup group) {
            this.role = role;
            this.group = group;
            this.owner = role == TransactionRole.READER ? null : Thread.currentThread();
        }

        @Override
        public void checkInterrupted() {
            Thread waiting = owner;
            if (waiting != null && waiting.isInterrupted()) {
                throw new OperationInterruptedException("a change of " + location + ": nothing of it was applied");
            }
        }

        void followBuilds(Supplier<@Nullable BuildListener> listeners) {
            builds = listeners;
        }

        @Override
        public @Nullable BuildListener buildListener() {
            return builds.get();
        }

        private synchronized @Nullable Block staged(Cid cid) {
            Block block = blocks.get(cid);
            block = block == null && portion != null ? portion.blocks.get(cid) : block;
            return block == null ? group.get(cid) : block;
        }

        /** A block that the store may not have: a staged one, or one that a reader could not write. Null if there is none. */
        @Nullable
        Block held(Cid cid) {
            Block block = staged(cid);
            return block == null ? unwritten(cid) : block;
        }

        /** Whether a block is staged here, and is written only by {@link #write}. Waits for a write that has begun. */
        synchronized boolean isStaged(Cid cid) {
            awaitPortion();
            return staged(cid) != null;
        }

        /** Leaves the staged blocks to the group, which writes them; returns false if they are too many for it. */
        synchronized boolean join() {
            if (portion != null || !group.add(blocks, origins, weight)) {
                return false;
            }
            clear();
            return true;
        }

        @Override
        public Optional<Block> get(Cid cid) {
            checkInterrupted();
            Block block = staged(cid);
            return block == null ? StagedBlocks.this.get(cid) : Optional.of(block);
        }

        @Override
        public Map<Cid, Block> getAll(Collection<Cid> cids) {
            checkInterrupted();
            return StagedGroup.all(cids, this::held, store);
        }

        @Override
        public boolean has(Cid cid) {
            checkInterrupted();
            return staged(cid) != null || store.has(cid);
        }

        @Override
        public boolean isErased(Cid cid) {
            return store.isErased(cid);
        }

        @Override
        public BlockLocation locate(Cid cid) {
            checkInterrupted();
            return staged(cid) != null
                    ? BlockLocation.without(BlockLocation.Form.STAGED)
                    : StagedBlocks.this.locate(cid);
        }

        @Override
        public Optional<Block> read(RowLoc location) {
            checkInterrupted();
            return StagedBlocks.this.read(location);
        }

        /** @throws IllegalStateException if the transaction is over */
        @Override
        public synchronized void putAll(Collection<Block> given, Map<Cid, Cid> from) {
            if (closed) {
                throw new IllegalStateException("the change that this pail was given to is over: " + location);
            }
            checkInterrupted();
            // Copies first: an exception of the collection is no failed write.
            List<Block> all = List.copyOf(given);
            // The store would refuse a block only when this is written.
            Oversize.refuse(all);
            all.forEach(StagedBlocks.this::refuseErased);
            all.forEach(block -> put(block, from));
        }

        @GuardedBy("this")
        private void put(Block block, Map<Cid, Cid> from) {
            if (staged(block.cid()) != null) {
                return;
            }
            blocks.put(block.cid(), block);
            if (made != null) {
                made.add(block.cid());
                made = made.size() > DerivedRoots.MOST_BLOCKS ? null : made;
            }
            Cid origin = from.get(block.cid());
            if (origin != null) {
                origins.put(block.cid(), origin);
            }
            weight += block.size();
            if (weight > MAX_STAGED) {
                switch (role) {
                    case READER -> writeMissing();
                    case WRITER -> beginWrite();
                    case LOCKED_WRITER -> writeStaged();
                }
            }
        }

        /** Lets the other thread write what is staged, when it has written the portion before. */
        @GuardedBy("this")
        private void beginWrite() {
            awaitPortion();
            Map<Cid, Block> given = blocks;
            Map<Cid, Cid> from = origins;
            blocks = new LinkedHashMap<>();
            origins = new HashMap<>();
            weight = 0;
            portion = new Portion(given, other.begin(() -> {
                store(given, from);
                return given;
            }));
        }

        /** Waits until the portion is written, and throws what its write threw. */
        @GuardedBy("this")
        private void awaitPortion() {
            if (portion != null) {
                portion.write.get();
                portion = null;
            }
        }

        @GuardedBy("this")
        private void writeStaged() {
            awaitPortion();
            store(blocks, origins);
            clear();
        }

        @Override
        public ShardCache shardCache() {
            return shards;
        }

        @Override
        public EntryCounts entryCounts() {
            return counts;
        }

        @Override
        public boolean isNear() {
            return store.isNear();
        }

        @Override
        public boolean takesReadHints() {
            return StagedBlocks.this.takesReadHints();
        }

        @Override
        public void willRead(Cid root, KeyRange range) {
            StagedBlocks.this.willRead(root, range);
        }

        @Override
        public void willCompare(Cid before, Cid after, KeyRange range) {
            StagedBlocks.this.willCompare(before, after, range);
        }

        /** The blocks that were put, if the store has all of them and all that they refer to; empty if there are too many to remember. */
        synchronized Optional<Set<Cid>> written() {
            Set<Cid> all = made;
            return all == null || !blocks.isEmpty() || portion != null || !Collections.disjoint(all, unwritten.keySet())
                    ? Optional.empty()
                    : Optional.of(all);
        }

        /** A read-only view: the staged blocks, and those of the store. */
        BlockStore view() {
            return new TransactionView(store, this);
        }

        /**
         * Writes the staged blocks of the group and of this to the store, and those that readers could not write. Then syncs the blocks of other writers that
         * this relies on.
         *
         * @return whether the caller must read those blocks again
         */
        synchronized boolean write() {
            // Those of the changes before come first: later ones may be stored as differences from them.
            Map<Cid, Block> own = blocks;
            blocks = new LinkedHashMap<>();
            group.copyTo(blocks, origins);
            blocks.putAll(own);
            writeStaged();
            return store.confirm();
        }

        /**
         * Writes the staged blocks that the store does not have, for a reader. A reader must not fail if another process writes or another
         * block is damaged, and must not stop other writers. Blocks that cannot be written stay in memory. They are written with the
         * next missing block, not alone: waiting for the lock may take long.
         */
        synchronized void writeMissing() {
            Map<Cid, Block> missing = new LinkedHashMap<>(blocks);
            missing.keySet().removeAll(unwritten.keySet());
            try {
                missing.keySet().removeIf(store::has);
                if (!missing.isEmpty()) {
                    store.offer(missing.values(), origins);
                    List<Block> left = List.copyOf(unwritten.values());
                    store.offer(left, Map.of());
                    left.forEach(block -> unwritten.remove(block.cid()));
                }
            } catch (StoreIOException
                    | StoreLockedException
                    | CorruptBlockException
                    | OperationInterruptedException e) {
                unwritten.putAll(missing);
            }
            clear();
        }

        @GuardedBy("this")
        private void clear() {
            blocks.clear();
            origins.clear();
            weight = 0;
        }

        /** Ends the transaction, and drops the blocks that were not written. Waits for a write that has begun. */
        @Override
        public synchronized void close() {
            closed = true;
            owner = null;
            other.close();
            portion = null;
            clear();
        }
    }

    /** @param location where the blocks are, for messages */
    public StagedBlocks(RepositoryBlocks store, String location, EntryCounts counts) {
        this.store = store;
        this.location = location;
        this.counts = counts;
    }

    /** Puts blocks into the store, and before them those that readers could not write. */
    private void store(Map<Cid, Block> blocks, Map<Cid, Cid> origins) {
        List<Block> left = List.copyOf(unwritten.values());
        if (!left.isEmpty()) {
            store.putAll(left, Map.of());
            left.forEach(block -> unwritten.remove(block.cid()));
        }
        if (!blocks.isEmpty()) {
            store.putAll(blocks.values(), origins);
        }
    }

    private void refuseErased(Block block) {
        if (store.isErased(block.cid())) {
            throw ErasedBlockException.ofPut(block.cid());
        }
    }

    private @Nullable Block unwritten(Cid cid) {
        // Runs for each block that is read, and the map is almost always empty.
        return unwritten.isEmpty() ? null : unwritten.get(cid);
    }

    /** Begins a transaction. */
    public Transaction transaction() {
        return transaction(new StagedGroup());
    }

    /** Begins the transaction of a change that follows those of a group. */
    Transaction transaction(StagedGroup group) {
        return new Transaction(TransactionRole.WRITER, group);
    }

    /** Begins a transaction within an update of refs, whose lock is held by this thread. */
    public Transaction transactionInUpdate() {
        return new Transaction(TransactionRole.LOCKED_WRITER, new StagedGroup());
    }

    /** Begins a transaction of a reader. */
    Transaction readTransaction() {
        return new Transaction(TransactionRole.READER, new StagedGroup());
    }

    @Override
    public Optional<Block> get(Cid cid) {
        Block block = unwritten(cid);
        return block == null ? store.get(cid) : Optional.of(block);
    }

    @Override
    public Map<Cid, Block> getAll(Collection<Cid> cids) {
        return StagedGroup.all(cids, this::unwritten, store);
    }

    @Override
    public boolean has(Cid cid) {
        return store.has(cid);
    }

    @Override
    public BlockLocation locate(Cid cid) {
        return unwritten(cid) != null
                ? BlockLocation.without(BlockLocation.Form.STAGED)
                : LocatedBlocks.locate(store, cid);
    }

    @Override
    public Optional<Block> read(RowLoc location) {
        return LocatedBlocks.read(store, location);
    }

    @Override
    public Set<Cid> hasAll(Collection<Cid> cids) {
        return store.hasAll(cids);
    }

    @Override
    public boolean isErased(Cid cid) {
        return store.isErased(cid);
    }

    @Override
    public void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
        // Copies first: an exception of the collection is no failed write.
        store.putAll(List.copyOf(blocks), origins);
    }

    @Override
    public ShardCache shardCache() {
        return shards;
    }

    @Override
    public EntryCounts entryCounts() {
        return counts;
    }

    @Override
    public boolean isNear() {
        return store.isNear();
    }

    @Override
    public boolean takesReadHints() {
        return store instanceof ReadHints hinted && hinted.takesReadHints();
    }

    @Override
    public void willRead(Cid root, KeyRange range) {
        if (store instanceof ReadHints hinted) {
            hinted.willRead(root, range);
        }
    }

    @Override
    public void willCompare(Cid before, Cid after, KeyRange range) {
        if (store instanceof ReadHints hinted) {
            hinted.willCompare(before, after, range);
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
