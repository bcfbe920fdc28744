package dev.pail.blockstore;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.sweep.SweptBlocks;
import dev.pail.trace.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A store with one file for each block, in the layout of npm {@code blockstore-fs} 4. The file name is the multihash in multibase
 * base32upper with {@code .data} behind it; the name of the folder is the last two characters of the multihash. So a block is found
 * under every CID with its multihash.
 *
 * <p>When a put returns, the block is durable: the store has written its file under another name in {@code .tmp}, synced it, renamed
 * it, and synced the folder. Of a {@code putAll}, up to 16 threads write and sync the files, and each folder is synced once for 16,384
 * blocks. After a failed write or sync, the next put examines the folder as if the store had just been opened: the operating
 * system may report unwritten data as written.
 *
 * <p>A garbage collector may move blocks to the trash, a folder with the same layout. {@code get}, {@code has} and {@code put} restore
 * them from there. A corrupt block is not restored: {@code get} throws, and {@code has} returns false, so a writer puts the block again.
 *
 * <p>Several processes may use the same folder at once. Safe for use by several threads.
 *
 * <pre>{@code
 * try (BlockStore store = DirectoryBlockStore.open(folder)) {
 *     Pail version = Pail.create(store, ShardFormat.v1()).putBytes("title", new byte[] {1}); // a file for each block
 *     Pail same = Pail.open(store, version.root());
 * }
 * }</pre>
 */
public final class DirectoryBlockStore implements BlockStore {
    private final Disk disk;
    private final Path folder;
    private final BlockFiles files;

    /** Where blocks go before they are deleted. */
    private final BlockFiles trash;

    private final BlockWriter writer;
    private volatile boolean closed;

    private DirectoryBlockStore(Disk disk, Path folder, Path trash) {
        Objects.requireNonNull(disk, "disk");
        Objects.requireNonNull(folder, "folder");
        Objects.requireNonNull(trash, "trash");
        this.disk = disk;
        this.folder = folder;
        this.files = new BlockFiles(disk, folder);
        this.trash = new BlockFiles(disk, trash);
        this.writer = new BlockWriter(files);
    }

    /**
     * Opens the store in a folder. If the folder does not exist, the first put creates it; its parent must exist.
     */
    public static DirectoryBlockStore open(Path folder) {
        return open(Disk.system(), folder);
    }

    /** Opens the store in a folder of a disk. */
    public static DirectoryBlockStore open(Disk disk, Path folder) {
        return open(disk, folder, folder.resolve(".trash"));
    }

    /** Opens the store in a folder of a disk, with another folder as the trash for blocks before they are deleted. */
    public static DirectoryBlockStore open(Disk disk, Path folder, Path trash) {
        return new DirectoryBlockStore(disk, folder, trash);
    }

    @Override
    public Optional<Block> get(Cid cid) {
        return find(cid, this::putBack);
    }

    /**
     * Finds a block, also in the trash. Rule G9.
     *
     * @param comesBack is given a block that is in the trash only
     */
    private Optional<Block> find(Cid cid, Consumer<Block> comesBack) {
        boolean damaged = false;
        try {
            Optional<Block> found = read(files, cid);
            if (found.isPresent() || !disk.isDirectory(trash.folder())) {
                return found;
            }
        } catch (CorruptBlockException | StoreIOException e) {
            // The copy that it came back from may be there still. Reading leaves damage as it is.
            Trace.swallowed("cannot read a block, which is looked for in the trash: " + files.file(cid), e);
            damaged = true;
        }
        Optional<Block> thrown = read(trash, cid);
        if (thrown.isEmpty()) {
            // It may have come back between the two looks.
            return read(files, cid);
        }
        if (!damaged) {
            comesBack.accept(thrown.get());
        }
        return thrown;
    }

    private void putBack(Block block) {
        try {
            put(block);
        } catch (StoreIOException e) {
            // The reader has its block. Writers get an error, since all writes are refused now.
            Trace.swallowed("cannot bring a block back from the trash, from where it was read: " + block.cid(), e);
        }
    }

    /** The block of this name, if it is there or in the trash, where it stays. */
    Optional<Block> look(Cid cid) {
        return find(cid, block -> {});
    }

    Optional<Block> read(BlockFiles from, Cid cid) {
        checkOpen();
        if (!cid.canNameBlock()) {
            return Optional.empty();
        }
        try {
            return from.read(cid);
        } catch (IOException e) {
            throw new StoreIOException("cannot read a block", from.file(cid).toString(), e);
        }
    }

    @Override
    public boolean isNear() {
        return true;
    }

    @Override
    public boolean has(Cid cid) {
        checkOpen();
        if (!cid.canNameBlock()) {
            return false;
        }
        try {
            if (files.status(cid).isPresent()) {
                return true;
            }
            return disk.isDirectory(trash.folder()) && bringBack(cid);
        } catch (IOException e) {
            throw new StoreIOException("cannot look at a block", files.file(cid).toString(), e);
        }
    }

    /** Brings a block back from the trash, if it is there, and says whether it can be relied on. */
    private boolean bringBack(Cid cid) throws IOException {
        if (trash.status(cid).isEmpty()) {
            return files.status(cid).isPresent();
        }
        try {
            Optional<Block> thrown = trash.read(cid);
            thrown.ifPresent(this::putBack);
            return thrown.isPresent() || files.status(cid).isPresent();
        } catch (CorruptBlockException e) {
            // It does not come back, and will be deleted: no writer may rely on it.
            Trace.swallowed("a block in the trash is damaged, and stays there: " + trash.file(cid), e);
            return files.status(cid).isPresent();
        } catch (UnsupportedHashException e) {
            return true;
        }
    }

    @Override
    public void putAll(Collection<Block> blocks) {
        checkOpen();
        writer.putAll(blocks);
    }

    /** Returns the folder of a block's file, which need not exist. */
    public Path folderOf(Cid cid) {
        return Disk.parent(files.file(cid));
    }

    /**
     * Makes the blocks in a folder durable. The process that put them may have been killed before its sync.
     *
     * @param folderOfBlocks from {@link #folderOf}; need not exist
     * @throws StoreIOException if the sync failed
     */
    public void sync(Path folderOfBlocks) {
        checkOpen();
        writer.syncNames(folderOfBlocks);
    }

    /** Returns the blocks for a garbage collector. */
    public SweptBlocks swept() {
        return new DirectorySweep(this, writer, files, trash);
    }

    /** Returns the blocks for a move to another store. */
    public LooseBlocks loose() {
        return new DirectorySweep(this, writer, files, trash);
    }

    /**
     * Removes blocks for good: from the store and from the trash, and with them what ended processes have left unfinished. A caller sees to
     * it that no writer puts them meanwhile.
     *
     * @throws StoreIOException if that failed
     */
    public void erase(Collection<Cid> cids) {
        checkOpen();
        try {
            erasure().remove(cids);
        } catch (IOException e) {
            throw writer.failed("cannot erase blocks", folder, e);
        }
    }

    /** Whether the store or its trash has a file of a block, even a corrupt one. Restores nothing. */
    public boolean hasFile(Cid cid) {
        checkOpen();
        try {
            return erasure().isThere(cid);
        } catch (IOException e) {
            throw new StoreIOException("cannot look at a block", files.file(cid).toString(), e);
        }
    }

    private DirectoryErasure erasure() {
        return new DirectoryErasure(disk, List.of(files, trash));
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the block store is closed: " + folder);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
