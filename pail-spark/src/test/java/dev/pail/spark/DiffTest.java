package dev.pail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.BlockStore;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Differences and checks in ranges, against those of one process. */
class DiffTest {
    private static final int PAIRS = Randomness.times(5, 100);
    private static JavaSparkContext context;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        context = Local.context("DiffTest");
    }

    @AfterAll
    static void stop() {
        context.stop();
    }

    private static ShardFormat format(String name) {
        return name.equals("v0") ? ShardFormat.v0(8000, 16) : ShardFormat.named(name);
    }

    private PailTarget target(BlockStorage storage) {
        FileRepository.init(folder.resolve("r"), ShardFormat.v1(), storage).close();
        return PailTarget.at(folder.resolve("r").toString());
    }

    private static Pail changed(Pail before, Random random) {
        Batch batch = before.batch();
        for (int i = random.nextInt(30); i > 0; i--) {
            String key = Long.toString(random.nextInt(4000), 36);
            if (random.nextBoolean()) {
                batch.put(key, KeySets.value(Integer.toString(i)));
            } else {
                batch.delete(key);
            }
        }
        return batch.commit();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void givesTheDifferencesOfOneProcess_X1(String name) {
        long seed = Randomness.seed("DiffTest");
        PailTarget target = target(BlockStorage.SEGMENTS);
        for (int pair = 0; pair < PAIRS; pair++) {
            Random random = Randomness.random(seed + pair);
            List<ChangedKey> expected;
            Cid from;
            Cid to;
            try (Repository repository = target.open()) {
                Set<String> keys = KeySets.keys(random);
                Pail before = KeySets.single(repository.blocks(), format(name), keys);
                Pail after = changed(before, random);
                from = before.root();
                to = after.root();
                expected = before.diff(after).keys().map(ChangedKey::new).toList();
            }
            assertThat(PailSpark.diff(context, target, from, to).collect())
                    .as("pair " + pair + " of seed " + seed)
                    .isEqualTo(expected);
            CheckedPail checked = PailSpark.verify(context, target, to);
            try (Repository repository = target.open()) {
                assertThat(checked.problems()).isEmpty();
                assertThat(checked.entries())
                        .isEqualTo(Pail.open(repository.blocks(), to).entries().count());
            }
        }
    }

    /** Any ranges, as many as the shards can give. */
    @Test
    void rangesCoverAllKeysOnce() {
        Random random = Randomness.random("DiffTest");
        try (Repository repository = target(BlockStorage.SEGMENTS).open()) {
            Pail before =
                    KeySets.single(repository.blocks(), ShardFormat.v1(), KeySets.keys(KeySets.Kind.NESTED, random));
            Pail after = changed(before, random);
            List<ChangedKey> expected =
                    before.diff(after).keys().map(ChangedKey::new).toList();
            for (int wanted = 1; wanted < 3000; wanted *= 3) {
                List<ChangedKey> found = new ArrayList<>();
                Subtrees.ranges(before.shard(), after.shard(), wanted)
                        .forEach(part -> before.diff(after, part.range())
                                .keys()
                                .forEach(each -> found.add(new ChangedKey(each))));
                assertThat(found).isEqualTo(expected);
                assertThat(Subtrees.ranges(before.shard(), null, wanted).stream()
                                .mapToLong(part -> before.entries(part.range()).count())
                                .sum())
                        .isEqualTo(before.entries().count());
            }
        }
    }

    @Test
    void namesWhatIsMissingOrCorrupt() throws IOException {
        PailTarget target = target(BlockStorage.FILES);
        Cid root;
        Cid value;
        try (Repository repository = target.open()) {
            BlockStore blocks = repository.blocks();
            Pail pail = KeySets.single(blocks, ShardFormat.v1(), KeySets.keys(KeySets.Kind.UNIFORM, new Random(5)));
            Block block = Block.of(Cid.RAW, "a value".getBytes(StandardCharsets.UTF_8));
            blocks.put(block);
            value = block.cid();
            root = pail.put("value", value).put("value2", value).root();
        }
        CheckedPail sound = PailSpark.verify(context, target, root);
        assertThat(sound.isSound()).isTrue();
        assertThat(sound.values()).isGreaterThanOrEqualTo(1);
        try (Stream<Path> files = Files.walk(folder.resolve("r/blocks"))) {
            String name = value.multihashName();
            Path file = files.filter(each -> each.getFileName().toString().startsWith(name))
                    .findFirst()
                    .orElseThrow();
            Files.write(file, new byte[] {1, 2, 3});
        }
        CheckedPail found = PailSpark.verify(context, target, root);
        assertThat(found.isSound()).isFalse();
        assertThat(found.problems())
                .anyMatch(problem -> problem.startsWith("value of \"value\": ") && problem.contains(value.toString()));
    }
}
