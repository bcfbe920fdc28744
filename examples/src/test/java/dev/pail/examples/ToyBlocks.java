package dev.pail.examples;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.sweep.CollectableBlocks;
import dev.pail.sweep.SweptBlocks;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The blocks of a repository in a map, made with what is exported. */
final class ToyBlocks implements RepositoryBlocks, CollectableBlocks {
    private record Kept(Block block, Instant time, boolean isCondemned) {}

    private final Clock clock;
    private final Map<Cid, Kept> kept = new TreeMap<>();
    private boolean closed;

    ToyBlocks(Clock clock) {
        this.clock = clock;
    }

    @Override
    public synchronized Optional<Block> get(Cid cid) {
        checkOpen();
        kept.computeIfPresent(
                cid.raw(), (raw, found) -> found.isCondemned ? new Kept(found.block, clock(), false) : found);
        return look(cid);
    }

    @Override
    public boolean has(Cid cid) {
        return get(cid).isPresent();
    }

    @Override
    public synchronized void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
        checkOpen();
        blocks.stream().filter(block -> block.size() > Block.MAX_SIZE).forEach(block -> {
            throw new IllegalArgumentException("too large: " + block);
        });
        blocks.forEach(block -> kept.put(block.cid().raw(), new Kept(block, clock(), false)));
    }

    @Override
    public SweptBlocks swept() {
        return SweptBlocks.of(this);
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("closed");
        }
    }

    @Override
    public synchronized List<Listed> list() {
        return kept.entrySet().stream()
                .map(each -> new Listed(
                        each.getKey(), each.getValue().block.size(), each.getValue().time, each.getValue().isCondemned))
                .toList();
    }

    @Override
    public synchronized Optional<Block> look(Cid cid) {
        return Optional.ofNullable(kept.get(cid.raw())).map(found -> Block.verified(cid, found.block.bytes()));
    }

    @Override
    public Instant clock() {
        return clock.instant();
    }

    @Override
    public boolean condemn(Listed block) {
        return replace(block, true, false);
    }

    @Override
    public boolean restore(Listed block) {
        return replace(block, false, false);
    }

    @Override
    public boolean remove(Listed block) {
        return replace(block, false, true);
    }

    private synchronized boolean replace(Listed listed, boolean isCondemned, boolean isRemoved) {
        @Nullable Kept found = kept.get(listed.cid());
        if (found == null || !found.time.equals(listed.time()) || found.isCondemned != listed.isCondemned()) {
            return false;
        }
        kept.compute(listed.cid(), (raw, old) -> isRemoved ? null : new Kept(found.block, clock(), isCondemned));
        return true;
    }
}
