package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.disk.CrashDisk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who is told how far something is, may change the same repository. */
class ProgressTest {
    private static final int BLOCKS = 5;

    private final CrashDisk disk = new CrashDisk();
    private final Repository repository = Repository.init(disk, Path.of("/r"), ShardFormat.v1());
    private final AtomicInteger told = new AtomicInteger();

    @AfterEach
    void close() {
        repository.close();
    }

    private void change() {
        int number = told.incrementAndGet();
        repository.update("main", pail -> pail.put("k" + number, value(number).cid()));
    }

    private static Block value(int number) {
        return Block.of(Cid.RAW, new byte[] {(byte) number});
    }

    private void putValues() {
        for (int i = 0; i < BLOCKS; i++) {
            repository.blocks().put(value(i));
        }
    }

    private void assertThatAllWereMade() {
        assertThat(repository.pail().entries()).hasSize(told.get());
    }

    private void assertThatAllWereTold(Packing.Moved moved) {
        assertThat(moved.blocks()).isGreaterThanOrEqualTo(BLOCKS).isEqualTo(told.get());
        assertThatAllWereMade();
    }

    @Test
    void ofBlocksThatGoToSegments() {
        putValues();
        assertThatAllWereTold(
                repository.packing().withProgress(size -> change()).pack());
    }

    @Test
    void ofBlocksThatGetFiles() {
        putValues();
        repository.packing().pack();
        assertThatAllWereTold(
                repository.packing().withProgress(size -> change()).unpack());
    }

    /** Before each portion the collection reads what was published since. */
    @Test
    void ofACollection() {
        putValues();
        disk.pause(Duration.ofDays(15).toMillis());
        int most = 50;
        Collected collected = repository
                .garbageCollection()
                .withProgress(() -> {
                    if (told.get() < most) {
                        change();
                    }
                })
                .run();
        assertThat(collected.moved().blocks()).isPositive();
        assertThat(told).hasValue(most);
        assertThatAllWereMade();
    }
}
