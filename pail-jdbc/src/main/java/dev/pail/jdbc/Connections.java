package dev.pail.jdbc;

import dev.pail.trace.Trace;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import javax.sql.DataSource;

/**
 * Gives connections, and takes them back. Those of a pool go back to it; those of a source without a pool are kept for the next
 * statement, as to connect takes longer than a statement. Safe for use by several threads.
 */
final class Connections implements AutoCloseable {
    /** The most connections that are kept without a use. */
    private static final int MOST_KEPT = 4;

    /** What becomes of a connection that is given back. */
    enum Mode {
        /** It is closed: a pool keeps it. */
        POOLED,
        /** It is kept here. */
        KEPT
    }

    private final DataSource source;
    private final Mode mode;
    private final int responseMillis;
    private final Deque<Connection> kept = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    /** @param response how long an answer may take, if the source does not limit that */
    Connections(DataSource source, Mode mode, Duration response) {
        this.source = source;
        this.mode = mode;
        this.responseMillis = (int) Math.min(Integer.MAX_VALUE, response.toMillis());
    }

    /** A connection outside of a transaction. */
    Connection take() throws SQLException {
        Connection known = kept.poll();
        if (known != null) {
            return known;
        }
        Connection connection = source.getConnection();
        try {
            connection.setAutoCommit(true);
            if (connection.getNetworkTimeout() == 0) {
                // Else a lost answer would be waited for as long as the machine runs.
                connection.setNetworkTimeout(Runnable::run, responseMillis);
            }
            return connection;
        } catch (SQLException | RuntimeException | Error e) {
            discard(connection, e);
            throw e;
        }
    }

    /** Takes back a connection that is outside of a transaction. */
    void giveBack(Connection connection) throws SQLException {
        if (mode == Mode.KEPT && !closed && kept.size() < MOST_KEPT) {
            kept.add(connection);
            if (closed) {
                close();
            }
        } else {
            connection.close();
        }
    }

    /** Closes a connection that has failed. */
    static void discard(Connection connection, Throwable failure) {
        try {
            connection.close();
        } catch (SQLException e) {
            failure.addSuppressed(e);
        }
    }

    /** Closes what is kept. */
    @Override
    public void close() {
        closed = true;
        for (Connection each = kept.poll(); each != null; each = kept.poll()) {
            try {
                each.close();
            } catch (SQLException e) {
                Trace.swallowed("cannot close a connection", e);
            }
        }
    }
}
