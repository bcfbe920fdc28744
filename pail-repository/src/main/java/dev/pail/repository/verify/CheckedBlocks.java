package dev.pail.repository.verify;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.StoreDamagedException;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.trace.Trace;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Blocks as a check reads them. An unreadable block throws a {@link BlockException}, which does not end the check: {@link #readError}
 * distinguishes it from a corrupt one. A block that the repository has lost is missing.
 *
 * @param lost the raw CIDs of the blocks that the repository says it has lost
 * @param damages gets the reason if the store cannot know whether it has a block
 */
record CheckedBlocks(BlockStore blocks, Set<Cid> lost, Consumer<CorruptBlockException> damages) implements BlockStore {
    /** The blocks of a store, where only read errors are block exceptions. */
    static BlockStore readable(BlockStore blocks) {
        return new ReadableBlocks(blocks);
    }

    /** The read error that a block exception stands for, if it does. */
    static Optional<StoreIOException> readError(BlockException cause) {
        return cause.getCause() instanceof StoreIOException error ? Optional.of(error) : Optional.empty();
    }

    private record ReadableBlocks(BlockStore blocks) implements BlockStore {
        @Override
        public Optional<Block> get(Cid cid) {
            try {
                return blocks.get(cid);
            } catch (StoreDamagedException e) {
                throw e;
            } catch (StoreIOException e) {
                throw unreadable(cid, e);
            }
        }

        @Override
        public boolean has(Cid cid) {
            try {
                return blocks.has(cid);
            } catch (StoreDamagedException e) {
                throw e;
            } catch (StoreIOException e) {
                throw unreadable(cid, e);
            }
        }

        @Override
        public Set<Cid> hasAll(Collection<Cid> cids) {
            try {
                return blocks.hasAll(cids);
            } catch (StoreDamagedException e) {
                throw e;
            } catch (StoreIOException e) {
                // One by one, which names the block.
                Trace.swallowed("cannot look for blocks together", e);
                return BlockStore.super.hasAll(cids);
            }
        }

        @Override
        public boolean isErased(Cid cid) {
            return blocks.isErased(cid);
        }

        private static CorruptBlockException unreadable(Cid cid, StoreIOException error) {
            CorruptBlockException unreadable = new CorruptBlockException(cid, String.valueOf(error.getMessage()));
            unreadable.initCause(error);
            return unreadable;
        }

        @Override
        public void putAll(Collection<Block> all) {
            throw new UnsupportedOperationException("a check writes nothing");
        }

        @Override
        public void close() {
            // The blocks are not its own.
        }
    }

    @Override
    public Optional<Block> get(Cid cid) {
        try {
            return blocks.get(cid);
        } catch (CorruptBlockException e) {
            if (readError(e).isPresent() || isThere(cid)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    @Override
    public boolean isErased(Cid cid) {
        return blocks.isErased(cid);
    }

    private boolean isThere(Cid cid) {
        try {
            return blocks.has(cid);
        } catch (CorruptBlockException e) {
            if (readError(e).isPresent()) {
                throw e;
            }
            damages.accept(e);
            return false;
        }
    }

    @Override
    public boolean has(Cid cid) {
        if (isThere(cid)) {
            return true;
        }
        if (lost.contains(cid.raw())) {
            throw new MissingBlockException(cid);
        }
        return false;
    }

    @Override
    public void putAll(Collection<Block> all) {
        blocks.putAll(all);
    }

    @Override
    public void close() {
        // The blocks are not its own.
    }
}
