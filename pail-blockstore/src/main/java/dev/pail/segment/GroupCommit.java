package dev.pail.segment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.StoreIOException;
import dev.pail.ipld.Cid;
import dev.pail.lock.FailStop;
import dev.pail.segment.format.RecordRef;
import dev.pail.segment.format.SlidingWindow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes batches, one after the other. While one thread writes a batch, other threads stage records in the next one; then one of them
 * writes it for all, with one commit and one sync. After a failed write, the staged records are dropped, and the writer examines the files
 * before it writes again. If acknowledged blocks may not have been durable, it writes nothing more.
 *
 * <p>A thread that writes a batch lets go of {@link #lock} meanwhile.
 */
final class GroupCommit {
    private final Path folder;
    private final ActiveSegment active;
    private final boolean packs;

    /** The writer's lock. It protects what the threads of this process share when they put blocks. */
    final ReentrantLock lock = new ReentrantLock();

    /** A batch is done, or a write has failed. */
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final DeltaBases deltaBases;

    /** Used only if blocks are acknowledged before they are durable. */
    private final FailStop failStop;

    private final boolean acknowledgesDurable;

    /** The records that are staged; null until the active segment is open. */
    @GuardedBy("lock")
    private @Nullable WriteBatch batch;

    /** The batch that a thread writes now, without the lock. */
    @GuardedBy("lock")
    private @Nullable WriteBatch writing;

    /**
     * @param packs whether deltas are packed
     * @param acknowledgesDurable whether each put is durable when it returns
     */
    GroupCommit(Path folder, ActiveSegment active, DeltaBases deltaBases, boolean packs, boolean acknowledgesDurable) {
        this.acknowledgesDurable = acknowledgesDurable;
        this.packs = packs;
        this.folder = folder;
        this.active = active;
        this.deltaBases = deltaBases;
        this.failStop = new FailStop("store", folder);
    }

    /** Begins a batch behind the last commit. */
    @GuardedBy("lock")
    void begin() throws IOException {
        View.Tail tail = active.tail();
        long number = batch == null ? 0 : batch.number + 1;
        SlidingWindow window = SlidingWindow.at(tail.file, tail.end, packs);
        batch = new WriteBatch(tail.file.segmentNumber(), tail.file.salt(), tail.end, number, window);
    }

    /** Whether a batch was begun. */
    @GuardedBy("lock")
    boolean isBegun() {
        return batch != null;
    }

    /** The batch in which blocks are staged. One must have been begun. */
    @GuardedBy("lock")
    WriteBatch staging() {
        return Objects.requireNonNull(batch, "batch");
    }

    /** The batch in which a block is staged; null if there is none. */
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

    /** The staged record of a block; null if there is none. */
    @GuardedBy("lock")
    @Nullable
    RecordRef staged(Cid cid) {
        WriteBatch with = with(cid);
        return with == null ? null : with.staged(cid);
    }

    void checkUsable() {
        failStop.check();
    }

    /** Drops the staged records. Later writes wait for {@link #begin}, or are refused. */
    @GuardedBy("lock")
    void fail(Throwable e) {
        if (batch != null && batch.failure == null) {
            batch.failure = e;
        }
        if (!acknowledgesDurable) {
            failStop.refuseAfter(e);
        }
        deltaBases.forget();
        changed.signalAll();
    }

    /** Whether a write has failed since {@link #begin}: the files may be other than this object knows. */
    @GuardedBy("lock")
    boolean isFailed() {
        return batch != null && batch.failure != null;
    }

    /** Waits until no thread writes a batch. */
    @GuardedBy("lock")
    void awaitIdle() {
        while (writing != null) {
            changed.awaitUninterruptibly();
        }
    }

    /** Waits until a batch is written. If no thread writes, this one writes what is staged. */
    @GuardedBy("lock")
    void await(WriteBatch awaited) {
        while (!awaited.done) {
            checkUsable();
            checkWritten(awaited);
            if (writing == null) {
                write();
            } else {
                changed.awaitUninterruptibly();
            }
        }
    }

    private void checkWritten(WriteBatch awaited) {
        Throwable failure = awaited.failure;
        if (failure != null) {
            throw new StoreIOException("cannot keep blocks", folder.toString(), FailStop.reason(failure), failure);
        }
    }

    /** Waits until everything staged is written. */
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
            // First: a thread that awaits a batch that is written but not done would write later batches for ever.
            taken.done = true;
            changed.signalAll();
            taken.staged.forEach(deltaBases::written);
        } catch (IOException e) {
            fail(taken, e);
            throw new StoreIOException("cannot keep blocks", folder.toString(), e);
        } catch (RuntimeException | Error e) {
            fail(taken, e);
            throw e;
        }
    }

    @GuardedBy("lock")
    private void fail(WriteBatch taken, Throwable e) {
        if (!taken.done) {
            taken.failure = e;
        }
        fail(e);
    }

    /** Lets go of the lock, writes a batch, takes the lock again. */
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

    /** The batch behind another: in a new segment, if the other fills its segment. */
    private WriteBatch behind(WriteBatch before) throws IOException {
        long number = before.number + 1;
        return active.isFull(before.end())
                ? WriteBatch.first(active.next(before.segmentNumber), ActiveSegment.salt(), number, packs)
                : before.behind(number);
    }

    /** Writes a commit that says that all before it is durable. */
    @GuardedBy("lock")
    void confirm() {
        await(staging());
    }

    /**
     * Writes what is staged, and syncs it, unless a write has failed.
     *
     * @param isLocked whether this process has the lock of the store. If not, the staged records are left from a put that failed, and
     *     another process may have written to their place
     */
    @GuardedBy("lock")
    void close(boolean isLocked) throws IOException {
        try {
            if (isLocked && batch != null && batch.failure == null && failStop.isSound()) {
                awaitAll();
            }
        } finally {
            active.close(failStop.isSound());
        }
    }
}
