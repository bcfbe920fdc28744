package dev.pail.cli.command.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.Entry;
import dev.pail.blockstore.Durability;
import dev.pail.cli.Answer;
import dev.pail.cli.Launched;
import dev.pail.cli.Shell;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes write and one watches; each is killed by {@code kill -9} at random places and started again. The reader continues
 * from the last token that it has seen, and sees each update once.
 */
@Tag("stress")
class WatchedWritersTest {
    private static final int UPDATES = Randomness.times(10_000, 100_000);
    private static final int MOST_BETWEEN_KILLS = UPDATES / 40;
    private static final int KEYS = 50;

    @TempDir
    Path folder;

    private final Map<String, Cid> entries = new TreeMap<>();
    private final List<JsonNode> changes = new ArrayList<>();
    private String token = "0";
    private long generation;

    /** Changes random keys until it is killed: a folder, a name and a seed. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) {
            Random random = Randomness.random(Long.parseLong(arguments[2]));
            try (Repository repository = FileRepository.open(Path.of(arguments[0]), Durability.NONE)) {
                while (true) {
                    String key = arguments[1] + random.nextInt(KEYS);
                    Cid value = Block.of(Cid.RAW, new byte[] {(byte) random.nextInt(256)})
                            .cid();
                    int what = random.nextInt(3);
                    repository.update(
                            "main", arguments[1], pail -> what == 0 ? pail.delete(key) : pail.put(key, value));
                }
            }
        }
    }

    private Launched writer(String name, long seed) {
        String store = folder.resolve(".pail").toString();
        return Launched.start(
                Launched.builder(folder, Launched.command(Writer.class, store, name, Long.toString(seed))));
    }

    private Launched reader() {
        return Launched.pail(folder, "watch", "--json", "--from", token);
    }

    @Test
    void eachUpdateIsSeenOnce_REP29_REP30() throws IOException {
        long seed = Randomness.seed("WatchedWritersTest");
        Random random = Randomness.random(seed);
        Shell.withRepository(folder, "--format", "v1", "--blocks", "segments");
        List<Launched> all = new ArrayList<>(List.of(reader(), writer("A", seed), writer("B", seed + 1)));
        int kills = 0;
        while (generation < UPDATES) {
            long next = generation + 1 + random.nextInt(MOST_BETWEEN_KILLS);
            while (generation < next) {
                take(all.get(0).readLine());
            }
            kills++;
            int killed = random.nextInt(all.size());
            all.get(killed).kill();
            if (killed == 0) {
                takeRest(all.get(0));
                all.set(0, reader());
            } else {
                assertThat(all.get(killed).answer().err()).isEmpty();
                all.set(killed, writer(killed == 1 ? "A" : "B", seed + 1 + kills));
            }
        }
        for (Launched writer : all.subList(1, 3)) {
            writer.kill();
            writer.answer();
        }
        try (Repository repository = FileRepository.open(folder.resolve(".pail"))) {
            long last = repository.snapshot("main").generation();
            while (generation < last) {
                take(all.get(0).readLine());
            }
            assertThat(token).isEqualTo(repository.changes("main").token());
            try (Stream<Entry> stored = repository.pail().entries()) {
                assertThat(stored)
                        .containsExactlyElementsOf(entries.entrySet().stream()
                                .map(entry -> new Entry(entry.getKey(), entry.getValue()))
                                .toList());
            }
        }
        all.get(0).kill();
        assertThat(all.get(0).answer().bytes()).isEmpty();
        assertThat(kills).isGreaterThan(20);
        System.out.println("WatchedWritersTest: " + generation + " updates, " + kills + " kills");
    }

    /** Takes the whole lines that a killed reader had written. */
    private void takeRest(Launched reader) {
        String rest = new String(reader.answer().bytes(), StandardCharsets.UTF_8);
        rest.substring(0, rest.lastIndexOf('\n') + 1).lines().forEach(this::take);
        // Without the line of the update, the watcher prints these again.
        changes.clear();
    }

    private void take(String text) {
        JsonNode line = Answer.parse(text);
        if (!line.has("token")) {
            changes.add(line);
            return;
        }
        assertThat(line.get("generation").asLong()).isEqualTo(++generation);
        token = line.get("token").asText();
        for (JsonNode change : changes) {
            String key = change.get("key").asText();
            Cid before = change.has("after")
                    ? entries.put(key, Cid.parse(change.get("after").asText()))
                    : entries.remove(key);
            assertThat(Optional.ofNullable(before).map(Cid::toString))
                    .isEqualTo(Optional.ofNullable(change.get("before")).map(JsonNode::asText));
        }
        assertThat(changes).hasSize(1);
        changes.clear();
    }
}
