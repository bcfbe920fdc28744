package dev.pail.repository;

import dev.pail.ShardFormat;
import dev.pail.jdbc.HandDatabase;
import dev.pail.jdbc.PostgresStorage;
import dev.pail.jdbc.TestRepository;
import dev.pail.testkit.Randomness;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What repositories in folders and in memory are tested with: competing writers, collections, models. */
class RepositoryInPostgresTest {
    /** Threads of a process wait for each other, and this machine may be busy. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Test
    void noUpdateIsLost() throws Exception {
        TestRepository place = TestRepository.inShared(PATIENCE);
        place.init(ShardFormat.v1()).close();
        CompetingUpdatesTest.noUpdateIsLost(place::open);
    }

    @Test
    void collectionsLoseNothing_PG5() throws Exception {
        long seed = Randomness.seed("RepositoryInPostgresTest");
        TestRepository place = TestRepository.inShared(PATIENCE);
        place.init(ShardFormat.v1()).close();
        new GarbageStormTest().storm(place::open, Duration.ZERO, seed, Set.of(), () -> "no process");
    }

    @Test
    void whatGoesIsWhatTheRulesSay_PG5() throws Exception {
        HandDatabase database = new HandDatabase();
        new GarbageModelTest()
                .whatGoesIsWhatTheRulesSay(
                        Randomness.times(3, 300), seed -> new GarbageWorkload(seed, new Collected(database)));
    }

    /** A repository under a clock that a test moves. */
    private record Collected(HandDatabase database, TestRepository repository) implements GarbageWorkload.Place {
        Collected(HandDatabase database) {
            this(database, TestRepository.in(database.source(), PATIENCE));
        }

        @Override
        public Repository init(ShardFormat format) {
            return repository.init(format);
        }

        @Override
        public void pass(Duration time) {
            database.pass(time);
        }

        @Override
        public Map<String, Instant> blocks() {
            return database.stamps(repository.name(), "put_at", "condemned_at is null");
        }

        @Override
        public Map<String, Instant> trash() {
            return database.stamps(repository.name(), "condemned_at", "condemned_at is not null");
        }
    }

    @Test
    void undoRedoAndRevertDoWhatTheModelDoes() {
        new UndoModelTest()
                .undoRedoAndRevertDoWhatTheModelDoes(
                        Randomness.times(8, 60),
                        (format, random) -> TestRepository.inShared(PostgresStorage.PATIENCE)
                                .init(format));
    }
}
