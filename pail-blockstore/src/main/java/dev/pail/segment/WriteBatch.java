package dev.pail.segment;

import dev.pail.ipld.Cid;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.OpenIndex;
import dev.pail.segment.format.Output;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.RecordRef;
import dev.pail.segment.format.SegmentFile;
import dev.pail.segment.format.SlidingWindow;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records that are written together, with one commit behind them. The writer's lock guards it until a thread writes it; then it does not
 * change, but for {@link #done} and {@link #failure}.
 */
final class WriteBatch {
    final int segmentNumber;
    final int salt;
    final long start;

    /** Batches are numbered in the order in which they are written. */
    final long number;

    final Output out = new Output(1024);

    /** The blocks, in the order in which they were staged. */
    final List<RecordRef> staged = new ArrayList<>();

    private final OpenIndex index = new OpenIndex();

    /** What the segment has in front of the next record. */
    private final SlidingWindow window;

    /** Whether it is written. Guarded by the writer's lock. */
    boolean done;

    /** Why it is not written and will not be; null unless a write has failed. Guarded by the writer's lock. */
    @Nullable
    Throwable failure;

    WriteBatch(int segmentNumber, int salt, long start, long number, SlidingWindow window) {
        this.window = window;
        this.segmentNumber = segmentNumber;
        this.salt = salt;
        this.start = start;
        this.number = number;
    }

    long end() {
        return start + out.size();
    }

    /** Notes a record of a block that was added. */
    void stage(RecordRef block) {
        staged.add(block);
        index.add(block);
    }

    /** The first batch of a segment. */
    static WriteBatch first(int segmentNumber, int salt, long number, boolean packs) {
        return new WriteBatch(segmentNumber, salt, SegmentFile.BEGINNING, number, new SlidingWindow(packs));
    }

    /** The batch behind this one in the same segment. */
    WriteBatch behind(long number) {
        return new WriteBatch(segmentNumber, salt, end(), number, window);
    }

    /** The staged record of a block; null if there is none. */
    @Nullable
    RecordRef staged(Cid cid) {
        return index.known(cid);
    }

    /** Whether the staged record of a block has all of it. */
    boolean isWhole(Cid cid) {
        RecordRef record = index.known(cid);
        return record != null && record.base() == null;
    }

    /** Adds a record. */
    Location add(RecordHeader.Content content, byte[] payload) {
        long at = end();
        int from = out.size();
        byte[] packed = content instanceof RecordHeader.BlockContent block && block.base() != null
                ? window.pack(payload)
                : null;
        RecordHeader.write(out, content, packed == null ? payload : packed, packed != null, salt, at);
        window.append(out, from);
        return new Location(segmentNumber, at, (int) (end() - at));
    }
}
