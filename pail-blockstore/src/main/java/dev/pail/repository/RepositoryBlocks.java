package dev.pail.repository;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.StoreIOException;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.blockstore.SegmentBlockStore;
import dev.pail.dag.CidSet;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.lock.WriterLock;
import dev.pail.sweep.LooseBlocks;
import dev.pail.sweep.SweptBlocks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a repository: in files of their own, in segments, or some there and some here. New ones go where the repository is configured to
 * keep them; reads look in both places. For use by several threads at once.
 */
final class RepositoryBlocks implements BlockStore {
    /** So many blocks are moved at a time, */
    private static final int PORTION = 1024;

    /** or so many bytes, if that is less. */
    private static final long PORTION_BYTES = 4 << 20;

    private final Disk disk;
    private final Path fileFolder;
    private final Path segmentFolder;
    private final DirectoryBlockStore files;
    private final Duration patience;
    private final boolean segmentsFirst;

    /** Opened when it is first needed: as a rule there are no segments, and a command that only reads has better to do. */
    private volatile @Nullable SegmentBlockStore segments;

    private boolean closed;

    RepositoryBlocks(Disk disk, Path folder, BlockStorage storage, Duration patience) {
        this.disk = disk;
        this.segmentFolder = folder.resolve("segments");
        this.fileFolder = folder.resolve("blocks");
        this.files = DirectoryBlockStore.open(disk, fileFolder, folder.resolve("trash"));
        this.patience = patience;
        this.segmentsFirst = storage == BlockStorage.SEGMENTS;
    }

    private SegmentBlockStore segments() {
        SegmentBlockStore opened = segments;
        return opened == null ? openSegments() : opened;
    }

