package dev.pail.clock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Entry;
import dev.pail.MapBlocks;
import dev.pail.MissingBlockException;
import dev.pail.ShardFormat;
import dev.pail.Vectors;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Replicas that change a pail on their own, and bring each other their events in any order, some twice and some before those
 * that they follow.
 */
class RandomHistoriesTest {
    private static final List<String> KEYS =
            List.of("a", "ab", "abc", "abd", "b", "ba", "banana", "band", "bandana", "c", "can");

    private static final List<ShardFormat> FORMATS =
            List.of(ShardFormat.v0(), ShardFormat.v0(2000, 3), ShardFormat.v1(), ShardFormat.v2());

    @Test
    void replicasWithTheSameEventsAreTheSame_M17() {
        long seed = Randomness.seed("RandomHistoriesTest");
        int forked = 0;
        int gaps = 0;
        int open = 0;
        int histories = Randomness.times(800, 50_000);
        for (int i = 0; i < histories; i++) {
            History history = new History(Randomness.random(seed + i));
            try {
                history.run();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("history " + i + " of -Dpail.seed=" + seed + "\n" + history.log, e);
            }
            forked += history.forked;
            gaps += history.gaps;
            open += history.open;
        }
        assertThat(forked).isGreaterThan(histories);
        assertThat(gaps).isGreaterThan(histories / 4);
        assertThat(open).isGreaterThan(histories);
    }

    private static final class History {
        private final Random random;
        private final MapBlocks shared = new MapBlocks();
        private final List<ReplicaBlocks> stores = new ArrayList<>();
        private final List<ReplicatedPail> replicas = new ArrayList<>();
        private final PlainClock plain = new PlainClock();

        /** The entries that each event was made with. */
        private final Map<Cid, Map<String, Cid>> made = new HashMap<>();

        /** The root for each set of events that a replica had. */
        private final Map<Set<Cid>, Cid> roots = new HashMap<>();

        private final StringBuilder log = new StringBuilder();
        private int values;
        private int forked;
        private int gaps;
        private int open;
        private final KeptConflicts cache = new KeptConflicts();

        History(Random random) {
            this.random = random;
            ShardFormat format = FORMATS.get(random.nextInt(FORMATS.size()));
            log.append(format).append('\n');
            boolean unrelated = random.nextInt(5) == 0;
            int count = 2 + random.nextInt(3);
            for (int i = 0; i < count; i++) {
                ReplicaBlocks blocks = new ReplicaBlocks(shared);
                stores.add(blocks);
                ReplicatedPail replica = ReplicatedPail.create(blocks, format);
                replicas.add(unrelated ? replica.with(UnrelatedHistories.MERGE_FROM_EMPTY) : replica);
            }
            while (replicas.get(0).head().isEmpty()) {
                change(0);
            }
            for (int i = 1; !unrelated && i < count; i++) {
                bring(0, i);
            }
        }

        void run() {
            int steps = 3 + random.nextInt(20);
            for (int step = 0; step < steps; step++) {
                int replica = random.nextInt(replicas.size());
                if (random.nextInt(3) > 0) {
                    change(replica);
                } else {
                    bring(random.nextInt(replicas.size()), replica);
                }
                check(replica);
            }
            for (int round = 0; round < 2; round++) {
                for (int from = 0; from < replicas.size(); from++) {
                    for (int to = 0; to < replicas.size(); to++) {
                        bring(from, to);
                        check(to);
                    }
                }
            }
            assertThat(Set.copyOf(replicas)).hasSize(1);
        }

        private Cid value() {
            return Vectors.value(random.nextInt(4) == 0 ? 0 : ++values);
        }

        private String key() {
            return KEYS.get(random.nextInt(KEYS.size()));
        }

        private void change(int number) {
            ReplicatedPail before = replicas.get(number);
            Map<String, Cid> entries = entries(before);
            ReplicatedPail after;
            int kind = random.nextInt(10);
            if (kind < 5) {
                Operation.Put put = new Operation.Put(key(), value());
                after = before.put(put.key(), put.value());
                PlainClock.apply(put, entries);
            } else if (kind < 8) {
                Operation.Delete delete = new Operation.Delete(key());
                after = before.delete(delete.key());
                PlainClock.apply(delete, entries);
            } else {
                ReplicatedBatch batch = before.batch();
                for (int left = random.nextInt(5); left > 0; left--) {
                    String key = key();
                    if (random.nextInt(3) == 0) {
                        batch.delete(key);
                        entries.remove(key);
                    } else {
                        Cid value = value();
                        batch.put(key, value);
                        entries.put(key, value);
                    }
                }
                after = batch.commit();
            }
            replicas.set(number, after);
            if (after.equals(before)) {
                assertThat(entries).isEqualTo(entries(before));
                return;
            }
            Event event = after.clock().event(after.head().events().get(0));
            assertThat(event.parents()).isEqualTo(before.head().events());
            log.append(number)
                    .append(' ')
                    .append(event.operation())
                    .append(' ')
                    .append(event)
                    .append('\n');
            plain.add(event);
            made.put(event.cid(), entries);
            check(number);
        }

