package dev.pail.repository;

import dev.pail.ShardFormat;
import dev.pail.repository.spi.RecordRefs;
import dev.pail.repository.spi.RefStore;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.sweep.CollectableBlocks;
import java.time.Clock;
import java.util.List;

/** Stores in memory that several repositories share, as several processes share a folder: none closes them for the others. */
final class SharedMemory {
    private final RefStore refs;
    private final MemoryBlocks blocks = new MemoryBlocks();

    SharedMemory(RefStore refs) {
        this.refs = refs;
    }

    /** Stores whose writers exclude each other; within an update, another thread runs now and then. */
    static SharedMemory exclusive() {
        return new SharedMemory(HookedRefs.of(new MemoryRefs(), Thread::yield));
    }

    /** Stores whose writers compete. */
    static SharedMemory competing() {
        RefStore refs = new RecordRefs(new MemoryRefs.Records(), "memory", Clock.systemUTC());
        return new SharedMemory(HookedRefs.of(refs, Thread::yield));
    }

    Repository open() {
        return Repository.open(
                leftOpen(RefStore.class, refs), leftOpen(RepositoryBlocks.class, blocks), ShardFormat.v1());
    }

    /** The bytes of all blocks, those in the trash included. */
    List<byte[]> stored() {
        CollectableBlocks all = blocks.collectable();
        return all.list().stream()
                .map(each -> all.look(each.cid()).orElseThrow().bytes())
                .toList();
    }

    /** The same store, which stays open when a repository is closed. */
    private static <T> T leftOpen(Class<T> type, T store) {
        return HookedRefs.proxy(
                type,
                (proxy, method, arguments) ->
                        method.getName().equals("close") ? null : method.invoke(store, arguments));
    }
}