    private synchronized SegmentBlockStore openSegments() {
        SegmentBlockStore opened = segments;
        if (closed) {
            throw new IllegalStateException("the block store is closed: " + segmentFolder);
        }
        if (opened == null) {
            opened = SegmentBlockStore.open(disk, segmentFolder, patience);
            segments = opened;
        }
        return opened;
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
        }
        if (found.isPresent() || !hasSecond()) {
            return found;
        }
        found = look.apply(second());
        // It may have been moved between the two looks.
        return found.isEmpty() ? look.apply(first) : found;
    }

    private boolean hasSecond() {
        return segmentsFirst || disk.isFolder(segmentFolder);
    }

    private BlockStore second() {
        return segmentsFirst ? files : segments();
    }

    @Override
    public Optional<Block> get(Cid cid) {
        return find(store -> store.get(cid));
    }

    @Override
    public boolean has(Cid cid) {
        return find(store -> store.has(cid) ? Optional.of(cid) : Optional.empty())
                .isPresent();
    }

    @Override
    public void put(Block block) {
        first().put(block);
    }

    @Override
    public void putAll(Collection<Block> blocks) {
        first().putAll(blocks);
    }

    @Override
    public void putAll(Collection<Block> blocks, Map<Cid, Cid> origins) {
        first().putAll(blocks, origins);
    }

    /** Forgets what others have taken away. */
    void renew() {
        SegmentBlockStore opened = segments;
        if (opened != null) {
            opened.renew();
        }
    }

    /** The blocks as a garbage collector sees them. */
    SweptBlocks swept() {
        SweptBlocks inFiles = files.swept();
        return new SweptBlocks() {
            @Override
            public Optional<Block> look(Cid cid) {
                return find(store -> (store == files ? inFiles : segments().swept()).look(cid));
            }

            @Override
            public Instant clock() {
                return disk.isFolder(fileFolder)
                        ? inFiles.clock()
                        : segments().swept().clock();
            }

            @Override
            public Iterator<Portion> portions() {
                List<Iterator<Portion>> all = new ArrayList<>();
                all.add(inFiles.portions());
                if (disk.isFolder(segmentFolder)) {
                    all.add(segments().swept().portions());
                }
                return new Joined(all);
            }
        };
    }

    /** One after the other. */
    private record Joined(List<Iterator<SweptBlocks.Portion>> all) implements Iterator<SweptBlocks.Portion> {
        @Override
        public boolean hasNext() {
            return all.stream().anyMatch(Iterator::hasNext);
        }

        @Override
        public SweptBlocks.Portion next() {
            return all.stream()
                    .filter(Iterator::hasNext)
                    .findFirst()
                    .orElseThrow(NoSuchElementException::new)
                    .next();
        }
    }

    /** Some blocks, and how many bytes they have. */
    record Sum(long blocks, long bytes) {}

    /** Counts blocks. */
    private static final class Counter {
        private final LongConsumer progress;
        private long blocks;
        private long bytes;

        Counter(LongConsumer progress) {
            this.progress = progress;
        }

        void add(long size) {
            blocks++;
            bytes += size;
            progress.accept(size);
        }

        Sum sum() {
            return new Sum(blocks, bytes);
        }
    }

    /** @param lock that of the repository */
    Sum pack(WriterLock lock, LongConsumer progress) {
        LooseBlocks loose = files.loose();
        List<LooseBlocks.Loose> all = new ArrayList<>();
        loose.forEach(all::add);
        all.sort(Comparator.comparing(LooseBlocks.Loose::modified)
                .thenComparing(LooseBlocks.Loose::size)
                .thenComparing(LooseBlocks.Loose::cid));
        Counter counter = new Counter(progress);
        for (int from = 0; from < all.size(); ) {
            int end = end(all, from);
            List<LooseBlocks.Loose> portion = all.subList(from, end);
            lock.holding(() -> pack(loose, portion, counter));
            from = end;
        }
        return counter.sum();
    }

    private static int end(List<LooseBlocks.Loose> all, int from) {
        int end = from;
        for (long bytes = 0; end < all.size() && end - from < PORTION && bytes < PORTION_BYTES; end++) {
            bytes += all.get(end).size();
        }
        return end;
    }

    private void pack(LooseBlocks loose, List<LooseBlocks.Loose> portion, Counter counter) {
        List<Block> blocks = new ArrayList<>();
        for (LooseBlocks.Loose each : portion) {
            read(loose, each.cid()).ifPresent(blocks::add);
        }
        segments().putAll(blocks);
        for (Block block : blocks) {
            loose.remove(block.cid());
            counter.add(block.size());
        }
    }

    /** A block, if it is there; where nobody here can tell whether it is right, it stays where it is. */
    private static Optional<Block> read(LooseBlocks loose, Cid cid) {
        try {
            return loose.read(cid);
        } catch (UnsupportedHashException e) {
            return Optional.empty();
        }
    }

    /** @param lock that of the repository */
    Sum unpack(WriterLock lock, LongConsumer progress) {
        CidSet moved = new CidSet();
        Counter counter = new Counter(progress);
        if (disk.isFolder(segmentFolder)) {
            Emerging portion = new Emerging(counter);
            segments().forEach(cid -> {
                if (moved.add(cid.raw())) {
                    segments().get(cid).ifPresent(portion::add);
                }
            });
            portion.write();
            lock.holding(() -> segments().compact(cid -> !moved.contains(cid.raw())));
        }
        return counter.sum();
    }

    /** Blocks that are to get files. */
    private final class Emerging {
        private final Counter counter;
        private final List<Block> blocks = new ArrayList<>();
        private long bytes;

        Emerging(Counter counter) {
            this.counter = counter;
        }

        void add(Block block) {
            blocks.add(block);
            bytes += block.size();
            if (blocks.size() == PORTION || bytes >= PORTION_BYTES) {
                write();
            }
        }

        void write() {
            files.putAll(blocks);
            blocks.forEach(block -> counter.add(block.size()));
            blocks.clear();
            bytes = 0;
        }
    }

    /** What the blocks take. */
    StorageStatistics storage() {
        LooseBlocks loose = files.loose();
        Counter inFiles = new Counter(bytes -> {});
        loose.forEach(each -> inFiles.add(each.size()));
        Counter inTrash = new Counter(bytes -> {});
        loose.forEachInTrash(each -> inTrash.add(each.size()));
        return new StorageStatistics(
                inFiles.blocks,
                inFiles.bytes,
                inTrash.blocks,
                inTrash.bytes,
                segments().statistics(),
                segmentBytes());
    }

    /** How many bytes they have on disk, without those in the trash. */
    long physicalBytes() {
        Counter inFiles = new Counter(bytes -> {});
        files.loose().forEach(each -> inFiles.add(each.size()));
        return inFiles.bytes + segmentBytes();
    }

    private long segmentBytes() {
        try {
            long bytes = 0;
            for (Path file : disk.isFolder(segmentFolder) ? disk.list(segmentFolder) : Collections.<Path>emptyList()) {
                Optional<Disk.Facts> facts = disk.facts(file).filter(Disk.Facts::isFile);
                bytes += file.endsWith("LOCK") ? 0 : facts.map(Disk.Facts::size).orElse(0L);
            }
            return bytes;
        } catch (IOException e) {
            throw new StoreIOException("cannot list the segments", segmentFolder.toString(), Disk.reason(e), e);
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