        /** Brings all events of a replica to another one, each on its own and in any order, until none is missing. */
        private void bring(int from, int to) {
            log.append(from).append(" -> ").append(to).append('\n');
            Head target = replicas.get(from).head();
            List<Cid> due = new ArrayList<>(plain.past(target.events()));
            if (random.nextBoolean()) {
                due.forEach(stores.get(to)::bring);
                replicas.set(to, replicas.get(to).merge(target));
                return;
            }
            due.removeAll(stores.get(to).brought());
            Collections.shuffle(due, random);
            for (int twice = random.nextInt(3); twice > 0 && !due.isEmpty(); twice--) {
                due.add(due.get(random.nextInt(due.size())));
            }
            while (!due.isEmpty()) {
                List<Cid> again = new ArrayList<>();
                for (Cid event : due) {
                    stores.get(to).bring(event);
                    if (!deliver(to, event)) {
                        again.add(event);
                    }
                }
                due = again;
            }
            replicas.set(to, replicas.get(to).merge(target));
        }

        private boolean deliver(int to, Cid event) {
            try {
                replicas.set(to, replicas.get(to).advance(event));
                return true;
            } catch (MissingBlockException e) {
                assertThat(stores.get(to).has(e.cid())).isFalse();
                assertThat(plain.events.get(e.linkedFrom().orElseThrow()).parents())
                        .contains(e.cid());
                gaps++;
                return false;
            }
        }

        private static Map<String, Cid> entries(ReplicatedPail replica) {
            Map<String, Cid> entries = new TreeMap<>();
            replica.entries().forEach((Entry entry) -> entries.put(entry.key(), entry.value()));
            return entries;
        }

        private void check(int number) {
            ReplicatedPail replica = replicas.get(number);
            Head head = replica.head();
            assertThat(head).isEqualTo(plain.newest(head.events()));
            assertThat(entries(replica)).isEqualTo(plain.entries(head, made));
            checkConflicts(replica);
            Set<Cid> past = new HashSet<>(plain.past(head.events()));
            Cid known = roots.putIfAbsent(past, replica.root());
            assertThat(replica.root()).isEqualTo(known == null ? replica.root() : known);
            if (head.size() > 1) {
                forked++;
            }
        }

        /** Rules M22 and M23, from the beginning and from what the cache kept. */
        private void checkConflicts(ReplicatedPail replica) {
            Head head = replica.head();
            Map<String, Set<OpenConflict.Side>> expected = plain.conflicts(head);
            assertThat(byKey(replica.clock().conflicts(head, ConflictCache.NONE)))
                    .isEqualTo(expected);
            assertThat(byKey(replica.clock().conflicts(head, cache))).isEqualTo(expected);
            assertThat(expected).containsAllEntriesOf(byKey(replica.clock().newConflicts(head)));
            open += expected.size();
            if (random.nextInt(10) == 0) {
                cache.kept.clear();
            }
        }

        private static Map<String, Set<OpenConflict.Side>> byKey(List<OpenConflict> open) {
            Map<String, Set<OpenConflict.Side>> sides = new TreeMap<>();
            open.forEach(conflict -> sides.put(conflict.key(), Set.copyOf(conflict.sides())));
            assertThat(open).extracting(OpenConflict::key).containsExactlyElementsOf(sides.keySet());
            return sides;
        }
    }

    private static final class KeptConflicts implements ConflictCache {
        private final Map<Head, List<OpenConflict>> kept = new HashMap<>();

        @Override
        public Optional<List<OpenConflict>> of(Head head) {
            return Optional.ofNullable(kept.get(head));
        }

        @Override
        public void note(Head head, List<OpenConflict> open, int read) {
            List<OpenConflict> before = kept.put(head, open);
            assertThat(open).isEqualTo(before == null ? open : before);
        }
    }
}
