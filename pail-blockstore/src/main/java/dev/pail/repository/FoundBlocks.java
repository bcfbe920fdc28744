package dev.pail.repository;

import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.ipld.Cid;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Blocks in files that were found and will be relied on: whoever has put them may have been killed before they were safe. What is found in a
 * segment is made safe by whoever writes there next. For use by several threads at once.
 */
final class FoundBlocks {
    private final DirectoryBlockStore files;

    /** What is made safe is which names are there. */
    private final Set<Path> folders = new HashSet<>();

    FoundBlocks(DirectoryBlockStore files) {
        this.files = files;
    }

    /** Notes a block, after it was seen. */
    synchronized void add(Cid cid) {
        folders.add(files.folderOf(cid));
    }

    /**
     * Makes safe what was noted.
     *
     * @throws dev.pail.StoreIOException if that failed
     */
    synchronized void makeSafe() {
        folders.forEach(files::makeSafe);
        folders.clear();
    }
}
