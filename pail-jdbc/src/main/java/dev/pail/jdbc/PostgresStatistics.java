package dev.pail.jdbc;

/**
 * What the repositories of a {@link PostgresStorage} have done so far in this process.
 *
 * <pre>{@code
 * PostgresStorage storage = PostgresStorage.of(source);
 * try (Repository repository = storage.open("notes")) {
 *     Pail pail = repository.pail();
 * }
 * long statements = storage.statistics().statements(); // to open it and to read the branch
 * }</pre>
 *
 * @param statements sent to the database, without the beginnings and ends of transactions
 * @param bytesRead of blocks
 * @param bytesWritten of blocks
 * @param retries statements and transactions that were begun again because the connection failed, or the database asked for it
 * @param races ref updates that another writer was faster than
 * @param unknowns commits without an answer. Each was looked up afterwards
 */
public record PostgresStatistics(
        long statements, long bytesRead, long bytesWritten, long retries, long races, long unknowns) {}
