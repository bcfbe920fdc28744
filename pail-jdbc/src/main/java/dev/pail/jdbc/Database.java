package dev.pail.jdbc;

import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.repository.model.RefChangedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements and transactions for one repository: tries again after an error that may pass ({@link SqlFailure}), and finds out
 * whether a commit happened. Within a transaction, all that its thread asks for is part of it. Safe for use by several threads.
 *
 * <p>The writers of a repository exclude each other by the lock of its row. A writer that hangs is ended by the database, which then
 * undoes its transaction.
 */
final class Database implements AutoCloseable {
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long LONGEST_PAUSE_MILLIS = 500;

    private final Connections connections;
    private final String location;
    private final Duration patience;
    private final PostgresCounters counters;

    /** The number of the repository in the database. */
    private final int repository;

    @SuppressWarnings("ThreadLocalUsage") // A thread may be in updates of several databases.
    private final ThreadLocal<@Nullable Transaction> own = new ThreadLocal<>();

    /** The version of the tables, as it was seen last: it only grows. 0, if it was not looked for. */
    private volatile int tables;

    /** Since when transactions end without a result, in nanoseconds; 0, if the last one had one. */
    private final AtomicLong failingSince = new AtomicLong();

    private final MarkCount marks = new MarkCount(this);

    private volatile boolean closed;

    Database(Connections connections, int repository, String location, Duration patience, PostgresCounters counters) {
        this.connections = connections;
        this.repository = repository;
        this.location = location;
        this.patience = patience;
        this.counters = counters;
    }

    int repository() {
        return repository;
    }

    String location() {
        return location;
    }

    PostgresCounters counters() {
        return counters;
    }

    /** How many records of erased blocks there are. */
    MarkCount marks() {
        return marks;
    }

    /** Works with a connection. */
    interface Work<T> {
        T with(Connection connection) throws SQLException;
    }

    /** What happens in a transaction. For one thread. */
    final class Transaction {
        private final Connection connection;
        private final Instant begun;
        private final long begunNanos = System.nanoTime();
        private final List<Work<Boolean>> proofs = new ArrayList<>();
        private final List<Runnable> afterwards = new ArrayList<>();

        /** What the records know in this transaction, in which no other writer makes any. */
        final Map<String, Optional<Map.Entry<Long, byte[]>>> newest = new HashMap<>();

        private @Nullable SQLException failure;

        private Transaction(Connection connection, Instant begun) {
            this.connection = connection;
            this.begun = begun;
        }

        private <T> T run(String what, Work<T> work) {
            if (failure != null) {
                throw failed(what, failure);
            }
            try {
                return work.with(connection);
            } catch (SQLException e) {
                // The database takes no further statement of it.
                failure = e;
                throw failed(what, e);
            }
        }

        /** The version of the tables, which the first write of a process upgrades. */
        int version(Connection used) throws SQLException {
            if (tables < 2) {
                tables = Schema.version(used);
            }
            return tables;
        }

        /** Adds what shows, if no answer came to the commit, that it happened. */
        void provenBy(Work<Boolean> proof) {
            proofs.add(proof);
        }
    }

    /** The transaction of this thread; null, if none is under way. */
    @Nullable
    Transaction transaction() {
        return own.get();
    }

    /**
     * Reads, or writes what may be written twice: in the transaction of this thread, or at once, and again if the connection fails.
     *
     * @param what what could not be done, for messages
     */
    <T> T ask(String what, Work<T> work) {
        checkOpen();
        Transaction now = own.get();
        if (now != null) {
            return now.run(what, work);
        }
        Attempts attempts = new Attempts();
        while (true) {
            try {
                return once(work);
            } catch (SQLException e) {
                attempts.again(what, e);
            }
        }
    }

    private <T> T once(Work<T> work) throws SQLException {
        Connection connection = connections.take();
        T result;
        try {
            result = work.with(connection);
        } catch (SQLException | RuntimeException | Error e) {
            Connections.discard(connection, e);
            throw e;
        }
        connections.giveBack(connection);
        return result;
    }

