package dev.pail.repository.update;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Takes blocks that were asked for elsewhere, and others that come with them: keeps the former, and hands all on. For one answer. */
public final class Arrived implements BlockStore {
    private final Set<Cid> asked;
    private final Consumer<List<Block>> sink;
    private final Map<Cid, Block> wanted = new LinkedHashMap<>();
    private int count;

    /** @param sink gets all blocks */
    public Arrived(Collection<Cid> asked, Consumer<List<Block>> sink) {
        this.asked = new LinkedHashSet<>(asked);
        this.sink = sink;
    }

    /** The blocks that were asked for and came. */
    public synchronized Map<Cid, Block> wanted() {
        return new LinkedHashMap<>(wanted);
    }

    /** Those that were asked for and did not come. */
    public synchronized List<Cid> missing() {
        return asked.stream().filter(cid -> !wanted.containsKey(cid)).toList();
    }

    /** How many blocks came. */
    public synchronized int count() {
        return count;
    }

    @Override
    public void putAll(Collection<Block> blocks) {
        List<Block> all = List.copyOf(blocks);
        sink.accept(all);
        synchronized (this) {
            count += all.size();
            for (Block block : all) {
                if (asked.contains(block.cid())) {
                    wanted.put(block.cid(), block);
                }
            }
        }
    }

    @Override
    public synchronized Optional<Block> get(Cid cid) {
        return Optional.ofNullable(wanted.get(cid));
    }

    @Override
    public boolean has(Cid cid) {
        return get(cid).isPresent();
    }

    @Override
    public void close() {
        // The sink is the caller's.
    }
}
