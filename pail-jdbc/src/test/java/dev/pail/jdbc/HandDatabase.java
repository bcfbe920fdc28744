package dev.pail.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.TreeMap;
import org.postgresql.ds.PGSimpleDataSource;

/** A database whose clock stands still until a test moves it: a function of that name comes before the one of the system. */
public final class HandDatabase {
    private final PGSimpleDataSource source =
            TestServer.get().source(TestServer.get().newDatabase());

    public HandDatabase() {
        TestServer.execute(
                source,
                "create schema hand; create table hand.clock (at timestamptz not null);"
                        + " insert into hand.clock values ('2026-01-01Z');"
                        + " create function hand.clock_timestamp() returns timestamptz language sql volatile"
                        + " as 'select at from hand.clock'");
        source.setOptions("-c search_path=hand,pg_catalog,public");
    }

    /** Connects to the database, with this clock. */
    public PGSimpleDataSource source() {
        return source;
    }

    /** Moves the clock on. */
    public void pass(Duration time) {
        TestServer.execute(source, "update hand.clock set at = at + interval '" + time.toMillis() + " milliseconds'");
    }

    /** The blocks of a repository since when they were put, or condemned, by their multihashes. */
    public Map<String, Instant> stamps(String repository, String column, String condition) {
        Map<String, Instant> stamps = new TreeMap<>();
        try (Connection connection = source.getConnection();
                PreparedStatement query = connection.prepareStatement("select multihash, " + column
                        + " from pail_block join pail_repository on id = repository where name = ? and " + condition)) {
            query.setString(1, repository);
            try (ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    stamps.put(
                            SweptRows.cid(found.getBytes(1)).multihashName(),
                            found.getObject(2, OffsetDateTime.class).toInstant());
                }
            }
        } catch (SQLException e) {
            throw new AssertionError(repository, e);
        }
        return stamps;
    }
}
