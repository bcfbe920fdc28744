package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Who waits for the lock, and looks every 10 ms whether it is free, gets it while something is done that takes it many times. */
class WaitingWritersTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Path LOCK = FOLDER.resolve("LOCK");
    private static final int LARGE = 1 << 20;

    private final CrashDisk disk = new CrashDisk();
    private final List<Long> ways = new ArrayList<>();
    private int taken;

    /** Does something on a disk where it takes so long to take a file away. */
    private void run(Duration each, Consumer<Repository> action) {
        Disk slow = HookedDisk.of(disk, (call, file, made) -> {
            switch (call) {
                case "pause" -> letIn((long) made.arguments[0]);
                case "delete", "rename" -> disk.pause(each.toMillis());
                case "tryLock" -> taken += LOCK.equals(file) ? 1 : 0;
                default -> {}
            }
            return made.make();
        });
        try (Repository repository = FileRepository.open(slow, FOLDER, Duration.ZERO)) {
            action.accept(repository);
        }
    }

    private void letIn(long milliseconds) throws Exception {
        Optional<Disk.Lock> lock = disk.tryLock(LOCK, "another");
        assertThat(lock).isPresent();
        lock.orElseThrow().close();
        ways.add(milliseconds);
    }

    private void put(int count, int size) {
        Random random = new Random(Randomness.seed("WaitingWritersTest"));
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            for (int i = 0; i < count; i++) {
                byte[] bytes = new byte[size];
                random.nextBytes(bytes);
                repository.blocks().put(Block.of(Cid.RAW, bytes));
            }
        }
    }

    @Test
    void whileBlocksGoToSegments() {
        put(15, LARGE);
        run(
                Duration.ofSeconds(1),
                repository ->
                        FileRepository.of(repository).orElseThrow().packing().pack());
        assertThat(taken).isEqualTo(4);
        assertThat(ways).hasSize(3).allSatisfy(way -> assertThat(way).isGreaterThan(10));
    }

    @Test
    void whileBlocksAreTakenAway_REP13() {
        put(30, 10);
        run(
                Duration.ofSeconds(1),
                repository -> repository
                        .maintenance()
                        .garbageCollection()
                        .withAnyGrace(Duration.ofHours(-1))
                        .run());
        assertThat(taken).isGreaterThan(10);
        // The first time is before anything is taken away.
        assertThat(ways).hasSize(taken - 2).allSatisfy(way -> assertThat(way).isGreaterThan(10));
    }

    /** As often as it is worth it, and not behind the last portion. */
    @Test
    void whatDoesNotTakeLongDoesNotGiveWay() {
        put(15, LARGE);
        run(
                Duration.ZERO,
                repository ->
                        FileRepository.of(repository).orElseThrow().packing().pack());
        assertThat(taken).isEqualTo(4);
        assertThat(ways).isEmpty();
    }

    @Test
    void whatIsDoneAtOnceDoesNotGiveWay() {
        put(3, LARGE);
        run(
                Duration.ofSeconds(1),
                repository ->
                        FileRepository.of(repository).orElseThrow().packing().pack());
        assertThat(taken).isEqualTo(1);
        assertThat(ways).isEmpty();
    }
}
