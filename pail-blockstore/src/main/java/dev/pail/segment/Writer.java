package dev.pail.segment;

import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsafeBlocks;
import dev.pail.lock.WriterLock;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Appends blocks. What several threads have staged while a group was being written is written as the next group, with one commit
 * and one sync, by one of them. Where everything is safe when a put returns, the lock of the store is held only while something is put; else
 * until the end.
 */
final class Writer implements AutoCloseable {
    /** A group that is larger is written before more is staged, in bytes. */
    private static final int MOST_STAGED = 4 << 20;

    /** A time stamp is not set again before that. */
    private static final Duration STAMP_KEPT = Duration.ofMinutes(30);

    private final Disk disk;
    private final Catalog catalog;
    private final CurrentView current;
    private final Blocks blocks;
    private final Bases bases;
    private final Tails tails;
    private final WriterLock file;
    private final boolean shares;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private Disk.@Nullable Lock held;

    /** So many threads put something now, or wait for that. */
    private int users;

    /** What is staged, from when the tail is open. */
    private @Nullable Group group;

    private @Nullable Group writing;
    private volatile @Nullable IOException failure;

    Writer(
            Disk disk,
            Catalog catalog,
            CurrentView current,
            Blocks blocks,
            long heldBytes,
            long mostUnsafe,
            long mostSize,
            Duration patience) {
        this.disk = disk;
        this.catalog = catalog;
        this.current = current;
        this.blocks = blocks;
        this.bases = new Bases(current, blocks, heldBytes);
        this.tails = new Tails(disk, catalog, current, mostUnsafe, mostSize);
        this.file = new WriterLock(disk, catalog.folder(), patience);
        this.shares = mostUnsafe == 0;
    }

    void putAll(Collection<Block> given, Map<Cid, Cid> origins) {
        if (given.isEmpty()) {
            return;
        }
        enter();
        try {
            prepare();
            Group needed = null;
            for (Block block : given) {
                Cid origin = origins.get(block.cid());
                Group with = stage(block, origin == null ? null : origin.raw());
                needed = with == null || (needed != null && needed.number > with.number) ? needed : with;
                if (with != null && with.out.size() > MOST_STAGED) {
                    await(with);
                }
            }
            if (needed != null) {
                await(needed);
            }
        } catch (IOException e) {
            throw new StoreIOException("cannot keep blocks", catalog.folder().toString(), Disk.reason(e), e);
        } finally {
            leave();
        }
    }

    private void enter() {
        lock.lock();
        users++;
    }

    /** Lets others write, if nobody here does. */
    private void leave() {
        try {
            users--;
            if (shares && users == 0) {
                release();
            }
        } finally {
            lock.unlock();
        }
    }

    private void release() {
        Disk.Lock taken = held;
        if (taken != null) {
            held = null;
            current.share();
            taken.close();
        }
    }

    /**
     * Removes blocks that are not wanted. Puts wait for that long.
     *
     * @see Compaction
     */
    void compact(Compaction.Wanted wanted, long segmentSize) {
        alone("cannot compact", () -> {
            removeUnwanted(wanted, segmentSize);
            return Swept.NOTHING;
        });
    }

    private void removeUnwanted(Compaction.Wanted wanted, long segmentSize) throws IOException {
        tails.seal();
        new Compaction(disk, catalog, current, blocks, segmentSize).run(wanted);
        bases.forget();
        tails.begin(current.get().last() + 1, Tails.salt());
        begin();
    }

