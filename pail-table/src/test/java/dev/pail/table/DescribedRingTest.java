package dev.pail.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.MergePolicy;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.RepositoryRemote;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.Note;
import dev.pail.testkit.Randomness;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Replicas that pull from each other in a ring. Each has an author and a clock of its own, and gives its merges a note. All have changed
 * tables, so that pulls have conflicts and repairs.
 */
class DescribedRingTest {
    private static final int RINGS = Randomness.times(60, 5_000);
    private static final int REPLICAS = 3;

    /**
     * If each replica pulls before the one that it pulls from, a change gets one replica further in a round, and meets others that were
     * merged meanwhile. 1,500 rings took up to 6 rounds.
     */
    private static final int MOST_AGAINST = 12;

    private static final String MAIN = Repository.MAIN;
    private static final FieldPath CITY = FieldPath.parse("city");
    private static final FieldPath AGE = FieldPath.parse("age");

    private final List<Repository> replicas = new ArrayList<>();
    private int repairs;
    private int conflicts;

    /** What a pull adds has no author and no time. Otherwise each pull would make another event, and rounds would never end. */
    @Test
    void aRingOfPullsComesToOneHead_DE9() {
        long seed = Randomness.seed("DescribedRingTest");
        for (int i = 0; i < RINGS; i++) {
            IntStream.range(0, REPLICAS)
                    .forEach(replica -> replicas.add(Repository.inMemory().with(Tables.mergeRules())));
            try {
                ring(Randomness.random(seed + i));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("ring " + i + " of -Dpail.seed=" + seed + ": " + e.getMessage(), e);
            } finally {
                replicas.forEach(Repository::close);
                replicas.clear();
            }
        }
        assertThat(repairs).isPositive();
        assertThat(conflicts).isPositive();
    }

    private Repository noted(int replica, Random random) {
        // Hours apart from each other.
        Instant time =
                Instant.ofEpochSecond(1_700_000_000L + 10_000L * replica + random.nextInt(5000), random.nextInt());
        return replicas.get(replica).withNote(Note.of("Author " + replica, "note " + random.nextInt()), time);
    }

    private void ring(Random random) {
        noted(0, random)
                .update(
                        MAIN,
                        pail -> Tables.of(pail)
                                .create("people")
                                .createIndex(CITY)
                                .pail());
        IntStream.range(1, REPLICAS).forEach(replica -> pull(replica, 0, MergeOptions.DEFAULT, random));
        for (int phase = 1 + random.nextInt(3); phase > 0; phase--) {
            for (int left = 3 + random.nextInt(9); left > 0; left--) {
                change(random.nextInt(REPLICAS), random);
            }
            // One replica decides conflicts as it likes, before all meet.
            if (random.nextInt(3) == 0) {
                pull(
                        0,
                        1,
                        MergeOptions.DEFAULT.withPolicy(
                                random.nextBoolean() ? MergePolicy.ours() : MergePolicy.theirs()),
                        random);
            }
            boolean isAgainst = random.nextInt(3) == 0;
            int most = isAgainst ? MOST_AGAINST : REPLICAS;
            for (int rounds = 0; heads().size() > 1; rounds++) {
                assertThat(rounds).isLessThan(most);
                round(isAgainst, random);
            }
            Head head = replicas.get(0).head(MAIN);
            assertThat(heads()).containsExactly(head);
            assertThat(roots()).hasSize(1);
            Set<Cid> events = events();
            IntStream.range(0, 2).forEach(round -> round(isAgainst, random));
            assertThat(heads()).containsExactly(head);
            assertThat(events()).isEqualTo(events);
            assertThat(Tables.of(replicas.get(0).pail()).check().wrongEntries().values())
                    .allMatch(count -> count == 0);
        }
    }

    private void round(boolean isAgainst, Random random) {
        for (int i = 0; i < REPLICAS; i++) {
            pull(i, (i + (isAgainst ? 1 : REPLICAS - 1)) % REPLICAS, MergeOptions.DEFAULT, random);
        }
    }

    private Set<Head> heads() {
        Set<Head> heads = new HashSet<>();
        replicas.forEach(replica -> heads.add(replica.head(MAIN)));
        return heads;
    }

    private Set<Cid> roots() {
        Set<Cid> roots = new HashSet<>();
        replicas.forEach(replica -> roots.add(replica.root(MAIN)));
        return roots;
    }

    private Set<Cid> events() {
        Set<Cid> events = new HashSet<>();
        replicas.forEach(
                replica -> events.addAll(MerkleClock.open(replica.blocks()).history(replica.head(MAIN))));
        return events;
    }

    private void pull(int to, int from, MergeOptions options, Random random) {
        RepositoryRemote remote = RepositoryRemote.of(replicas.get(from), "there");
        var result = Exchange.of(noted(to, random), "r" + from, remote).pull(MAIN, options);
        repairs += result.notes().size() + result.outcomes().size();
        conflicts += result.conflicts().size();
    }

    private void change(int replica, Random random) {
        String id = "p" + random.nextInt(4);
        Document row = Document.parse("{\"city\":\"c" + random.nextInt(3) + "\",\"age\":" + random.nextInt(50) + "}");
        noted(replica, random).update(MAIN, pail -> {
            Table people = Tables.of(pail).table("people");
            return switch (random.nextInt(8)) {
                case 0 -> people.delete(id).pail();
                case 1 ->
                    people.indexes().contains(AGE)
                            ? people.dropIndex(AGE).pail()
                            : people.createIndex(AGE).pail();
                case 2 -> {
                    // A fetch takes it that the blocks of known values are there.
                    pail.blocks().put(row.block());
                    yield pail.put("k" + random.nextInt(3), row.cid());
                }
                default -> people.put(id, row).pail();
            };
        });
    }
}
