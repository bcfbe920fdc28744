package dev.pail.server.sync;

import dev.pail.ShardFormat;
import dev.pail.jdbc.PostgresStorage;
import dev.pail.jdbc.TestRepository;
import dev.pail.repository.Repository;
import dev.pail.testkit.Randomness;
import java.util.List;
import java.util.Optional;

/** The random schedules of described events, in which one replica is in PostgreSQL. */
class DescribedSchedulesInPostgresTest extends DescribedSchedulesTest {
    @Override
    int schedules() {
        return Randomness.times(16, 1_000);
    }

    @Override
    List<String> always() {
        return List.of("HTTP", "folder");
    }

    @Override
    Optional<Repository> elsewhere() {
        return Optional.of(TestRepository.inShared(PostgresStorage.PATIENCE).init(ShardFormat.v1()));
    }
}
