package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.MergePolicy;
import dev.pail.clock.Event;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.OpenConflict;
import dev.pail.clock.Operation;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.RepositoryRemote;
import dev.pail.repository.model.ConflictEntry;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.Note;
import dev.pail.testkit.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Three replicas that change the same few keys, pull from each other, decide conflicts on several sides at once, revert, and pick changes of
 * others. The open conflicts of each are those of rules M22 and M23, and replicas with the same events have the same ones.
 */
class ConflictSchedulesTest {
    private static final int SCHEDULES = Randomness.times(150, 10_000);
    private static final int REPLICAS = 3;
    private static final String MAIN = Repository.MAIN;

    private final List<Repository> replicas = new ArrayList<>();
    private int open;
    private int decided;
    private int reverted;
    private int picked;
    private int values;

    @Test
    void replicasAgreeOnWhatIsOpen_M23() {
        Randomness.schedules("ConflictSchedulesTest", SCHEDULES, random -> {
            IntStream.range(0, REPLICAS).forEach(replica -> replicas.add(Repository.inMemory()));
            try {
                schedule(random);
            } finally {
                replicas.forEach(Repository::close);
                replicas.clear();
            }
        });
        assertThat(open).isGreaterThan(SCHEDULES);
        assertThat(decided).isGreaterThan(SCHEDULES / 4);
        assertThat(reverted).isGreaterThan(SCHEDULES / 4);
        assertThat(picked).isGreaterThan(SCHEDULES / 4);
    }

    private void schedule(Random random) {
        replicas.get(0)
                .update(
                        MAIN,
                        before -> before.put(
                                "key0", Block.of(Cid.RAW, new byte[1]).cid()));
        IntStream.range(1, REPLICAS).forEach(replica -> pull(replica, 0, MergeOptions.DEFAULT));
        for (int left = 10 + random.nextInt(20); left > 0; left--) {
            int replica = random.nextInt(REPLICAS);
            switch (random.nextInt(10)) {
                case 0, 1 -> decide(replica, random);
                case 2 -> revert(replica, random);
                case 3 -> pick(replica, random);
                case 4, 5 -> pull(replica, random.nextInt(REPLICAS), options(random));
                default -> put(replica, random);
            }
            check(replica);
        }
        meet();
        open += check(0).size();
        // Several decide at once, and not alike.
        IntStream.range(0, REPLICAS).forEach(replica -> decide(replica, random));
        meet();
        Repository first = replicas.get(0);
        Map<String, Set<OpenConflict.Side>> conflicts = check(0);
        for (int i = 1; i < REPLICAS; i++) {
            assertThat(replicas.get(i).head(MAIN)).isEqualTo(first.head(MAIN));
            assertThat(replicas.get(i).root(MAIN)).isEqualTo(first.root(MAIN));
            assertThat(check(i)).isEqualTo(conflicts);
        }
        // One decides all, and nothing is open anywhere.
        first.conflicts().resolve(MAIN, List.copyOf(conflicts.keySet()), (each, blocks) -> each.stands());
        IntStream.range(1, REPLICAS).forEach(replica -> pull(replica, 0, MergeOptions.DEFAULT));
        IntStream.range(0, REPLICAS)
                .forEach(replica -> assertThat(check(replica)).isEmpty());
    }

    private void meet() {
        for (int round = 0; round < 2; round++) {
            for (int to = 0; to < REPLICAS; to++) {
                for (int from = 0; from < REPLICAS; from++) {
                    pull(to, from, MergeOptions.DEFAULT);
                }
            }
        }
    }

