package dev.pail.repository.files;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.BlockLocation;
import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.ErasedBlockException;
import dev.pail.LocatedBlocks;
import dev.pail.MissingBlockException;
import dev.pail.OriginHints;
import dev.pail.PailException;
import dev.pail.RowLoc;
import dev.pail.StoreDamagedException;
import dev.pail.StoreIOException;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.blockstore.LooseBlocks;
import dev.pail.blockstore.SegmentBlockStore;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.repository.spi.Erasures;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.sweep.SweptBlocks;
import dev.pail.trace.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a repository: in files of their own, in segments, or some there and some here. New ones go where the repository is configured to
 * keep them; reads look in both places. For use by several threads at once.
 */
final class FileBlocks implements RepositoryBlocks, LocatedBlocks {
    private final RepositoryFolder folder;
    private final Disk disk;
    private final Path fileFolder;
    private final Path trashFolder;
    private final Path segmentFolder;
    private final DirectoryBlockStore files;
    private final boolean packs;
    private final Duration patience;
    private final boolean segmentsFirst;
    private final UnsyncedFolders unsynced;

    private final FileErasures erasures;

    /** Opened late: most repositories have no segments, and a command that only reads need not look. */
    private volatile @Nullable SegmentBlockStore segments;

    @GuardedBy("this")
    private boolean closed;

    /**
     * @param folder where nothing is written any more when a block could not be stored
     * @param packs whether new deltas in segments are packed
     */
    FileBlocks(RepositoryFolder folder, BlockStorage storage, boolean packs, Duration patience) {
        this.folder = folder;
        this.disk = folder.disk();
        this.segmentFolder = folder.resolve("segments");
        this.fileFolder = folder.resolve("blocks");
        this.trashFolder = folder.resolve("trash");
        this.files = DirectoryBlockStore.open(disk, fileFolder, trashFolder);
        this.erasures = new FileErasures(folder, this);
        this.unsynced = new UnsyncedFolders(files, this::settleSegments);
        this.packs = packs;
        this.patience = patience;
        this.segmentsFirst = storage == BlockStorage.SEGMENTS;
    }

    /** The blocks that have files of their own. */
    DirectoryBlockStore files() {
        return files;
    }

    /** The blocks in segments. */
    SegmentBlockStore segments() {
        SegmentBlockStore opened = segments;
        return opened == null ? openSegments() : opened;
    }

    private synchronized SegmentBlockStore openSegments() {
        SegmentBlockStore opened = segments;
        if (closed) {
            throw new IllegalStateException("the block store is closed: " + segmentFolder);
        }
        if (opened == null) {
            opened = SegmentBlockStore.open(disk, segmentFolder, packs, patience);
            segments = opened;
        }
        return opened;
    }

