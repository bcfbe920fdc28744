package dev.pail.cli;

import dev.pail.Batch;
import dev.pail.Pail;
import java.util.function.Consumer;

/**
 * A batch of any length. When so many changes have come together, or they are in so many shards, that a batch of them could take a good
 * part of the memory, they are committed, and another batch begins: the version that comes of it is the same, and some of the shards on
 * the way to it are stored, too.
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
