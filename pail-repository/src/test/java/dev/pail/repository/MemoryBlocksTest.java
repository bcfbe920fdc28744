package dev.pail.repository;

import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.testkit.HandClock;
import dev.pail.testkit.repository.RepositoryBlocksContract;
import java.time.Duration;

class MemoryBlocksTest extends RepositoryBlocksContract {
    private final HandClock clock = new HandClock();

    @Override
    protected RepositoryBlocks newStore() {
        return new MemoryBlocks(clock);
    }

    @Override
    protected void pass(Duration time) {
        clock.pass(time);
    }
}
