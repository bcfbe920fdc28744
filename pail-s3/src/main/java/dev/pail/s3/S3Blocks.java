package dev.pail.s3;

import dev.pail.BlockStore;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.blockstore.CachingBlockStore;
import dev.pail.dag.Oversize;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.spi.Erasures;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.sweep.SweptBlocks;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Blocks in packs. A put within an update goes into its packs; any other makes a commit of its own. What commits name is cached, until a
 * collection may have taken blocks away. Rule OS6. Safe for use by several threads.
 */
final class S3Blocks implements RepositoryBlocks {
    /** How many blocks are fetched together when a walk goes through links in order. */
    private static final int AHEAD = 256;

    /** How often a change of blocks alone is made again, since another was faster. */
    private static final int MOST_RACES = 100;

    private final Ledger ledger;
    private final Packs packs;
    private final long cacheBytes;
    private final Stored stored = new Stored();
    private final S3Erasures erasures;
    private volatile BlockStore cached;

    S3Blocks(Ledger ledger, long cacheBytes) {
        this.ledger = ledger;
        this.packs = new Packs(ledger.bucket(), ledger.fetches());
        this.cacheBytes = cacheBytes;
        this.cached = new CachingBlockStore(stored, cacheBytes, AHEAD);
        this.erasures = new S3Erasures(ledger, packs, this::renew);
        ledger.onMerging(new PackMerge(ledger, packs)::run);
    }

    private Optional<Block> own(Cid cid) {
        Transaction own = ledger.transaction();
        Block found = own == null ? null : own.find(cid.raw());
        return Optional.ofNullable(found)
                .map(block -> block.cid().equals(cid) ? block : Block.verified(cid, block.bytes()));
    }

    @Override
    public Optional<Block> get(Cid cid) {
        ledger.checkOpen();
        Optional<Block> own = own(Objects.requireNonNull(cid, "cid"));
        // Behind the read, which may have found newer commits.
        return (own.isPresent() ? own : cached.get(cid)).filter(block -> !erasures.isErased(cid));
    }

    @Override
    public Erasures erasures() {
        return erasures;
    }

    @Override
    public Map<Cid, Block> getAll(Collection<Cid> cids) {
        ledger.checkOpen();
        Map<Cid, Block> found = new LinkedHashMap<>();
        List<Cid> others = new ArrayList<>();
        for (Cid cid : cids) {
            own(cid).ifPresentOrElse(block -> found.put(cid, block), () -> others.add(cid));
        }
        found.putAll(cached.getAll(others));
        found.keySet().removeIf(erasures::isErased);
        return found;
    }

    @Override
    public boolean has(Cid cid) {
        ledger.checkOpen();
        return (own(Objects.requireNonNull(cid, "cid")).isPresent() || stored.has(cid)) && !erasures.isErased(cid);
    }

