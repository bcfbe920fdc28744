package dev.pail.bench;

import dev.pail.Batch;
import dev.pail.BlockStore;
import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A pail over a block store, and the roots of all its versions. */
final class PailHistory implements History {
    private final Supplier<? extends BlockStore> opening;
    private final List<Cid> roots = new ArrayList<>();
    private BlockStore blocks;
    private Pail pail;

    PailHistory(Supplier<? extends BlockStore> opening, ShardFormat format) {
        this.opening = opening;
        this.blocks = opening.get();
        this.pail = Pail.create(blocks, format);
    }

    @Override
    public void apply(Step step) {
        pail = step.value() == null ? pail.delete(step.key()) : pail.put(step.key(), step.value());
        roots.add(pail.root());
    }

    @Override
    public void fill(List<Step> puts) {
        Batch batch = pail.batch();
        puts.forEach(put -> batch.put(put.key(), Objects.requireNonNull(put.value())));
        pail = batch.commit();
    }

    /** The root of each version, in the order in which they were made one by one. */
    List<Cid> roots() {
        return roots;
    }

    BlockStore blocks() {
        return blocks;
    }

    @Override
    public void reopen() {
        if (!(blocks instanceof MemoryBlockStore)) {
            blocks.close();
            blocks = opening.get();
        }
        pail = Pail.open(blocks, pail.root());
    }

    @Override
    public Map<String, Cid> version(int changes) {
        return entries(Pail.open(blocks, roots.get(changes - 1)));
    }

    static Map<String, Cid> entries(Pail pail) {
        Map<String, Cid> all = new HashMap<>();
        try (Stream<Entry> entries = pail.entries()) {
            entries.forEach(entry -> all.put(entry.key(), entry.value()));
        }
        return all;
    }

    @Override
    public int versions() {
        int there = 0;
        for (Cid root : roots) {
            Optional<Block> block = blocks.get(root);
            if (block.isPresent() && block.get().cid().equals(root)) {
                there++;
            }
        }
        return there;
    }

    @Override
    public void close() {
        blocks.close();
    }
}
