package dev.pail.segment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.disk.Disk;
import dev.pail.disk.Mtimes;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.lock.WriterLock;
import dev.pail.segment.format.CachedBlock;
import dev.pail.segment.format.Condemned;
import dev.pail.segment.format.DamageException;
import dev.pail.segment.format.RecordRef;
import dev.pail.segment.format.SegmentFile;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.trace.Trace;
import dev.pail.unsafe.UnsafeBlocks;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts blocks into the store, and removes them again. If each put is durable when it returns, the writer holds the lock of the
 * store only while a put runs; else until it is closed.
 */
final class Writer implements AutoCloseable {
    /** A batch that is larger is written before more blocks are staged, in bytes. */
    private static final int MOST_STAGED = 4 << 20;

    private final Disk disk;
    private final Catalog catalog;
    private final CurrentView current;
    private final Blocks blocks;

    @GuardedBy("commits.lock")
    private final DeltaBases deltaBases;

    private final ActiveSegment active;
    private final GroupCommit commits;
    private final boolean shares;

    /** A segment that is larger is sealed, in bytes. */
    private final long segmentSize;

    private final boolean packs;

    /** Each thread that puts blocks uses it until it is done. */
    @GuardedBy("commits.lock")
    private final StoreLock storeLock;

    /** Whether the files were examined since this process took the lock of the store. */
    @GuardedBy("commits.lock")
    private boolean looked;

    /** Whether some work failed half-way: then the next thread examines the files before it writes. */
    @GuardedBy("commits.lock")
    private boolean brokenOff;

    /** The thread that compacts, sweeps or confirms while no thread puts. Written under the lock, read without. */
    private volatile @Nullable Thread alone;

    @GuardedBy("commits.lock")
    private boolean closed;

    Writer(
            Disk disk,
            Catalog catalog,
            CurrentView current,
            Blocks blocks,
            long cacheBytes,
            long maxUnsynced,
            long segmentSize,
            boolean packs,
            Duration patience) {
        this.disk = disk;
        this.catalog = catalog;
        this.current = current;
        this.blocks = blocks;
        this.deltaBases = new DeltaBases(current, blocks, cacheBytes);
        this.active = new ActiveSegment(disk, catalog, current, maxUnsynced, segmentSize);
        this.commits = new GroupCommit(catalog.folder(), active, deltaBases, packs, maxUnsynced == 0);
        this.storeLock = new StoreLock(commits.lock, new WriterLock(disk, catalog.folder(), patience).turns());
        this.shares = maxUnsynced == 0;
        this.segmentSize = segmentSize;
        this.packs = packs;
    }

    void putAll(Collection<Block> given, Map<Cid, Cid> origins) {
        if (given.isEmpty()) {
            return;
        }
        checkNotAlone();
        commits.lock.lock();
        try {
            enter();
            try {
                put(given, origins);
            } finally {
                leave();
            }
        } catch (IOException e) {
            throw catalog.failure("cannot keep blocks", e);
        } finally {
            commits.lock.unlock();
        }
    }

    @GuardedBy("commits.lock")
    private void put(Collection<Block> given, Map<Cid, Cid> origins) throws IOException {
        WriteBatch needed = null;
        for (Block block : given) {
            // Each time: while this thread waited for a batch, another may have broken something off, or closed the
            // store.
            prepare();
            Cid origin = origins.get(block.cid());
            WriteBatch with = stage(block, origin);
            needed = with == null || (needed != null && needed.number > with.number) ? needed : with;
            if (with != null && with.out.size() > MOST_STAGED) {
                commits.await(with);
            }
        }
        if (needed != null) {
            commits.await(needed);
        }
    }

    /** Throws if the caller is a callback of a compaction: a put would find the files half changed. */
    private void checkNotAlone() {
        if (alone == Thread.currentThread()) {
            throw new IllegalStateException(
                    "the block store is not written to by who is asked what is wanted of it: " + catalog.folder());
        }
    }

    @GuardedBy("commits.lock")
    private void enter() {
        if (shares && commits.lock.getHoldCount() == 1) {
            storeLock.awaitTurn();
        }
        storeLock.enter();
    }

    /** Lets other processes write, if no thread of this one does. */
    @GuardedBy("commits.lock")
    private void leave() {
        storeLock.leave();
        if ((shares || closed) && !storeLock.isUsed()) {
            release();
        }
    }

    @GuardedBy("commits.lock")
    private void release() {
        if (storeLock.isHeld()) {
            current.share();
            storeLock.release();
        }
    }

    /**
     * Removes blocks that are not wanted. Puts wait until it is done.
     *
     * @see Compaction
     */
    @SuppressWarnings("GuardedBy") // The method alone() calls it under the lock.
    void compact(Compaction.Wanted wanted) {
        alone("cannot compact", () -> {
            removeUnwanted(wanted, Erased.NONE);
            return Swept.NOTHING;
        });
    }

