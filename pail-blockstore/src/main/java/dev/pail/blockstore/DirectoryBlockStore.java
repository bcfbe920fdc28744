package dev.pail.blockstore;

import dev.pail.BlockStore;
import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsafeBlocks;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.sweep.LooseBlocks;
import dev.pail.sweep.SweptBlocks;
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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps each block in a file of its own, laid out as npm {@code blockstore-fs} 4 does: the name is the multihash in
 * multibase base32upper with {@code .data} behind it, the folder has the last two characters of the multihash for its name.
 * So a block is found under every CID with its multihash.
 *
 * <p>When a put returns, the block survives a loss of power: its file was written under another name in {@code .tmp},
 * synced, renamed, and the folder synced. After a write or a sync failed, the store refuses further puts until it is opened
 * again, because the operating system may then take for written what is not.
 *
 * <p>A garbage collector may move blocks to the trash, from where {@code get}, {@code has} and {@code put} bring them back. The
 * trash has the same layout in another folder.
 *
 * <p>Several processes may use the same folder at once. Safe for use by several threads.
 */
public final class DirectoryBlockStore implements BlockStore {
    private static final Duration TEMPORARY_FILES_KEPT = Duration.ofHours(24);

    /** So many blocks are written before their folders are synced. */
    private static final int BATCH = 1024;

    private static final int MOST_REMEMBERED = 100_000;

    /** A time stamp is not set again before that. */
    private static final Duration STAMP_KEPT = Duration.ofMinutes(30);

    private final Disk disk;
    private final Path folder;
    private final BlockFiles files;

    /** Where blocks go before they are deleted. */
    private final BlockFiles trash;

    private final Path temporary;

    /** Folders that are known to be there, and safe. */
    private final Set<Path> folders = ConcurrentHashMap.newKeySet();

    /** Blocks that are known to be there, and safe. */
    private final Set<Cid> safe = ConcurrentHashMap.newKeySet();

    private volatile boolean prepared;
    private volatile boolean closed;
    private volatile @Nullable IOException failure;

    /** How far the clock that stamps files is ahead of the disk's other one. */
    private volatile @Nullable Duration ahead;

    private DirectoryBlockStore(Disk disk, Path folder, Path trash) {
        this.disk = disk;
        this.folder = folder;
        this.files = new BlockFiles(disk, folder);
        this.trash = new BlockFiles(disk, trash);
        this.temporary = folder.resolve(".tmp");
    }

    /**
     * The store in a folder. The folder is created, if it is not there, when the first block is put; the one around it must be
     * there.
     */
    public static DirectoryBlockStore open(Path folder) {
        return open(Disk.system(), folder);
    }

    /** The store in a folder of a disk. */
    @SuppressWarnings("exports")
    public static DirectoryBlockStore open(Disk disk, Path folder) {
        return open(disk, folder, folder.resolve(".trash"));
    }

    /** The store in a folder of a disk, from which blocks go to another folder before they are deleted. */
    @SuppressWarnings("exports")
    public static DirectoryBlockStore open(Disk disk, Path folder, Path trash) {
        return new DirectoryBlockStore(disk, folder, trash);
    }

    @Override
    public Optional<Block> get(Cid cid) {
        Optional<Block> found = read(files, cid);
        if (found.isPresent() || !disk.isFolder(trash.folder())) {
            return found;
        }
        Optional<Block> thrown = read(trash, cid);
        if (thrown.isEmpty()) {
            // It may have come back between the two looks.
            return read(files, cid);
        }
        try {
            put(thrown.get());
        } catch (StoreIOException e) {
            // Whoever reads has what was asked for; whoever writes is told, as nothing is written any more.
            return thrown;
        }
        return thrown;
    }

    /** The block of this name, if it is there or in the trash, where it stays. */
    Optional<Block> look(Cid cid) {
        Optional<Block> found = read(files, cid);
        if (found.isEmpty() && disk.isFolder(trash.folder())) {
            found = read(trash, cid);
            return found.isEmpty() ? read(files, cid) : found;
        }
        return found;
    }

    Optional<Block> read(BlockFiles from, Cid cid) {
        checkOpen();
        if (cid.hashFunction() == Cid.IDENTITY) {
            return Optional.empty();
        }
        try {
            return from.read(cid);
        } catch (IOException e) {
            throw failure("cannot read a block", from.file(cid), e);
        }
    }

    @Override
    public boolean has(Cid cid) {
        checkOpen();
        if (cid.hashFunction() == Cid.IDENTITY) {
            return false;
        }
        try {
            if (files.facts(cid).isPresent()) {
                return true;
            }
            return disk.isFolder(trash.folder()) && isBack(cid);
        } catch (IOException e) {
            throw failure("cannot look at a block", files.file(cid), e);
        }
    }

    /** Brings a block back from the trash, if it is there. */
    private boolean isBack(Cid cid) throws IOException {
        if (trash.facts(cid).isEmpty()) {
            return files.facts(cid).isPresent();
        }
        try {
            Optional<Block> thrown = trash.read(cid);
            if (failure == null) {
                thrown.ifPresent(this::put);
            }
            return thrown.isPresent() || files.facts(cid).isPresent();
        } catch (UnsupportedHashException e) {
            return true;
        }
    }

    @Override
    public void put(Block block) {
        putAll(List.of(block));
    }

    @Override
    public void putAll(Collection<Block> blocks) {
        checkOpen();
        checkWritable();
        List<Block> due = new ArrayList<>();
        for (Block block : blocks) {
            if (!safe.contains(block.cid()) || !isStillThere(block)) {
                due.add(block);
            }
            if (due.size() == BATCH) {
                write(due);
                due.clear();
            }
        }
        write(due);
    }

