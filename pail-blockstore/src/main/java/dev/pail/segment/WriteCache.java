package dev.pail.segment;

import dev.pail.segment.format.CachedBlock;
import dev.pail.segment.format.RecordRef;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Caches the blocks that were written last, up to a size: the next blocks are likely to be deltas to them. The oldest leaves first, but
 * gets a second chance if it was used as a base since. A cache that estimates future use would take longer for a block than to write it.
 *
 * <p>The writer's lock guards all fields. Readers look at {@link RecordRef#cached} without it.
 */
final class WriteCache {
    private final long mostBytes;
    private final Deque<RecordRef> oldest = new ArrayDeque<>();
    private long bytes;

    /**
     * The size of a block that is kept, in bytes, at most: the usual size of the largest shard in v0, and half of a chunk. If chunks of files
     * were kept, they would be all that there is.
     */
    static final int LARGEST = 512 << 10;

    private final long largest;

    /**
     * @param mostBytes the size at most
     * @param largest the size of a block that is kept, at most
     */
    WriteCache(long mostBytes, long largest) {
        this.mostBytes = mostBytes;
        this.largest = largest;
    }

    /** Adds a block whose bytes are cached, and which is not here yet. One that is too large for the cache is not cached any more. */
    void add(RecordRef block) {
        if (block.size() > largest) {
            block.uncache();
            return;
        }
        bytes += weight(block);
        while (bytes > mostBytes && !oldest.isEmpty()) {
            RecordRef first = oldest.remove();
            if (first.takeUse()) {
                oldest.add(first);
            } else {
                first.uncache();
                bytes -= weight(first);
            }
        }
        oldest.add(block);
    }

    private static int weight(RecordRef block) {
        return CachedBlock.OVERHEAD + block.size();
    }

    /** The bytes of a block, for a delta to it; null if they are not cached. */
    @Nullable
    CachedBlock use(RecordRef block) {
        block.use();
        return block.cached();
    }

    /** Forgets all. */
    void clear() {
        oldest.forEach(RecordRef::uncache);
        oldest.clear();
        bytes = 0;
    }
}
