package dev.pail.segment;

import dev.pail.StoreIOException;
import dev.pail.ipld.Cid;
import dev.pail.lock.WriteGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes groups, one after the other. What several threads have staged while a group was being written is the next one, which one of
 * them writes, with one commit and one sync. After a failure nothing more is written.
 *
 * <p>Guarded by the writer's lock, which is let go while a group is being written.
 */
final class Groups {
    private final Path folder;
    private final Tails tails;
    private final Bases bases;
    private final ReentrantLock lock;
    private final Condition changed;
    private final WriteGuard guard;

    /** What is staged, from when the tail is open. */
    private @Nullable Group group;

    private @Nullable Group writing;

    /** @param lock the writer's */
    Groups(Path folder, Tails tails, Bases bases, ReentrantLock lock) {
        this.folder = folder;
        this.tails = tails;
        this.bases = bases;
        this.lock = lock;
        this.changed = lock.newCondition();
        this.guard = new WriteGuard("store", folder);
    }

    /** Begins a group behind what is in the tail. */
    void begin() {
        View.Tail tail = tails.tail();
        long number = group == null ? 0 : group.number + 1;
        group = new Group(tail.file.section(), tail.file.salt(), tail.end, number);
    }

    /** Whether one was begun. */
    boolean isBegun() {
        return group != null;
    }

    /** Whether one was begun, and the segment still ends where that begins. */
    boolean isUntouched() throws IOException {
        Group now = group;
        return now != null && tails.isUntouched(now.start);
    }

    /** The group that blocks are staged in. One must have been begun. */
    Group staging() {
        return Objects.requireNonNull(group, "group");
    }

    /** The group that a block is to be written with; null if it is not staged. */
    @Nullable
    Group with(Cid cid) {
        Group now = staging();
        Group before = writing;
        if (now.staged(cid) != null) {
            return now;
        }
        return before != null && before.staged(cid) != null ? before : null;
    }

    /** The block that a CID names, if it is staged. */
    @Nullable
    Stored staged(Cid cid) {
        Group with = with(cid);
        return with == null ? null : with.staged(cid);
    }

    void checkUsable() {
        guard.check();
    }

    /** Lets nothing more be written. */
    void fail(Throwable e) {
        guard.refuseAfter(e);
        bases.forget();
        changed.signalAll();
    }

    /** Waits until a group is written; writes what is staged, where nobody else does. */
    void await(Group awaited) {
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
    void awaitAll() {
        while (writing != null || !staging().staged.isEmpty()) {
            await(writing != null ? writing : staging());
        }
    }

    private void write() {
        Group taken = staging();
        try {
            View.Tail tail = tails.tail();
            taken.add(tails.commit(taken), new byte[0]);
            Group next = behind(taken);
            group = next;
            writing = taken;
            lock.unlock();
            try {
                tails.write(tail, taken);
                if (next.section > taken.section) {
                    tails.seal();
                    tails.begin(next.section, next.salt);
                }
            } finally {
                lock.lock();
                writing = null;
            }
            // First: who waits for a group that is written and not done would write others for ever.
            taken.done = true;
            changed.signalAll();
            taken.staged.forEach(bases::written);
        } catch (IOException e) {
            fail(e);
            throw new StoreIOException("cannot keep blocks", folder.toString(), e);
        } catch (RuntimeException | Error e) {
            fail(e);
            throw e;
        }
    }

    /** The group behind another: in a new segment, if that fills the one that it is in. */
    private Group behind(Group before) throws IOException {
        long number = before.number + 1;
        return tails.isFull(before.end())
                ? new Group(tails.next(before.section), Tails.salt(), SegmentFile.BEGINNING, number)
                : new Group(before.section, before.salt, before.end(), number);
    }

    /** Writes a commit that says that all before it is safe. */
    void confirm() {
        await(staging());
    }

    /**
     * Writes what is staged and makes it safe, if nothing has failed.
     *
     * @param isLocked whether the lock of the store is held. Else what is staged is left of a put that was broken off, and another process
     *     may have written where it was to stand
     */
    void close(boolean isLocked) throws IOException {
        try {
            if (isLocked && group != null && guard.isSound()) {
                awaitAll();
            }
        } finally {
            tails.close(guard.isSound());
        }
    }
}
