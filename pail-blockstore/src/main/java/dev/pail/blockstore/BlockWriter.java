package dev.pail.blockstore;

import dev.pail.StoreIOException;
import dev.pail.dag.Oversize;
import dev.pail.disk.Disk;
import dev.pail.disk.Mtimes;
import dev.pail.disk.Unfinished;
import dev.pail.ipld.Block;
import dev.pail.threads.TaskThread;
import dev.pail.trace.Trace;
import dev.pail.unsafe.UnsafeBlocks;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes blocks to files of their own. They are durable when a put returns. A put of a present block renews the mtime of its file. After
 * a failure it relies on nothing that it has seen before, as if the store had just been opened. Safe for use by several threads.
 */
final class BlockWriter {
    /** The folder of files that do not have their names yet. */
    static final String TEMPORARY = ".tmp";

    private static final Duration TEMPORARY_FILES_KEPT = Duration.ofHours(24);

    /** How many blocks are written before their folders are synced: 128 of them with SHA-256. */
    private static final int BATCH = 16_384;

    /** A thread for each of this number of blocks writes files: a sync waits for the disk, and the file system does several at once. */
    private static final int BLOCKS_OF_THREAD = 32;

    private static final int MOST_THREADS = 16;

    private final Disk disk;
    private final BlockFiles files;
    private final Path temporary;
    /** Folders that exist and are durable. */
    private final Set<Path> folders = ConcurrentHashMap.newKeySet();

    private volatile boolean prepared;

    /** How far the clock that stamps files is ahead of the disk's other one. */
    private volatile @Nullable Duration ahead;

    BlockWriter(BlockFiles files) {
        this.disk = files.disk();
        this.files = files;
        this.temporary = files.folder().resolve(TEMPORARY);
    }

    void putAll(Collection<Block> blocks) {
        Oversize.refuse(blocks);
        List<Block> due = new ArrayList<>();
        for (Block block : blocks) {
            due.add(block);
            if (due.size() == BATCH) {
                write(due);
                due.clear();
            }
        }
        write(due);
    }

    /** A block to be written, and its file. */
    private record Due(Block block, Path file) {}

    /** A block in a file that does not have its name yet. */
    private record Written(Path from, Path to) {}

    private void write(List<Block> blocks) {
        if (blocks.isEmpty()) {
            return;
        }
        List<Due> due = new ArrayList<>();
        Queue<Written> written = new ConcurrentLinkedQueue<>();
        Set<Path> touched = new LinkedHashSet<>();
        Path at = files.folder();
        try {
            prepare();
            for (Block block : blocks) {
                Path file = files.file(block.cid());
                at = file;
                createDirectory(Disk.parent(file));
                if (!renewDurably(block, file)) {
                    due.add(new Due(block, file));
                }
                touched.add(Disk.parent(file));
            }
            at = files.folder();
            writeTemporaries(due, written);
            for (Written each : written) {
                at = each.to;
                disk.rename(each.from, each.to);
            }
            for (Path each : touched) {
                at = each;
                disk.syncDirectory(each);
            }
        } catch (IOException e) {
            forget();
            // What cannot be removed is removed with the other temporary files that were left behind.
            written.forEach(each -> Disk.deleteQuietly(disk, each.from, e));
            throw new StoreIOException("cannot keep a block", at.toString(), e);
        }
    }

    /** Writes and syncs temporary files. After a failure, the threads finish the files that they write, and begin no others. */
    private void writeTemporaries(List<Due> due, Queue<Written> written) throws IOException {
        AtomicInteger next = new AtomicInteger();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        Runnable work = () -> {
            try {
                for (int i = next.getAndIncrement(); i < due.size(); i = next.getAndIncrement()) {
                    Due each = due.get(i);
                    written.add(new Written(writeTemporary(UnsafeBlocks.bytes(each.block)), each.file));
                }
            } catch (IOException | RuntimeException | Error e) {
                next.set(due.size());
                failures.add(e);
            }
        };
        int threads = Math.max(1, Math.min(due.size() / BLOCKS_OF_THREAD, MOST_THREADS));
        List<TaskThread> others = IntStream.range(1, threads)
                .mapToObj(i -> new TaskThread("pail-blocks-" + i))
                .toList();
        others.forEach(other -> other.begin(() -> {
            work.run();
            return written;
        }));
        work.run();
        others.forEach(TaskThread::close);
        Throwable failure = failures.poll();
        if (failure != null) {
            failures.forEach(failure::addSuppressed);
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
            throw (IOException) failure;
        }
    }

