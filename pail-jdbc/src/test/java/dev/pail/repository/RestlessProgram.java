package dev.pail.repository;

import dev.pail.jdbc.PostgresStorage;
import dev.pail.jdbc.TestServer;
import java.io.IOException;
import java.time.Duration;

/**
 * A {@link RestlessWriter} of a repository in PostgreSQL.
 *
 * <p>Arguments: server, database, repository, branch, seed, the least number of changes, patience in milliseconds, bytes of the cache.
 */
final class RestlessProgram {
    private RestlessProgram() {}

    public static void main(String[] arguments) throws IOException {
        PostgresStorage storage = TestServer.storage(
                        TestServer.at(arguments[0]).source(arguments[1]),
                        Duration.ofMillis(Long.parseLong(arguments[6])))
                .withCache(Long.parseLong(arguments[7]));
        new RestlessWriter(storage.open(arguments[2]), arguments[3], Long.parseLong(arguments[4]))
                .run(Integer.parseInt(arguments[5]), storage::statistics);
    }
}
