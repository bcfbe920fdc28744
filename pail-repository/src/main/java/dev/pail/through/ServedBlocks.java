package dev.pail.through;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.BlockStore;
import dev.pail.KeyRange;
import dev.pail.ReadHints;
import dev.pail.blockstore.CachingBlockStore;
import dev.pail.car.CarExport;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.RemoteException;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.Erasures;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.sweep.SweptBlocks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The blocks of a repository behind a server: those in a cache, and the others from the server. What is put stays in memory until
 * {@link ServedRefs} has pushed it.
 */
final class ServedBlocks implements RepositoryBlocks, ReadHints {
    /** How many bytes of blocks are in memory for reads. */
    private static final long CACHE = 64 << 20;

    /** How many bytes of new blocks wait in memory for a push. */
    static final long MOST_UNSENT = 64 << 20;

    private final RemoteReads reads;
    private final CachingBlockStore cached;

    /** What was put and not pushed. */
    @GuardedBy("this")
    private final Map<Cid, Block> unsent = new LinkedHashMap<>();

    @GuardedBy("this")
    private long unsentSize;

    /** @param cache keeps verified blocks for a while */
    ServedBlocks(RemoteReads reads, BlockStore cache) {
        this.reads = reads;
        this.cached = new CachingBlockStore(new FetchedBlocks(reads, cache), CACHE);
    }

    @Override
    public void willRead(Cid root, KeyRange range) {
        reads.willRead(root, range);
    }

    @Override
    public void willCompare(Cid before, Cid after, KeyRange range) {
        reads.willCompare(before, after, range);
    }

    /** As {@link RemoteReads#knowEvents}. */
    void knowEvents(Collection<Cid> cids) {
        reads.knowEvents(cids);
    }

    private synchronized Optional<Block> unsent(Cid cid) {
        return Optional.ofNullable(unsent.get(cid));
    }

    @Override
    public Optional<Block> get(Cid cid) {
        return unsent(cid).or(() -> cached.get(cid));
    }

    @Override
    public Map<Cid, Block> getAll(Collection<Cid> cids) {
        Map<Cid, Block> found = new LinkedHashMap<>();
        List<Cid> others = new ArrayList<>();
        for (Cid cid : cids) {
            unsent(cid).ifPresentOrElse(block -> found.put(cid, block), () -> others.add(cid));
        }
        found.putAll(cached.getAll(others));
        return found;
    }

    @Override
    public boolean has(Cid cid) {
        return get(cid).isPresent();
    }

    @Override
    public Set<Cid> hasAll(Collection<Cid> cids) {
        return new HashSet<>(getAll(cids).keySet());
    }

    @Override
    public synchronized void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
        Objects.requireNonNull(origins, "origins");
        for (Block block : List.copyOf(blocks)) {
            if (unsent.putIfAbsent(block.cid(), block) == null) {
                unsentSize += block.size();
            }
        }
        if (unsentSize > MOST_UNSENT) {
            unsent.clear();
            unsentSize = 0;
            throw new RemoteException(
                    RemoteException.Reason.TOO_LARGE,
                    "a change of a repository behind a server has at most " + MOST_UNSENT + " bytes of new blocks",
                    "make it in a folder or a clone, and push it from there",
                    null);
        }
    }

    /**
     * A pushed head with what was put and not pushed.
     *
     * @param sent gets the blocks that are sent
     */
    CarExport export(Head head, Set<Cid> sent) {
        return CarExport.of(this, head.events()).without(cid -> !isUnsent(cid)).watched(block -> sent.add(block.cid()));
    }

    private synchronized boolean isUnsent(Cid cid) {
        return unsent.containsKey(cid);
    }

    /** Says that blocks were pushed. Those of other changes wait for theirs. */
    synchronized void sent(Set<Cid> sent) {
        for (Cid cid : sent) {
            Block block = unsent.remove(cid);
            unsentSize -= block == null ? 0 : block.size();
        }
    }

    @Override
    public SweptBlocks swept() {
        return new SweptBlocks() {
            @Override
            public Optional<Block> look(Cid cid) {
                return get(cid);
            }

            @Override
            public Instant clock() {
                throw notCollected();
            }

            @Override
            public Iterator<Portion> portions() {
                throw notCollected();
            }
        };
    }

    private RepositoryException notCollected() {
        return new RepositoryException(
                RepositoryException.Reason.NOT_EXCLUSIVE,
                "the blocks behind a server are not collected from here: "
                        + reads.remote().address(),
                "collect them where the repository is",
                null);
    }

    @Override
    public Erasures erasures() {
        return new ServedErasures(reads.remote());
    }

    @Override
    public void close() {
        cached.close();
    }
}
