package dev.pail.blockstore;

import dev.pail.OriginHints;
import dev.pail.StoreDamagedException;
import dev.pail.StoreIOException;
import dev.pail.dag.Oversize;
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
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Keeps blocks in a few large files, to which it only appends, and of a block that was made from another only what differs. So a version
 * of a pail takes about the bytes that have changed, and is written with one sync. The files are as {@code spec/segments.md}
 * says. With {@link Durability#SYNC} up to 256 KiB are set aside at the end of the last one, so that a sync has less to do.
 *
 * <p>What a put costs when the power is lost is the store's {@link Durability}. After a write or a sync failed, the store
 * refuses further puts until it is opened again. A tail that was torn by a loss of power is put aside when the store is next written
 * to. Where anything else is damaged, all other blocks stay readable; asking for a block that may be in the damaged part is an
 * error that names file and offset.
 *
 * <p>One process at a time writes to a store: with {@link Durability#SYNC}, as long as a put takes, or puts that overlap, and after half
 * a second others can have it before another put begins; else from its first put until it closes the store. A put waits up to
 * ten seconds for another process, and then throws {@link dev.pail.StoreLockedException}. Any number of processes read at the same
 * time, and see what was written since they opened it. Safe for use by several threads; puts of several threads share their syncs.
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
public final class SegmentBlockStore implements OriginHints {
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
     * The store in a folder, with {@link Durability#SYNC}. The folder is created, if it is not there, when the first block is put;
     * the one around it must be there.
     */
    public static SegmentBlockStore open(Path folder) {
        return open(folder, Durability.SYNC);
    }

    /** The store in a folder, as {@link #open(Path)} has it. */
    public static SegmentBlockStore open(Path folder, Durability durability) {
        return open(Disk.system(), folder, durability);
    }

    /** The store in a folder of a disk. */
    public static SegmentBlockStore open(Disk disk, Path folder, Durability durability) {
        return open(disk, folder, durability, Segments.SEGMENT_SIZE, PATIENCE);
    }

    /**
     * The store in a folder of a disk, with {@link Durability#SYNC}.
     *
     * @param patience how long to wait for another writer
     */
    public static SegmentBlockStore open(Disk disk, Path folder, Duration patience) {
        return open(disk, folder, Durability.SYNC, Segments.SEGMENT_SIZE, patience);
    }

    /** @param segmentSize see {@link Segments#open} */
    static SegmentBlockStore open(Disk disk, Path folder, Durability durability, long segmentSize, Duration patience) {
        Objects.requireNonNull(disk, "disk");
        Objects.requireNonNull(folder, "folder");
        Objects.requireNonNull(patience, "patience");
        long maxUnsynced = switch (durability) {
            case SYNC -> 0;
            case BATCH -> BATCH_BYTES;
            case NONE -> Long.MAX_VALUE;
        };
        return new SegmentBlockStore(disk, folder, Segments.open(disk, folder, maxUnsynced, segmentSize, patience));
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
    public void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
        Objects.requireNonNull(origins, "origins");
        Oversize.refuse(blocks);
        segments.putAll(blocks, origins);
    }

    /**
     * Removes all blocks except the wanted ones and their bases, by writing those to new files. Puts wait until this is done; reads do
     * not. An interruption at any point loses no wanted block.
     *
     * @param wanted is asked for each block, perhaps several times. It may read blocks, and must not write to the store: that is an
     *     {@link IllegalStateException}
     * @throws dev.pail.StoreIOException if it fails, or something in the store is damaged
     */
    public void compact(Predicate<Cid> wanted) {
        Objects.requireNonNull(wanted, "wanted");
        segments.compact(wanted);
    }

    /** What a store holds, and what that takes. Where it is damaged, what is left. */
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
     * Hands over the names of all blocks, in the order in which they were first put; perhaps some of them again. What is put meanwhile
     * may be left out.
     *
     * @throws StoreDamagedException if something in the store is damaged, so that blocks may be left out. All others were handed over
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
     * Makes durable what other processes have put: they may have ended before that.
     *
     * @throws StoreIOException if it fails
     * @throws dev.pail.StoreLockedException if another writer holds the lock for longer than there is patience
     */
    public void settle() {
        segments.settle();
    }

    /** Looks what others have written and removed. Until then, what they have removed may still be found. */
    public void renew() {
        segments.renew();
    }

    /** The blocks as a garbage collector sees them. */
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
     * Notes in the files that all that was put is durable. Without that, damage to what was put last cannot be told from the end of a put that
     * a loss of power has broken off. For a caller that deletes other copies of these blocks. With {@link Durability#SYNC} only.
     *
     * @throws StoreIOException if it fails
     */
    public void confirm() {
        segments.confirm();
    }

    @Override
    public void close() {
        segments.close();
    }
}
