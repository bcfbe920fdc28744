package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.Verification;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A collection of a repository on a full disk frees space, and loses nothing, wherever the power is lost. */
class GarbageSpaceTest {
    private static final Path FOLDER = Path.of("/r");
    private static final int VALUES = 40;
    private static final int SIZE = 3000;

    private final Random random = new Random(Randomness.seed("GarbageSpaceTest"));
    private final CrashDisk disk = new CrashDisk();
    private final List<Block> needed = new ArrayList<>();

    private Block value() {
        byte[] bytes = new byte[SIZE];
        random.nextBytes(bytes);
        return Block.of(Cid.RAW, bytes);
    }

    private static Repository open(CrashDisk disk) {
        return FileRepository.open(disk, FOLDER, Duration.ZERO);
    }

    private void fill(BlockStorage storage) {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), storage)) {
            for (int i = 0; i < VALUES; i++) {
                Block block = value();
                repository.blocks().put(block);
                if (i % 4 == 0) {
                    String key = "k" + i;
                    repository.update("main", pail -> pail.put(key, block.cid()));
                    needed.add(block);
                }
            }
        }
    }

    private void check(CrashDisk image) {
        try (Repository repository = open(image)) {
            assertThat(Verification.of(repository.blocks(), repository.root("main"))
                            .isSound())
                    .isTrue();
            for (Block block : needed) {
                assertThat(repository.blocks().get(block.cid())).contains(block);
            }
        }
    }

    private void collect(CrashDisk on) {
        try (Repository repository = open(on)) {
            repository.maintenance().garbageCollection().run();
        } catch (StoreIOException e) {
            // In segments, what could be removed without space was.
            assertThat(e).hasMessageContaining("No space left on device");
        }
    }

    private void loseThePower() {
        if (random.nextInt(4) > 0) {
            return;
        }
        CrashDisk.Loss[] losses = CrashDisk.Loss.values();
        CrashDisk image = disk.afterLoss(losses[random.nextInt(losses.length)], random);
        check(image);
        collect(image);
        check(image);
    }

    /** The first collection finds no file {@code gc}, and the second one has nothing but it to go by. */
    @ParameterizedTest
    @CsvSource({"FILES, 0", "FILES, 65536", "FILES, 1048576", "SEGMENTS, 0", "SEGMENTS, 65536", "SEGMENTS, 1048576"})
    void aFullDiskIsCollected_G18(BlockStorage storage, int free) {
        fill(storage);
        disk.limit(disk.used() + free);
        long before = disk.used();
        disk.onChange(this::loseThePower);
        for (int i = 0; i < 4; i++) {
            disk.pause(Duration.ofDays(15).toMillis());
            collect(disk);
        }
        disk.onChange(() -> {});
        check(disk);
        assertThat(disk.used()).isLessThan(before - VALUES / 2 * SIZE);
        try (Repository repository = open(disk)) {
            assertThat(repository.maintenance().logsKeptSince()).isNotNull();
            repository.update("main", pail -> pail.put("more", value().cid()));
        }
    }
}
