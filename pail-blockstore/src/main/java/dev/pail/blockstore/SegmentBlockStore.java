package dev.pail.blockstore;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.pail.BlockLocation;
import dev.pail.LocatedBlocks;
import dev.pail.MissingBlockException;
import dev.pail.OriginHints;
import dev.pail.RowLoc;
import dev.pail.StoreDamagedException;
import dev.pail.StoreIOException;
import dev.pail.dag.Oversize;
import dev.pail.dag.ShardWalk;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.Listing;
import dev.pail.segment.Segments;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.sweep.SweptBlocks;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A store in a few large append-only files (segments). It stores a block that was made from another as a delta. So a new version of a
 * pail takes about as many bytes as have changed, and one sync. {@code spec/segments.md} defines the files. With
 * {@link Durability#SYNC}, the store reserves up to 256 KiB at the end of the last segment, which makes a sync cheaper.
 *
 * <p>{@link Durability} says which puts a loss of power may lose. After a failed write or sync, the next put with
 * {@link Durability#SYNC} examines the files as if the store had just been opened. Otherwise the store refuses further puts until it is
 * opened again, because blocks may be lost whose puts have returned. If a loss of power has torn the tail, the next writer moves the torn bytes aside. If any other part is damaged, all
 * other blocks stay readable; a read of a block that may be in the damaged part throws an error that names file and offset.
 *
 * <p>One process at a time writes to a store. With {@link Durability#SYNC}, it holds the lock during a put or overlapping puts, and after
 * half a second it lets waiting writers go first. Otherwise it holds the lock from its first put until it closes the store. A put waits
 * up to ten seconds for another process, and then throws {@link dev.pail.StoreLockedException}. Any number of processes can read at the
 * same time, and see later writes. Safe for use by several threads; puts of several threads share their syncs.
 *
 * <p>A block is found under every CID with its multihash.
 *
 * <pre>{@code
 * try (SegmentBlockStore store = SegmentBlockStore.open(folder)) {
 *     Pail version = Pail.create(store, ShardFormat.v1()).putBytes("title", new byte[] {1}); // durable, one sync a put
 *     long bytes = store.statistics().storedBytes();
 * }
 * }</pre>
 */
public final class SegmentBlockStore implements OriginHints, LocatedBlocks {
    private static final long BATCH_BYTES = 1 << 20;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Disk disk;
    private final Path folder;
    private final Segments segments;

    private SegmentBlockStore(Disk disk, Path folder, Segments segments) {
        this.disk = disk;
        this.folder = folder;
        this.segments = segments;
    }

    /**
     * Opens the store in a folder, with {@link Durability#SYNC}. If the folder does not exist, the first put creates it; its parent must
     * exist.
     */
    public static SegmentBlockStore open(Path folder) {
        return open(folder, Durability.SYNC);
    }

    /** As {@link #open(Path)}, with a durability. */
    public static SegmentBlockStore open(Path folder, Durability durability) {
        return open(Disk.system(), folder, durability);
    }

    /** Opens the store in a folder of a disk. */
    public static SegmentBlockStore open(Disk disk, Path folder, Durability durability) {
        return open(disk, folder, durability, Segments.SEGMENT_SIZE, true, PATIENCE);
    }

    /**
     * Opens the store in a folder of a disk, with {@link Durability#SYNC}.
     *
     * @param packs whether new deltas are packed (spec rule SEG20): version 0.1 cannot read them
     * @param patience how long to wait for another writer
     */
    public static SegmentBlockStore open(Disk disk, Path folder, boolean packs, Duration patience) {
        return open(disk, folder, Durability.SYNC, Segments.SEGMENT_SIZE, packs, patience);
    }

    /** @param segmentSize see {@link Segments#open} */
    static SegmentBlockStore open(
            Disk disk, Path folder, Durability durability, long segmentSize, boolean packs, Duration patience) {
        Objects.requireNonNull(disk, "disk");
        Objects.requireNonNull(folder, "folder");
        Objects.requireNonNull(patience, "patience");
        long maxUnsynced = switch (durability) {
            case SYNC -> 0;
            case BATCH -> BATCH_BYTES;
            case NONE -> Long.MAX_VALUE;
        };
        return new SegmentBlockStore(
                disk, folder, Segments.open(disk, folder, maxUnsynced, segmentSize, packs, patience));
    }

    @Override
    public Optional<Block> get(Cid cid) {
        return segments.get(Objects.requireNonNull(cid, "cid"));
    }

    @Override
    public boolean has(Cid cid) {
        return segments.has(Objects.requireNonNull(cid, "cid"));
    }

    @Override
    public Set<Cid> hasAll(Collection<Cid> cids) {
        return segments.hasAll(Objects.requireNonNull(cids, "cids"));
    }

    @Override
    public BlockLocation locate(Cid cid) {
        return find(cid).orElseThrow(() -> new MissingBlockException(cid));
    }

    /** As {@link #locate}; empty if the block is missing. */
    public Optional<BlockLocation> find(Cid cid) {
        return segments.locate(Objects.requireNonNull(cid, "cid"));
    }

    @Override
    public Optional<Block> read(RowLoc location) {
        return segments.read(Objects.requireNonNull(location, "location"));
    }

    @Override
    public void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
        Objects.requireNonNull(origins, "origins");
        Oversize.refuse(blocks);
        segments.putAll(blocks, origins);
    }

    /**
     * Removes all blocks except the wanted ones and their bases, by writing those to new files. Puts wait until this is done; reads do
     * not. An interruption at any point loses no wanted block.
     *
     * @param wanted is called for each block, perhaps several times. It may read blocks; if it writes to the store, the write throws
     *     {@link IllegalStateException}
     * @throws dev.pail.StoreIOException if reading or writing failed, or a part of the store is damaged
     */
    public void compact(Predicate<Cid> wanted) {
        Objects.requireNonNull(wanted, "wanted");
        segments.compact(wanted);
    }

    /**
     * Removes blocks for good: rewrites all segments from the first one with such a block on, stores each block that was a delta to one of
     * them whole, and deletes the torn tails that earlier writers have moved aside. Takes as long as {@link #compact}. When this returns, no
     * file of the store has the bytes.
     *
     * @throws dev.pail.StoreIOException if reading or writing failed, or a part of the store is damaged. No other block is lost, and a later
     *     call finishes the work
     */
    public void erase(Collection<Cid> cids) {
        segments.erase(List.copyOf(cids));
    }

    /**
     * Copies the shards of versions into new segments side by side, if a sample shows that they are scattered: then a walk reads many shards
     * at once. Removes the copies of earlier calls that have another copy. Versions of fewer than 1,024 shards stay as they are. Puts wait
     * while a segment is written. Takes disk space for at most one copy of the shards. An interruption at any point loses no block.
     *
     * @param roots the roots of all versions that are to be read often; a root that the store does not have is left out
     * @return whether shards were copied
     * @throws StoreIOException if reading or writing failed. If the disk has no space for copies, all stays as it is
     * @throws dev.pail.StoreLockedException if another writer holds the lock for longer than the patience
     */
    @CanIgnoreReturnValue
    public boolean cluster(Collection<Cid> roots) {
        segments.checkOpen();
        List<Cid> large = roots.stream()
                .distinct()
                .filter(root -> Scatter.isLarge(segments, root))
                .toList();
        // All of them: copies that only one version needs would be taken for those of an earlier call.
        boolean isScattered = large.stream().anyMatch(root -> Scatter.isScattered(segments, root));
        if (isScattered) {
            segments.copy(new ShardWalk(large, segments::get));
        }
        return isScattered;
    }

    /** Counts the blocks and the bytes that they take. If the store is damaged, counts the rest. */
    public SegmentStatistics statistics() {
        while (true) {
            SegmentStatistics.Counts counts = new SegmentStatistics.Counts();
            Listing listed = segments.forEach(counts::add);
            if (!listed.repeated()) {
                return counts.statistics(Stream.of(listed.damages(), listed.corrupt())
                        .flatMap(List::stream)
                        .toList());
            }
        }
    }

    /**
     * Passes on the CIDs of all blocks, in the order of their first puts; some may come again. Blocks that are put meanwhile may be left
     * out.
     *
     * @throws StoreDamagedException if a part of the store is damaged, so blocks may be left out. All other blocks were passed on
     */
    public void forEach(Consumer<Cid> action) {
        Objects.requireNonNull(action, "action");
        List<String> damages =
                segments.forEach(kept -> action.accept(kept.cid())).damages();
        if (!damages.isEmpty()) {
            throw new StoreDamagedException("cannot list all blocks", folder.toString(), damages.get(0), null);
        }
    }

    /**
     * Makes the puts of other processes durable: those may have ended before their sync.
     *
     * @throws StoreIOException if the sync failed
     * @throws dev.pail.StoreLockedException if another writer holds the lock for longer than the patience
     */
    public void settle() {
        segments.settle();
    }

    /** Reads the changes of other processes. Until then, this store may still find blocks that they have removed. */
    public void renew() {
        segments.renew();
    }

    /** Returns the blocks for a garbage collector. */
    public SweptBlocks swept() {
        return new SweptBlocks() {
            @Override
            public Optional<Block> look(Cid cid) {
                return get(cid);
            }

            @Override
            public Instant clock() {
                return disk.now();
            }

            @Override
            public Iterator<Portion> portions() {
                return List.<Portion>of(new All()).iterator();
            }
        };
    }

    /** All blocks: of what one is made, must not be taken away without looking at all behind it. */
    private final class All implements SweptBlocks.Portion {
        @Override
        public Swept preview(SweepRule rule) {
            return segments.preview(rule);
        }

        @Override
        public Swept sweep(SweepRule rule) {
            return segments.sweep(rule);
        }
    }

    /**
     * Records in the files that all puts so far are durable. Without such a record, damage to the last put looks the same as a put that a
     * loss of power has torn. For a caller that deletes other copies of these blocks. With {@link Durability#SYNC} only.
     *
     * @throws StoreIOException if writing failed
     */
    public void confirm() {
        segments.confirm();
    }

    @Override
    public void close() {
        segments.close();
    }
}
