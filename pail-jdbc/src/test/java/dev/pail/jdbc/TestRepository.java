package dev.pail.jdbc;

import dev.pail.ShardFormat;
import dev.pail.repository.Repository;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A repository of its own in a database that the tests of this process share, unless another one is given.
 *
 * @param storage what it is in
 * @param name its name
 */
public record TestRepository(PostgresStorage storage, String name) {
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    /** The database of this process. */
    private static final class Shared {
        private static final PGSimpleDataSource SOURCE =
                TestServer.get().source(TestServer.get().newDatabase());
    }

    /** A name for a repository that is not there yet. */
    public static TestRepository inShared(Duration patience) {
        return in(Shared.SOURCE, patience);
    }

    /** The same in some database. */
    public static TestRepository in(PGSimpleDataSource source, Duration patience) {
        return new TestRepository(TestServer.storage(source, patience), "r" + NUMBERS.incrementAndGet());
    }

    public Repository init(ShardFormat format) {
        return storage.init(name, format);
    }

    /** Opens it once more, with connections of its own. */
    public Repository open() {
        return storage.open(name);
    }
}
