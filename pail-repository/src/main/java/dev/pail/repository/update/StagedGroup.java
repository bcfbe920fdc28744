package dev.pail.repository.update;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The staged blocks of changes that are committed together. Safe for use by several threads. */
final class StagedGroup {
    /** The most bytes that further changes are made on. */
    private static final long MOST_BYTES = 1 << 20;

    @GuardedBy("this")
    private final Map<Cid, Block> blocks = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Map<Cid, Cid> origins = new LinkedHashMap<>();

    @GuardedBy("this")
    private long weight;

    synchronized @Nullable Block get(Cid cid) {
        return blocks.get(cid);
    }

    /** Adds the blocks of another change, unless there are too many bytes. */
    synchronized boolean add(Map<Cid, Block> more, Map<Cid, Cid> from, long bytes) {
        if (weight + bytes > MOST_BYTES) {
            return false;
        }
        blocks.putAll(more);
        origins.putAll(from);
        weight += bytes;
        return true;
    }

    synchronized void copyTo(Map<Cid, Block> others, Map<Cid, Cid> from) {
        others.putAll(blocks);
        from.putAll(origins);
    }

    /** The blocks that are held, and of the others those that a store has. */
    static Map<Cid, Block> all(Collection<Cid> cids, Function<Cid, @Nullable Block> held, BlockStore store) {
        Map<Cid, Block> found = new LinkedHashMap<>();
        List<Cid> others = new ArrayList<>();
        for (Cid cid : cids) {
            Block block = held.apply(cid);
            if (block == null) {
                others.add(cid);
            } else {
                found.put(cid, block);
            }
        }
        found.putAll(store.getAll(others));
        return found;
    }
}
