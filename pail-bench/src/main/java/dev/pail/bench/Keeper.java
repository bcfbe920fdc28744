package dev.pail.bench;

import dev.pail.ShardFormat;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.blockstore.Durability;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.blockstore.SegmentBlockStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Whoever keeps changes, in a folder or in memory. */
enum Keeper {
    SYNC("SegmentBlockStore, SYNC", true, true),
    EIGHT("SegmentBlockStore, SYNC, 8 writers", true, true),
    BATCH("SegmentBlockStore, BATCH", true, true),
    NONE("SegmentBlockStore, NONE", true, true),
    DIRECTORY("DirectoryBlockStore", true, true),
    MEMORY("MemoryBlockStore", true, true),
    MVSTORE("H2 MVStore", false, true),
    GIT("git", false, true),
    ROCKSDB("RocksDB", false, false),
    LMDB("LMDB", false, false);

    private final String title;
    private final boolean ours;
    private final boolean versioned;

    Keeper(String title, boolean ours, boolean versioned) {
        this.title = title;
        this.ours = ours;
        this.versioned = versioned;
    }

    String title() {
        return title;
    }

    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it keeps every version, and not only the last one. */
    boolean isVersioned() {
        return versioned;
    }

    /** What it is measured with: formats of ours, or nothing in particular. */
    List<String> formats() {
        return ours ? List.of("v0", "v1") : List.of("");
    }

    static ShardFormat format(String name) {
        return name.equals("v0") ? ShardFormat.v0() : ShardFormat.v1();
    }

    /** An empty map in a folder that is there and empty. */
    History open(Path folder, String format) {
        Path store = folder.resolve("store");
        return switch (this) {
            case SYNC, EIGHT -> segments(store, format, Durability.SYNC);
            case BATCH -> segments(store, format, Durability.BATCH);
            case NONE -> segments(store, format, Durability.NONE);
            case DIRECTORY -> new PailHistory(() -> DirectoryBlockStore.open(store), format(format));
            case MEMORY -> {
                MemoryBlockStore blocks = new MemoryBlockStore();
                yield new PailHistory(() -> blocks, format(format));
            }
            case MVSTORE -> new MvHistory(store);
            case GIT -> new GitHistory(store);
            case ROCKSDB -> new RocksHistory(store);
            case LMDB -> new LmdbHistory(folder);
        };
    }

    private static History segments(Path store, String format, Durability durability) {
        return new PailHistory(() -> SegmentBlockStore.open(store, durability), format(format));
    }
}
