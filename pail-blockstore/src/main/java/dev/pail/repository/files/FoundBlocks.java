package dev.pail.repository.files;

import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.ipld.Cid;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Blocks of other writers that a change relies on: the writer may have ended before they were durable. For use by several threads at
 * once.
 */
final class FoundBlocks {
    private final DirectoryBlockStore files;
    private final BooleanSupplier segments;

    /** The folders of the blocks that may be in files: a block is durable when its name is. */
    private final Set<Path> folders = new HashSet<>();

    private boolean any;

    /** @param segments makes durable what is in segments, if there are any, and says whether there are */
    FoundBlocks(DirectoryBlockStore files, BooleanSupplier segments) {
        this.files = files;
        this.segments = segments;
    }

    /** Notes a block, after it was read. */
    synchronized void add(Cid cid) {
        folders.add(files.folderOf(cid));
        any = true;
    }

    /**
     * Makes durable what was noted.
     *
     * @return whether the blocks must be read again: of a put that fails, segments keep nothing
     * @throws dev.pail.StoreIOException if that failed
     */
    synchronized boolean makeSafe() {
        folders.forEach(files::makeSafe);
        folders.clear();
        boolean again = any && segments.getAsBoolean();
        any = false;
        return again;
    }
}
