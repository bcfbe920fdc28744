package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pail.BlockStore;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Heads and roots of replicas that change a pail on their own and merge, ours and those of the npm package, after each step of
 * random histories. The package cannot delete, but it replays deletes: those events are made here.
 */
class ClockInteropTest {
    /** All of one length. Where one is the prefix of another, the package loses its value in a delete (D01). */
    private static final List<String> KEYS =
            List.of("aaa", "aab", "abb", "aba", "baa", "bab", "bbb", "cab", "can", "car");

    private final InteropNode node = InteropNode.required();

    private static int histories() {
        return "nightly".equals(System.getProperty("pail.stress")) ? 5_000 : 300;
    }

    @Test
    void headsAndRootsAreEqualAfterEveryStepOfRandomHistories() {
        long seed = Randomness.seed("ClockInteropTest");
        List<History> histories = IntStream.range(0, histories())
                .mapToObj(i -> new History(Randomness.random(seed + i)))
                .toList();
        histories.forEach(History::run);
        List<JsonNode> answers =
                node.run("clock.js", histories.stream().map(History::request).toList());
        int forked = 0;
        int defects = 0;
        for (int i = 0; i < histories.size(); i++) {
            History history = histories.get(i);
            JsonNode states = answers.get(i).get("states");
            if (answers.get(i).has("defect")) {
                String missing = answers.get(i).get("defect").asText().replaceFirst("missing block: ", "");
                assertThat(history.blocks.has(Cid.parse(missing))).isTrue();
                defects++;
            } else {
                assertThat(states).hasSameSizeAs(history.states);
            }
            for (int step = 0; step < states.size(); step++) {
                List<String> head = new ArrayList<>();
                states.get(step).get("head").forEach(cid -> head.add(cid.asText()));
                State ours = history.states.get(step);
                assertThat(ours)
                        .as("-Dpail.seed=%d, history %d, step %d of %s", seed, i, step, history.request())
                        .isEqualTo(new State(
                                head.stream().sorted().toList(),
                                states.get(step).get("root").asText()));
                forked += head.size() > 1 ? 1 : 0;
            }
        }
        assertThat(forked).isGreaterThan(histories.size());
        assertThat(defects).isLessThanOrEqualTo(histories.size() / 50);
    }

    private record State(List<String> head, String root) {}

    /** A block store that says what was put into it. */
    static final class Recording implements BlockStore {
        final List<Block> recent = new ArrayList<>();
        private final MemoryBlockStore blocks = new MemoryBlockStore();

        @Override
        public Optional<Block> get(Cid cid) {
            return blocks.get(cid);
        }

        @Override
        public void put(Block block) {
            recent.add(block);
            blocks.put(block);
        }

        @Override
        public void putAll(Collection<Block> all) {
            all.forEach(this::put);
        }

        @Override
        public boolean has(Cid cid) {
            return blocks.has(cid);
        }

        @Override
        public void close() {
            blocks.close();
        }
    }

    private static final class History {
        private final Random random;
        private final Recording blocks = new Recording();
        private final List<ReplicatedPail> replicas = new ArrayList<>();
        private final List<State> states = new ArrayList<>();
        private final ObjectNode request = InteropNode.JSON.createObjectNode();
        private int values;

        History(Random random) {
            this.random = random;
        }

        ObjectNode request() {
            return request;
        }

        void run() {
            int count = 2 + random.nextInt(3);
            request.put("replicas", count);
            IntStream.range(0, count).forEach(i -> replicas.add(ReplicatedPail.create(blocks, ShardFormat.v1())));
            put(0);
            IntStream.range(1, count).forEach(i -> merge(i, 0));
            for (int left = 5 + random.nextInt(20); left > 0; left--) {
                int replica = random.nextInt(count);
                switch (random.nextInt(8)) {
                    case 0, 1, 2 -> put(replica);
                    case 3 -> batch(replica);
                    case 4 -> delete(replica);
                    default -> merge(replica, random.nextInt(count));
                }
            }
        }

        private String key() {
            return KEYS.get(random.nextInt(KEYS.size()));
        }

        private Cid value() {
            int number = random.nextInt(4) == 0 ? 0 : ++values;
            return InteropRepository.raw("value " + number).cid();
        }

        private ObjectNode step(String op, int replica) {
            blocks.recent.clear();
            return request.withArray("steps").addObject().put("op", op).put("replica", replica);
        }

        private void after(int replica, ReplicatedPail state) {
            replicas.set(replica, state);
            Stream<String> head = state.head().events().stream().map(Cid::toString);
            states.add(new State(head.sorted().toList(), state.root().toString()));
        }

        private void put(int replica) {
            String key = key();
            Cid value = value();
            step("put", replica).put("key", key).put("value", value.toString());
            after(replica, replicas.get(replica).put(key, value));
        }

        private void batch(int replica) {
            ObjectNode step = step("batch", replica);
            ReplicatedBatch batch = replicas.get(replica).batch();
            for (int left = 1 + random.nextInt(4); left > 0; left--) {
                String key = key();
                Cid value = value();
                step.withArray("puts").addObject().put("key", key).put("value", value.toString());
                batch.put(key, value);
            }
            after(replica, batch.commit());
        }

        private void delete(int replica) {
            ReplicatedPail before = replicas.get(replica);
            blocks.recent.clear();
            ReplicatedPail deleted = before.delete(key());
            if (deleted.equals(before)) {
                return;
            }
            List<Block> made = List.copyOf(blocks.recent);
            ObjectNode step = step("adopt", replica)
                    .put("event", deleted.head().events().get(0).toString());
            ObjectNode brought = step.putObject("blocks");
            made.forEach(block ->
                    brought.put(block.cid().toString(), Base64.getEncoder().encodeToString(block.bytes())));
            after(replica, deleted);
        }

        private void merge(int replica, int from) {
            step("merge", replica).put("from", from);
            after(replica, replicas.get(replica).merge(replicas.get(from).head()));
        }
    }
}