    /** Does something when the transaction of this thread is committed; at once, if none is under way. */
    void afterwards(Runnable action) {
        Transaction now = own.get();
        if (now == null) {
            action.run();
        } else {
            now.afterwards.add(action);
        }
    }

    /**
     * Does all of some work, or nothing of it, while no other writer of this repository is at work.
     *
     * @param unknown gives what to throw if it stays unknown which
     * @throws RefChangedException if nothing was done, and it is worth another attempt
     */
    <T> T inTransaction(Supplier<T> work, Function<StoreIOException, RuntimeException> unknown) {
        checkOpen();
        upgrade();
        Transaction begun = begin("cannot begin an update");
        own.set(begun);
        T result;
        try {
            result = work.get();
            if (begun.failure != null) {
                throw failed("cannot update the refs", begun.failure);
            }
        } catch (Exception e) {
            // The function of a change may throw any exception, by erasure.
            rollBack(begun, e);
            if (begun.failure != null) {
                throw undone(begun.failure, e);
            }
            throw e;
        } catch (Error e) {
            rollBack(begun, e);
            throw e;
        } finally {
            own.remove();
        }
        commit(begun, unknown);
        failingSince.set(0);
        begun.afterwards.forEach(Runnable::run);
        return result;
    }

    /** Upgrades the tables once, before the first update of a process (PG14). */
    private void upgrade() {
        if (tables == 0) {
            tables = ask("cannot upgrade the tables", Schema::upgrade);
        }
    }

    private void rollBack(Transaction begun, Throwable failure) {
        try {
            begun.connection.rollback();
            end(begun);
        } catch (SQLException e) {
            failure.addSuppressed(e);
            Connections.discard(begun.connection, failure);
        }
    }

    private void end(Transaction over) throws SQLException {
        over.connection.setAutoCommit(true);
        connections.giveBack(over.connection);
    }

    private void commit(Transaction begun, Function<StoreIOException, RuntimeException> unknown) {
        try {
            begun.connection.commit();
        } catch (SQLException e) {
            Connections.discard(begun.connection, e);
            if (!SqlFailure.isUnreachable(e)) {
                throw undone(e, failed("cannot commit an update", e));
            }
            counters.unknowns.increment();
            if (!isCommitted(begun, unknown)) {
                throw undone(e, failed("cannot commit an update", e));
            }
            return;
        }
        try {
            end(begun);
        } catch (SQLException e) {
            // It is committed. The next statement has another connection.
            Connections.discard(begun.connection, e);
        }
    }

    /** Whether a transaction happened to whose commit no answer came. A transaction that has the lock knows that the lost one is over. Rule PG7. */
    private boolean isCommitted(Transaction lost, Function<StoreIOException, RuntimeException> unknown) {
        String what = "it is not known whether an update has happened";
        Attempts attempts = new Attempts();
        try {
            while (true) {
                Transaction look = begin(what);
                try {
                    return isProven(lost, look);
                } catch (SQLException e) {
                    Connections.discard(look.connection, e);
                    attempts.again(what, e);
                } catch (RuntimeException | Error e) {
                    Connections.discard(look.connection, e);
                    throw e;
                }
            }
        } catch (StoreLockedException e) {
            throw unknown.apply(new StoreIOException(what, location, String.valueOf(e.getMessage()), e));
        } catch (StoreIOException e) {
            throw unknown.apply(e);
        }
    }

    /** Whether all is there that a transaction has made, as another one sees it, which ends with this. */
    private boolean isProven(Transaction lost, Transaction look) throws SQLException {
        boolean isProven = !lost.proofs.isEmpty();
        for (Work<Boolean> proof : lost.proofs) {
            isProven &= proof.with(look.connection);
        }
        look.connection.rollback();
        end(look);
        return isProven;
    }

    /** Begins a transaction, and waits for the lock of the repository. Rule PG6. */
    private Transaction begin(String what) {
        Attempts attempts = new Attempts();
        while (true) {
            try {
                Connection connection = connections.take();
                try {
                    return begin(connection);
                } catch (SQLException | RuntimeException | Error e) {
                    Connections.discard(connection, e);
                    throw e;
                }
            } catch (SQLException e) {
                if (SqlFailure.isLocked(e)) {
                    throw locked();
                }
                attempts.again(what, e);
            }
        }
    }

