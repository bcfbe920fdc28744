package dev.pail.repository;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.ShardCache;
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
 * The blocks of a repository. What a thread puts while it has a stage is held in memory, until the stage is written: so a
 * change that comes to nothing leaves nothing behind. What is put otherwise goes to the store at once. For use by several threads
 * at once.
 */
final class StagedBlocks implements BlockStore {
    /** A stage that weighs more is written at once, in bytes. */
    static final long MAX_STAGE = 16 << 20;

    private final BlockStore store;
    private final FoundBlocks found;
    private final RepositoryFolder folder;

    /** One for all pails: branches may be many, and each has a pail that stays in use. */
    private final ShardCache shards = ShardCache.ofDefaultWeight();

    /** The innermost stage of each thread that has one. */
    private final Map<Thread, Stage> stages = new ConcurrentHashMap<>();

    /** The blocks of all stages, with how many stages have them. */
    private final Map<Cid, Held> held = new ConcurrentHashMap<>();

    /** What whoever only read had made and could not write. Whoever writes next has to, since what it writes may be made of it. */
    private final Map<Cid, Block> unwritten = new ConcurrentHashMap<>();

    private record Held(Block block, int stages) {}

    /** What one thread puts from the beginning of the stage until it is closed. */
    final class Stage implements AutoCloseable {
        private final @Nullable Stage outer = current();
        private final Map<Cid, Block> blocks = new LinkedHashMap<>();
        private final Map<Cid, Cid> origins = new HashMap<>();
        private final boolean isReader;
        private long weight;

        /** The blocks that were put; null if they are too many to be noted. */
        private @Nullable Set<Cid> made = new LinkedHashSet<>();

        /** What is put in a stage that is not open would be lost. An error may leave one with its thread; then it counts for nothing. */
        private boolean open;

        private Stage(boolean isReader) {
            this.isReader = isReader;
            stages.put(Thread.currentThread(), this);
            open = true;
        }

        private void put(Block block, Map<Cid, Cid> from) {
            if (blocks.containsKey(block.cid())) {
                return;
            }
            if (made != null) {
                made.add(block.cid());
                made = made.size() > DerivedRoots.MOST_BLOCKS ? null : made;
            }
            // First: what is not held and is let go of, would be let go of for another stage.
            hold(block);
            blocks.put(block.cid(), block);
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

        private void hold(Block block) {
            held.merge(block.cid(), new Held(block, 1), (old, one) -> new Held(old.block, old.stages + 1));
        }

        /** Whether a block is in this stage, and not written yet. */
        boolean has(Cid cid) {
            return blocks.containsKey(cid);
        }

        /** The blocks that were put, if they are all in the store, and made of nothing but what is there; and are not too many. */
        Optional<Set<Cid>> written() {
            Set<Cid> all = made;
            for (Stage stage = this; stage != null; stage = stage.outer) {
                if (!stage.blocks.isEmpty()) {
                    return Optional.empty();
                }
            }
            return all == null || !Collections.disjoint(all, unwritten.keySet()) ? Optional.empty() : Optional.of(all);
        }

        /** What the store will have when this is written: without what other stages hold, which may never be. To be read only. */
        BlockStore outcome() {
            return new Outcome(this);
        }

        /** Writes what is staged to the store, and what readers have left; and makes safe what of its outcome others have put. */
        void write() {
            writeLeft();
            if (!blocks.isEmpty()) {
                store(blocks.values(), origins);
                clear();
            }
            folder.writing(found::makeSafe);
        }

        /**
         * Writes what is staged and not in the store, for whoever only reads: that must not fail because another writes, or something
         * else in the store is damaged, and stops nobody from writing. What cannot be written is held in memory, and tried again with
         * the next that is missing, but not for itself: whoever waits for the lock may wait for long.
         */
        void writeMissing() {
            Map<Cid, Block> missing = new LinkedHashMap<>(blocks);
            missing.keySet().removeAll(unwritten.keySet());
            try {
                missing.keySet().removeIf(store::has);
                if (!missing.isEmpty()) {
                    store.putAll(missing.values(), origins);
                    List<Block> left = List.copyOf(unwritten.values());
                    store.putAll(left);
                    left.forEach(block -> unwritten.remove(block.cid()));
                }
            } catch (StoreIOException | StoreLockedException | CorruptBlockException e) {
                unwritten.putAll(missing);
            }
            clear();
        }

        private void clear() {
            for (Block block : blocks.values()) {
                held.computeIfPresent(
                        block.cid(), (cid, old) -> old.stages == 1 ? null : new Held(old.block, old.stages - 1));
            }
            blocks.clear();
            origins.clear();
            weight = 0;
        }

        /** Ends the stage, and forgets what was not written. */
        @Override
        public void close() {
            open = false;
            try {
                if (outer == null) {
                    stages.remove(Thread.currentThread());
                } else {
                    stages.put(Thread.currentThread(), outer);
                }
            } finally {
                clear();
            }
        }
    }

