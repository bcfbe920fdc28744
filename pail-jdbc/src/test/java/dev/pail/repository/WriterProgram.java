package dev.pail.repository;

import dev.pail.jdbc.PostgresStorage;
import dev.pail.jdbc.TestServer;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A {@link ResumedWriter} of a repository in PostgreSQL. Prints {@code UNKNOWN} with the number of unknown commits before each {@code ACK}.
 *
 * <p>Arguments: server, database, repository, name, the first and the last change, patience in milliseconds.
 */
final class WriterProgram {
    private WriterProgram() {}

    public static void main(String[] arguments) {
        PGSimpleDataSource source = TestServer.at(arguments[0]).source(arguments[1]);
        PostgresStorage storage = TestServer.storage(source, Duration.ofMillis(Long.parseLong(arguments[6])));
        ResumedWriter.run(
                () -> storage.open(arguments[2]),
                arguments[3],
                Integer.parseInt(arguments[4]),
                Integer.parseInt(arguments[5]),
                () -> System.out.println("UNKNOWN " + storage.statistics().unknowns()));
    }
}
