package dev.pail.repository;

import dev.pail.ShardFormat;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Stores in memory that several repositories share, as several processes share a folder: none closes them for the others. */
final class SharedMemory {
    private final MemoryRefs refs = new MemoryRefs();
    private final MemoryBlocks blocks = new MemoryBlocks();

    Repository open() {
        RepositoryBlocks shared = (RepositoryBlocks) Proxy.newProxyInstance(
                RepositoryBlocks.class.getClassLoader(),
                new Class<?>[] {RepositoryBlocks.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals("close") ? null : method.invoke(blocks, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return Repository.open(refs, shared, ShardFormat.v1());
    }
}
