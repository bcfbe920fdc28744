package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a disk does that keeps less than it says. */
class PowerLossTest {
    private static final Path FOLDER = Path.of("/s");
    private static final long LARGE = 1 << 25;
    private static final long BATCH = 5000;

    private final CrashDisk disk = new CrashDisk();
    private final List<Block> kept = new ArrayList<>();

    /** The disk, where each sync of a segment fails that was written to. */
    private Disk failing() {
        return HookedDisk.telling(disk, (call, file) -> {
            if (call.equals("sync") && file.toString().endsWith(".open") && !kept.isEmpty()) {
                disk.failToForce(file);
                throw new IOException("Input/output error");
            }
        });
    }

    private void put(Segments store, int seed) {
        Block block = StoreInFolder.block(seed, 1000);
        StoreInFolder.put(store, block);
        kept.add(block);
    }

    /** What was acknowledged is there after who opened the store next has made it durable, as it seemed. */
    private void assertThatAllIsKept() {
        try (Segments next = Segments.open(disk, FOLDER, BATCH, LARGE)) {
            put(next, 99);
        }
        CrashDisk image = disk.afterLoss(CrashDisk.Loss.ALL, new Random(0));
        try (Segments after = Segments.open(image, FOLDER, BATCH, LARGE)) {
            assertThat(kept)
                    .allSatisfy(block -> assertThat(after.get(block.cid())).contains(block));
            after.putAll(List.of(StoreInFolder.block(100, 10)), Map.of());
        }
    }

    @Test
    void aSyncOfWhatWasAcknowledgedFails() {
        try (Segments store = Segments.open(failing(), FOLDER, BATCH, LARGE)) {
            assertThatExceptionOfType(StoreIOException.class).isThrownBy(() -> {
                for (int seed = 0; seed < 10; seed++) {
                    put(store, seed);
                }
            });
        }
        assertThat(kept).hasSizeBetween(3, 5);
        assertThatAllIsKept();
    }

    @Test
    void theSyncAtTheEndFails() {
        Segments store = Segments.open(failing(), FOLDER, Long.MAX_VALUE, LARGE);
        for (int seed = 0; seed < 10; seed++) {
            put(store, seed);
        }
        assertThatExceptionOfType(StoreIOException.class).isThrownBy(store::close);
        assertThatAllIsKept();
    }

    /** Who finds a block again relies on it: a collector must not take it for one that was found long ago. */
    @Test
    void renewedMtimeIsDurable() throws IOException {
        try (Segments store = Segments.open(disk, FOLDER, 0, LARGE)) {
            put(store, 1);
            disk.pause(Duration.ofDays(20).toMillis());
            StoreInFolder.put(store, kept.get(0));
        }
        CrashDisk image = disk.afterLoss(CrashDisk.Loss.ALL, new Random(0));
        for (Path file : image.list(FOLDER)) {
            if (file.toString().endsWith(".open")) {
                assertThat(image.status(file).orElseThrow().mtime())
                        .isAfter(image.now().minus(Duration.ofMinutes(1)));
            }
        }
    }
}
