package dev.pail.jdbc;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.pail.StoreIOException;
import dev.pail.repository.model.Need;
import dev.pail.repository.spi.RefRecords;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** The records of refs as rows. An update makes all of its records in one transaction. Rule PG2. Safe for use by several threads. */
final class PostgresRecords implements RefRecords {
    /** The most records of a log that are fetched together: a log is read newest first. */
    private static final int TOGETHER = 64;

    private static final long MOST_CACHED = 4096;
    private static final String CANNOT_READ = "cannot read a ref";

    private static final String INSERT =
            "insert into pail_record (repository, name, number, content) values (?, ?, ?, ?) on conflict do nothing";

    /** Counts the record in its repository. Its query sees the rows before it. (PG11). */
    private static final String COUNTED_INSERT = "with made as (" + INSERT + " returning 1)"
            + " update pail_repository set records = 1 + coalesce(records,"
            + " (select count(*) from pail_record where repository = ? and not starts_with(name, 'lost/')))"
            + " where id = ? and exists (select from made)";

    private record Key(String name, long number) {}

    private final Database database;
    private volatile Set<Need> needs;

    /** Records that are committed: those never change. */
    private final Cache<Key, byte[]> read = Caffeine.newBuilder()
            .maximumSize(MOST_CACHED)
            .executor(Runnable::run)
            .build();

    PostgresRecords(Database database, Set<Need> needs) {
        this.database = database;
        this.needs = needs;
    }

    @Override
    public Optional<Map.Entry<Long, byte[]>> newest(String name) {
        Database.Transaction transaction = database.transaction();
        if (transaction == null) {
            return query(name);
        }
        Optional<Map.Entry<Long, byte[]>> known = transaction.newest.get(name);
        if (known == null) {
            known = query(name);
            transaction.newest.put(name, known);
        }
        return known;
    }

    private Optional<Map.Entry<Long, byte[]>> query(String name) {
        return database.ask(
                CANNOT_READ,
                connection -> records(connection, name, "order by number desc limit 1").stream()
                        .findFirst());
    }

    @Override
    public Optional<byte[]> read(String name, long number) {
        byte[] known = read.getIfPresent(new Key(name, number));
        if (known != null) {
            return Optional.of(known);
        }
        if (database.transaction() != null) {
            return database.ask(CANNOT_READ, connection -> content(connection, name, number));
        }
        List<Map.Entry<Long, byte[]>> found = database.ask(
                CANNOT_READ,
                connection -> records(connection, name, "and number between ? and ?", number - TOGETHER + 1, number));
        found.forEach(each -> read.put(new Key(name, each.getKey()), each.getValue()));
        return content(found, number);
    }

    private Optional<byte[]> content(Connection connection, String name, long number) throws SQLException {
        return content(records(connection, name, "and number = ?", number), number);
    }

    private static Optional<byte[]> content(List<Map.Entry<Long, byte[]>> records, long number) {
        return records.stream()
                .filter(each -> each.getKey() == number)
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /**
     * The records of a name, by their numbers.
     *
     * @param which the end of the query
     * @param numbers its parameters
     */
    private List<Map.Entry<Long, byte[]>> records(Connection connection, String name, String which, long... numbers)
            throws SQLException {
        try (PreparedStatement query = database.prepare(
                connection,
                "select number, content, (" + MarkCount.QUERY + ") from pail_record where repository = ? and name = ? "
                        + which)) {
            query.setInt(1, database.repository());
            query.setInt(2, database.repository());
            query.setString(3, name);
            for (int i = 0; i < numbers.length; i++) {
                query.setLong(4 + i, numbers[i]);
            }
            List<Map.Entry<Long, byte[]>> records = new ArrayList<>();
            try (ResultSet found = query.executeQuery()) {
                while (found.next()) {
                    records.add(Map.entry(found.getLong(1), found.getBytes(2)));
                    database.marks().notice(found.getLong(3));
                }
            }
            return records;
        }
    }

    @Override
    public boolean create(String name, long number, byte[] content) {
        Database.Transaction transaction = database.transaction();
        if (transaction == null) {
            throw new IllegalStateException("a record is made within an update: " + database.location());
        }
        // Each record has the number of its update in it.
        transaction.provenBy(connection -> content(connection, name, number)
                .filter(found -> Arrays.equals(found, content))
                .isPresent());
        boolean made = database.ask("cannot make a record of a ref", connection -> {
            boolean isCounted = transaction.version(connection) > 1;
            try (PreparedStatement insert = database.prepare(connection, isCounted ? COUNTED_INSERT : INSERT)) {
                insert.setInt(1, database.repository());
                insert.setString(2, name);
                insert.setLong(3, number);
                insert.setBytes(4, content);
                if (isCounted) {
                    insert.setInt(5, database.repository());
                    insert.setInt(6, database.repository());
                }
                return insert.executeUpdate() == 1;
            }
        });
        transaction.newest.put(name, Optional.of(Map.entry(number, content)));
        if (!made) {
            transaction.newest.remove(name);
            database.counters().races.increment();
        }
        return made;
    }

    @Override
    public List<String> names(String prefix) {
        // Goes from one name to the next: a name may have very many records.
        List<String> names = database.ask("cannot list refs", connection -> {
            try (PreparedStatement query = database.prepare(
                    connection,
                    "with recursive known as ((select name from pail_record where repository = ? and name >= ?"
                            + " order by name limit 1) union all select (select name from pail_record"
                            + " where repository = ? and name > known.name order by name limit 1)"
                            + " from known where starts_with(known.name, ?))"
                            + " select name from known where starts_with(name, ?)")) {
                query.setInt(1, database.repository());
                query.setString(2, prefix);
                query.setInt(3, database.repository());
                query.setString(4, prefix);
                query.setString(5, prefix);
                List<String> all = new ArrayList<>();
                try (ResultSet found = query.executeQuery()) {
                    while (found.next()) {
                        all.add(found.getString(1));
                    }
                }
                return all;
            }
        });
        names.sort(null);
        return names;
    }

    @Override
    public void checkWhole() {
        database.ask("cannot count the records of refs", connection -> {
            Census.of(database, connection).check(database.location());
            return true;
        });
    }

    @Override
    public Set<Need> needs() {
        return needs;
    }

    @Override
    public void describeEvents() {
        boolean unused = database.ask("cannot change the needs of the repository", connection -> {
            try (PreparedStatement update =
                    connection.prepareStatement("update pail_repository set format = format || ?"
                            + " where id = ? and format not like '% needs=%'")) {
                update.setString(1, " needs=" + Need.EVENTS.word());
                update.setInt(2, database.repository());
                return update.executeUpdate() == 1;
            }
        });
        needs = Set.of(Need.EVENTS);
    }

    @Override
    public Optional<String> repositoryId() {
        return database.ask("cannot read the id of the repository", connection -> {
            // Tables of version 1 have no such column.
            try (PreparedStatement query =
                    database.prepare(connection, "select to_jsonb(r) ->> 'uuid' from pail_repository r where id = ?")) {
                query.setInt(1, database.repository());
                try (ResultSet found = query.executeQuery()) {
                    return found.next() ? Optional.ofNullable(found.getString(1)) : Optional.empty();
                }
            }
        });
    }

    @Override
    public boolean hasTransactions() {
        return true;
    }

    @Override
    public <T> T atOnce(Supplier<T> update, Function<StoreIOException, RuntimeException> unknown) {
        return database.inTransaction(update, unknown);
    }
}
