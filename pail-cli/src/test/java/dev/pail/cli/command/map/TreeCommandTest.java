package dev.pail.cli.command.map;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.cli.Shell;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drawings of small pails. */
class TreeCommandTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    /** The drawing with values as their numbers; what else is a CID is a shard, and its name says nothing to a reader. */
    private static String drawn(Shell shell) {
        String text = shell.run("tree").done().text();
        for (int number = 1; number < 10; number++) {
            text = text.replace(Shell.cid(number), Integer.toString(number));
        }
        return text.replaceAll("bafyrei[a-z2-7]{52} ", "");
    }

    /** The one of the specification's part about sharding. */
    private Shell workedExample() {
        Shell shell = Shell.withRepository(folder, "--max-size", "330");
        shell.put("abel", 1, "foobarbaz", 2, "foobarwooz", 3, "food", 4, "somethingelse", 5);
        shell.put("foobarboz", 6, "foopey", 7);
        return shell;
    }

    @Test
    void drawsTheWorkedExampleOfTheSpecification() {
        Shell shell = workedExample();

        assertThat(drawn(shell)).isEqualTo("""
                (186 bytes)
                ├─ "abel"  1
                ├─ "foo"
                │  (224 bytes)
                │  ├─ "barb"
                │  │  (126 bytes)
                │  │  ├─ "az"  2
                │  │  └─ "oz"  6
                │  ├─ "barwooz"  3
                │  ├─ "d"  4
                │  └─ "pey"  7
                └─ "somethingelse"  5
                """);
    }

    @Test
    void drawsAShardForEachCharacterOfV1() {
        Shell shell = Shell.withRepository(folder, "--format", "v1");
        shell.put("abc", 1, "abd", 2, "ab", 3, "x", 4);

        assertThat(drawn(shell)).isEqualTo("""
                (145 bytes)
                ├─ "a"
                │  (143 bytes)
                │  └─ "b"  3
                │     (146 bytes)
                │     ├─ "c"  1
                │     └─ "d"  2
                └─ "x"  4
                """);
    }

    /** Of v2, only the root has the configuration, so the shards below are smaller than those of v1. */
    @Test
    void drawsV2() {
        Shell shell = Shell.withRepository(folder, "--format", "v2");
        shell.put("a b", 1, "ac", 2);

        assertThat(drawn(shell)).isEqualTo("""
                (101 bytes)
                └─ "a"
                   (108 bytes)
                   ├─ " b"  1
                   └─ "c"  2
                """);
    }

    @Test
    void drawsAnEmptyPail() {
        assertThat(drawn(Shell.withRepository(folder))).isEqualTo("(38 bytes)\n");
    }

    @Test
    void jsonHasEachShardOnALineAndAllOfItsEntries() {
        Shell shell = workedExample();
        List<JsonNode> shards = shell.shards();

        assertThat(shards.get(0).get("shard").asText()).isEqualTo(shell.root());
        assertThat(shards.get(0).get("depth").asInt()).isZero();
        Map<String, String> prefixes = new HashMap<>(Map.of(shell.root(), ""));
        Map<String, String> entries = new TreeMap<>();
        for (JsonNode shard : shards) {
            assertThat(shard.fieldNames()).toIterable().containsExactly("shard", "prefix", "depth", "bytes", "entries");
            String prefix = prefixes.get(shard.get("shard").asText());
            assertThat(shard.get("prefix").asText()).isEqualTo(prefix);
            for (JsonNode entry : shard.get("entries")) {
                String key = prefix + entry.get("key").asText();
                if (entry.has("value")) {
                    entries.put(key, entry.get("value").asText());
                }
                if (entry.has("shard")) {
                    prefixes.put(entry.get("shard").asText(), key);
                }
            }
        }
        assertThat(shards).hasSize(prefixes.size()).hasSize(3);

        Map<String, String> listed = new TreeMap<>();
        shell.run("ls", "--json")
                .done()
                .json()
                .forEach(entry ->
                        listed.put(entry.get("key").asText(), entry.get("value").asText()));
        assertThat(entries).isEqualTo(listed).hasSize(7);
    }
}