    /** @throws IllegalStateException if this is closed */
    synchronized void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the repository is closed: " + folder.path());
        }
    }

    private BlockStore first() {
        return segmentsFirst ? segments() : files;
    }

    /** Looks in one place after the other. Whether there is another is only asked where the first has nothing. */
    private <T> Optional<T> find(Function<BlockStore, Optional<T>> look) {
        BlockStore first = first();
        Optional<T> found;
        try {
            found = look.apply(first);
        } catch (CorruptBlockException | StoreIOException e) {
            // What is damaged in one place may be well in the other.
            found = hasSecond() ? look.apply(second()) : Optional.empty();
            if (found.isEmpty()) {
                throw e;
            }
            Trace.swallowed("cannot read a block in one place, so it is read in the other", e);
        }
        if (found.isPresent() || !hasSecond()) {
            return found;
        }
        found = look.apply(second());
        // It may have been moved between the two looks.
        return found.isEmpty() ? look.apply(first) : found;
    }

    /** Whether the second place was ever written to. No process deletes its folders again. */
    private boolean hasSecond() {
        return segmentsFirst ? disk.isDirectory(fileFolder) || disk.isDirectory(trashFolder) : hasSegments();
    }

    /** Whether there are segments, so that they need to be asked. */
    boolean hasSegments() {
        return disk.isDirectory(segmentFolder);
    }

    /** Makes durable what other processes have put into segments, if there are any, and says whether there are. */
    boolean settleSegments() {
        if (!hasSegments()) {
            return false;
        }
        segments().settle();
        return true;
    }

    private BlockStore second() {
        return segmentsFirst ? files : segments();
    }

    @Override
    public Optional<Block> get(Cid cid) {
        // Behind the read: another process may have erased the block meanwhile.
        return find(store -> store.get(cid)).filter(block -> !erasures.isErased(cid));
    }

    @Override
    public boolean isNear() {
        return true;
    }

    @Override
    public boolean has(Cid cid) {
        return !erasures.isErased(cid)
                && find(store -> store.has(cid) ? Optional.of(cid) : Optional.empty())
                        .isPresent();
    }

    /** Whether the bytes of a block are in one of the places or in the trash, with a mark or without. */
    boolean isStored(Cid cid) {
        try {
            return files.hasFile(cid) || (hasSegments() && segments().has(cid));
        } catch (CorruptBlockException e) {
            // A damaged part may have had it, and cannot be erased from before it is mended.
            return false;
        }
    }

    @Override
    public Erasures erasures() {
        return erasures;
    }

    /** Looks in one place after the other, and again in the first, as {@link #has}. */
    @Override
    public Set<Cid> hasAll(Collection<Cid> cids) {
        try {
            Set<Cid> found = new HashSet<>(lookForAll(cids));
            erasures.removeMarked(found);
            return found;
        } catch (CorruptBlockException | StoreIOException e) {
            // One by one, since only some may be where the store is damaged.
            Trace.swallowed("cannot look for blocks together", e);
            return RepositoryBlocks.super.hasAll(cids);
        }
    }

    private Set<Cid> lookForAll(Collection<Cid> cids) {
        Set<Cid> found = first().hasAll(cids);
        Set<Cid> others = new LinkedHashSet<>(cids);
        others.removeAll(found);
        if (others.isEmpty() || !hasSecond()) {
            return found;
        }
        Set<Cid> all = new HashSet<>(found);
        Set<Cid> inSecond = second().hasAll(others);
        all.addAll(inSecond);
        others.removeAll(inSecond);
        if (!others.isEmpty()) {
            all.addAll(first().hasAll(others));
        }
        return all;
    }

    @Override
    public OptionalLong usableBytes() {
        try {
            return folder.disk().usableBytes(folder.path());
        } catch (IOException e) {
            Trace.swallowed("cannot ask how much space is left: " + folder.path(), e);
            return OptionalLong.empty();
        }
    }

    @Override
    public void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
        folder.settle();
        erasures.refuse(blocks);
        folder.writing(() -> put(blocks, origins));
        erasures.refuseWritten(blocks);
    }

    /** A damaged file of a block is replaced, also where new blocks go to segments. */
    @Override
    public void replace(Collection<Block> blocks) {
        putAll(blocks, Map.of());
        if (segmentsFirst) {
            List<Block> damaged =
                    blocks.stream().filter(block -> hasDamagedFile(block.cid())).toList();
            folder.writing(() -> files.putAll(damaged));
        }
    }

    private boolean hasDamagedFile(Cid cid) {
        try {
            Optional<Block> unused = files.get(cid);
            return false;
        } catch (CorruptBlockException e) {
            return true;
        }
    }

    @Override
    public void offer(Collection<Block> made, Map<Cid, Cid> origins) {
        put(made, origins);
    }

    /** Puts blocks that are to be whole in a segment there, and the others where new blocks go. */
    private void put(Collection<Block> blocks, Map<Cid, Cid> origins) {
        Predicate<Block> isWhole = block -> Objects.equals(block.cid(), origins.get(block.cid()));
        List<Block> whole =
                segmentsFirst ? List.of() : blocks.stream().filter(isWhole).toList();
        if (whole.isEmpty()) {
            OriginHints.putAll(first(), blocks, origins);
            return;
        }
        segments().putAll(whole, origins);
        OriginHints.putAll(first(), blocks.stream().filter(isWhole.negate()).toList(), origins);
    }

    @Override
    public BlockLocation locate(Cid cid) {
        if (erasures.isErased(cid)) {
            throw new ErasedBlockException(cid);
        }
        Optional<BlockLocation> inSegment = Optional.empty();
        try {
            inSegment = hasSegments() ? segments().find(cid) : inSegment;
        } catch (CorruptBlockException | StoreIOException e) {
            if (!files.has(cid)) {
                throw e;
            }
            Trace.swallowed("cannot look for a block in segments, and it has a file of its own", e);
        }
        if (inSegment.isEmpty() && files.has(cid)) {
            return BlockLocation.without(BlockLocation.Form.FILE);
        }
        return inSegment.orElseThrow(() -> new MissingBlockException(cid));
    }

    @Override
    public Optional<Block> read(RowLoc location) {
        Optional<Block> found = hasSegments() ? segments().read(location) : Optional.empty();
        return found.filter(block -> !erasures.isErased(block.cid()));
    }

    @Override
    public void rely(Cid relied) {
        unsynced.add(relied);
    }

    @Override
    public boolean confirm() {
        boolean[] again = new boolean[1];
        folder.writing(() -> again[0] = unsynced.sync());
        return again[0];
    }

    @Override
    public void renew() {
        SegmentBlockStore opened = segments;
        if (opened != null) {
            opened.renew();
        }
    }

    @Override
    public SweptBlocks swept() {
        SweptBlocks inFiles = files.swept();
        return new SweptBlocks() {
            @Override
            public Optional<Block> look(Cid cid) {
                return find(store -> (store == files ? inFiles : segments().swept()).look(cid));
            }

            @Override
            public Instant clock() {
                return disk.isDirectory(fileFolder)
                        ? inFiles.clock()
                        : segments().swept().clock();
            }

            @Override
            public void cluster(Collection<Cid> roots) {
                if (hasSegments()) {
                    folder.writing(() -> segments().cluster(roots));
                }
            }

            @Override
            public Iterator<Portion> portions() {
                List<Iterator<Portion>> all = new ArrayList<>();
                all.add(inFiles.portions());
                if (hasSegments()) {
                    all.add(segments().swept().portions());
                }
                return new Joined(all, folder);
            }
        };
    }

    /** One after the other. */
    private record Joined(List<Iterator<SweptBlocks.Portion>> all, RepositoryFolder folder)
            implements Iterator<SweptBlocks.Portion> {
        @Override
        public boolean hasNext() {
            return all.stream().anyMatch(Iterator::hasNext);
        }

        @Override
        public SweptBlocks.Portion next() {
            return new Guarded(
                    all.stream()
                            .filter(Iterator::hasNext)
                            .findFirst()
                            .orElseThrow(NoSuchElementException::new)
                            .next(),
                    folder);
        }
    }

    /** A portion after whose failed sweep nothing more is written. */
    private record Guarded(SweptBlocks.Portion portion, RepositoryFolder folder) implements SweptBlocks.Portion {
        @Override
        public Swept preview(SweepRule rule) {
            return portion.preview(rule);
        }

        @Override
        public Swept sweep(SweepRule rule) {
            Swept[] swept = {Swept.NOTHING};
            folder.writing(() -> swept[0] = portion.sweep(rule));
            return swept[0];
        }
    }

    @Override
    public void check(Consumer<PailException> damaged, Runnable progress) {
        LooseBlocks loose = files.loose();
        loose.forEach(each -> check(each.cid(), loose::read, damaged, progress));
        if (hasSegments()) {
            SegmentBlockStore in = segments();
            try {
                in.forEach(cid -> check(cid, in::get, damaged, progress));
            } catch (StoreDamagedException e) {
                damaged.accept(e);
            }
        }
    }

    @Override
    public Set<Cid> lost() {
        return new LostBlocks(folder).read();
    }

    private static void check(
            Cid cid, Function<Cid, Optional<Block>> read, Consumer<PailException> damaged, Runnable progress) {
        progress.run();
        try {
            Optional<Block> there = read.apply(cid);
            there.ifPresent(block -> {});
        } catch (CorruptBlockException | StoreIOException e) {
            damaged.accept(e);
        } catch (UnsupportedHashException e) {
            // Not known to be right, and not known to be anything else.
            return;
        }
    }

    /** What the blocks take. */
    StorageStatistics storage() {
        LooseBlocks loose = files.loose();
        BlockCounter inFiles = new BlockCounter();
        loose.forEach(each -> inFiles.add(each.size()));
        BlockCounter inTrash = new BlockCounter();
        loose.forEachInTrash(each -> inTrash.add(each.size()));
        return new StorageStatistics(
                inFiles.blocks(),
                inFiles.bytes(),
                inTrash.blocks(),
                inTrash.bytes(),
                segments().statistics(),
                segmentBytes());
    }

    /** How many bytes they have on disk, without those in the trash. */
    long physicalBytes() {
        BlockCounter inFiles = new BlockCounter();
        files.loose().forEach(each -> inFiles.add(each.size()));
        return inFiles.bytes() + segmentBytes();
    }

    private long segmentBytes() {
        try {
            long bytes = 0;
            for (Path file : hasSegments() ? disk.list(segmentFolder) : Collections.<Path>emptyList()) {
                Optional<Disk.FileStatus> status = disk.status(file).filter(Disk.FileStatus::isFile);
                bytes += file.endsWith("LOCK")
                        ? 0
                        : status.map(Disk.FileStatus::size).orElse(0L);
            }
            return bytes;
        } catch (IOException e) {
            throw RepositoryFolder.failure("cannot list the segments", segmentFolder, e);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        SegmentBlockStore opened = segments;
        try (files) {
            if (opened != null) {
                opened.close();
            }
        }
    }
}
