package dev.pail.repository;

import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.jdbc.TestServer;
import dev.pail.repository.model.Collected;
import dev.pail.repository.model.RefChangedException;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A program that takes away what nothing needs until it is killed: now without a grace period, now with one of an hour and by a clock
 * that is two hours further ahead each time. Says {@code ACK} and what went.
 *
 * <p>Arguments: server, database, repository, patience in milliseconds.
 */
final class CollectorProgram {
    /** A clock that is ahead by what a table says. */
    static final String CLOCK = "create schema ahead; create table ahead.clock (hours integer not null);"
            + " insert into ahead.clock values (1);"
            + " create function ahead.clock_timestamp() returns timestamptz language sql volatile"
            + " as 'select pg_catalog.clock_timestamp() + hours * interval ''1 hour'' from ahead.clock'";

    private CollectorProgram() {}

    public static void main(String[] arguments) {
        TestServer server = TestServer.at(arguments[0]);
        PGSimpleDataSource now = server.source(arguments[1]);
        PGSimpleDataSource ahead = server.source(arguments[1]);
        ahead.setOptions("-c search_path=ahead,pg_catalog,public");
        Duration patience = Duration.ofMillis(Long.parseLong(arguments[3]));
        try (Repository atOnce = TestServer.storage(now, patience).open(arguments[2]);
                Repository later = TestServer.storage(ahead, patience).open(arguments[2])) {
            for (int i = 0; ; i++) {
                try {
                    Collected done = i % 2 == 0
                            ? atOnce.maintenance()
                                    .garbageCollection()
                                    .withRetention(Duration.ZERO)
                                    .withAnyGrace(Duration.ZERO)
                                    .run()
                            : later.maintenance()
                                    .garbageCollection()
                                    .withRetention(Duration.ZERO)
                                    .withGrace(GarbageCollection.LEAST_GRACE)
                                    .run();
                    TestServer.execute(now, "update ahead.clock set hours = hours + 1");
                    System.out.println("ACK " + done.moved().blocks() + " "
                            + done.deleted().blocks() + " " + done.restored().blocks());
                } catch (StoreIOException | StoreLockedException | RefChangedException e) {
                    System.out.println("NO " + e.code() + " "
                            + String.valueOf(e.getMessage()).replace('\n', ' '));
                }
            }
        }
    }
}