    private Transaction begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        long millis = Math.max(2, patience.toMillis());
        count();
        try (Statement statement = connection.createStatement()) {
            // All in one message. The database ends a writer that stops in the middle, as it holds the lock.
            statement.execute("set transaction isolation level read committed; set local lock_timeout = " + millis
                    + "; set local idle_in_transaction_session_timeout = " + millis / 2
                    + "; set local tcp_user_timeout = " + millis
                    // The time is asked for outside: within, it would be that before the wait for the lock.
                    + "; select clock_timestamp() from (select from pail_repository where id = " + repository
                    + " for no key update) as locked");
            while (statement.getResultSet() == null) {
                statement.getMoreResults();
            }
            try (ResultSet found = statement.getResultSet()) {
                if (!found.next()) {
                    throw new SQLException("the repository was removed", "02000");
                }
                return new Transaction(connection, instant(found, 1));
            }
        }
    }

    /** The time by the clock of the database. Rule PG8. */
    Instant now() {
        Transaction now = own.get();
        if (now != null) {
            return now.begun.plusNanos(System.nanoTime() - now.begunNanos);
        }
        return ask("cannot ask for the time", connection -> {
            try (PreparedStatement time = prepare(connection, "select clock_timestamp()");
                    ResultSet found = time.executeQuery()) {
                found.next();
                return instant(found, 1);
            }
        });
    }

    static Instant instant(ResultSet row, int column) throws SQLException {
        return Objects.requireNonNull(row.getObject(column, OffsetDateTime.class))
                .toInstant();
    }

    PreparedStatement prepare(Connection connection, String sql) throws SQLException {
        count();
        return connection.prepareStatement(sql);
    }

    private void count() {
        counters.statements.increment();
    }

    /** What to throw when nothing of a transaction has happened. */
    private RuntimeException undone(SQLException failure, Throwable thrown) {
        RuntimeException result;
        if (SqlFailure.isLocked(failure)) {
            result = locked();
        } else if (SqlFailure.mayPass(failure) && isWorthAnother()) {
            counters.retries.increment();
            result = new RefChangedException(location, "the update was undone: " + SqlFailure.reason(failure));
        } else {
            result = failed("cannot update the refs", failure);
        }
        if (result.getCause() == null && thrown instanceof PailException) {
            result.addSuppressed(thrown);
        }
        return result;
    }

    /** Whether transactions have failed for less time than there is patience. Waits a little. */
    private boolean isWorthAnother() {
        long now = System.nanoTime();
        long since = failingSince.updateAndGet(known -> known == 0 ? now : known);
        return now - since < patience.toNanos() && pause(FIRST_PAUSE_MILLIS);
    }

    /** The tries of one statement or transaction. */
    private final class Attempts {
        private final long begun = System.nanoTime();
        private long pause = FIRST_PAUSE_MILLIS;

        /** Waits before the next attempt; throws, if there is to be none. */
        void again(String what, SQLException failure) {
            boolean isOver = System.nanoTime() - begun >= patience.toNanos();
            // A repository that was opened once waits for its database; before that, the address is wrong.
            boolean isNowhere = repository == 0 && SqlFailure.isAbsent(failure);
            if (isOver || closed || isNowhere || !SqlFailure.mayPass(failure) || !pause(pause)) {
                throw failed(what, failure);
            }
            counters.retries.increment();
            pause = Math.min(LONGEST_PAUSE_MILLIS, pause * 2);
        }
    }

    /** Waits for so long or half of it, so that not all come back at once; returns false if this thread is to end. */
    private static boolean pause(long millis) {
        try {
            Thread.sleep(millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private StoreIOException failed(String what, SQLException failure) {
        return SqlFailure.of(what, location, failure);
    }

    private StoreLockedException locked() {
        return new StoreLockedException(location, "another writer of this repository");
    }

    void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the repository is closed: " + location);
        }
    }

    @Override
    public void close() {
        closed = true;
        connections.close();
    }
}