    @Override
    public void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
        ledger.checkOpen();
        Objects.requireNonNull(origins, "origins");
        List<Block> all = List.copyOf(blocks);
        Oversize.refuse(all);
        boolean unused = changed(ledger, packs, own -> {
            // A commit with marks that this one does not know conflicts with it.
            erasures.refuse(all, erasures.version());
            for (Block block : all) {
                if (block.cid().canNameBlock()) {
                    own.put(block, full -> upload(own, full));
                }
            }
            return true;
        });
    }

    private void upload(Transaction own, Collection<Block> full) {
        ledger.upload(own, PackFile.make(PackFile.newName(own.base().number() + 1), full, ledger.now()));
    }

    /**
     * Changes something in the update of this thread, or in one of its own. If a pack is gone that the state of the update names, another
     * collection was faster.
     */
    static <T> T changed(Ledger ledger, Packs packs, Function<Transaction, T> change) {
        Transaction own = ledger.transaction();
        if (own != null) {
            return applied(ledger, packs, own, change);
        }
        for (int races = 1; ; races++) {
            try {
                return ledger.inTransaction(
                        () -> applied(ledger, packs, Objects.requireNonNull(ledger.transaction()), change), e -> e);
            } catch (RefChangedException e) {
                if (races == MOST_RACES) {
                    throw e;
                }
            }
        }
    }

    private static <T> T applied(Ledger ledger, Packs packs, Transaction own, Function<Transaction, T> change) {
        try {
            return change.apply(own);
        } catch (Packs.MissingPackException e) {
            if (ledger.current().packs().containsKey(e.pack())) {
                throw packs.missing(e);
            }
            throw new RefChangedException(e.pack(), "no pack");
        }
    }

    /** Reads what a state names, or what newer ones name, for as long as a pack is gone. */
    static <T> T found(Ledger ledger, Packs packs, State first, Function<State, T> looking) {
        return found(ledger, packs, first, looking, any -> true);
    }

    /**
     * Looks at a state, and then at newer ones, for as long as something is not found, or a pack is gone: a collection may have deleted it
     * since.
     */
    private static <T> T found(
            Ledger ledger, Packs packs, State first, Function<State, T> looking, Predicate<T> isAll) {
        State state = first;
        while (true) {
            T found = null;
            Packs.MissingPackException missing = null;
            try {
                found = looking.apply(state);
                if (isAll.test(found)) {
                    return found;
                }
            } catch (Packs.MissingPackException e) {
                missing = e;
            }
            State now = ledger.current();
            if (now.number() == state.number()) {
                if (missing != null) {
                    throw packs.missing(missing);
                }
                return Objects.requireNonNull(found);
            }
            state = now;
        }
    }

    /** Replaces the cache, as a collection may have deleted what is in it. Reads that are under way fill the old one. */
    @Override
    public void renew() {
        cached = new CachingBlockStore(stored, cacheBytes, AHEAD);
    }

    @Override
    public SweptBlocks swept() {
        return new SweptPacks(ledger, packs, this::look, this::renew);
    }

    private Optional<Block> look(Cid cid) {
        ledger.checkOpen();
        Optional<Block> own = own(cid);
        return own.isPresent() ? own : stored.get(cid);
    }

    @Override
    public void check(Consumer<PailException> damaged, Runnable progress) {
        Objects.requireNonNull(damaged, "damaged");
        Objects.requireNonNull(progress, "progress");
        for (Pack pack : ledger.current().live()) {
            try {
                PackIndex index = packs.index(pack);
                for (PackIndex.Entry each : index.inOrder()) {
                    progress.run();
                    check(index, each, damaged);
                }
            } catch (Packs.MissingPackException e) {
                if (ledger.current().packs().containsKey(pack.name())) {
                    damaged.accept(packs.missing(e));
                }
            } catch (StoreIOException e) {
                throw e;
            } catch (PailException e) {
                damaged.accept(e);
            }
        }
    }

    private void check(PackIndex index, PackIndex.Entry each, Consumer<PailException> damaged) {
        try {
            Map<Cid, Block> unused = packs.read(index, List.of(each));
        } catch (StoreIOException e) {
            throw e;
        } catch (PailException e) {
            damaged.accept(e);
        }
    }

    @Override
    public void close() {
        ledger.close();
    }

    /** What commits name. */
    private final class Stored implements BlockStore {
        private <T> T found(Function<State, T> looking, Predicate<T> isAll) {
            return S3Blocks.found(ledger, packs, ledger.known(), looking, isAll);
        }

        @Override
        public Optional<Block> get(Cid cid) {
            return cid.canNameBlock() ? Optional.ofNullable(getAll(List.of(cid)).get(cid)) : Optional.empty();
        }

        @Override
        public Map<Cid, Block> getAll(Collection<Cid> cids) {
            List<Cid> named = cids.stream().filter(Cid::canNameBlock).distinct().toList();
            if (named.isEmpty()) {
                return Map.of();
            }
            return found(state -> packs.find(state, named), found -> found.size() == named.size());
        }

        @Override
        public boolean has(Cid cid) {
            return cid.canNameBlock() && found(state -> packs.has(state, cid), isThere -> isThere);
        }

        @Override
        public void putAll(Collection<Block> blocks) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            // The repository closes the bucket.
        }
    }
}
