package dev.pail.repository;

import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.sweep.SweptBlocks;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Blocks in memory; some are lost, and some cannot be read. */
public final class OddBlocks implements RepositoryBlocks {
    private final MemoryBlocks blocks = new MemoryBlocks();
    public final Set<Cid> missing = new HashSet<>();
    public final Set<Cid> unreadable = new HashSet<>();
    public final Set<Cid> lost = new HashSet<>();

    /** Runs before blocks are put. */
    public Runnable beforePut = () -> {};

    /** The number of blocks read. */
    public int reads;

    private static StoreIOException failure(Cid cid) {
        return new StoreIOException("cannot read a block", "disk/" + cid, "Input/output error", null);
    }

    @Override
    public Optional<Block> get(Cid cid) {
        reads++;
        if (unreadable.contains(cid)) {
            throw failure(cid);
        }
        return missing.contains(cid) ? Optional.empty() : blocks.get(cid);
    }

    @Override
    public boolean has(Cid cid) {
        return !missing.contains(cid) && blocks.has(cid);
    }

    @Override
    public void putAll(Collection<Block> all, Map<Cid, Cid> origins) {
        beforePut.run();
        blocks.putAll(all, origins);
    }

    @Override
    public void check(Consumer<PailException> damaged, Runnable progress) {
        unreadable.forEach(cid -> damaged.accept(failure(cid)));
    }

    @Override
    public Set<Cid> lost() {
        return lost;
    }

    @Override
    public SweptBlocks swept() {
        return blocks.swept();
    }

    @Override
    public void close() {
        blocks.close();
    }
}
