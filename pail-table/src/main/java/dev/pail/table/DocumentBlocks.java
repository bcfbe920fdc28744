package dev.pail.table;

import dev.pail.BlockStore;
import dev.pail.OriginHints;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Stores the blocks of documents together, whenever there is more than 1 MiB of them. Not for use by several threads at once. */
final class DocumentBlocks {
    private static final int MOST_HELD = 1 << 20;

    private final BlockStore store;
    private final List<Block> held = new ArrayList<>();

    /** Those of the held blocks that are to be whole, as their own origins. */
    private final Map<Cid, Cid> whole = new HashMap<>();

    private long heldBytes;

    DocumentBlocks(BlockStore store) {
        this.store = store;
    }

    /** Stores a document with others, at the latest in {@link #flush}. */
    void add(Document document) {
        Block block = document.block();
        held.add(block);
        heldBytes += block.size();
        if (heldBytes > MOST_HELD) {
            flush();
        }
    }

    /** Lets a document that is added next be stored whole, if the store can have segments. */
    void keepWhole(Document document) {
        whole.put(document.cid(), document.cid());
    }

    /** Whether a document is one of these. */
    boolean isWhole(Document document) {
        return whole.containsKey(document.cid());
    }

    void flush() {
        OriginHints.putAll(store, held, whole);
        held.clear();
        whole.clear();
        heldBytes = 0;
    }
}
