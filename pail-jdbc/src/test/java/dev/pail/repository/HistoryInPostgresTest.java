package dev.pail.repository;

import dev.pail.ShardFormat;
import dev.pail.jdbc.PostgresStorage;
import dev.pail.jdbc.TestRepository;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same histories in PostgreSQL. */
class HistoryInPostgresTest extends HistoryTest {
    private TestRepository place;

    @Override
    Repository init() {
        place = TestRepository.inShared(PostgresStorage.PATIENCE);
        return place.init(ShardFormat.v1());
    }

    /** It waits less long for another writer than that one may be silent in its update. */
    @Override
    Repository another() {
        return new TestRepository(place.storage().withPatience(Duration.ofSeconds(2)), place.name()).open();
    }

    /** The server had made all durable that it acknowledged. */
    @Override
    Repository afterLoss() {
        return place.open();
    }

    /** It writes 160 MiB before it is refused. */
    @Test
    @Tag("stress")
    @Override
    void fewShardsWithMoreKeysThanAnybodyCanGoThroughMakeNoEvents() {
        super.fewShardsWithMoreKeysThanAnybodyCanGoThroughMakeNoEvents();
    }
}