    @GuardedBy("commits.lock")
    private void removeUnwanted(Compaction.Wanted wanted, Erased erased) throws IOException {
        Compaction compaction = new Compaction(disk, catalog, current, blocks, segmentSize, packs, erased);
        compaction.mark(wanted);
        // A removed record must not become the base of a new one.
        deltaBases.forget();
        compaction.removeUnwanted();
        if (compaction.isDue()) {
            active.seal();
            compaction.rewrite();
            active.begin(catalog.next(current.get().last()), ActiveSegment.salt());
            commits.begin();
        }
    }

    /**
     * Writes copies of blocks in their order, one segment at a time, and removes the segments that are of no use then. Puts wait while a
     * segment is written, not in between.
     *
     * @see Copies
     */
    void copy(Iterator<Cid> order) {
        int[] last = new int[1];
        int first = -1;
        while (order.hasNext()) {
            alone("cannot copy blocks", () -> {
                last[0] = writeCopies(order);
                return Swept.NOTHING;
            });
            if (last[0] < 0) {
                break;
            }
            first = first < 0 ? last[0] : first;
        }
        if (first >= 0 && !order.hasNext()) {
            int made = first;
            alone("cannot remove copies", () -> {
                removeSuperseded(made);
                return Swept.NOTHING;
            });
        }
    }

    @SuppressWarnings("GuardedBy") // The method alone() calls it under the lock.
    private int writeCopies(Iterator<Cid> order) throws IOException {
        Copies copies = new Copies(disk, catalog, current, blocks);
        if (!copies.hasSpace(segmentSize)) {
            return -1;
        }
        active.seal();
        int made = copies.write(order, segmentSize);
        active.begin(catalog.next(current.get().last()), ActiveSegment.salt());
        commits.begin();
        return made;
    }

    @SuppressWarnings("GuardedBy") // The method alone() calls it under the lock.
    private void removeSuperseded(int first) throws IOException {
        Set<Integer> superseded;
        try {
            superseded = new Copies(disk, catalog, current, blocks).superseded(first);
        } catch (DamageException e) {
            Trace.swallowed("copies stay in a damaged store", e);
            return;
        }
        if (!superseded.isEmpty()) {
            deltaBases.forget();
            new Compaction(disk, catalog, current, blocks, segmentSize, packs, Erased.NONE).removeSegments(superseded);
        }
    }

    /**
     * Removes blocks, and all that files have of them. Puts wait until it is done.
     *
     * @see Erased
     */
    @SuppressWarnings("GuardedBy") // The method alone() calls it under the lock.
    void erase(Collection<Cid> cids) {
        alone("cannot erase blocks", () -> {
            removeUnwanted((entry, record) -> true, Erased.of(cids));
            blocks.forget();
            // A writer that was cut off may have left old segments, and a torn tail may be a copy of a block.
            catalog.clean(current.get());
            catalog.removeLost();
            return Swept.NOTHING;
        });
    }

    /**
     * Deletes records that were condemned long enough ago and still are not needed, and condemns those that are not needed now. Puts wait
     * until it is done.
     *
     * @see Sweep
     */
    @SuppressWarnings("GuardedBy") // The method alone() calls it under the lock.
    Swept sweep(SweepRule rule) {
        return alone("cannot take blocks away", () -> removeDue(rule));
    }

    @GuardedBy("commits.lock")
    private Swept removeDue(SweepRule rule) throws IOException {
        Sweep sweep = new Sweep(catalog, current.get(), rule, catalog.condemned());
        Swept swept = sweep.run();
        if (swept.isChange()) {
            active.giveBack();
        }
        if (swept.deleted().blocks() > 0) {
            Condemned due = sweep.due();
            removeUnwanted((entry, record) -> !due.contains(entry.location().segmentNumber(), record), Erased.NONE);
            Sweep again = new Sweep(catalog, current.get(), rule, Condemned.none());
            again.run();
            catalog.writeCondemned(again.next());
        } else if (swept.isChange()) {
            catalog.writeCondemned(sweep.next());
        }
        return swept;
    }

    /**
     * Writes a commit that says that all before it is durable.
     *
     * @see Segments#confirm
     */
    @SuppressWarnings("GuardedBy") // The method alone() calls it under the lock.
    void confirm() {
        alone("cannot keep blocks", () -> {
            commits.confirm();
            return Swept.NOTHING;
        });
    }

    /** Makes durable what other processes have put: they may have ended before their sync, or it may have failed. */
    void settle() {
        alone("cannot keep blocks", () -> Swept.NOTHING);
    }

    private interface Work {
        Swept run() throws IOException;
    }

    /** Does some work while no thread puts. After an I/O error, the next writer examines the files. */
    private Swept alone(String failed, Work work) {
        checkNotAlone();
        commits.lock.lock();
        try {
            enter();
            try {
                prepare();
                commits.awaitAll();
                prepare();
                return runAlone(work);
            } finally {
                leave();
            }
        } catch (IOException e) {
            throw catalog.failure(failed, e);
        } finally {
            commits.lock.unlock();
        }
    }

