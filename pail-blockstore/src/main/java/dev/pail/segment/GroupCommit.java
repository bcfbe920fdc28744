package dev.pail.segment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.StoreIOException;
import dev.pail.ipld.Cid;
import dev.pail.lock.FailStop;
import dev.pail.segment.format.RecordRef;
import dev.pail.segment.format.SegmentFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes batches, one after the other. What several threads have staged while a batch was being written is the next one, which one of
 * them writes, with one commit and one sync. After a failure nothing more is written.
 *
 * <p>Guarded by the writer's lock, which is let go while a batch is being written.
 */
final class GroupCommit {
    private final Path folder;
    private final ActiveSegment active;

    /** The lock of the writer. It protects what the threads of this process share when they put. */
    final ReentrantLock lock = new ReentrantLock();

    /** A batch is done, or a write has failed. */
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final DeltaBases deltaBases;

    private final FailStop failStop;

    /** What is staged, from when the tail is open. */
    @GuardedBy("lock")
    private @Nullable WriteBatch batch;

    /** What a thread writes now, without the lock. */
    @GuardedBy("lock")
    private @Nullable WriteBatch writing;

    GroupCommit(Path folder, ActiveSegment active, DeltaBases deltaBases) {
        this.folder = folder;
        this.active = active;
        this.deltaBases = deltaBases;
        this.failStop = new FailStop("store", folder);
    }

    /** Begins a batch behind what is in the tail. */
    @GuardedBy("lock")
    void begin() {
        View.Tail tail = active.tail();
        long number = batch == null ? 0 : batch.number + 1;
        batch = new WriteBatch(tail.file.segmentNumber(), tail.file.salt(), tail.end, number);
    }

    /** Whether one was begun. */
    @GuardedBy("lock")
    boolean isBegun() {
        return batch != null;
    }

    /** The batch that blocks are staged in. One must have been begun. */
    @GuardedBy("lock")
    WriteBatch staging() {
        return Objects.requireNonNull(batch, "batch");
    }

    /** The batch that a block is to be written with; null if it is not staged. */
    @GuardedBy("lock")
    @Nullable
    WriteBatch with(Cid cid) {
        WriteBatch now = staging();
        WriteBatch before = writing;
        if (now.staged(cid) != null) {
            return now;
        }
        return before != null && before.staged(cid) != null ? before : null;
    }

    /** The block that a CID names, if it is staged. */
    @GuardedBy("lock")
    @Nullable
    RecordRef staged(Cid cid) {
        WriteBatch with = with(cid);
        return with == null ? null : with.staged(cid);
    }

    void checkUsable() {
        failStop.check();
    }

    /** Lets nothing more be written. */
    @GuardedBy("lock")
    void fail(Throwable e) {
        failStop.refuseAfter(e);
        deltaBases.forget();
        changed.signalAll();
    }

    /** Waits until a batch is written; writes what is staged, where nobody else does. */
    @GuardedBy("lock")
    void await(WriteBatch awaited) {
        while (!awaited.done) {
            checkUsable();
            if (writing == null) {
                write();
            } else {
                changed.awaitUninterruptibly();
            }
        }
    }

    /** Waits until all that is staged is written. */
    @GuardedBy("lock")
    void awaitAll() {
        while (writing != null || !staging().staged.isEmpty()) {
            await(writing != null ? writing : staging());
        }
    }

    @GuardedBy("lock")
    private void write() {
        WriteBatch taken = staging();
        try {
            View.Tail tail = active.tail();
            taken.add(active.commit(taken), new byte[0]);
            WriteBatch next = behind(taken);
            batch = next;
            writing = taken;
            try {
                writeUnlocked(tail, taken, next);
            } finally {
                writing = null;
            }
            // First: who waits for a batch that is written and not done would write others for ever.
            taken.done = true;
            changed.signalAll();
            taken.staged.forEach(deltaBases::written);
        } catch (IOException e) {
            fail(e);
            throw new StoreIOException("cannot keep blocks", folder.toString(), e);
        } catch (RuntimeException | Error e) {
            fail(e);
            throw e;
        }
    }

    /** Writes a batch, and lets go of the lock meanwhile. */
    private void writeUnlocked(View.Tail tail, WriteBatch taken, WriteBatch next) throws IOException {
        lock.unlock();
        try {
            active.write(tail, taken);
            if (next.segmentNumber > taken.segmentNumber) {
                active.seal();
                active.begin(next.segmentNumber, next.salt);
            }
        } finally {
            lock.lock();
        }
    }

    /** The batch behind another: in a new segment, if that fills the one that it is in. */
    private WriteBatch behind(WriteBatch before) throws IOException {
        long number = before.number + 1;
        return active.isFull(before.end())
                ? new WriteBatch(active.next(before.segmentNumber), ActiveSegment.salt(), SegmentFile.BEGINNING, number)
                : new WriteBatch(before.segmentNumber, before.salt, before.end(), number);
    }

    /** Writes a commit that says that all before it is durable. */
    @GuardedBy("lock")
    void confirm() {
        await(staging());
    }

    /**
     * Writes what is staged, and syncs it, unless a write has failed.
     *
     * @param isLocked whether the lock of the store is held. Else what is staged is left of a put that was broken off, and another process
     *     may have written where it was to stand
     */
    @GuardedBy("lock")
    void close(boolean isLocked) throws IOException {
        try {
            if (isLocked && batch != null && failStop.isSound()) {
                awaitAll();
            }
        } finally {
            active.close(failStop.isSound());
        }
    }
}