    private final class Outcome implements BlockStore {
        private final Stage stage;

        Outcome(Stage stage) {
            this.stage = stage;
        }

        @Override
        public Optional<Block> get(Cid cid) {
            Block staged = stage.blocks.getOrDefault(cid, left(cid));
            if (staged != null) {
                return Optional.of(staged);
            }
            Optional<Block> there = store.get(cid);
            there.ifPresent(block -> found.add(cid));
            return there;
        }

        @Override
        public boolean has(Cid cid) {
            return stage.has(cid) || left(cid) != null || store.has(cid);
        }

        @Override
        public void putAll(Collection<Block> blocks) {
            throw new UnsupportedOperationException("what a stage comes to is only read");
        }

        @Override
        public void close() {
            // The store is not its own.
        }
    }

    /**
     * @param found where what is found in the store is noted
     * @param folder where nothing is written any more when a block could not be stored
     */
    StagedBlocks(BlockStore store, FoundBlocks found, RepositoryFolder folder) {
        this.store = store;
        this.found = found;
        this.folder = folder;
    }

    private void store(Collection<Block> blocks, Map<Cid, Cid> origins) {
        folder.checkWritable();
        folder.settle();
        folder.writing(() -> store.putAll(blocks, origins));
    }

    private void writeLeft() {
        List<Block> left = List.copyOf(unwritten.values());
        if (!left.isEmpty()) {
            store(left, Map.of());
            left.forEach(block -> unwritten.remove(block.cid()));
        }
    }

    private @Nullable Block left(Cid cid) {
        // As a rule there is nothing, and this is asked for each block that is read.
        return unwritten.isEmpty() ? null : unwritten.get(cid);
    }

    private @Nullable Stage current() {
        Stage stage = stages.get(Thread.currentThread());
        while (stage != null && !stage.open) {
            stage = stage.outer;
        }
        return stage;
    }

    /** Begins a stage of this thread. */
    Stage stage() {
        return new Stage(false);
    }

    /** Begins a stage of this thread, which only reads. */
    Stage readingStage() {
        return new Stage(true);
    }

    /** Does what has nothing to do with the stage of this thread: what is put meanwhile is not of it. */
    void unstaged(Runnable action) {
        Stage stage = stages.remove(Thread.currentThread());
        try {
            action.run();
        } finally {
            if (stage != null) {
                stages.put(Thread.currentThread(), stage);
            }
        }
    }

    /** Also what other threads hold: several may read what one of them changes. */
    @Override
    public Optional<Block> get(Cid cid) {
        Held staged = held.get(cid);
        Block block = staged == null ? left(cid) : staged.block;
        return block == null ? store.get(cid) : Optional.of(block);
    }

    /**
     * Whether the store has it, or will when this thread writes its stages. What others hold may never be written: whoever was told that
     * it is there, would not put it.
     */
    @Override
    public boolean has(Cid cid) {
        for (Stage stage = current(); stage != null; stage = stage.outer) {
            if (stage.has(cid)) {
                return true;
            }
        }
        return store.has(cid);
    }

    @Override
    public void putAll(Collection<Block> blocks) {
        putAll(blocks, Map.of());
    }

    @Override
    public void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
        // What goes wrong while they are given is no failed write.
        List<Block> given = List.copyOf(blocks);
        Stage stage = current();
        if (stage == null) {
            store(given, origins);
        } else {
            // The store would refuse it only when the stage is written.
            Oversize.refuse(given);
            given.forEach(block -> stage.put(block, origins));
        }
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
