package dev.pail.s3;

import java.util.concurrent.atomic.LongAdder;

/** What is counted for {@link S3Statistics}. Safe for use by several threads. */
final class S3Counters {
    final LongAdder reads = new LongAdder();
    final LongAdder lists = new LongAdder();
    final LongAdder writes = new LongAdder();
    final LongAdder deletes = new LongAdder();
    final LongAdder bytesRead = new LongAdder();
    final LongAdder bytesWritten = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder races = new LongAdder();
    final LongAdder unknowns = new LongAdder();

    S3Statistics now() {
        return new S3Statistics(
                reads.sum(),
                lists.sum(),
                writes.sum(),
                deletes.sum(),
                bytesRead.sum(),
                bytesWritten.sum(),
                retries.sum(),
                races.sum(),
                unknowns.sum());
    }
}
