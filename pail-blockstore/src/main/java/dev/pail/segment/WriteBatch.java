package dev.pail.segment;

import dev.pail.ipld.Cid;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.OpenIndex;
import dev.pail.segment.format.Output;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.RecordRef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records that are written together, with one commit behind them. Guarded by the writer's lock. */
final class WriteBatch {
    final int segmentNumber;
    final int salt;
    final long start;

    /** In the order of the batches. */
    final long number;

    final Output out = new Output(1024);

    /** The blocks, in the order in which they were staged. */
    final List<RecordRef> staged = new ArrayList<>();

    private final OpenIndex index = new OpenIndex();

    /** Whether it was written, or never will be. */
    boolean done;

    WriteBatch(int segmentNumber, int salt, long start, long number) {
        this.segmentNumber = segmentNumber;
        this.salt = salt;
        this.start = start;
        this.number = number;
    }

    long end() {
        return start + out.size();
    }

    /** Notes that the record of a block was added. */
    void stage(RecordRef block) {
        staged.add(block);
        index.add(block);
    }

    /** The block that a CID names, if it is staged. */
    @Nullable
    RecordRef staged(Cid cid) {
        return index.known(cid);
    }

    /** Adds a record. */
    Location add(RecordHeader.Content content, byte[] payload) {
        long at = end();
        RecordHeader.write(out, content, payload, salt, at);
        return new Location(segmentNumber, at, (int) (end() - at));
    }
}