    /** {@link #renew(Block, Path)}, and syncs the block: another process may have put it. */
    private boolean renewDurably(Block block, Path file) throws IOException {
        try {
            boolean renewed = renew(block, file);
            if (renewed) {
                disk.sync(file);
            }
            return renewed;
        } catch (NoSuchFileException e) {
            // The collector has just deleted it.
            return false;
        }
    }

    /**
     * Renews the mtime of the file of an intact block, unless it is young. Returns false if there is no such file, or this process may not
     * set its mtime: then the caller writes the block anew.
     */
    private boolean renew(Block block, Path file) throws IOException {
        Optional<Disk.FileStatus> status = disk.status(file);
        return status.isPresent()
                && isIntact(block, file, status.get())
                && Mtimes.tryRenew(disk, file, status.get().mtime(), mtimeNow());
    }

    private boolean isIntact(Block block, Path file, Disk.FileStatus status) throws NoSuchFileException {
        if (!status.isFile() || status.size() != block.size()) {
            return false;
        }
        try {
            return Arrays.equals(disk.read(file, Block.MAX_SIZE), UnsafeBlocks.bytes(block));
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            // What the disk cannot read any more is as good as damaged.
            Trace.swallowed("cannot read a block, which is written anew: " + file, e);
            return false;
        }
    }

    /** The present by the clock that sets mtimes. Its difference to the other clock is measured once. */
    Instant mtimeNow() throws IOException {
        Duration known = ahead;
        if (known == null) {
            Instant now = disk.now();
            known = Duration.between(now, probe());
            ahead = known;
        }
        return disk.now().plus(known);
    }

    /** The present by the clock that sets mtimes, from a new file. */
    Instant probe() throws IOException {
        prepare();
        Path file = temporary.resolve(Unfinished.name());
        disk.create(file).close();
        try {
            return disk.status(file)
                    .orElseThrow(() -> new NoSuchFileException(file.toString()))
                    .mtime();
        } finally {
            disk.delete(file);
        }
    }

    /** Copies a file to a name that no file has. The copy has a new mtime. */
    void copy(Path file, Path to) throws IOException {
        prepare();
        disk.rename(writeTemporary(disk.read(file, Block.MAX_SIZE)), to);
    }

    private Path writeTemporary(byte[] bytes) throws IOException {
        Path file = temporary.resolve(Unfinished.name());
        Disk.write(disk, file, bytes);
        return file;
    }

    /** Creates the folders, and removes temporary files that ended processes have left. */
    private void prepare() throws IOException {
        if (prepared) {
            return;
        }
        Disk.createDurably(disk, files.folder());
        createDirectory(temporary);
        prepared = true;
        List<Path> left = disk.list(temporary).stream()
                .filter(file -> !Unfinished.isOfRunningProcess(file))
                .toList();
        if (left.isEmpty()) {
            return;
        }
        // By the clock that sets mtimes: the clock of this process may be ahead.
        Instant old = probe().minus(TEMPORARY_FILES_KEPT);
        for (Path file : left) {
            Optional<Disk.FileStatus> status = disk.status(file);
            if (status.isPresent() && status.get().mtime().isBefore(old)) {
                disk.delete(file);
            }
        }
    }

    /** Creates a folder durably, also if another process has just created it. */
    private void createDirectory(Path path) throws IOException {
        if (!folders.contains(path)) {
            disk.createDirectory(path);
            disk.syncDirectory(Disk.parent(path));
            folders.add(path);
        }
    }

    /** Syncs the names of blocks in a folder. Other processes may have put them. */
    void syncNames(Path folderOfBlocks) {
        if (disk.isDirectory(folderOfBlocks)) {
            try {
                disk.syncDirectory(folderOfBlocks);
            } catch (IOException e) {
                throw failed("cannot keep blocks", folderOfBlocks, e);
            }
        }
    }

    /** Forgets which folders are durable and how the clocks differ: the next put examines them. */
    private void forget() {
        prepared = false;
        ahead = null;
        folders.clear();
    }

    /** The exception for a failed write. The next put relies on nothing that was seen before it. */
    StoreIOException failed(String what, Path where, IOException error) {
        forget();
        return new StoreIOException(what, where.toString(), error);
    }
}
