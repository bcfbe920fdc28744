package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.jdbc.PostgresStorage;
import dev.pail.jdbc.TestServer;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.testkit.Randomness;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Two writers and a collector, each a process. One at a time is stopped at any point, for longer than the patience of the others.
 * No block that a branch reaches is lost, and the other processes continue.
 */
class PostgresCollectorTest {
    private static final String REPOSITORY = "r";
    private static final Duration PATIENCE = Duration.ofMillis(300);

    /** The number of refusals after which the other processes count as blocked. */
    private static final int MOST_REFUSALS = 100;

    /** What there is of each, before the writers end. */
    private static final int LEAST_DELETED = 100;

    private static final int LEAST_STOPS = 4;

    private final TestServer server = TestServer.get();
    private final String database = server.newDatabase();
    private final PGSimpleDataSource source = server.source(database);
    private final PostgresStorage storage = TestServer.storage(source, Duration.ofMinutes(1));

    private long stops;
    private long refusals;
    private long deleted;

    /** What is stopped, and what the others have said since. */
    private static final class Stop {
        final Process process;
        final long begun = System.nanoTime();
        int changes;
        int refusals;

        Stop(Process process) {
            this.process = process;
        }

        boolean isOver() {
            return changes >= 10 && System.nanoTime() - begun > 2 * PATIENCE.toNanos();
        }
    }

    @Test
    void stoppedWritersAndCollectorsLoseNothing_PG5_PG6() throws Exception {
        run(150);
    }

    @Test
    @Tag("stress")
    void stoppedWritersAndCollectorsLoseNothingForLong_PG5_PG6() throws Exception {
        run(Randomness.times(2_000, 20_000));
    }

    private void run(int changes) throws Exception {
        long seed = Randomness.seed("PostgresCollectorTest");
        Random random = Randomness.random(seed);
        TestServer.execute(source, CollectorProgram.CLOCK);
        try (Repository repository = storage.init(REPOSITORY, ShardFormat.v1());
                Programs programs = new Programs()) {
            Set<Process> writers = new HashSet<>();
            for (int i = 0; i < 2; i++) {
                String branch = "w" + i;
                repository.branches().create(branch, Head.empty());
                // The one reads each block from the database, the other has what it knows.
                long cache = i == 0 ? 0 : PostgresStorage.CACHE;
                writers.add(programs.start(
                        RestlessProgram.class,
                        server.address(),
                        database,
                        REPOSITORY,
                        branch,
                        seed + i,
                        changes,
                        PATIENCE.toMillis(),
                        cache));
            }
            Process collector =
                    programs.start(CollectorProgram.class, server.address(), database, REPOSITORY, PATIENCE.toMillis());
            storm(programs, writers, collector, random);
            assertThat(collector.isAlive()).isTrue();
            Programs.signal(collector, "KILL");
        }
        System.out.println("PostgresCollectorTest: " + stops + " stops, " + refusals + " refusals, " + deleted
                + " blocks deleted");
        assertThat(stops).isPositive();
        assertThat(deleted).isPositive();
        try (Repository repository = storage.open(REPOSITORY)) {
            VerifyReport unused = UpdateChecks.sound(repository, VerifyOptions.DEFAULT);
            for (int i = 0; i < 2; i++) {
                assertThat(UpdateChecks.linear(repository.refs(), "w" + i)).isNotEmpty();
            }
        }
    }

    private void storm(Programs programs, Set<Process> writers, Process collector, Random random) throws Exception {
        @Nullable Stop stop = null;
        boolean isOver = false;
        while (!writers.isEmpty()) {
            Programs.Said said = programs.next();
            if (said.isEnd()) {
                assertThat(said.by()).as("the collector").isNotEqualTo(collector);
                assertThat(said.by().waitFor()).as("a writer").isZero();
                writers.remove(said.by());
            } else if (said.text().startsWith("NO ")) {
                refusals++;
                if (stop != null && !said.by().equals(stop.process)) {
                    stop.refusals++;
                    assertThat(stop.refusals).as(said.text()).isLessThan(MOST_REFUSALS);
                }
            } else if (said.text().startsWith("ACK ")) {
                String[] words = said.text().split(" ", -1);
                if (said.by().equals(collector)) {
                    deleted += Long.parseLong(words[2]);
                    if (!isOver && deleted >= LEAST_DELETED && stops >= LEAST_STOPS) {
                        isOver = true;
                        for (Process writer : writers) {
                            writer.outputWriter().append("\n").flush();
                        }
                    }
                }
                if (stop != null && !said.by().equals(stop.process)) {
                    stop.changes++;
                } else if (stop == null && random.nextInt(20) == 0) {
                    List<Process> all =
                            List.of(writers.stream().toList().get(random.nextInt(writers.size())), collector);
                    stop = new Stop(all.get(random.nextInt(2)));
                    Programs.signal(stop.process, "STOP");
                    stops++;
                }
            } else if (!said.text().startsWith("END ")) {
                throw new AssertionError(said.text());
            }
            if (stop != null && (stop.isOver() || writers.equals(Set.of(stop.process)) || writers.isEmpty())) {
                Programs.signal(stop.process, "CONT");
                stop = null;
            }
        }
    }
}