    @GuardedBy("commits.lock")
    private Swept runAlone(Work work) throws IOException {
        alone = Thread.currentThread();
        // A callback of the caller may throw anything.
        boolean ended = false;
        try {
            Swept swept = work.run();
            ended = true;
            return swept;
        } catch (IOException e) {
            commits.fail(e);
            throw e;
        } finally {
            brokenOff |= !ended;
            alone = null;
        }
    }

    /** Takes the lock of the store and opens the active segment, unless this was done. */
    @GuardedBy("commits.lock")
    private void prepare() throws IOException {
        checkUsable();
        if (!storeLock.isHeld()) {
            if (!commits.isBegun()) {
                Disk.createDurably(disk, catalog.folder());
            }
            looked = false;
            long came = storeLock.waited();
            while (!storeLock.isHeld()) {
                storeLock.take(came);
                checkUsable();
            }
        }
        if (commits.isFailed()) {
            // Another thread may write the batch before the failed one, and a third may examine the files meanwhile.
            commits.awaitIdle();
            checkUsable();
            brokenOff |= commits.isFailed();
        }
        if (looked && !brokenOff) {
            return;
        }
        try {
            if (brokenOff || !isUntouched()) {
                brokenOff = true;
                active.recover();
                deltaBases.forget();
                commits.begin();
                brokenOff = false;
            }
            active.skip();
            looked = true;
        } catch (IOException e) {
            commits.fail(e);
            throw e;
        }
    }

    /** Whether no other process has written since this one did, so that the active segment can be continued. */
    @GuardedBy("commits.lock")
    private boolean isUntouched() throws IOException {
        if (!commits.isBegun()) {
            return false;
        }
        long end = commits.staging().start;
        return current.ownAgain(() -> active.isUntouched(end));
    }

    @GuardedBy("commits.lock")
    private void checkUsable() {
        if (closed) {
            throw new IllegalStateException("the block store is closed: " + catalog.folder());
        }
        commits.checkUsable();
    }

    /** Stages a block unless the store has it. Returns the batch that it is written with; null if it is written already. */
    @GuardedBy("commits.lock")
    private @Nullable WriteBatch stage(Block block, @Nullable Cid origin) throws IOException {
        boolean isWhole = origin != null && block.cid().equals(origin);
        WriteBatch with = commits.with(block.cid());
        if (with != null && (!isWhole || with.isWhole(block.cid()))) {
            return with;
        }
        if (renewKept(block.cid(), isWhole)) {
            return null;
        }
        WriteBatch now = commits.staging();
        DeltaBases.Choice choice = isWhole ? DeltaBases.whole(block) : deltaBases.choose(block, origin(origin));
        try {
            RecordRef record = choice.recordAt(now.add(choice.content, choice.payload));
            record.cache(new CachedBlock(UnsafeBlocks.bytes(block), choice.chain, block));
            now.stage(record);
            deltaBases.stage(record, origin != null);
        } catch (Error e) {
            // Part of a record may be in the batch. Nothing must be written behind it.
            commits.fail(e);
            throw e;
        }
        return now;
    }

    /** The origin of a block, which is looked up when it is asked for. */
    @SuppressWarnings("GuardedBy") // DeltaBases asks before choose() returns, so under the lock.
    private DeltaBases.@Nullable Origin origin(@Nullable Cid cid) {
        return cid == null ? null : () -> findBase(cid);
    }

    @GuardedBy("commits.lock")
    private @Nullable RecordRef findBase(Cid cid) throws IOException {
        RecordRef staged = commits.staged(cid);
        return staged != null ? staged : blocks.findFirst(current.get(), cid);
    }

    /**
     * Renews the mtime of a block that the store has. Returns false if it has none that can be read.
     *
     * @param isWhole whether only a whole block counts
     */
    private boolean renewKept(Cid cid, boolean isWhole) throws IOException {
        RecordRef block;
        try {
            block = blocks.findRecord(current.get(), cid);
            if (block == null || (isWhole && block.base() != null) || !blocks.isIntact(current.get(), cid)) {
                return false;
            }
        } catch (IOException e) {
            // Damaged, or no longer readable: the block is written again.
            Trace.swallowed("cannot read a block, which is written anew: " + cid, e);
            return false;
        }
        SegmentFile file = current.get().file(block.location().segmentNumber());
        return file == null || Mtimes.tryRenew(disk, file.path(), catalog.mtime(file), disk.now());
    }

    /** Syncs what was written, and lets other processes write. */
    @Override
    public void close() {
        commits.lock.lock();
        try {
            closed = true;
            try {
                commits.close(storeLock.isHeld() && looked);
            } finally {
                release();
            }
        } catch (IOException e) {
            throw catalog.failure("cannot end writing", e);
        } finally {
            commits.lock.unlock();
        }
    }
}