    /** A block in a file that does not have its name yet. */
    private record Written(Path from, Path to) {}

    private void write(List<Block> blocks) {
        if (blocks.isEmpty()) {
            return;
        }
        List<Written> written = new ArrayList<>();
        Set<Path> touched = new LinkedHashSet<>();
        Path at = folder;
        try {
            prepare();
            for (Block block : blocks) {
                Path file = files.file(block.cid());
                at = file;
                if (!isKept(block, file)) {
                    createFolder(Disk.around(file));
                    written.add(new Written(writeTemporary(block), file));
                }
                touched.add(Disk.around(file));
            }
            for (Written each : written) {
                at = each.to;
                disk.rename(each.from, each.to);
            }
            for (Path each : touched) {
                at = each;
                disk.forceFolder(each);
            }
        } catch (IOException e) {
            failure = e;
            written.forEach(each -> removeQuietly(each.from));
            throw failure("cannot keep a block", at, e);
        }
        if (safe.size() > MOST_REMEMBERED) {
            safe.clear();
        }
        blocks.forEach(block -> safe.add(block.cid()));
    }

    /** Whether a block that was safe still is: a garbage collector may have taken it away. Renews its time stamp. */
    private boolean isStillThere(Block block) {
        Path file = files.file(block.cid());
        try {
            Optional<Disk.Facts> facts = disk.facts(file);
            if (facts.isEmpty()) {
                return false;
            }
            renew(file, facts.get());
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            failure = e;
            throw failure("cannot keep a block", file, e);
        }
    }

    /** Whether the block is there as it should be, and now safe: another process may have put it. Renews its time stamp. */
    private boolean isKept(Block block, Path file) throws IOException {
        try {
            Optional<Disk.Facts> facts = disk.facts(file);
            boolean intact = facts.isPresent()
                    && facts.get().isFile()
                    && facts.get().size() == block.size()
                    && Arrays.equals(disk.read(file, Block.MAX_SIZE), UnsafeBlocks.bytes(block));
            if (intact) {
                disk.force(file);
                renew(file, facts.get());
            }
            return intact;
        } catch (NoSuchFileException e) {
            // It has just been taken away.
            return false;
        }
    }

    private void renew(Path file, Disk.Facts facts) throws IOException {
        Instant now = stampTime();
        if (facts.modified().isBefore(now.minus(STAMP_KEPT))) {
            disk.touch(file, now);
        }
    }

    /** The time by the clock that stamps files, as it was found to differ from the other when it was asked first. */
    Instant stampTime() throws IOException {
        Duration known = ahead;
        if (known == null) {
            Instant now = disk.now();
            known = Duration.between(now, probe());
            ahead = known;
        }
        return disk.now().plus(known);
    }

    /** The time by the clock that stamps files. */
    Instant probe() throws IOException {
        prepare();
        Path file = temporary.resolve(UUID.randomUUID().toString());
        disk.create(file).close();
        try {
            return disk.facts(file)
                    .orElseThrow(() -> new NoSuchFileException(file.toString()))
                    .modified();
        } finally {
            disk.delete(file);
        }
    }

    /** The blocks as a garbage collector sees them. */
    @SuppressWarnings("exports")
    public SweptBlocks swept() {
        return new DirectorySweep(disk, this, files, trash);
    }

    /** The blocks, to be moved elsewhere. */
    @SuppressWarnings("exports")
    public LooseBlocks loose() {
        return new DirectorySweep(disk, this, files, trash);
    }

    /** Sees to it that nothing is written any more. */
    StoreIOException failed(String what, Path where, IOException error) {
        failure = error;
        return failure(what, where, error);
    }

    private Path writeTemporary(Block block) throws IOException {
        Path file = temporary.resolve(UUID.randomUUID().toString());
        try (Disk.WritableFile out = disk.create(file)) {
            out.write(UnsafeBlocks.bytes(block));
            out.force();
        } catch (IOException e) {
            removeQuietly(file);
            throw e;
        }
        return file;
    }

    private void removeQuietly(Path file) {
        try {
            disk.delete(file);
        } catch (IOException e) {
            // It is removed with the other temporary files that were left behind.
            return;
        }
    }

    /** Makes the folders for writing, and removes temporary files that were left behind. */
    private void prepare() throws IOException {
        if (prepared) {
            return;
        }
        if (!disk.isFolder(folder)) {
            createFolder(folder);
        }
        createFolder(temporary);
        Instant old = disk.now().minus(TEMPORARY_FILES_KEPT);
        for (Path file : disk.list(temporary)) {
            Optional<Disk.Facts> facts = disk.facts(file);
            if (facts.isPresent() && facts.get().modified().isBefore(old)) {
                disk.delete(file);
            }
        }
        prepared = true;
    }

    /** Creates a folder and makes safe that it is there, even if another process has just created it. */
    private void createFolder(Path path) throws IOException {
        if (!folders.contains(path)) {
            disk.createFolder(path);
            disk.forceFolder(Disk.around(path));
            folders.add(path);
        }
    }

    static StoreIOException failure(String what, Path where, IOException error) {
        return new StoreIOException(what, where.toString(), Disk.reason(error), error);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the block store is closed: " + folder);
        }
    }

    void checkWritable() {
        IOException failed = failure;
        if (failed != null) {
            throw failure("nothing is written after a failure, until the store is opened again", folder, failed);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
