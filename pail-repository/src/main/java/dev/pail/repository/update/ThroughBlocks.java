package dev.pail.repository.update;

import dev.pail.BlockLocation;
import dev.pail.CorruptBlockException;
import dev.pail.KeyRange;
import dev.pail.LocatedBlocks;
import dev.pail.PailException;
import dev.pail.ReadHints;
import dev.pail.RowLoc;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.spi.BlockSource;
import dev.pail.repository.spi.Erasures;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.sweep.SweptBlocks;
import dev.pail.trace.Trace;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The blocks of a store, and behind them those of a source: a block that is absent or damaged here is fetched when it is read, and put here. Safe
 * for use by several threads.
 */
public final class ThroughBlocks implements RepositoryBlocks, LocatedBlocks, ReadHints {
    private final RepositoryBlocks here;
    private final BlockSource source;

    /** Whether a look for a block fetches it, too. */
    private final boolean heals;

    public ThroughBlocks(RepositoryBlocks here, BlockSource source) {
        this(here, source, false);
    }

    private ThroughBlocks(RepositoryBlocks here, BlockSource source, boolean heals) {
        this.here = here;
        this.source = source;
        this.heals = heals;
    }

    /** The same blocks for a check, which also looks for blocks that it does not read: these are fetched, too. */
    public ThroughBlocks healing() {
        return new ThroughBlocks(here, source, true);
    }

    @Override
    public boolean takesReadHints() {
        return source.takesReadHints();
    }

    @Override
    public void willRead(Cid root, KeyRange range) {
        source.willRead(root, range);
    }

    @Override
    public void willCompare(Cid before, Cid after, KeyRange range) {
        source.willCompare(before, after, range);
    }

    @Override
    public Optional<Block> get(Cid cid) {
        Optional<Block> found;
        try {
            found = here.get(cid);
        } catch (CorruptBlockException e) {
            found = Optional.ofNullable(fetched(List.of(cid)).get(cid));
            if (found.isEmpty()) {
                throw e;
            }
        }
        found = found.isPresent()
                ? found
                : Optional.ofNullable(fetched(List.of(cid)).get(cid));
        if (source.takesReadHints()) {
            found.ifPresent(source::read);
        }
        return found;
    }

    @Override
    public Map<Cid, Block> getAll(Collection<Cid> cids) {
        Map<Cid, Block> found = new LinkedHashMap<>();
        try {
            found.putAll(here.getAll(cids));
        } catch (CorruptBlockException e) {
            // One by one, since only some are damaged.
            Trace.swallowed("cannot read blocks together", e);
            for (Cid cid : cids) {
                get(cid).ifPresent(block -> found.put(cid, block));
            }
            return found;
        }
        List<Cid> missing =
                cids.stream().filter(cid -> !found.containsKey(cid)).distinct().toList();
        found.putAll(fetched(missing));
        if (source.takesReadHints()) {
            found.values().forEach(source::read);
        }
        return found;
    }

    /** Those of some blocks that the source has. */
    private Map<Cid, Block> fetched(List<Cid> missing) {
        List<Cid> wanted = missing.stream()
                .filter(cid -> cid.canNameBlock() && !here.isErased(cid))
                .toList();
        if (wanted.isEmpty()) {
            return Map.of();
        }
        Arrived arrived = new Arrived(wanted, this::putBack);
        source.fetch(wanted, arrived);
        return arrived.wanted();
    }

    /** Puts blocks here that the source had. If that fails, the reader gets them all the same. */
    private void putBack(List<Block> blocks) {
        try {
            here.replace(
                    blocks.stream().filter(block -> !here.isErased(block.cid())).toList());
        } catch (PailException e) {
            Trace.swallowed("cannot put blocks here that were fetched for a reader", e);
        }
    }

    /** Without {@link #healing}, says what is here alone: a change may rely on it. */
    @Override
    public boolean has(Cid cid) {
        try {
            return here.has(cid) || (heals && isFetched(cid));
        } catch (CorruptBlockException e) {
            if (heals && isFetched(cid)) {
                return true;
            }
            throw e;
        }
    }

    private boolean isFetched(Cid cid) {
        return !fetched(List.of(cid)).isEmpty();
    }

    @Override
    public Set<Cid> hasAll(Collection<Cid> cids) {
        if (!heals) {
            return here.hasAll(cids);
        }
        Set<Cid> found;
        try {
            found = new HashSet<>(here.hasAll(cids));
        } catch (CorruptBlockException e) {
            Trace.swallowed("cannot look for blocks together", e);
            return RepositoryBlocks.super.hasAll(cids);
        }
        List<Cid> missing =
                cids.stream().filter(cid -> !found.contains(cid)).distinct().toList();
        found.addAll(fetched(missing).keySet());
        return found;
    }

    @Override
    public boolean isErased(Cid cid) {
        return here.isErased(cid);
    }

    @Override
    public void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
        here.putAll(blocks, origins);
    }

    @Override
    public void replace(Collection<Block> blocks) {
        here.replace(blocks);
    }

    @Override
    public void offer(Collection<Block> made, Map<Cid, Cid> origins) {
        here.offer(made, origins);
    }

    @Override
    public BlockLocation locate(Cid cid) {
        return LocatedBlocks.locate(here, cid);
    }

    @Override
    public Optional<Block> read(RowLoc location) {
        return LocatedBlocks.read(here, location);
    }

    @Override
    public SweptBlocks swept() {
        return here.swept();
    }

    @Override
    public void renew() {
        here.renew();
    }

    @Override
    public void rely(Cid found) {
        here.rely(found);
    }

    @Override
    public boolean confirm() {
        return here.confirm();
    }

    @Override
    public OptionalLong usableBytes() {
        return here.usableBytes();
    }

    @Override
    public Erasures erasures() {
        return here.erasures();
    }

    /** A damaged block that the source has is put back, and is no problem. */
    @Override
    public void check(Consumer<PailException> damaged, Runnable progress) {
        here.check(
                problem -> {
                    boolean isBack = problem instanceof CorruptBlockException corrupt
                            && !fetched(List.of(corrupt.cid())).isEmpty();
                    if (!isBack) {
                        damaged.accept(problem);
                    }
                },
                progress);
    }

    @Override
    public Set<Cid> lost() {
        return here.lost();
    }

    @Override
    public void close() {
        try (source) {
            here.close();
        }
    }
}
