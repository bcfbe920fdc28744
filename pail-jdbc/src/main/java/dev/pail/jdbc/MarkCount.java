package dev.pail.jdbc;

import dev.pail.repository.spi.RecordErasures;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * How many records of erased blocks the repository has, as this process saw it last: statements that read or put blocks and refs ask for it,
 * too (PG16). Safe for use by several threads.
 */
final class MarkCount {
    /** How old a number may be when a block comes from the cache. Rule ER12. */
    private static final long MOST_AGE_NANOS = 5_000_000_000L;

    /** Gives the number. Its one parameter is the repository. */
    static final String QUERY = "select count(*) from pail_record where repository = ? and name >= '"
            + RecordErasures.PAGES + "' and name < 'erased0'";

    private final Database database;

    /** Null before the first. */
    private volatile Seen seen = new Seen(-1, 0);

    /** @param at when, in nanoseconds */
    private record Seen(long count, long at) {}

    MarkCount(Database database) {
        this.database = database;
    }

    /** Notes the number that a statement has read, unless an update that may not happen has made records. */
    void notice(long count) {
        if (database.transaction() == null) {
            seen = new Seen(count, System.nanoTime());
        }
    }

    /** Returns the number as it was seen last, or asks for it if that is long ago. */
    long last() {
        Seen last = seen;
        if (last.count >= 0 && (database.transaction() != null || System.nanoTime() - last.at < MOST_AGE_NANOS)) {
            return last.count;
        }
        return now();
    }

    /** Asks for the number. */
    long now() {
        long count = database.ask("cannot look for erased blocks", this::count);
        notice(count);
        return count;
    }

    private long count(Connection connection) throws SQLException {
        try (PreparedStatement query = database.prepare(connection, QUERY)) {
            query.setInt(1, database.repository());
            try (ResultSet found = query.executeQuery()) {
                found.next();
                return found.getLong(1);
            }
        }
    }
}
