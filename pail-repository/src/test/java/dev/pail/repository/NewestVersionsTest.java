package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.ShardFormat;
import dev.pail.blockstore.Durability;
import dev.pail.blockstore.SegmentBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Shards of the newest versions are together when work is done that rewrites much anyway. */
class NewestVersionsTest {
    private static final Path FOLDER = Path.of("/r");
    private static final int CHANGES = 100;

    private final Random random = new Random(Randomness.seed("NewestVersionsTest"));
    private final CrashDisk disk = new CrashDisk();

    private enum Work {
        GC,
        PACK
    }

    private static void run(Work work, Repository repository) {
        if (work == Work.GC) {
            repository.maintenance().garbageCollection().run();
        } else {
            FileRepository.of(repository).orElseThrow().packing().pack();
        }
    }

    private Map<String, Cid> keys() {
        Map<String, Cid> keys = new TreeMap<>();
        for (int i = 0; i < CHANGES; i++) {
            String key = Long.toString(random.nextLong() & Long.MAX_VALUE, 36);
            keys.put(
                    key, Block.of(Cid.RAW, key.getBytes(StandardCharsets.UTF_8)).cid());
        }
        return keys;
    }

    @ParameterizedTest
    @EnumSource
    void shardsOfTheNewestVersionAreTogether_SEG21(Work work) {
        Map<String, Cid> all = new TreeMap<>();
        Cid root;
        BlockStorage storage = work == Work.GC ? BlockStorage.SEGMENTS : BlockStorage.FILES;
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), storage)) {
            for (int round = 0; round < 60; round++) {
                Map<String, Cid> keys = keys();
                all.putAll(keys);
                repository.update("main", pail -> {
                    Batch batch = pail.batch();
                    keys.forEach(batch::put);
                    return batch.commit();
                });
            }
            repository.branches().create("other", repository.snapshot("main").head());
            repository.update(
                    "other", pail -> pail.put("k", all.values().iterator().next()));
            root = repository.pail().root();
            run(work, repository);
            Map<String, Cid> found = new TreeMap<>();
            repository.pail().entries().forEach(entry -> found.put(entry.key(), entry.value()));
            assertThat(found).isEqualTo(all);
        }
        try (SegmentBlockStore store = SegmentBlockStore.open(disk, FOLDER.resolve("segments"), Durability.SYNC)) {
            assertThat(store.has(root)).isTrue();
            assertThat(store.cluster(List.of(root)))
                    .as("shards of %s are apart", root)
                    .isFalse();
        }
    }
}
