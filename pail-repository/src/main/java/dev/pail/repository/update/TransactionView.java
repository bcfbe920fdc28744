package dev.pail.repository.update;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.spi.RepositoryBlocks;
import java.util.Collection;
import java.util.Optional;

/** What a transaction comes to: the blocks that it stages, and those of the store, which it relies on if they are read here. */
final class TransactionView implements BlockStore {
    private final RepositoryBlocks store;
    private final StagedBlocks.Transaction transaction;

    TransactionView(RepositoryBlocks store, StagedBlocks.Transaction transaction) {
        this.store = store;
        this.transaction = transaction;
    }

    @Override
    public Optional<Block> get(Cid cid) {
        transaction.checkInterrupted();
        Block held = transaction.held(cid);
        if (held != null) {
            return Optional.of(held);
        }
        Optional<Block> there = store.get(cid);
        there.ifPresent(each -> store.rely(cid));
        return there;
    }

    @Override
    public boolean has(Cid cid) {
        transaction.checkInterrupted();
        return transaction.held(cid) != null || store.has(cid);
    }

    @Override
    public boolean isErased(Cid cid) {
        return store.isErased(cid);
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
