package dev.pail.cli;

import dev.pail.Batch;
import dev.pail.Pail;
import java.util.function.Consumer;

/**
 * A batch of any length. When its changes or their shards could take a good part of the memory, it commits them and begins another
 * batch. The version at the end is the same, and some shards of versions on the way are stored, too.
 */
final class LongBatch {
    /** What a change takes in memory, in bytes, and what there should be for other purposes. */
    private static final long MEMORY = 2048;

    /** The part of the memory that the shards may take which are changed. */
    private static final int PART = 6;

    private final long most;
    private final long mostOpened;
    private Pail pail;
    private Batch batch;
    private long changes;

    LongBatch(Pail pail) {
        this(
                pail,
                Runtime.getRuntime().maxMemory() / MEMORY,
                Runtime.getRuntime().maxMemory() / PART);
    }

    /**
     * @param most how many changes may come together
     * @param mostOpened how many bytes of shards they may be in
     */
    LongBatch(Pail pail, long most, long mostOpened) {
        this.pail = pail;
        this.batch = pail.batch();
        this.most = most;
        this.mostOpened = mostOpened;
    }

    /** Makes a change. */
    void change(Consumer<Batch> change) {
        if (changes >= most || batch.openedBytes() > mostOpened) {
            pail = batch.commit();
            batch = pail.batch();
            changes = 0;
        }
        change.accept(batch);
        changes++;
    }

    Pail commit() {
        return batch.commit();
    }
}
