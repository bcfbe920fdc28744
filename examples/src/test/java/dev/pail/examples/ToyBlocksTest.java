package dev.pail.examples;

import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.testkit.HandClock;
import dev.pail.testkit.repository.RepositoryBlocksContract;
import java.time.Duration;

class ToyBlocksTest extends RepositoryBlocksContract {
    private final HandClock clock = new HandClock();

    @Override
    protected RepositoryBlocks newStore() {
        return new ToyBlocks(clock);
    }

    @Override
    protected void pass(Duration time) {
        clock.pass(time);
    }
}
