package dev.pail.values;

import dev.pail.Batch;
import dev.pail.Pail;
import java.util.function.Consumer;

/**
 * A batch of any length. When it has many changes, or their shards take a good part of the memory, it commits them and begins another
 * batch. The version at the end is the same, and some shards of versions on the way are stored, too.
 */
public final class LongBatch {
    /** How many changes come together, where the heap allows it. They take about 16 MiB. */
    private static final long MOST = 1 << 16;

    /** What a change takes in a small heap, in bytes, and what there should be for other purposes. */
    private static final long MEMORY = 2048;

    /** The part of the memory that the shards may take which are changed. */
    private static final int PART = 6;

    /**
     * How many bytes of changed shards a change may stand for at a commit. It writes all of them again, so if changes are few for them,
     * the batch waits for more.
     */
    private static final long OPENED_PER_CHANGE = 2048;

    /** How many bytes puts into an empty pail may take: about a million. In v1 and v2, these make each of their shards once. */
    private static final long MOST_FRESH = 256 << 20;

    private final long most;
    private final long mostOpened;
    private Pail pail;
    private Batch batch;
    private long changes;

    /** Whether the batch began with an empty pail. Then what it holds is counted in full, and no shard is written a second time. */
    private boolean fresh;

    public LongBatch(Pail pail) {
        this(
                pail,
                Math.min(MOST, Runtime.getRuntime().maxMemory() / MEMORY),
                Runtime.getRuntime().maxMemory() / PART);
    }

    /**
     * @param most how many changes may come together
     * @param mostOpened how many bytes of shards they may be in
     */
    public LongBatch(Pail pail, long most, long mostOpened) {
        this.pail = pail;
        this.batch = pail.batch();
        this.most = most;
        this.mostOpened = mostOpened;
        this.fresh = pail.shard().items().findAny().isEmpty();
    }

    /** Whether the pail was empty, and nothing was committed yet. */
    public boolean isFresh() {
        return fresh;
    }

    /** The version of the last commit, or the one that this began with. */
    public Pail pail() {
        return pail;
    }

    /** Makes a change. */
    public void change(Consumer<Batch> change) {
        if (isFull()) {
            pail = batch.commit();
            batch = pail.batch();
            changes = 0;
            fresh = false;
        }
        change.accept(batch);
        changes++;
    }

    private boolean isFull() {
        long opened = batch.openedBytes();
        if (fresh) {
            return opened > Math.min(mostOpened, MOST_FRESH);
        }
        return opened > mostOpened || (changes >= most && changes * OPENED_PER_CHANGE >= opened);
    }

    public Pail commit() {
        return batch.commit();
    }
}