    /**
     * Takes away what was condemned for long enough and still is not needed, and condemns what is not needed now. Puts wait for that long.
     *
     * @see Sweep
     */
    Swept sweep(SweepRule rule, long segmentSize) {
        return alone("cannot take blocks away", () -> {
            Sweep sweep = catalog.sweep(current.get(), rule);
            Swept swept = sweep.run();
            if (swept.deleted().blocks() > 0) {
                Condemned due = sweep.due();
                removeUnwanted((entry, record) -> !due.contains(entry.location().section(), record), segmentSize);
                Sweep again = new Sweep(disk, current.get(), rule, Condemned.none());
                again.run();
                catalog.writeCondemned(again.next());
            } else if (swept.isChange()) {
                catalog.writeCondemned(sweep.next());
            }
            return swept;
        });
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    /** Does something while nothing is put. If it fails, nothing more is written. */
    private <T> T alone(String failed, Work<T> work) {
        enter();
        try {
            prepare();
            while (writing != null || !requireGroup().staged.isEmpty()) {
                await(writing != null ? writing : requireGroup());
            }
            try {
                return work.run();
            } catch (IOException e) {
                fail(e);
                throw e;
            }
        } catch (IOException e) {
            throw new StoreIOException(failed, catalog.folder().toString(), Disk.reason(e), e);
        } finally {
            leave();
        }
    }

    private void checkUsable() {
        IOException failed = failure;
        if (failed != null) {
            throw new StoreIOException(
                    "nothing is written after a failure, until the store is opened again",
                    catalog.folder().toString(),
                    Disk.reason(failed),
                    failed);
        }
    }

    private void fail(IOException e) {
        failure = e;
        bases.forget();
        changed.signalAll();
    }

    /** Takes the lock of the store and opens its tail, if that was not done. */
    private void prepare() throws IOException {
        checkUsable();
        if (held != null) {
            return;
        }
        if (group == null) {
            createFolder();
        }
        held = file.take();
        try {
            if (group != null && tails.isUntouched(group.start)) {
                current.ownAgain();
            } else {
                tails.recover();
                bases.forget();
                begin();
            }
        } catch (IOException e) {
            fail(e);
            throw e;
        }
    }

    private void createFolder() throws IOException {
        Path folder = catalog.folder();
        if (!disk.isFolder(folder)) {
            disk.createFolder(folder);
            disk.forceFolder(Disk.around(folder));
        }
    }

    private void begin() {
        View.Tail tail = tails.tail();
        long number = group == null ? 0 : group.number + 1;
        group = new Group(tail.file.section(), tail.file.salt(), tail.end, number);
    }

    private Group requireGroup() {
        return Objects.requireNonNull(group);
    }

    /** Stages a block, if it is not there, and gives the group that it is written with; null if that was written. */
    private @Nullable Group stage(Block block, @Nullable Cid origin) throws IOException {
        Cid cid = block.cid().raw();
        Group now = requireGroup();
        Group.Staged waiting = bases.staged(cid);
        if (waiting != null) {
            return waiting.group() == now.number ? now : writing;
        }
        if (isKept(cid)) {
            return null;
        }
        Bases.Choice choice = bases.choose(block, origin);
        Location location = now.add(choice.content, choice.payload);
        Stored stored = choice.storedAt(location);
        Held held = new Held(UnsafeBlocks.bytes(block), choice.chain, block);
        Group.Staged staged = new Group.Staged(now.number, cid, stored);
        now.staged.add(staged);
        bases.stage(staged, held);
        return now;
    }

    /** Whether the block is there, and can be read. Then it has been put now. */
    private boolean isKept(Cid cid) throws IOException {
        Stored block = blocks.stored(current.get(), cid);
        if (block == null || !blocks.isIntact(current.get(), cid)) {
            return false;
        }
        SegmentFile file = current.get().file(block.location.section());
        if (file != null) {
            Instant now = disk.now();
            if (Sweep.stamp(disk, file).isBefore(now.minus(STAMP_KEPT))) {
                disk.touch(file.path(), now);
            }
        }
        return true;
    }

    /** Waits until a group is written; writes what is staged, where nobody else does. */
    private void await(Group awaited) {
        while (!awaited.done) {
            checkUsable();
            if (writing == null) {
                write();
            } else {
                changed.awaitUninterruptibly();
            }
        }
    }

    private void write() {
        Group taken = requireGroup();
        View.Tail tail = tails.tail();
        taken.add(tails.commit(taken), new byte[0]);
        boolean last = tails.isFull(taken.end());
        int section = last ? taken.section + 1 : taken.section;
        int salt = last ? Tails.salt() : taken.salt;
        group = new Group(section, salt, last ? SegmentFile.BEGINNING : taken.end(), taken.number + 1);
        writing = taken;
        IOException failed = null;
        lock.unlock();
        try {
            tails.write(tail, taken);
            if (last) {
                tails.seal();
                tails.begin(section, salt);
            }
        } catch (IOException e) {
            failed = e;
        } finally {
            lock.lock();
            writing = null;
        }
        if (failed != null) {
            fail(failed);
            throw new StoreIOException("cannot keep blocks", catalog.folder().toString(), Disk.reason(failed), failed);
        }
        taken.staged.forEach(bases::written);
        taken.done = true;
        changed.signalAll();
    }

    /** Makes safe what was written, and lets others write. */
    @Override
    public void close() {
        lock.lock();
        try {
            while (writing != null && failure == null) {
                changed.awaitUninterruptibly();
            }
            if (group != null) {
                tails.close(failure == null);
            }
        } catch (IOException e) {
            throw new StoreIOException("cannot end writing", catalog.folder().toString(), Disk.reason(e), e);
        } finally {
            release();
            lock.unlock();
        }
    }
}
