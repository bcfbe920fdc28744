package dev.pail.remote;

import dev.pail.BlockException;
import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Reads blocks in portions that fit into memory. */
final class BlockPortions {
    private static final long PORTION = 4 << 20;

    private BlockPortions() {}

    /** Reads those that are here and not damaged, and gives them to a sink in portions of some megabytes. */
    static void forEach(BlockStore blocks, List<Cid> cids, Consumer<List<Block>> sink) {
        List<Block> portion = new ArrayList<>();
        long size = 0;
        for (Cid cid : cids) {
            Optional<Block> found = cid.hashFunction() == Cid.IDENTITY ? Optional.empty() : readable(blocks, cid);
            if (found.isPresent()) {
                portion.add(found.get());
                size += found.get().size();
            }
            if (size > PORTION) {
                sink.accept(List.copyOf(portion));
                portion.clear();
                size = 0;
            }
        }
        sink.accept(List.copyOf(portion));
    }

    /** Puts those that are here again, so that a collection leaves them for another grace period, and returns the others. */
    static Set<Cid> putAgain(BlockStore blocks, List<Cid> cids) {
        Set<Cid> missing = new LinkedHashSet<>(cids);
        forEach(blocks, cids, found -> {
            blocks.putAll(found);
            found.forEach(block -> missing.remove(block.cid()));
        });
        return missing;
    }

    private static Optional<Block> readable(BlockStore blocks, Cid cid) {
        try {
            return blocks.getChecked(cid);
        } catch (BlockException e) {
            // A corrupt block is one that a peer may send again.
            return Optional.empty();
        }
    }
}
