package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pail.Entry;
import dev.pail.MergePolicy;
import dev.pail.ShardFormat;
import dev.pail.clock.Description;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.Operation;
import dev.pail.clock.ReplicatedBatch;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Live rounds of a replica of ours, which writes described events, and one of the npm package, which puts, deletes and merges on top of
 * them. After each round, both have the same head, root and entries.
 */
class DescribedInteropTest {
    private static final int HISTORIES = Randomness.times(40, 2_000);

    /** All of one length. Where one is the prefix of another, the package loses its value in a delete (D01). */
    private static final List<String> KEYS =
            List.of("aaa", "aab", "abb", "aba", "baa", "bab", "bbb", "cab", "can", "car");

    private final InteropNode node = InteropNode.required();

    @Test
    void npmReadsMergesAndKeepsDescribedEvents_DE1_DE3() throws IOException {
        long seed = Randomness.seed("DescribedInteropTest");
        Process process = node.start("described.js");
        int rounds = 0;
        int described = 0;
        int defects = 0;
        try (BufferedWriter in = process.outputWriter();
                BufferedReader out = process.inputReader()) {
            for (int i = 0; i < HISTORIES; i++) {
                History history = new History(in, out, Randomness.random(seed + i), i % 20 == 7);
                try {
                    history.run();
                } catch (AssertionError | RuntimeException e) {
                    throw new AssertionError("history " + i + " of -Dpail.seed=" + seed + ": " + e.getMessage(), e);
                }
                rounds += history.rounds;
                described += history.described;
                defects += history.isDefect ? 1 : 0;
            }
        } finally {
            process.destroy();
        }
        System.out.println(
                "DescribedInteropTest: " + rounds + " rounds, " + described + " described events written again");
        assertThat(described).isGreaterThan(HISTORIES);
        assertThat(defects).isLessThanOrEqualTo(Math.max(1, HISTORIES / 20));
    }

    private static final class History {
        private final BufferedWriter in;
        private final BufferedReader out;
        private final Random random;
        private final boolean isLarge;

        /** Its recent blocks are those that the package does not have. */
        private final ClockInteropTest.Recording blocks = new ClockInteropTest.Recording();

        private ReplicatedPail ours = ReplicatedPail.create(blocks, ShardFormat.v1());
        private int values;
        int rounds;
        int described;
        boolean isDefect;

        History(BufferedWriter in, BufferedReader out, Random random, boolean isLarge) {
            this.in = in;
            this.out = out;
            this.random = random;
            this.isLarge = isLarge;
        }

        void run() throws IOException {
            send(InteropNode.JSON.createObjectNode().put("op", "start"));
            ours = ours.described(Description.of("Ann", "the first", Instant.EPOCH))
                    .put(key(), value());
            take();
            for (int left = 3 + random.nextInt(6); left > 0 && !isDefect; left--) {
                int both = random.nextInt(3);
                if (both != 0) {
                    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                        change();
                    }
                }
                if (isLarge && left == 2) {
                    ours = large();
                }
                // On top of ours, or at the same time.
                if (both == 1) {
                    take();
                }
                for (int changes = 1 + random.nextInt(3); changes > 0 && !isDefect; changes--) {
                    npm();
                }
                if (!isDefect) {
                    compare(take());
                }
            }
            if (!isDefect) {
                rewritten();
            }
        }

        private String key() {
            return KEYS.get(random.nextInt(KEYS.size()));
        }

        private Cid value() {
            return InteropRepository.raw("value " + ++values).cid();
        }

        private void change() {
            String message = random.nextInt(3) == 0 ? "" : "change " + values + " \u00e9";
            ReplicatedPail next = ours.described(
                    Description.of("Ann <ann@example.org>", message, Instant.ofEpochMilli(random.nextLong(1L << 53))));
            switch (random.nextInt(5)) {
                case 0, 1 -> ours = next.put(key(), value());
                case 2 -> ours = next.delete(key());
                case 3 -> {
                    ReplicatedBatch batch = next.batch();
                    for (int left = 1 + random.nextInt(4); left > 0; left--) {
                        batch.put(key(), value());
                    }
                    ours = batch.commit();
                }
                default -> {
                    // The package does not replay a batch with deletes, which the revert of a batch may be.
                    List<Cid> head = next.head().events();
                    if (!head.isEmpty() && !(next.clock().event(head.get(0)).operation() instanceof Operation.Batch)) {
                        ours = next.revert(head.get(0), MergePolicy.ours());
                    }
                }
            }
        }

