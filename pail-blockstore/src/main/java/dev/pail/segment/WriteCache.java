package dev.pail.segment;

import dev.pail.segment.format.CachedBlock;
import dev.pail.segment.format.RecordRef;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Holds the blocks that were written last, up to a weight: the next ones are likely to be made of them. The oldest goes first, but
 * is given a second chance if another was made of it since. A cache that weighs what will be of use takes longer for a block than
 * writing it does.
 *
 * <p>Guarded by the writer's lock. Anyone may look whether a block is cached.
 */
final class WriteCache {
    private final long mostBytes;
    private final Deque<RecordRef> oldest = new ArrayDeque<>();
    private long bytes;

    /** @param mostBytes what is cached at most; a single block may be larger */
    WriteCache(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Takes in a block that is cached, and is not one of these. */
    void add(RecordRef block) {
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

    /** The block, if it is cached, for making another of it. */
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
