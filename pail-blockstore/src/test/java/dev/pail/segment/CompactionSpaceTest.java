package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A compaction of a full disk removes what it can, and loses nothing, wherever the power is lost (spec rule SEG17). */
class CompactionSpaceTest {
    private static final Path FOLDER = Path.of("/s");
    private static final int SEGMENT = 16 * 1024;

    private final Random random = new Random(Randomness.seed("CompactionSpaceTest"));
    private final List<Block> blocks = new ArrayList<>();
    private final Set<Cid> wanted = new HashSet<>();

    /** Some segments without wanted records, some with a quarter of wanted records, and some with only wanted records. */
    private CrashDisk filled() {
        CrashDisk disk = new CrashDisk();
        Map<Cid, Cid> origins = new HashMap<>();
        try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
            int[] parts = {0, 25, 100, 25, 0, 25, 25, 100, 0, 25};
            Lineages lineages = new Lineages(random, 2, 20);
            for (int part : parts) {
                for (int i = 0; i < 20; i++) {
                    Block block = lineages.next();
                    if (i % 2 == 0) {
                        byte[] bytes = new byte[1500 + random.nextInt(500)];
                        random.nextBytes(bytes);
                        block = Block.of(Cid.RAW, bytes);
                    }
                    origins.putAll(lineages.origins);
                    store.putAll(List.of(block), origins);
                    blocks.add(block);
                    if (random.nextInt(100) < part) {
                        wanted.add(block.cid());
                    }
                }
            }
        }
        return disk;
    }

    private void check(CrashDisk disk) {
        try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
            for (Block block : blocks) {
                if (wanted.contains(block.cid())) {
                    assertThat(store.get(block.cid())).contains(block);
                }
            }
            Listing listed = store.forEach(kept -> {});
            assertThat(listed.damages()).isEmpty();
            assertThat(listed.corrupt()).isEmpty();
        }
    }

    /** Compacts until a run changes nothing any more, and says whether the last one did all. */
    private boolean compact(CrashDisk disk) {
        boolean done = false;
        long before = Long.MAX_VALUE;
        while (!done && disk.used() < before) {
            before = disk.used();
            try (Segments store = Segments.open(disk, FOLDER, 0, SEGMENT)) {
                store.compact(wanted::contains);
                done = true;
            } catch (StoreIOException e) {
                assertThat(e).hasMessageContaining("No space left on device");
            }
        }
        return done;
    }

    /** The most bytes that it takes to seal the last segment: a seal, an index, and a number in the manifest. */
    private static long sealing(CrashDisk disk) {
        long bytes = 64;
        try {
            for (Path file : disk.list(FOLDER)) {
                if (file.toString().endsWith(Catalog.INDEX)) {
                    bytes = Math.max(bytes, 64 + disk.read(file, SEGMENT).length);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 1000, 4096, SEGMENT / 2, SEGMENT, 2 * SEGMENT, 64 * SEGMENT})
    void aFullDiskIsCompacted_SEG17(int free) {
        for (int round = 0; round < Randomness.times(3, 100); round++) {
            blocks.clear();
            wanted.clear();
            CrashDisk disk = filled();
            long before = disk.used();
            disk.limit(before + free);
            CrashDisk.Loss[] losses = CrashDisk.Loss.values();
            disk.onChange(() -> {
                if (random.nextInt(20) == 0) {
                    CrashDisk image = disk.afterLoss(losses[random.nextInt(losses.length)], random);
                    check(image);
                    compact(image);
                    check(image);
                }
            });
            // A segment takes less than this, even if all its deltas become whole blocks.
            boolean all = compact(disk);
            assertThat(all || free < 2 * SEGMENT).as("with " + free + " bytes").isTrue();
            check(disk);
            assertThat(disk.used()).isLessThanOrEqualTo(all ? before * 3 / 4 : before + sealing(disk));
        }
    }
}