    private static MergeOptions options(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> MergeOptions.DEFAULT.withPolicy(MergePolicy.ours());
            case 1 -> MergeOptions.DEFAULT.withPolicy(MergePolicy.theirs());
            default -> MergeOptions.DEFAULT;
        };
    }

    private void pull(int to, int from, MergeOptions options) {
        if (to != from) {
            var unused = Exchange.of(replicas.get(to), "r" + from, RepositoryRemote.of(replicas.get(from), "there"))
                    .pull(MAIN, options);
        }
    }

    private Repository noted(int replica) {
        return replicas.get(replica).withNote(Note.of("Author " + replica, "change " + ++values));
    }

    private void put(int replica, Random random) {
        noted(replica).update(MAIN, before -> {
            var batch = before.batch();
            for (int left = 1 + random.nextInt(3); left > 0; left--) {
                String key = "key" + random.nextInt(5);
                if (random.nextInt(4) == 0) {
                    batch.delete(key);
                } else {
                    // Some values come again.
                    int value = random.nextInt(3) == 0 ? random.nextInt(3) : ++values;
                    batch.put(
                            key,
                            Block.of(Cid.RAW, ("" + value).getBytes(StandardCharsets.UTF_8))
                                    .cid());
                }
            }
            return batch.commit();
        });
    }

    private void decide(int replica, Random random) {
        List<ConflictEntry> found = replicas.get(replica).conflicts().of(MAIN);
        List<String> keys = found.stream()
                .filter(each -> random.nextBoolean())
                .map(each -> each.conflict().key())
                .toList();
        int side = random.nextInt(4);
        var unused = noted(replica).conflicts().resolve(MAIN, keys, (each, blocks) -> switch (side) {
            case 0 -> each.conflict().ours();
            case 1 -> each.conflict().theirs();
            case 2 -> each.conflict().base();
            default -> each.stands();
        });
        decided += keys.size();
        List<String> left = replicas.get(replica).conflicts().of(MAIN).stream()
                .map(each -> each.conflict().key())
                .toList();
        assertThat(left).hasSize(found.size() - keys.size()).noneMatch(keys::contains);
    }

    private Optional<Cid> event(int replica, Random random) {
        List<Cid> events = MerkleClock.open(replicas.get(replica).blocks())
                .history(replicas.get(replica).head(MAIN));
        return events.isEmpty() ? Optional.empty() : Optional.of(events.get(random.nextInt(events.size())));
    }

    private void revert(int replica, Random random) {
        event(replica, random).ifPresent(event -> {
            var unused = noted(replica)
                    .revert(MAIN, event, random.nextBoolean() ? MergePolicy.ours() : MergePolicy.theirs());
            reverted++;
        });
    }

    /** A change of another branch, which is that of another replica. */
    private void pick(int replica, Random random) {
        int other = random.nextInt(REPLICAS);
        if (other != replica) {
            var unused = Exchange.of(
                            replicas.get(replica), "r" + other, RepositoryRemote.of(replicas.get(other), "there"))
                    .fetch(MAIN);
            event(other, random).ifPresent(event -> {
                assertThat(noted(replica)
                                .cherryPick(MAIN, List.of(event), MergePolicy.theirs())
                                .root())
                        .isEqualTo(replicas.get(replica).root(MAIN));
                picked++;
            });
        }
    }

    /** The open conflicts of a replica, after a comparison with those that the rules define. */
    private Map<String, Set<OpenConflict.Side>> check(int replica) {
        Repository repository = replicas.get(replica);
        Map<String, Set<OpenConflict.Side>> found = new TreeMap<>();
        for (ConflictEntry each : repository.conflicts().of(MAIN)) {
            found.put(each.conflict().key(), Set.copyOf(each.sides()));
            assertThat(each.stands())
                    .isEqualTo(repository.pail(MAIN).get(each.conflict().key()));
            assertThat(each.conflict().ours()).isNotEqualTo(each.conflict().theirs());
            assertThat(each.sides()).extracting(OpenConflict.Side::value).contains(each.stands());
        }
        assertThat(found).isEqualTo(defined(repository));
        return found;
    }

    private static Map<String, Set<OpenConflict.Side>> defined(Repository repository) {
        MerkleClock clock = MerkleClock.open(repository.blocks());
        Map<Cid, Set<Cid>> past = new HashMap<>();
        Map<String, Map<Cid, Optional<Cid>>> changes = new HashMap<>();
        // Each is behind those that it follows.
        for (Cid cid : clock.history(repository.head(MAIN))) {
            Event event = clock.event(cid);
            Set<Cid> all = new HashSet<>(event.parents());
            event.parents().forEach(parent -> all.addAll(past.get(parent)));
            past.put(cid, all);
            for (Operation.Change change : event.operation().changes()) {
                changes.computeIfAbsent(change.key(), none -> new HashMap<>())
                        .put(cid, change instanceof Operation.Put put ? Optional.of(put.value()) : Optional.empty());
            }
        }
        Map<String, Set<OpenConflict.Side>> open = new TreeMap<>();
        changes.forEach((key, events) -> {
            Set<OpenConflict.Side> sides = new HashSet<>();
            events.forEach((event, value) -> {
                if (events.keySet().stream().noneMatch(other -> past.get(other).contains(event))) {
                    sides.add(new OpenConflict.Side(event, value));
                }
            });
            if (sides.stream().map(OpenConflict.Side::value).distinct().count() > 1) {
                open.put(key, sides);
            }
        });
        return open;
    }
}
