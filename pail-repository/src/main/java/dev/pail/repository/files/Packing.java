package dev.pail.repository.files;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockException;
import dev.pail.CorruptBlockException;
import dev.pail.PailException;
import dev.pail.StoreDamagedException;
import dev.pail.blockstore.LooseBlocks;
import dev.pail.blockstore.SegmentBlockStore;
import dev.pail.dag.CidSet;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.lock.WriterLock;
import dev.pail.repository.collect.CollectionPlace;
import dev.pail.repository.collect.NewestVersions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves blocks between files of their own and segments: {@link FileRepository#packing}. Every block is readable all the time: it is deleted
 * in one place only after it is durable in the other. Other processes may read and write meanwhile.
 *
 * <p>Immutable. Safe for use by several threads.
 *
 * <pre>{@code
 * Packing packing = FileRepository.of(FileRepository.open(folder)).orElseThrow().packing();
 * Packing.Moved moved = packing.pack(); // from files into segments
 * System.out.println(moved.blocks() + " blocks, now " + moved.physicalAfter() + " bytes");
 * }</pre>
 */
public final class Packing {
    /** The most blocks moved at a time. */
    private static final int PORTION = 1024;

    /** The most bytes moved at a time; whichever limit is reached first. */
    private static final long PORTION_BYTES = 4 << 20;

    private final FileBlocks blocks;
    private final WriterLock lock;
    private final RepositoryFolder folder;
    private final CollectionPlace place;
    private final LongConsumer progress;
    private final Consumer<PailException> damaged;

    Packing(FileBlocks blocks, WriterLock lock, RepositoryFolder folder, CollectionPlace place) {
        this(blocks, lock, folder, place, bytes -> {}, damage -> {});
    }

    private Packing(
            FileBlocks blocks,
            WriterLock lock,
            RepositoryFolder folder,
            CollectionPlace place,
            LongConsumer progress,
            Consumer<PailException> damaged) {
        this.blocks = blocks;
        this.lock = lock;
        this.folder = folder;
        this.place = place;
        this.progress = progress;
        this.damaged = damaged;
    }

    /** Returns this with a callback that receives the size of each moved block, in bytes. It may change the repository. */
    @CheckReturnValue
    public Packing withProgress(LongConsumer step) {
        return new Packing(blocks, lock, folder, place, Objects.requireNonNull(step, "step"), damaged);
    }

    /** This, which tells of each block that stays because it is damaged, and of each part of the store where blocks may have been. */
    @CheckReturnValue
    public Packing withDamaged(Consumer<PailException> told) {
        return new Packing(blocks, lock, folder, place, progress, Objects.requireNonNull(told, "told"));
    }

    /**
     * What was moved.
     *
     * @param blocks how many blocks
     * @param bytes the size of these
     * @param physicalBefore what all blocks of the repository took, in bytes
     * @param physicalAfter what they take now
     */
    public record Moved(long blocks, long bytes, long physicalBefore, long physicalAfter) {}

    /**
     * Moves all blocks that have files of their own to segments, in the order in which they were written, so that of most shards only what
     * differs from the one before is kept. Then copies the shards of the newest version of each branch together, if they are scattered. The
     * trash stays as it is.
     *
     * @throws dev.pail.CorruptBlockException if a file is damaged: that block stays where it is, all others are moved
     * @throws dev.pail.StoreLockedException if a writer holds the lock for longer than there is patience. Blocks that were moved until
     *     then are in segments
     * @throws dev.pail.StoreIOException if reading or writing failed. Every block is where it was, or in segments
     */
    public Moved pack() {
        return moved(counter -> {
            toSegments(counter);
            NewestVersions.cluster(place);
        });
    }

    /**
     * Moves all blocks that are in segments to files of their own.
     *
     * @throws dev.pail.CorruptBlockException if a block is damaged; then all blocks stay there, and those that can be read have files,
     *     too
     * @throws dev.pail.StoreDamagedException if blocks are lost because a segment is damaged; then the same holds
     * @throws dev.pail.StoreLockedException if a writer holds the lock for longer than there is patience. Every block is where it was, and
     *     has a file, too
     * @throws dev.pail.StoreIOException if reading or writing failed. Every block is where it was, or has a file
     */
    public Moved unpack() {
        return moved(this::toFiles);
    }

    private Moved moved(Consumer<BlockCounter> work) {
        long before = blocks.physicalBytes();
        BlockCounter counter = new BlockCounter(progress);
        work.accept(counter);
        return new Moved(counter.blocks(), counter.bytes(), before, blocks.physicalBytes());
    }

    private void toSegments(BlockCounter counter) {
        LooseBlocks loose = blocks.files().loose();
        List<LooseBlocks.Loose> all = new ArrayList<>();
        loose.forEach(all::add);
        all.sort(Comparator.comparing(LooseBlocks.Loose::mtime)
                .thenComparing(LooseBlocks.Loose::size)
                .thenComparing(LooseBlocks.Loose::cid));
        Damage damage = new Damage();
        WriterLock.Turns turns = lock.turns();
        for (int from = 0; from < all.size(); ) {
            int end = end(all, from);
            List<LooseBlocks.Loose> portion = all.subList(from, end);
            List<Block> moved = turns.holding(() -> toSegments(loose, portion, damage));
            // Without the lock: the listener may take it, too.
            moved.forEach(block -> counter.add(block.size()));
            from = end;
        }
        damage.check();
    }

    /** Where the portion ends that begins here. */
    private static int end(List<LooseBlocks.Loose> all, int from) {
        int end = from;
        for (long bytes = 0; end < all.size() && end - from < PORTION && bytes < PORTION_BYTES; end++) {
            bytes += all.get(end).size();
        }
        return end;
    }

    /** Moves the blocks that can be read, and returns them. */
    private List<Block> toSegments(LooseBlocks loose, List<LooseBlocks.Loose> portion, Damage damage) {
        List<Block> moving = new ArrayList<>();
        for (LooseBlocks.Loose each : portion) {
            damage.passBy(() -> read(loose, each.cid())).ifPresent(moving::add);
        }
        if (!moving.isEmpty()) {
            folder.writing(() -> {
                blocks.segments().putAll(moving);
                // The files are the other copies: what is damaged from now on must not be taken for a torn tail.
                blocks.segments().confirm();
                moving.forEach(block -> loose.remove(block.cid()));
            });
        }
        return moving;
    }

    /** A block, if it exists. A block with an unknown hash function stays where it is. */
    private static Optional<Block> read(LooseBlocks loose, Cid cid) {
        try {
            return loose.read(cid);
        } catch (UnsupportedHashException e) {
            return Optional.empty();
        }
    }

    private void toFiles(BlockCounter counter) {
        if (!blocks.hasSegments()) {
            return;
        }
        blocks.renew();
        SegmentBlockStore segments = blocks.segments();
        CidSet moved = new CidSet();
        CidSet had = new CidSet();
        Emerging portion = new Emerging(counter);
        Damage damage = new Damage();
        forEach(segments, damage, cid -> {
            if (moved.add(cid.raw())) {
                if (blocks.files().has(cid)) {
                    had.add(cid.raw());
                } else {
                    damage.passBy(() -> segments.get(cid)).ifPresent(portion::add);
                }
            }
        });
        portion.write();
        // Checking and syncing these takes as long as moving them. They come last, so that an interrupted run has moved
        // more.
        if (had.size() > 0) {
            CidSet seen = new CidSet();
            forEach(segments, damage, cid -> {
                if (had.contains(cid.raw()) && seen.add(cid.raw())) {
                    damage.passBy(() -> segments.get(cid)).ifPresent(portion::add);
                }
            });
            portion.write();
        }
        damage.keep();
        damage.check();
        lock.holding(() -> {
            // Until now without the lock: a collection may have deleted a file, or another process may have moved it
            // back, or put it without a sync.
            CidSet there = new CidSet();
            UnsyncedFolders unsynced = new UnsyncedFolders(blocks.files(), () -> false);
            segments.forEach(cid -> {
                if (moved.contains(cid.raw()) && blocks.files().has(cid)) {
                    there.add(cid.raw());
                    unsynced.add(cid);
                }
            });
            folder.writing(() -> {
                unsynced.sync();
                segments.compact(cid -> !there.contains(cid.raw()));
            });
        });
    }

    private static void forEach(SegmentBlockStore segments, Damage damage, Consumer<Cid> action) {
        boolean[] acting = new boolean[1];
        try {
            segments.forEach(cid -> {
                acting[0] = true;
                action.accept(cid);
                acting[0] = false;
            });
        } catch (StoreDamagedException e) {
            if (acting[0]) {
                throw e;
            }
            damage.note(e);
        }
    }

    /** The first damage, which is thrown after all other blocks are moved. */
    private final class Damage {
        private final Set<Cid> lost = new LinkedHashSet<>();
        private @Nullable PailException first;

        Optional<Block> passBy(Supplier<Optional<Block>> read) {
            try {
                return read.get();
            } catch (CorruptBlockException e) {
                note(e);
                return Optional.empty();
            }
        }

        void note(PailException damage) {
            first = first == null ? damage : first;
            if (!(damage instanceof BlockException of) || lost.add(of.cid().raw())) {
                damaged.accept(damage);
            }
        }

        void check() {
            if (first != null) {
                throw first;
            }
        }

        /** Records the blocks without another copy (spec rule REP19): the segments are deleted next, and nothing else names these blocks. */
        void keep() {
            if (!lost.isEmpty()) {
                lock.holding(() -> new LostBlocks(folder).add(lost, blocks.files()::has));
            }
        }
    }

    /** Blocks that will get files. */
    private final class Emerging {
        private final BlockCounter counter;
        private final List<Block> portion = new ArrayList<>();
        private long bytes;

        Emerging(BlockCounter counter) {
            this.counter = counter;
        }

        void add(Block block) {
            portion.add(block);
            bytes += block.size();
            if (portion.size() == PORTION || bytes >= PORTION_BYTES) {
                write();
            }
        }

        void write() {
            folder.writing(() -> blocks.files().putAll(portion));
            portion.forEach(block -> counter.add(block.size()));
            portion.clear();
            bytes = 0;
        }
    }
}
