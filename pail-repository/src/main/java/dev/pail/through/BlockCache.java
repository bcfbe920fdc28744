package dev.pail.through;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.BlockStore;
import dev.pail.PailException;
import dev.pail.blockstore.CachingBlockStore;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.bytes.Utf8;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.trace.Trace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Blocks that can be fetched again, in a folder. There are two generations of them: when the newer one has more than its share of bytes, a new
 * one begins, and the oldest is deleted. Several processes may use the folder. If it cannot be used, the cache is as if it were empty: no
 * method fails. Each block is compared with its CID when it is read. Safe for use by several threads.
 */
final class BlockCache implements BlockStore {
    /** How many bytes of blocks a generation has. */
    static final long MOST = 256 << 20;

    /** How many bytes of blocks a cache in memory has. */
    private static final long MOST_IN_MEMORY = 64 << 20;

    /** What a file takes beside its bytes. */
    private static final int FILE = 4 << 10;

    private static final int MOST_DIGITS = 12;

    private final Disk disk;
    private final Path folder;
    private final long most;

    @GuardedBy("this")
    private @Nullable Generations open;

    @GuardedBy("this")
    private boolean isUnusable;

    /** The two newest generations, and the bytes of the newest. */
    private static final class Generations {
        private final long number;
        private final DirectoryBlockStore newer;
        private final @Nullable DirectoryBlockStore older;
        private long size;

        Generations(long number, DirectoryBlockStore newer, @Nullable DirectoryBlockStore older, long size) {
            this.number = number;
            this.newer = newer;
            this.older = older;
            this.size = size;
        }
    }

    private BlockCache(Disk disk, Path folder, long most) {
        this.disk = disk;
        this.folder = folder;
        this.most = most;
    }

    /** The cache in a folder, which is made when it is needed. Its parents are made, too. */
    static BlockCache in(Path folder) {
        return in(Disk.unsynced(), folder, MOST);
    }

    /** A cache in memory. */
    static BlockStore inMemory() {
        BlockCache nothing = in(Path.of(""));
        nothing.close();
        return new CachingBlockStore(nothing, MOST_IN_MEMORY);
    }

    /** @param most how many bytes a generation has */
    static BlockCache in(Disk disk, Path folder, long most) {
        return new BlockCache(disk, folder, most);
    }

    /** The name of a folder for the blocks of an address: none of its characters can mean something to a file system. */
    static String name(String address) {
        return Block.of(Cid.RAW, Utf8.encode(address)).cid().toString();
    }

    private synchronized @Nullable Generations generations() {
        if (open == null && !isUnusable) {
            try {
                createAll(folder);
                List<Long> numbers = numbers();
                open = at(numbers.isEmpty() ? 1 : numbers.get(numbers.size() - 1));
            } catch (IOException | PailException e) {
                unusable(e);
            }
        }
        return open;
    }

    private void createAll(Path wanted) throws IOException {
        if (!disk.isDirectory(wanted)) {
            createAll(Disk.parent(wanted));
            disk.createDirectory(wanted);
        }
    }

    /** The numbers of the generations, in order. */
    private List<Long> numbers() throws IOException {
        return disk.list(folder).stream()
                .filter(disk::isDirectory)
                .map(path -> String.valueOf(path.getFileName()))
                .filter(name -> name.matches("[1-9][0-9]{0," + (MOST_DIGITS - 1) + "}"))
                .map(Long::valueOf)
                .sorted()
                .toList();
    }

    private Generations at(long number) throws IOException {
        Path newer = folder.resolve(Long.toString(number));
        Path older = folder.resolve(Long.toString(number - 1));
        createAll(newer);
        return new Generations(
                number,
                DirectoryBlockStore.open(disk, newer),
                disk.isDirectory(older) ? DirectoryBlockStore.open(disk, older) : null,
                size(number));
    }

    private Path sizeFile(long number) {
        return folder.resolve(number + ".size");
    }

    private long size(long number) throws IOException {
        Path file = sizeFile(number);
        if (!disk.exists(file)) {
            return 0;
        }
        String text = new String(disk.read(file, MOST_DIGITS + 1), StandardCharsets.US_ASCII);
        return text.matches("[0-9]{1," + MOST_DIGITS + "}") ? Long.parseLong(text) : 0;
    }

    @GuardedBy("this")
    private void unusable(Exception cause) {
        Trace.swallowed("the cache of blocks cannot be used: " + folder, cause);
        isUnusable = true;
        open = null;
    }

    @Override
    public Optional<Block> get(Cid cid) {
        Generations now = generations();
        if (now == null || !cid.canNameBlock()) {
            return Optional.empty();
        }
        Optional<Block> found = read(now.newer, cid);
        if (found.isEmpty() && now.older != null) {
            found = read(now.older, cid);
            found.ifPresent(this::put);
        }
        return found;
    }

    /** A block that is damaged, or whose generation another process deletes, is fetched again. */
    private static Optional<Block> read(DirectoryBlockStore store, Cid cid) {
        try {
            return store.get(cid);
        } catch (PailException e) {
            Trace.swallowed("cannot read a block in the cache, so it is fetched: " + cid, e);
            return Optional.empty();
        }
    }

    @Override
    public boolean has(Cid cid) {
        return get(cid).isPresent();
    }

    @Override
    public void putAll(Collection<Block> blocks) {
        Generations now = generations();
        if (now == null) {
            return;
        }
        try {
            now.newer.putAll(blocks);
            grow(
                    now,
                    blocks.stream()
                            .mapToLong(block -> block.size() + (long) FILE)
                            .sum());
        } catch (IOException | PailException e) {
            synchronized (this) {
                unusable(e);
            }
        }
    }

    private synchronized void grow(Generations now, long bytes) throws IOException {
        now.size += bytes;
        if (now.size > most && open == now) {
            open = at(now.number + 1);
            for (long number : numbers()) {
                if (number < now.number) {
                    delete(folder.resolve(Long.toString(number)));
                    delete(sizeFile(number));
                }
            }
        }
    }

    private void delete(Path path) throws IOException {
        if (disk.isDirectory(path)) {
            for (Path below : disk.list(path)) {
                delete(below);
            }
        }
        if (disk.exists(path)) {
            disk.delete(path);
        }
    }

    /** Notes how many bytes the newest generation has: a hint for the next process. */
    @Override
    public synchronized void close() {
        Generations now = open;
        if (now != null) {
            try {
                Disk.write(disk, sizeFile(now.number), Long.toString(now.size).getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                Trace.swallowed("cannot note the size of the cache: " + folder, e);
            }
        }
        open = null;
        isUnusable = true;
    }
}
