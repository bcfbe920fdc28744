package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.StoreDamagedException;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.files.Packing;
import dev.pail.repository.model.Collected;
import dev.pail.testkit.disk.CrashDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A progress callback may change the same repository. */
class ProgressTest {
    private static final int BLOCKS = 5;

    private final CrashDisk disk = new CrashDisk();
    private final Repository repository =
            FileRepository.init(disk, Path.of("/r"), ShardFormat.v1(), BlockStorage.FILES);
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
        assertThatAllWereTold(FileRepository.of(repository)
                .orElseThrow()
                .packing()
                .withProgress(size -> change())
                .pack());
    }

    @Test
    void ofBlocksThatGetFiles() {
        putValues();
        FileRepository.of(repository).orElseThrow().packing().pack();
        assertThatAllWereTold(FileRepository.of(repository)
                .orElseThrow()
                .packing()
                .withProgress(size -> change())
                .unpack());
    }

    /** Before each portion the collection reads what was published since. */
    @Test
    void ofACollection() {
        putValues();
        disk.pause(Duration.ofDays(15).toMillis());
        int most = 50;
        Collected collected = repository
                .maintenance()
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

    /** The error of a callback may come from another repository, so it does not count as an error of this one. */
    @ParameterizedTest
    @ValueSource(strings = {"pack", "unpack", "gc"})
    void whatFailsWhereItIsToldIsNoFailureHere(String work) {
        putValues();
        if (work.equals("unpack")) {
            // More than a portion: the callback gets its blocks while the listing continues.
            repository
                    .blocks()
                    .putAll(IntStream.range(0, 1100)
                            .mapToObj(i -> Block.of(Cid.RAW, new byte[] {(byte) i, (byte) (i >> 8)}))
                            .toList());
            FileRepository.of(repository).orElseThrow().packing().pack();
        }
        Cid elsewhere = value(100).cid();
        List<PailException> errors = List.of(
                new StoreDamagedException("cannot read", "/elsewhere", "damaged", null),
                new StoreIOException("cannot write", "/elsewhere", new IOException("No space left on device")),
                new CorruptBlockException(elsewhere, "damaged"),
                new MissingBlockException(elsewhere));
        for (PailException error : errors) {
            AtomicInteger times = new AtomicInteger();
            Runnable failing = () -> {
                times.incrementAndGet();
                throw error;
            };
            assertThatThrownBy(() -> {
                        switch (work) {
                            case "pack" ->
                                FileRepository.of(repository)
                                        .orElseThrow()
                                        .packing()
                                        .withProgress(size -> failing.run())
                                        .pack();
                            case "unpack" ->
                                FileRepository.of(repository)
                                        .orElseThrow()
                                        .packing()
                                        .withProgress(size -> failing.run())
                                        .unpack();
                            default ->
                                repository
                                        .maintenance()
                                        .garbageCollection()
                                        .withProgress(failing)
                                        .run();
                        }
                    })
                    .isSameAs(error);
            assertThat(times).hasValue(1);
            putValues();
            change();
        }
        assertThatAllWereMade();
    }
}
