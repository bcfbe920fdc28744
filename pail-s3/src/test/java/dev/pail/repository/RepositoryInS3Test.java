package dev.pail.repository;

import dev.pail.ShardFormat;
import dev.pail.s3.TestBucket;
import dev.pail.testkit.Randomness;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What repositories in folders and in memory are tested with: competing writers, collections, models. */
class RepositoryInS3Test {
    /** Threads of a process wait for each other, and this machine may be busy. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @Test
    void noUpdateIsLost_OS5() throws Exception {
        TestBucket place = TestBucket.newest().withPatience(PATIENCE);
        place.init(ShardFormat.v1()).close();
        CompetingUpdatesTest.noUpdateIsLost(place::open);
    }

    @Test
    void collectionsLoseNothing_OS9() throws Exception {
        long seed = Randomness.seed("RepositoryInS3Test");
        TestBucket place = TestBucket.inMemory(Clock.systemUTC()).withPatience(PATIENCE);
        place.init(ShardFormat.v1()).close();
        new GarbageStormTest().storm(place::open, Duration.ZERO, seed, Set.of(), () -> "no process");
    }

    @Test
    void undoRedoAndRevertDoWhatTheModelDoes() {
        new UndoModelTest()
                .undoRedoAndRevertDoWhatTheModelDoes(
                        Randomness.times(4, 60),
                        (format, random) -> TestBucket.newest().init(format));
    }
}
