package dev.pail.blockstore;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsafeBlocks;
import java.io.IOException;
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
 * <p>Several processes may use the same folder at once. Safe for use by several threads.
 */
public final class DirectoryBlockStore implements BlockStore {
    private static final String SUFFIX = ".data";
    private static final Duration TEMPORARY_FILES_KEPT = Duration.ofHours(24);

    /** So many blocks are written before their folders are synced. */
    private static final int BATCH = 1024;

    private static final int MOST_REMEMBERED = 100_000;

    private final Disk disk;
    private final Path folder;
    private final Path temporary;

    /** Folders that are known to be there, and safe. */
    private final Set<Path> folders = ConcurrentHashMap.newKeySet();

    /** Blocks that are known to be there, and safe. */
    private final Set<Cid> safe = ConcurrentHashMap.newKeySet();

    private volatile boolean prepared;
    private volatile boolean closed;
    private volatile @Nullable IOException failure;

    private DirectoryBlockStore(Disk disk, Path folder) {
        this.disk = disk;
        this.folder = folder;
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
        return new DirectoryBlockStore(disk, folder);
    }

    private Path file(Cid cid) {
        String name = cid.multihashName();
        return folder.resolve(name.substring(name.length() - 2)).resolve(name + SUFFIX);
    }

    @Override
    public Optional<Block> get(Cid cid) {
        checkOpen();
        if (cid.hashFunction() == Cid.IDENTITY) {
            return Optional.empty();
        }
        Path file = file(cid);
        try {
            Optional<Disk.Facts> facts = disk.facts(file);
            if (facts.isEmpty()) {
                return Optional.empty();
            }
            if (!facts.get().isFile()) {
                throw new CorruptBlockException(cid, "something that is no file");
            }
            if (facts.get().size() > Block.MAX_SIZE) {
                throw new CorruptBlockException(cid, facts.get().size() + " bytes, more than a block has");
            }
            return Optional.of(UnsafeBlocks.verified(cid, disk.read(file, Block.MAX_SIZE)));
        } catch (IOException e) {
            throw failure("cannot read a block", file, e);
        } catch (CorruptBlockException e) {
            throw new CorruptBlockException(cid, e.found() + ", in " + file);
        }
    }

    @Override
    public boolean has(Cid cid) {
        checkOpen();
        if (cid.hashFunction() == Cid.IDENTITY) {
            return false;
        }
        Path file = file(cid);
        try {
            return disk.facts(file).isPresent();
        } catch (IOException e) {
            throw failure("cannot look at a block", file, e);
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
            if (!safe.contains(block.cid())) {
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
                Path file = file(block.cid());
                at = file;
                if (isIntact(block, file)) {
                    disk.force(file);
                } else {
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

    /** Whether the block is there as it should be. What another process has put may still have to be made safe. */
    private boolean isIntact(Block block, Path file) throws IOException {
        Optional<Disk.Facts> facts = disk.facts(file);
        return facts.isPresent()
                && facts.get().isFile()
                && facts.get().size() == block.size()
                && Arrays.equals(disk.read(file, Block.MAX_SIZE), UnsafeBlocks.bytes(block));
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

    private static StoreIOException failure(String what, Path where, IOException error) {
        return new StoreIOException(what, where.toString(), Disk.reason(error), error);
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the block store is closed: " + folder);
        }
    }

    private void checkWritable() {
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
