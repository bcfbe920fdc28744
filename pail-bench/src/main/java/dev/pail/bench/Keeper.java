package dev.pail.bench;

import dev.pail.ShardFormat;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.blockstore.Durability;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.blockstore.SegmentBlockStore;
import dev.pail.disk.Disk;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** A store that keeps changes, in a folder or in memory. */
enum Keeper {
    SYNC("SegmentBlockStore, SYNC", true),
    EIGHT("SegmentBlockStore, SYNC, 8 writers", true),
    BATCH("SegmentBlockStore, BATCH", true),
    NONE("SegmentBlockStore, NONE", true),
    DIRECTORY("DirectoryBlockStore", true),
    MEMORY("MemoryBlockStore", true),
    WRITTEN("MemoryBlockStore, and 600 bytes written", true),
    MVSTORE("H2 MVStore", false),
    GIT("git", false),
    ROCKSDB("RocksDB", false),
    LMDB("LMDB", false);

    private final String title;
    private final boolean ours;

    Keeper(String title, boolean ours) {
        this.title = title;
        this.ours = ours;
    }

    String title() {
        return title;
    }

    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What it is measured with: formats of ours, or nothing in particular. */
    List<String> formats() {
        return ours ? List.of("v0", "v1") : List.of("");
    }

    static ShardFormat format(String name) {
        return name.equals("v0") ? ShardFormat.v0() : ShardFormat.v1();
    }

    /** Whether what was written is synced. */
    enum Syncs {
        AS_PROMISED,
        NEVER
    }

    /**
     * An empty map in a folder that is there and empty.
     *
     * @param syncs some do what they promise in any case
     */
    History open(Path folder, String format, Syncs syncs) {
        Disk disk = syncs == Syncs.NEVER ? Disk.unsynced() : Disk.system();
        Path store = folder.resolve("store");
        return switch (this) {
            case SYNC, EIGHT -> segments(disk, store, format, Durability.SYNC);
            case BATCH -> segments(disk, store, format, Durability.BATCH);
            case NONE -> segments(disk, store, format, Durability.NONE);
            case DIRECTORY -> new PailHistory(() -> DirectoryBlockStore.open(disk, store), format(format));
            case MEMORY -> {
                MemoryBlockStore blocks = new MemoryBlockStore();
                yield new PailHistory(() -> blocks, format(format));
            }
            case WRITTEN -> {
                MemoryBlockStore blocks = new MemoryBlockStore();
                yield new PailHistory(() -> new WrittenBlocks(blocks, store), format(format));
            }
            case MVSTORE -> new MvHistory(store, syncs, MvHistory.Versions.ALL);
            case GIT -> new GitHistory(store);
            case ROCKSDB -> new RocksHistory(store);
            case LMDB -> new LmdbHistory(folder);
        };
    }

    private static History segments(Disk disk, Path store, String format, Durability durability) {
        return new PailHistory(() -> SegmentBlockStore.open(disk, store, durability), format(format));
    }
}
