package dev.pail.repository.files;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.ipld.Cid;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The folders, and the segments, with blocks of other writers that a change relies on. Such a writer may have been killed before it
 * synced them. Safe for use by several threads.
 */
final class UnsyncedFolders {
    private final DirectoryBlockStore files;
    private final BooleanSupplier segments;

    /** The folders of the blocks that are in files of their own: a block is durable when its name is. */
    @GuardedBy("this")
    private final Set<Path> folders = new HashSet<>();

    /** Whether a block was added since the last sync. */
    @GuardedBy("this")
    private boolean any;

    /** @param segments syncs the segments, and returns whether there are any */
    UnsyncedFolders(DirectoryBlockStore files, BooleanSupplier segments) {
        this.files = files;
        this.segments = segments;
    }

    /** Adds a block that was read. */
    synchronized void add(Cid cid) {
        folders.add(files.folderOf(cid));
        any = true;
    }

    /**
     * Makes the blocks durable that were added.
     *
     * @return whether the caller must read the blocks again: segments drop all blocks of a put that fails
     * @throws dev.pail.StoreIOException if that failed
     */
    synchronized boolean sync() {
        folders.forEach(files::sync);
        folders.clear();
        boolean again = any && segments.getAsBoolean();
        any = false;
        return again;
    }
}
