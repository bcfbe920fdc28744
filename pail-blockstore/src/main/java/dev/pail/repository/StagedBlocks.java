package dev.pail.repository;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.OriginHints;
import dev.pail.ShardCache;
import dev.pail.SharedShards;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.dag.Oversize;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
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
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a repository. What is put here goes to the store at once. A transaction ({@link Stage}) holds in memory what is put
 * into its own block store, by whichever thread, until it is written: so a change that comes to nothing leaves nothing behind. For use
 * by several threads at once.
 */
final class StagedBlocks implements OriginHints, SharedShards {
    /** A transaction that weighs more is written at once, in bytes. */
    static final long MAX_STAGE = 16 << 20;

    private final RepositoryBlocks store;
    private final String location;

    /** One for all pails: branches may be many, and each has a pail that stays in use. */
    private final ShardCache shards = ShardCache.ofDefaultWeight();

    /** What a reader had made and could not write. The next writer has to, since what it writes may be made of it. */
    private final Map<Cid, Block> unwritten = new ConcurrentHashMap<>();

    /** A transaction: what is put into its block store until it is closed. For use by several threads at once. */
    final class Stage implements OriginHints, SharedShards {
        private final Map<Cid, Block> blocks = new LinkedHashMap<>();
        private final Map<Cid, Cid> origins = new HashMap<>();
        private final boolean isReader;
        private long weight;

        /** The blocks that were put; null if they are too many to be noted. */
        private @Nullable Set<Cid> made = new LinkedHashSet<>();

        private boolean over;

        private Stage(boolean isReader) {
            this.isReader = isReader;
        }

        private synchronized @Nullable Block staged(Cid cid) {
            return blocks.get(cid);
        }

        /** Whether a block is in this transaction, and not written yet. */
        boolean isStaged(Cid cid) {
            return staged(cid) != null;
        }

        @Override
        public Optional<Block> get(Cid cid) {
            Block block = staged(cid);
            return block == null ? StagedBlocks.this.get(cid) : Optional.of(block);
        }

        @Override
        public boolean has(Cid cid) {
            return isStaged(cid) || store.has(cid);
        }

        /** @throws IllegalStateException if the transaction is over */
        @Override
        public synchronized void putAll(Collection<Block> given, Map<Cid, Cid> from) {
            if (over) {
                throw new IllegalStateException("the change that this pail was given to is over: " + location);
            }
            // What goes wrong while they are given is no failed write.
            List<Block> all = List.copyOf(given);
            // The store would refuse it only when this is written.
            Oversize.refuse(all);
            all.forEach(block -> put(block, from));
        }

        private void put(Block block, Map<Cid, Cid> from) {
            if (blocks.putIfAbsent(block.cid(), block) != null) {
                return;
            }
            if (made != null) {
                made.add(block.cid());
                made = made.size() > DerivedRoots.MOST_BLOCKS ? null : made;
            }
            Cid origin = from.get(block.cid());
            if (origin != null) {
                origins.put(block.cid(), origin);
            }
            weight += block.size();
            if (weight > MAX_STAGE) {
                if (isReader) {
                    writeMissing();
                } else {
                    write();
                }
            }
        }

        @Override
        public ShardCache shardCache() {
            return shards;
        }

        /** The blocks that were put, if they are all in the store, and made of nothing but what is there; and are not too many. */
        synchronized Optional<Set<Cid>> written() {
            Set<Cid> all = made;
            return all == null || !blocks.isEmpty() || !Collections.disjoint(all, unwritten.keySet())
                    ? Optional.empty()
                    : Optional.of(all);
        }

        /** What the store will have when this is written. To be read only. */
        BlockStore outcome() {
            return new Outcome(this);
        }

        /**
         * Writes what is staged to the store, and what readers have left; and makes durable what of its outcome others have put.
         *
         * @return whether that must be read again
         */
        synchronized boolean write() {
            writeLeft();
            if (!blocks.isEmpty()) {
                store.putAll(blocks.values(), origins);
                clear();
            }
            return store.confirm();
        }

        /**
         * Writes what is staged and not in the store, for a reader: that must not fail because another writes, or something else in the
         * store is damaged, and stops nobody from writing. What cannot be written is held in memory, and tried again with the next that is
         * missing, but not for itself: to wait for the lock may take long.
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
            } catch (StoreIOException | StoreLockedException | CorruptBlockException e) {
                unwritten.putAll(missing);
            }
            clear();
        }

        private void clear() {
            blocks.clear();
            origins.clear();
            weight = 0;
        }

        /** Ends the transaction, and forgets what was not written. */
        @Override
        public synchronized void close() {
            over = true;
            clear();
        }
    }

    private final class Outcome implements BlockStore {
        private final Stage stage;

        Outcome(Stage stage) {
            this.stage = stage;
        }

        @Override
        public Optional<Block> get(Cid cid) {
            Block staged = stage.staged(cid);
            Block block = staged == null ? left(cid) : staged;
            if (block != null) {
                return Optional.of(block);
            }
            Optional<Block> there = store.get(cid);
            there.ifPresent(each -> store.rely(cid));
            return there;
        }

        @Override
        public boolean has(Cid cid) {
            return stage.isStaged(cid) || left(cid) != null || store.has(cid);
        }

        @Override
        public void putAll(Collection<Block> blocks) {
            throw new UnsupportedOperationException("what a transaction comes to is only read");
        }

        @Override
        public void close() {
            // The store is not its own.
        }
    }

    /** @param location where the blocks are, for messages */
    StagedBlocks(RepositoryBlocks store, String location) {
        this.store = store;
        this.location = location;
    }

    private void writeLeft() {
        List<Block> left = List.copyOf(unwritten.values());
        if (!left.isEmpty()) {
            store.putAll(left, Map.of());
            left.forEach(block -> unwritten.remove(block.cid()));
        }
    }

    private @Nullable Block left(Cid cid) {
        // Almost always there is nothing, and this is asked for each block that is read.
        return unwritten.isEmpty() ? null : unwritten.get(cid);
    }

    /** Begins a transaction. */
    Stage stage() {
        return new Stage(false);
    }

    /** Begins a transaction of a reader. */
    Stage readingStage() {
        return new Stage(true);
    }

    @Override
    public Optional<Block> get(Cid cid) {
        Block block = left(cid);
        return block == null ? store.get(cid) : Optional.of(block);
    }

    @Override
    public boolean has(Cid cid) {
        return store.has(cid);
    }

    @Override
    public void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
        // What goes wrong while they are given is no failed write.
        store.putAll(List.copyOf(blocks), origins);
    }

    @Override
    public ShardCache shardCache() {
        return shards;
    }

    @Override
    public void close() {
        store.close();
    }
}
