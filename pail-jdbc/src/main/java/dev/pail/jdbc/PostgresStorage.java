package dev.pail.jdbc;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.Escapes;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.locate.FormatLine;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Recovered;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.RecordRefs;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.repository.spi.RepositoryStores;
import dev.pail.trace.Trace;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Repositories in a database of PostgreSQL 13 or later, which processes on several machines can use at the same time. A change puts
 * its blocks and moves its ref in one transaction. The writers of a repository take turns; readers do not wait. (Spec: {@code
 * spec/postgresql.md}.)
 *
 * <p>When the network or the database ends a connection, reads and puts are tried again for as long as there is patience. If no answer comes to a
 * commit, the next transaction finds out whether it happened. Only if the database cannot be asked for as long as that, {@link
 * dev.pail.repository.model.HeadUpdateUncertainException}.
 *
 * <p>Immutable. Safe for use by several threads.
 *
 * <pre>{@code
 * PostgresStorage storage = PostgresStorage.of(source); // a pool of connections, such as HikariCP's
 * try (Repository notes = storage.has("notes") ? storage.open("notes") : storage.init("notes", ShardFormat.v1())) {
 *     Updated next = notes.update("main", before -> before.put("title", value));
 * }
 * }</pre>
 */
@CheckReturnValue
public final class PostgresStorage {
    /** How long a writer waits for others and for the database, unless something else is said. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    /** How many bytes of blocks a repository caches, unless something else is said. */
    public static final long CACHE = 64 << 20;

    /** How many times longer than the patience an answer may take. */
    private static final int PATIENT_ANSWER = 3;

    private final DataSource source;
    private final Connections.Mode mode;
    private final String location;
    private final Duration patience;
    private final long cacheBytes;
    private final PostgresCounters counters;

    private PostgresStorage(
            DataSource source,
            Connections.Mode mode,
            String location,
            Duration patience,
            long cacheBytes,
            PostgresCounters counters) {
        this.source = source;
        this.mode = mode;
        this.location = location;
        this.patience = patience;
        this.cacheBytes = cacheBytes;
        this.counters = counters;
    }

    /**
     * Repositories in the database that a source connects to.
     *
     * @param source should be a pool, as each thread has a connection of its own for a moment. It stays the caller's
     */
    public static PostgresStorage of(DataSource source) {
        return new PostgresStorage(
                Objects.requireNonNull(source, "source"),
                Connections.Mode.POOLED,
                "PostgreSQL",
                PATIENCE,
                CACHE,
                new PostgresCounters());
    }

    /** Repositories in a database, over connections that are kept here. */
    static PostgresStorage keeping(DataSource source, String location, Duration patience) {
        return new PostgresStorage(
                source, Connections.Mode.KEPT, location, checked(patience), CACHE, new PostgresCounters());
    }

    /**
     * This with another patience. The database ends a writer that holds the lock of a repository and is silent for half of it.
     *
     * @throws IllegalArgumentException if it is shorter than 10 milliseconds, or longer than a day
     */
    public PostgresStorage withPatience(Duration time) {
        return new PostgresStorage(source, mode, location, checked(time), cacheBytes, counters);
    }

    private static Duration checked(Duration patience) {
        if (patience.compareTo(Duration.ofMillis(10)) < 0 || patience.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("the patience is 10 milliseconds to a day, not " + patience);
        }
        return patience;
    }

    /**
     * This with another size of the cache of each repository.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public PostgresStorage withCache(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a cache has 0 or more bytes, not " + bytes);
        }
        return new PostgresStorage(source, mode, location, patience, bytes, counters);
    }

    /** What was done so far by all repositories that this storage, and those made of it with other settings, have opened. */
    public PostgresStatistics statistics() {
        return counters.now();
    }

    private String location(String name) {
        return location + ", repository " + name;
    }

    /** A repository and what it is. */
    private record Found(int id, FormatLine line) {}

    /**
     * Makes a repository with one branch, {@link Repository#MAIN}; and the tables, if there are none yet.
     *
     * @throws RepositoryException if there is one of this name, or it cannot be a name, which follows the rules of those of branches
     * @throws dev.pail.StoreIOException if the database refuses it
     */
    public Repository init(String name, ShardFormat format) {
        return init(name, format, Set.of(Need.EVENTS));
    }

    /**
     * As {@link #init(String, ShardFormat)}, with other needs.
     *
     * @param needs what readers of the repository must understand; none for a repository that version 0.2.0 reads, too
     */
    public Repository init(String name, ShardFormat format, Set<Need> needs) {
        return Repository.open(initStores(name, new FormatLine(format, needs)));
    }

    RepositoryStores initStores(String name, FormatLine line) {
        RefName.check("a repository", name);
        return opened(
                name,
                connections -> make(connections, name, line)
                        .orElseThrow(() -> new RepositoryException(
                                RepositoryException.Reason.EXISTS,
                                "there is a repository already: " + location(name),
                                "open it, or choose another name",
                                null)));
    }

    /** What to throw if no repository of a name was found. Rule PG12. */
    private RuntimeException absent(Connections connections, String name) {
        Optional<String> schema = asked(connections, name, connection -> {
            Optional<String> other = Schema.elsewhere(connection, name);
            return other.isPresent() || Schema.isThere(connection) ? other : Schema.outOfSight(connection);
        });
        if (schema.isPresent()) {
            return new StoreIOException(
                    "cannot find the repository",
                    location(Escapes.brief(name)),
                    "there are tables of pail in the schema " + Escapes.brief(schema.get())
                            + ", which is not in the search path of this role, or which it may not use",
                    null);
        }
        return new RepositoryException(
                RepositoryException.Reason.NO_REPOSITORY,
                "no repository: " + location(Escapes.brief(name)),
                "make one with init",
                null);
    }

