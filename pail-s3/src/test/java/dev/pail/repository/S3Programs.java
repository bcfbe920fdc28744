package dev.pail.repository;

import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.repository.model.Collected;
import dev.pail.repository.model.RefChangedException;
import dev.pail.s3.S3Storage;
import dev.pail.s3.TestBucket;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;

/** Programs that change a repository on the server of the tests, or collect it, in processes of their own. */
final class S3Programs {
    private S3Programs() {}

    /**
     * A {@link ResumedWriter} that gets no answer to one request in twenty. Prints at the end {@code END} with the unknown commits.
     *
     * <p>Arguments: repository, name, the first and the last change, patience in milliseconds.
     */
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) {
            S3Storage storage = TestBucket.onServer(arguments[0])
                    .withPatience(Duration.ofMillis(Long.parseLong(arguments[4])))
                    .withLostAnswers(20)
                    .storage();
            ResumedWriter.run(
                    () -> storage.open(arguments[0]),
                    arguments[1],
                    Integer.parseInt(arguments[2]),
                    Integer.parseInt(arguments[3]));
            System.out.println("END " + storage.statistics().unknowns());
        }
    }

    /**
     * A {@link RestlessWriter}.
     *
     * <p>Arguments: repository, branch, seed, the least number of changes, bytes of the cache.
     */
    static final class Restless {
        private Restless() {}

        public static void main(String[] arguments) throws IOException {
            S3Storage storage = TestBucket.onServer(arguments[0]).storage().withCache(Long.parseLong(arguments[4]));
            new RestlessWriter(storage.open(arguments[0]), arguments[1], Long.parseLong(arguments[2]))
                    .run(Integer.parseInt(arguments[3]), storage::statistics);
        }
    }

    /**
     * Takes away what nothing needs until it is killed, by a clock that is two hours further ahead each time. Prints {@code ACK} and what went.
     *
     * <p>Argument: repository.
     */
    static final class Collector {
        private Collector() {}

        public static void main(String[] arguments) {
            for (int hours = 1; ; hours++) {
                Clock ahead = Clock.offset(Clock.systemUTC(), Duration.ofHours(2L * hours));
                try (Repository repository =
                        TestBucket.onServer(arguments[0]).withClock(ahead).open()) {
                    Collected done = repository
                            .maintenance()
                            .garbageCollection()
                            .withRetention(Duration.ZERO)
                            .withAnyGrace(hours % 2 == 0 ? Duration.ZERO : GarbageCollection.LEAST_GRACE)
                            .run();
                    System.out.println("ACK " + done.moved().blocks() + " "
                            + done.deleted().blocks() + " " + done.restored().blocks());
                } catch (StoreIOException | StoreLockedException | RefChangedException e) {
                    System.out.println("NO " + e.code() + " "
                            + String.valueOf(e.getMessage()).replace('\n', ' '));
                }
            }
        }
    }
}
