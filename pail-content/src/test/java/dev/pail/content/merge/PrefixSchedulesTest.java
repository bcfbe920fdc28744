package dev.pail.content.merge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.clock.OpenConflict;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.RepositoryRemote;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.testkit.Randomness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Three replicas of a map with merge rules, which change texts, objects and the rules themselves, pull from each other and decide conflicts. In the end all have one head, one root and the
 * same open conflicts.
 */
class PrefixSchedulesTest {
    private static final int SCHEDULES = Randomness.times(40, 5000);
    private static final int REPLICAS = 3;
    private static final int LINES = 30;
    private static final String MAIN = Repository.MAIN;
    private static final List<String> KEYS = List.of("docs/a", "docs/b", "config/c", "plain/d");

    private final List<Repository> replicas = new ArrayList<>();
    private int merged;
    private int open;
    private int ruleChanges;
    private int values;

    @Test
    void replicasMergeAlike_VM3_VM8_VM10() {
        Randomness.schedules("PrefixSchedulesTest", SCHEDULES, random -> {
            IntStream.range(0, REPLICAS).forEach(replica -> replicas.add(Repository.inMemory()));
            try {
                schedule(random);
            } finally {
                replicas.forEach(Repository::close);
                replicas.clear();
            }
        });
        assertThat(merged).isGreaterThan(SCHEDULES / 2);
        assertThat(open).isGreaterThan(SCHEDULES / 4);
        assertThat(ruleChanges).isGreaterThan(SCHEDULES / 4);
    }

    private void schedule(Random random) {
        update(0, pail -> {
            Pail next = put(pail, PrefixRules.KEY, rules(random));
            for (String key : KEYS) {
                next = put(
                        next, key, value(key, IntStream.range(0, LINES).boxed().toList()));
            }
            return next;
        });
        IntStream.range(1, REPLICAS).forEach(replica -> pull(replica, 0, MergeOptions.DEFAULT));
        for (int left = 20 + random.nextInt(20); left > 0; left--) {
            int replica = random.nextInt(REPLICAS);
            switch (random.nextInt(12)) {
                case 0 -> decide(replica, random);
                case 1 -> {
                    update(replica, pail -> put(pail, PrefixRules.KEY, rules(random)));
                    ruleChanges++;
                }
                case 2 -> pull(replica, random.nextInt(REPLICAS), MergeOptions.DEFAULT.withPolicy(MergePolicy.ours()));
                case 3, 4, 5, 6 -> pull(replica, random.nextInt(REPLICAS), MergeOptions.DEFAULT);
                default -> change(replica, KEYS.get(random.nextInt(KEYS.size())), random);
            }
        }
        for (int round = 0; round < 3; round++) {
            for (int to = 0; to < REPLICAS; to++) {
                for (int from = 0; from < REPLICAS; from++) {
                    pull(to, from, MergeOptions.DEFAULT);
                }
            }
        }
        Repository first = replicas.get(0);
        Map<String, Set<OpenConflict.Side>> conflicts = conflicts(0);
        open += conflicts.size();
        for (int i = 1; i < REPLICAS; i++) {
            assertThat(replicas.get(i).head(MAIN)).isEqualTo(first.head(MAIN));
            assertThat(replicas.get(i).root(MAIN)).isEqualTo(first.root(MAIN));
            assertThat(conflicts(i)).isEqualTo(conflicts);
        }
        // All have the merged values, and none has marks of a conflict.
        for (Repository replica : replicas) {
            for (String key : KEYS) {
                assertThat(text(replica.pail(MAIN), key)).doesNotContain("<<<").contains("29");
            }
        }
    }

    private Map<String, Set<OpenConflict.Side>> conflicts(int replica) {
        return replicas.get(replica).conflicts().of(MAIN).stream()
                .collect(Collectors.toMap(
                        each -> each.conflict().key(), each -> Set.copyOf(each.sides()), (a, b) -> a, TreeMap::new));
    }

    private static Block rules(Random random) {
        return PrefixRules.block(Map.of(
                "docs/",
                Set.of(ValueKind.TEXT),
                "config/",
                random.nextInt(4) == 0 ? Set.of() : Set.of(ValueKind.JSON),
                random.nextBoolean() ? "docs/b" : "plain/",
                random.nextBoolean() ? Set.of() : Set.of(ValueKind.TEXT)));
    }

    private void pull(int to, int from, MergeOptions options) {
        if (to != from) {
            MergeResult result = Exchange.of(
                            replicas.get(to), "r" + from, RepositoryRemote.of(replicas.get(from), "there"))
                    .pull(MAIN, options);
            merged += result.decided().size();
        }
    }

    private interface Change {
        Pail of(Pail before);
    }

    private void update(int replica, Change change) {
        var unused = replicas.get(replica).update(MAIN, change::of);
    }

    private static Pail put(Pail pail, String key, Block value) {
        pail.blocks().put(value);
        return pail.put(key, value.cid());
    }

    /** A value with a line or a field for each place. */
    private static Block value(String key, List<Integer> places) {
        boolean isJson = key.startsWith("config/");
        String text = IntStream.range(0, places.size())
                .mapToObj(i -> isJson ? "\"f" + i + "\":" + places.get(i) : "line " + i + " " + places.get(i))
                .collect(Collectors.joining(isJson ? "," : "\n", isJson ? "{" : "", isJson ? "}" : "\n"));
        return Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Pail pail, String key) {
        return new String(pail.blocks().require(pail.get(key).orElseThrow()).bytes(), StandardCharsets.UTF_8);
    }

    private void change(int replica, String key, Random random) {
        update(replica, pail -> {
            String now = text(pail, key);
            int place = random.nextInt(LINES - 1);
            String field = (key.startsWith("config/") ? "\"f" + place + "\":" : "line " + place + " ");
            int at = now.indexOf(field) + field.length();
            int end = at;
            while (Character.isDigit(now.charAt(end))) {
                end++;
            }
            String next = now.substring(0, at) + (100 + ++values) + now.substring(end);
            return put(pail, key, Block.of(Cid.RAW, next.getBytes(StandardCharsets.UTF_8)));
        });
    }

    private void decide(int replica, Random random) {
        List<String> keys = replicas.get(replica).conflicts().of(MAIN).stream()
                .filter(each -> random.nextBoolean())
                .map(each -> each.conflict().key())
                .toList();
        boolean isOurs = random.nextBoolean();
        var unused = replicas.get(replica)
                .conflicts()
                .resolve(
                        MAIN,
                        keys,
                        (each, blocks) -> isOurs
                                ? each.conflict().ours()
                                : each.conflict().theirs());
    }
}
