package dev.pail.jdbc;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The clock of the database, which all machines that use it share. */
final class DatabaseClock extends Clock {
    private final Database database;

    DatabaseClock(Database database) {
        this.database = database;
    }

    @Override
    public Instant instant() {
        return database.now();
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
