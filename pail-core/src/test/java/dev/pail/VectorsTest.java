package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.MapOperation;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every case of the conformance vectors: roots, errors, entries and blocks. */
class VectorsTest {
    /** Has keys with lone surrogates, which have no encoding: its roots depend on how they are replaced. */
    private static final String LONE_SURROGATES = "specification: code points beyond the basic plane";

    @TestFactory
    Stream<DynamicTest> vectors() {
        return Stream.of("v0-cases.json", "v0-random.json", "v1-cases.json", "v1-random.json", "v2.json")
                .flatMap(file -> Vectors.cases(file).stream()
                        .map(vector -> DynamicTest.dynamicTest(
                                file + ": " + vector.get("name").asText(), () -> check(vector))));
    }

    /** Up to the first lone surrogate the recorded roots hold; from there on, those of the plain twin, which refuses too. */
    private static void checkWithLoneSurrogates(JsonNode vector) {
        ModelCheck check = new ModelCheck(Vectors.format(vector));
        int number = 0;
        int refused = 0;
        int recorded = 0;
        for (JsonNode op : vector.get("ops")) {
            number++;
            String key = op.get(1).asText();
            MapOperation operation = op.get(0).asText().equals("put")
                    ? new MapOperation.Put(key, Vectors.value(op.get(2).asInt()))
                    : new MapOperation.Delete(key);
            if (Utf8.loneSurrogate(key) >= 0) {
                assertThat(catchThrowable(() -> apply(check.pail(), op))).isInstanceOf(KeyNotAllowedException.class);
                refused++;
                continue;
            }
            check.run(operation);
            check.compareRoots();
            JsonNode expected = vector.get("roots").get(Integer.toString(number));
            if (expected != null && refused == 0) {
                assertThat(check.pail().root()).hasToString(expected.asText());
                recorded++;
            }
        }
        check.compareAll();
        assertThat(refused).isEqualTo(43);
        assertThat(recorded).isEqualTo(5);
    }

    private static void check(JsonNode vector) throws Exception {
        if (vector.get("name").asText().equals(LONE_SURROGATES)) {
            checkWithLoneSurrogates(vector);
            return;
        }
        MapBlocks blocks = new MapBlocks();
        Pail pail = Pail.create(blocks, Vectors.format(vector));
        assertThat(pail.root()).hasToString(vector.get("empty").asText());
        JsonNode roots = vector.get("roots");
        int number = 0;
        for (JsonNode op : vector.get("ops")) {
            number++;
            JsonNode expected = roots.get(Integer.toString(number));
            Pail before = pail;
            if (expected != null && expected.isObject()) {
                Throwable refused = catchThrowable(() -> apply(before, op));
                Class<?> type = expected.get("error").asText().startsWith("shard limit")
                        ? LimitException.class
                        : KeyNotAllowedException.class;
                assertThat(refused).as("operation %d", number).isInstanceOf(type);
            } else {
                pail = apply(before, op);
                if (expected != null) {
                    assertThat(pail.root()).as("operation %d", number).hasToString(expected.asText());
                }
            }
        }
        JsonNode last = vector.get("final");
        assertThat(pail.root()).hasToString(last.get("root").asText());
        Pail reopened = Pail.open(blocks, pail.root());
        assertThat(reopened.format()).isEqualTo(pail.format());
        for (Pail listed : new Pail[] {pail, reopened}) {
            assertThat(listed.entries().count()).isEqualTo(last.get("entries").asLong());
            assertThat(digest(listed)).isEqualTo(last.get("sha256").asText());
        }
        if (vector.has("blocks")) {
            Map<String, String> expected = new TreeMap<>();
            vector.get("blocks")
                    .properties()
                    .forEach(e -> expected.put(e.getKey(), e.getValue().asText()));
            assertThat(reachable(blocks, pail)).isEqualTo(expected);
        }
    }

    static Pail apply(Pail pail, JsonNode op) {
        return switch (op.get(0).asText()) {
            case "put" -> pail.put(op.get(1).asText(), Vectors.value(op.get(2)));
            case "del" -> pail.delete(op.get(1).asText());
            case "batch" -> {
                Batch batch = pail.batch();
                op.get(1).forEach(put -> batch.put(put.get(0).asText(), Vectors.value(put.get(1))));
                yield batch.commit();
            }
            default -> throw new IllegalArgumentException(op.toString());
        };
    }

    private static String digest(Pail pail) throws Exception {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        pail.entries()
                .forEach(entry ->
                        sha256.update((entry.key() + "\t" + entry.value() + "\n").getBytes(StandardCharsets.UTF_8)));
        return HexFormat.of().formatHex(sha256.digest());
    }

    private static Map<String, String> reachable(MapBlocks blocks, Pail pail) {
        Map<String, String> found = new TreeMap<>();
        Deque<ShardView> due = new ArrayDeque<>();
        due.push(pail.shard());
        while (!due.isEmpty()) {
            ShardView shard = due.pop();
            Cid cid = shard.cid();
            Block block = blocks.get(cid).orElseThrow();
            found.put(cid.toString(), HexFormat.of().formatHex(block.bytes()));
            shard.items().forEach(item -> item.shard().ifPresent(due::push));
        }
        return found;
    }
}