    private Optional<Found> make(Connections connections, String name, FormatLine line) {
        return asked(connections, name, connection -> {
            Optional<String> other = Schema.elsewhere(connection, name);
            if (other.isPresent()) {
                throw new RepositoryException(
                        RepositoryException.Reason.EXISTS,
                        "there is a repository of this name in the schema " + Escapes.brief(other.get()) + ": "
                                + location(name),
                        "put that schema into the search path, or choose another name",
                        null);
            }
            Schema.make(connection);
            boolean hasId = Schema.version(connection) > 1;
            try (PreparedStatement insert = connection.prepareStatement("insert into pail_repository (name, format"
                    + (hasId ? ", uuid, records) values (?, ?, gen_random_uuid(), 0)" : ") values (?, ?)")
                    + " on conflict do nothing returning id")) {
                insert.setString(1, name);
                insert.setString(2, line.text());
                try (ResultSet found = insert.executeQuery()) {
                    return found.next() ? Optional.of(new Found(found.getInt(1), line)) : Optional.empty();
                }
            }
        });
    }

    /**
     * Opens a repository.
     *
     * @throws RepositoryException if there is none of this name
     * @throws dev.pail.StoreIOException if the database cannot be reached, or refuses it
     */
    public Repository open(String name) {
        return Repository.open(stores(name));
    }

    RepositoryStores stores(String name) {
        return opened(name, connections -> find(connections, name).orElseThrow(() -> absent(connections, name)));
    }

    /**
     * Rebuilds the refs of a repository whose records are missing, from its events. Nothing else may use the repository meanwhile.
     *
     * @return what was found; empty if no record is missing, and then nothing is changed
     * @throws RepositoryException if there is none of this name
     * @throws StoreIOException if the database cannot be reached, or refuses it
     */
    public Optional<Recovered> recover(String name) {
        try (Connections connections = connections()) {
            Found found = find(connections, name).orElseThrow(() -> absent(connections, name));
            Database database = database(connections, name, found.id);
            try {
                new PostgresRecords(database, found.line.needs()).checkWhole();
                return Optional.empty();
            } catch (RepositoryException e) {
                Trace.swallowed("the refs are not whole", e);
            }
            return Optional.of(new PostgresRecovery(database).run());
        }
    }

    /** Whether there is a repository of this name. */
    public boolean has(String name) {
        try (Connections connections = connections()) {
            return find(connections, name).isPresent();
        }
    }

    /** The names of all repositories, in order. */
    public List<String> repositories() {
        try (Connections connections = connections()) {
            return asked(connections, "", connection -> {
                List<String> names = new ArrayList<>();
                if (Schema.isThere(connection)) {
                    try (PreparedStatement query = connection.prepareStatement("select name from pail_repository");
                            ResultSet found = query.executeQuery()) {
                        while (found.next()) {
                            names.add(found.getString(1));
                        }
                    }
                }
                names.sort(null);
                return names;
            });
        }
    }

    private Optional<Found> find(Connections connections, String name) {
        Objects.requireNonNull(name, "name");
        return asked(connections, name, connection -> {
            if (!RefName.isValid(name) || !Schema.isThere(connection)) {
                return Optional.empty();
            }
            try (PreparedStatement query =
                    connection.prepareStatement("select id, format from pail_repository where name = ?")) {
                query.setString(1, name);
                try (ResultSet found = query.executeQuery()) {
                    return found.next()
                            ? Optional.of(new Found(found.getInt(1), line(name, found.getString(2))))
                            : Optional.empty();
                }
            }
        });
    }

    private FormatLine line(String name, String text) {
        try {
            return FormatLine.read(text);
        } catch (IllegalArgumentException e) {
            throw RepositoryException.damaged(
                    "not a format that is known here: " + Escapes.brief(text) + ": " + e.getMessage() + ": "
                            + location(name),
                    "if it is newer, use a newer version of this program",
                    e);
        }
    }

    private <T> T asked(Connections connections, String name, Database.Work<T> work) {
        return database(connections, name, 0).ask("cannot look for a repository", work);
    }

    private Connections connections() {
        return new Connections(source, mode, patience.multipliedBy(PATIENT_ANSWER));
    }

    private Database database(Connections connections, String name, int id) {
        return new Database(connections, id, name.isEmpty() ? location : location(name), patience, counters);
    }

    /** The blocks of a repository, for tests. */
    RepositoryBlocks blocks(String name) {
        return opened(
                name,
                (database, line) -> new PostgresBlocks(database, cacheBytes),
                connections -> find(connections, name).orElseThrow());
    }

    private RepositoryStores opened(String name, Function<Connections, Found> finding) {
        return opened(name, this::stores, finding);
    }

    /** Opens what is found, over the connections that found it. */
    private <T> T opened(
            String name, BiFunction<Database, FormatLine, T> opening, Function<Connections, Found> finding) {
        Connections connections = connections();
        try {
            Found found = finding.apply(connections);
            Database database = database(connections, name, found.id);
            database.ask("cannot count the records of refs", connection -> {
                Census.of(database, connection).check(database.location());
                return true;
            });
            return opening.apply(database, found.line);
        } catch (RuntimeException | Error e) {
            connections.close();
            throw e;
        }
    }

    private RepositoryStores stores(Database database, FormatLine line) {
        return new RepositoryStores(
                new RecordRefs(
                        new PostgresRecords(database, line.needs()),
                        database.location(),
                        new DatabaseClock(database),
                        patience),
                new PostgresBlocks(database, cacheBytes),
                line.format());
    }
}
