package dev.pail.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock that stands still until a test moves it. Safe for use by several threads.
 *
 * <pre>{@code
 * HandClock clock = new HandClock();
 * Repository repository = Repository.open(new MemoryRefs(clock), new MemoryBlocks(clock), ShardFormat.v1());
 * clock.pass(Duration.ofDays(30)); // what nothing reaches is older than the grace period now
 * Collected collected = repository.maintenance().garbageCollection().run();
 * }</pre>
 */
public final class HandClock extends Clock {
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    /** A clock at the beginning of 2026. */
    public HandClock() {}

    /** Moves the clock on. */
    public synchronized void pass(Duration time) {
        now = now.plus(time);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }

    @Override
    public Instant instant() {
        return now;
    }
}
