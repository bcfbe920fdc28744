package dev.pail.repository;

import org.junit.jupiter.api.Test;

/** The same histories in memory. */
class HistoryInMemoryTest extends HistoryTest {
    private SharedMemory memory;

    @Override
    Repository init() {
        memory = SharedMemory.exclusive();
        return memory.open();
    }

    @Override
    Repository another() {
        return memory.open();
    }

    @Override
    Repository afterLoss() {
        return memory.open();
    }

    @Test
    @Override
    void fewShardsWithMoreKeysThanAnybodyCanGoThroughMakeNoEvents() {
        super.fewShardsWithMoreKeysThanAnybodyCanGoThroughMakeNoEvents();
    }
}
