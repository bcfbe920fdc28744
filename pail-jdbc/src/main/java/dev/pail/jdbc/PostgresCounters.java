package dev.pail.jdbc;

import java.util.concurrent.atomic.LongAdder;

/** What is counted for {@link PostgresStatistics}. Safe for use by several threads. */
final class PostgresCounters {
    final LongAdder statements = new LongAdder();
    final LongAdder bytesRead = new LongAdder();
    final LongAdder bytesWritten = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder races = new LongAdder();
    final LongAdder unknowns = new LongAdder();

    PostgresStatistics now() {
        return new PostgresStatistics(
                statements.sum(), bytesRead.sum(), bytesWritten.sum(), retries.sum(), races.sum(), unknowns.sum());
    }
}
