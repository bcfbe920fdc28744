package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.s3.S3Storage;
import dev.pail.s3.TestBucket;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** Writers and collectors of a real server in processes of their own, which are killed or stopped at any point. */
@EnabledIf("dev.pail.s3.TestBucket#hasServer")
class S3ProcessesTest {
    private static final long PATIENCE_MILLIS = 60_000;
    private static final int WRITERS = 8;
    private static final int EACH = 50;

    /** How many changes the writers make beside collectors. */
    private static final int CHANGES = Randomness.times(120, 1_500);

    private static final int LEAST_DELETED = 100;
    private static final int LEAST_STOPS = 4;

    private final TestBucket place = TestBucket.newest();

    @Test
    void whatKilledWritersWereToldIsThere_OS5_OS7() throws Exception {
        Random random = Randomness.random(Randomness.seed("S3ProcessesTest"));
        Map<Process, String> running = new HashMap<>();
        Map<String, Set<String>> told = new HashMap<>();
        long kills = 0;
        long unknowns = 0;
        try (Programs programs = new Programs()) {
            try (Repository repository = place.init(ShardFormat.v1())) {
                for (int i = 0; i < WRITERS; i++) {
                    String name = "w" + i;
                    repository.branches().create(name, Head.empty());
                    told.put(name, new TreeSet<>());
                    running.put(start(programs, name, 0), name);
                }
            }
            while (!running.isEmpty()) {
                Programs.Said said = programs.next();
                String name = running.get(said.by());
                if (said.isEnd()) {
                    running.remove(said.by());
                    int code = said.by().waitFor();
                    int done = told.get(name).size();
                    if (done < EACH) {
                        assertThat(code).as("%s was killed", name).isNotZero();
                        running.put(start(programs, name, done), name);
                    }
                } else if (said.text().startsWith("ACK ")) {
                    assertThat(told.get(name).add(said.text().substring(4))).isTrue();
                    if (random.nextInt(40) == 0) {
                        Programs.signal(said.by(), "KILL");
                        kills++;
                    }
                } else if (said.text().startsWith("END ")) {
                    unknowns += Long.parseLong(said.text().substring(4));
                } else {
                    // With a minute of patience, all is settled within the call.
                    throw new AssertionError(name + ": " + said.text());
                }
            }
        }
        System.out.println("S3ProcessesTest: " + kills + " writers killed, unknown at the ends " + unknowns);
        assertThat(kills).isPositive();
        assertThat(unknowns).isPositive();
        try (Repository repository = place.open()) {
            Set<String> expected = new TreeSet<>();
            for (int i = 0; i < WRITERS; i++) {
                String name = "w" + i;
                Set<String> own = new TreeSet<>();
                for (int change = 0; change < EACH; change++) {
                    (ResumedWriter.branch(name, change).equals(name) ? own : expected)
                            .add(ResumedWriter.key(name, change));
                }
                assertThat(UpdateChecks.once(repository, name)).isEqualTo(own);
            }
            assertThat(UpdateChecks.once(repository, Repository.MAIN)).isEqualTo(expected);
            UpdateChecks.whole(repository);
        }
    }

    private Process start(Programs programs, String name, int from) throws Exception {
        return programs.start(S3Programs.Writer.class, place.name(), name, from, EACH, PATIENCE_MILLIS);
    }

    /** What is stopped, and how much the others have done since. */
    private static final class Stop {
        final Process process;
        int changes;

        Stop(Process process) {
            this.process = process;
        }
    }

    @Test
    void stoppedWritersAndCollectorsLoseNothing_OS9() throws Exception {
        long seed = Randomness.seed("S3ProcessesTest");
        Random random = Randomness.random(seed);
        long stops = 0;
        long kills = 0;
        long deleted = 0;
        try (Repository repository = place.init(ShardFormat.v1());
                Programs programs = new Programs()) {
            Set<Process> writers = new HashSet<>();
            for (int i = 0; i < 2; i++) {
                String branch = "w" + i;
                repository.branches().create(branch, Head.empty());
                // The one reads each block from the server, the other has what it knows.
                long cache = i == 0 ? 0 : S3Storage.CACHE;
                writers.add(programs.start(S3Programs.Restless.class, place.name(), branch, seed + i, CHANGES, cache));
            }
            Set<Process> collectors = new HashSet<>();
            for (int i = 0; i < 2; i++) {
                collectors.add(programs.start(S3Programs.Collector.class, place.name()));
            }
            @Nullable Stop stop = null;
            boolean isOver = false;
            while (!writers.isEmpty()) {
                Programs.Said said = programs.next();
                boolean isCollector = collectors.contains(said.by());
                if (said.isEnd()) {
                    if (writers.remove(said.by())) {
                        assertThat(said.by().waitFor()).as("a writer").isZero();
                    } else if (collectors.remove(said.by())) {
                        // It was killed.
                        collectors.add(programs.start(S3Programs.Collector.class, place.name()));
                    }
                } else if (said.text().startsWith("ACK ")) {
                    if (isCollector) {
                        deleted += Long.parseLong(said.text().split(" ", -1)[2]);
                        if (!isOver && deleted >= LEAST_DELETED && stops >= LEAST_STOPS && kills > 0) {
                            isOver = true;
                            for (Process writer : writers) {
                                writer.outputWriter().append("\n").flush();
                            }
                        }
                    }
                    if (stop != null && !said.by().equals(stop.process)) {
                        stop.changes++;
                    } else if (stop == null && random.nextInt(10) == 0) {
                        List<Process> all = new ArrayList<>(writers);
                        all.addAll(collectors);
                        Process chosen = all.get(random.nextInt(all.size()));
                        if (collectors.contains(chosen) && random.nextBoolean()) {
                            Programs.signal(chosen, "KILL");
                            kills++;
                        } else {
                            stop = new Stop(chosen);
                            Programs.signal(chosen, "STOP");
                            stops++;
                        }
                    }
                } else if (!said.text().startsWith("END ") && !said.text().startsWith("NO ")) {
                    throw new AssertionError(said.text());
                }
                if (stop != null && (stop.changes >= 10 || writers.equals(Set.of(stop.process)) || writers.isEmpty())) {
                    Programs.signal(stop.process, "CONT");
                    stop = null;
                }
            }
        }
        System.out.println("S3ProcessesTest: " + stops + " stops, " + kills + " collectors killed, " + deleted
                + " blocks deleted");
        try (Repository repository = place.open()) {
            VerifyReport unused = UpdateChecks.sound(repository, VerifyOptions.DEFAULT);
            for (int i = 0; i < 2; i++) {
                assertThat(UpdateChecks.linear(repository.refs(), "w" + i)).isNotEmpty();
            }
        }
    }
}
