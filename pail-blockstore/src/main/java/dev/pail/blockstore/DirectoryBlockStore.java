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
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

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
 * trash has the same layout in another folder. A corrupt block does not come back: {@code get} throws, and {@code has} returns
 * false, so that a writer that has the block puts it again.
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
     * The store in a folder. The folder is created, if it is not there, when the first block is put; the one around it must be
     * there.
     */
    public static DirectoryBlockStore open(Path folder) {
        return open(Disk.system(), folder);
    }

    /** The store in a folder of a disk. */
    public static DirectoryBlockStore open(Disk disk, Path folder) {
        return open(disk, folder, folder.resolve(".trash"));
    }

    /** The store in a folder of a disk, from which blocks go to another folder before they are deleted. */
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

    /** The folder that has the file of a block, or would have it. */
    public Path folderOf(Cid cid) {
        return Disk.parent(files.file(cid));
    }

    /**
     * Makes the blocks in a folder durable. The process that put them may have been killed before its sync.
     *
     * @param folderOfBlocks as {@link #folderOf} returns it; it need not exist
     * @throws StoreIOException if that failed; then the store refuses all further writes
     */
    public void sync(Path folderOfBlocks) {
        checkOpen();
        writer.syncNames(folderOfBlocks);
    }

    /** The blocks, for a garbage collector. */
    public SweptBlocks swept() {
        return new DirectorySweep(this, writer, files, trash);
    }

    /** The blocks, for a move to another store. */
    public LooseBlocks loose() {
        return new DirectorySweep(this, writer, files, trash);
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
