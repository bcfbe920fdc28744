package dev.pail.repository;

import java.util.List;

/** Erasing values of a repository in memory. */
class ErasingInMemoryTest extends ErasingContract {
    private final SharedMemory memory = SharedMemory.exclusive();

    @Override
    Repository init() {
        return memory.open();
    }

    @Override
    Repository open() {
        return memory.open();
    }

    @Override
    List<byte[]> stored() {
        return memory.stored();
    }
}
