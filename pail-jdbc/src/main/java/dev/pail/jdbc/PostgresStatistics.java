package dev.pail.jdbc;

/**
 * What the repositories of a {@link PostgresStorage} have done so far in this process.
 *
 * <pre>{@code
 * PostgresStatistics before = storage.statistics();
 * long statements = storage.statistics().statements() - before.statements(); // of what was done between
 * }</pre>
 *
 * @param statements sent to the database, without the beginnings and ends of transactions
 * @param bytesRead of blocks
 * @param bytesWritten of blocks
 * @param retries statements and transactions that were begun again because the connection failed, or the database asked for it
 * @param races ref updates that another writer was faster than
 * @param unknowns commits of which no answer came. Each was looked up afterwards
 */
public record PostgresStatistics(
        long statements, long bytesRead, long bytesWritten, long retries, long races, long unknowns) {}
