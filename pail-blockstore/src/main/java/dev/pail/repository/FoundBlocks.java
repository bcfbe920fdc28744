package dev.pail.repository;

import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.ipld.Cid;
import java.util.HashMap;
import java.util.Map;

/**
 * Blocks in files that were found and will be relied on: whoever has put them may have been killed before they were safe. What is found in a
 * segment is made safe by whoever writes there next. For use by several threads at once.
 */
final class FoundBlocks {
    private final DirectoryBlockStore files;

    /** One of each folder: what is made safe is which names are there. */
    private final Map<String, Cid> byFolder = new HashMap<>();

    FoundBlocks(DirectoryBlockStore files) {
        this.files = files;
    }

    /** Notes a block, after it was seen. */
    synchronized void add(Cid cid) {
        String name = cid.multihashName();
        byFolder.put(name.substring(name.length() - 2), cid);
    }

    /**
     * Makes safe what was noted.
     *
     * @throws dev.pail.StoreIOException if that failed
     */
    synchronized void makeSafe() {
        files.makeSafe(byFolder.values());
        byFolder.clear();
    }
}