        /** A change of two events. */
        private ReplicatedPail large() {
            ReplicatedBatch batch = ours.described(Description.of("Ann", "large", Instant.EPOCH))
                    .batch();
            for (int i = 0; i <= ReplicatedBatch.MAX_CHANGES; i++) {
                batch.put("x" + (10_000 + i), value());
            }
            return batch.commit();
        }

        private void send(ObjectNode step) throws IOException {
            in.write(InteropNode.JSON.writeValueAsString(step));
            in.newLine();
            in.flush();
        }

        private JsonNode ask(ObjectNode step) throws IOException {
            send(step);
            JsonNode answer = InteropNode.JSON.readTree(out.readLine());
            isDefect = answer.has("defect");
            if (!isDefect) {
                answer.get("made")
                        .properties()
                        .forEach(made ->
                                put(Cid.parse(made.getKey()), made.getValue().asText()));
            }
            return answer;
        }

        private void put(Cid cid, String base64) {
            blocks.put(Block.verified(cid, Base64.getDecoder().decode(base64)));
            blocks.recent.remove(blocks.recent.size() - 1);
        }

        private void npm() throws IOException {
            ObjectNode step = InteropNode.JSON.createObjectNode();
            switch (random.nextInt(4)) {
                case 0, 1 -> step.put("op", "put").put("key", key()).put("value", value().toString());
                case 2 -> step.put("op", "del").put("key", key());
                default -> {
                    step.put("op", "batch");
                    for (int left = 1 + random.nextInt(3); left > 0; left--) {
                        step.withArray("puts").addObject().put("key", key()).put("value", value().toString());
                    }
                }
            }
            JsonNode answer = ask(step);
            if (!isDefect) {
                ours = ours.merge(head(answer));
            }
        }

        private static Head head(JsonNode answer) {
            List<Cid> events = new ArrayList<>();
            answer.get("head").forEach(cid -> events.add(Cid.parse(cid.asText())));
            return Head.of(events);
        }

        /** The package takes the head of ours, with all blocks that are new to it. */
        private JsonNode take() throws IOException {
            ObjectNode step = InteropNode.JSON.createObjectNode().put("op", "take");
            ObjectNode all = step.putObject("blocks");
            assertThat(ours.root()).isNotNull();
            blocks.recent.forEach(
                    block -> all.put(block.cid().toString(), Base64.getEncoder().encodeToString(block.bytes())));
            blocks.recent.clear();
            ours.head().events().forEach(event -> step.withArray("events").add(event.toString()));
            return ask(step);
        }

        private void compare(JsonNode answer) {
            if (isDefect) {
                return;
            }
            assertThat(head(answer)).isEqualTo(ours.head());
            assertThat(answer.get("root").asText()).isEqualTo(ours.root().toString());
            Map<String, String> entries = new TreeMap<>();
            answer.get("entries")
                    .properties()
                    .forEach(entry ->
                            entries.put(entry.getKey(), entry.getValue().asText()));
            Map<String, String> wanted = new TreeMap<>();
            try (Stream<Entry> all = ours.entries()) {
                all.forEach(entry -> wanted.put(entry.key(), entry.value().toString()));
            }
            assertThat(entries).isEqualTo(wanted);
            rounds++;
        }

        /** The encoder of the package keeps the descriptions. */
        private void rewritten() throws IOException {
            JsonNode written = ask(InteropNode.JSON.createObjectNode().put("op", "rewrite"))
                    .get("result");
            assertThat(written.size())
                    .isEqualTo(ours.clock().history(ours.head()).size());
            written.properties().forEach(each -> {
                Event event = ours.clock().event(Cid.parse(each.getKey()));
                assertThat(Base64.getDecoder().decode(each.getValue().asText()))
                        .isEqualTo(event.block().bytes());
                described += event.isDescribed() ? 1 : 0;
            });
        }
    }
}
