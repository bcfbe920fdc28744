package dev.pail.clock;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pail.MapBlocks;
import dev.pail.ShardFormat;
import dev.pail.Vectors;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every case of the conformance vectors of merkle clocks: heads, events, roots and entries. */
class ClockVectorsTest {
    @TestFactory
    Stream<DynamicTest> vectors_M17() throws IOException {
        JsonNode cases = new ObjectMapper()
                .readTree(Vectors.project().resolve("spec/vectors/v1-crdt.json").toFile());
        assertThat(cases).hasSize(14);
        return StreamSupport.stream(cases.spliterator(), false)
                .map(vector -> DynamicTest.dynamicTest(vector.get("name").asText(), () -> check(vector)));
    }

    private static void check(JsonNode vector) throws Exception {
        MapBlocks blocks = new MapBlocks();
        List<ReplicatedPail> replicas = new ArrayList<>();
        for (int i = 0; i < vector.get("replicas").asInt(); i++) {
            replicas.add(ReplicatedPail.create(blocks, ShardFormat.v1()));
        }
        JsonNode steps = vector.get("steps");
        assertThat(vector.get("after")).hasSameSizeAs(steps);
        for (int i = 0; i < steps.size(); i++) {
            JsonNode step = steps.get(i);
            int number = step.get(1).asInt();
            ReplicatedPail before = replicas.get(number);
            ReplicatedPail after = switch (step.get(0).asText()) {
                case "put" ->
                    before.put(step.get(2).asText(), Vectors.value(step.get(3).asInt()));
                case "merge" -> before.merge(replicas.get(step.get(2).asInt()).head());
                case "batch" -> {
                    ReplicatedBatch batch = before.batch();
                    step.get(2)
                            .forEach(put -> batch.put(
                                    put.get(0).asText(),
                                    Vectors.value(put.get(1).asInt())));
                    yield batch.commit();
                }
                default -> throw new IllegalArgumentException(step.toString());
            };
            replicas.set(number, after);
            compare(after, vector.get("after").get(i), "step " + i);
        }
    }

    private static void compare(ReplicatedPail replica, JsonNode expected, String step) throws Exception {
        List<String> head = new ArrayList<>();
        expected.get("head").forEach(cid -> head.add(cid.asText()));
        assertThat(replica.head().events().stream().map(Cid::toString).sorted(Comparator.naturalOrder()))
                .as(step)
                .containsExactlyElementsOf(head);
        assertThat(replica.root()).as(step).hasToString(expected.get("root").asText());
        if (expected.has("event")) {
            Event event = replica.clock().event(Cid.parse(expected.get("event").asText()));
            assertThat(replica.head()).isEqualTo(Head.of(event.cid()));
            if (expected.has("eventBlock")) {
                assertThat(HexFormat.of().formatHex(event.block().bytes()))
                        .isEqualTo(expected.get("eventBlock").asText());
            }
        }
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        replica.entries()
                .forEach(entry ->
                        sha256.update((entry.key() + "\t" + entry.value() + "\n").getBytes(StandardCharsets.UTF_8)));
        assertThat(HexFormat.of().formatHex(sha256.digest()))
                .as(step)
                .isEqualTo(expected.get("sha256").asText());
        assertThat(replica.entries().count()).isEqualTo(expected.get("entries").asLong());
        assertThat(ReplicatedPail.open(replica.clock().blocks(), replica.head()))
                .isEqualTo(replica);
    }
}
