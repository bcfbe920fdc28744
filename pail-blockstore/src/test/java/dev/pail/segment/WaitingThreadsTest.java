package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pail.StoreLockedException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several threads that write to a store whose lock another holds. */
class WaitingThreadsTest {
    private static final Path FOLDER = Path.of("/s");
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final CrashDisk disk = new CrashDisk();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Throwable> thrown = new CopyOnWriteArrayList<>();
    private long paused;

    /** A store on a disk that calls an action before each pause, with the sum of all earlier pauses. */
    private Segments open(long maxUnsynced, LongConsumer atPause) {
        Disk told = HookedDisk.of(disk, (call, file, made) -> {
            if (call.equals("pause")) {
                atPause.accept(paused);
                paused += (long) made.arguments[0];
            }
            return made.make();
        });
        return Segments.open(told, FOLDER, maxUnsynced, 1 << 20, true, PATIENCE);
    }

    private Disk.Lock lock() throws Exception {
        Disk.createDurably(disk, FOLDER);
        return disk.tryLock(FOLDER.resolve("LOCK"), "another").orElseThrow();
    }

    private static Block block(int number) {
        return StoreInFolder.block(number, 10);
    }

    private static void put(Segments store, int number) {
        store.putAll(List.of(block(number)), Map.of());
    }

    /** Starts a thread that puts a block, and returns when the thread waits. */
    private void start(Segments store, int number) {
        start(() -> put(store, number));
    }

    /** Starts a thread, and returns when the thread waits or is done. */
    private void start(Runnable action) {
        Thread thread = new Thread(action);
        thread.setUncaughtExceptionHandler((same, e) -> thrown.add(e));
        threads.add(thread);
        thread.start();
        while (thread.getState() != Thread.State.WAITING && thread.isAlive()) {
            Thread.onSpinWait();
        }
    }

    private void join() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    void allWaitAtTheSameTime() throws Exception {
        int others = 7;
        Segments[] opened = new Segments[1];
        try (Segments store = open(0, before -> {
                    for (int i = threads.size(); i < others; i++) {
                        start(opened[0], i);
                    }
                });
                Disk.Lock held = lock()) {
            opened[0] = store;
            assertThat(held).isNotNull();
            assertThatExceptionOfType(StoreLockedException.class).isThrownBy(() -> put(store, others));
            join();
        }
        assertThat(thrown).hasSize(others).hasOnlyElementsOfType(StoreLockedException.class);
        assertThat(paused).isBetween(PATIENCE.toMillis(), PATIENCE.toMillis() + 20);
    }

    /** Who comes later has the patience from then on. */
    @Test
    void eachHasThePatienceFromWhenItCame() throws Exception {
        long later = 4000;
        Segments[] opened = new Segments[1];
        try (Segments store = open(0, before -> {
                    if (before >= later && threads.isEmpty()) {
                        start(opened[0], 1);
                    }
                });
                Disk.Lock held = lock()) {
            opened[0] = store;
            assertThat(held).isNotNull();
            assertThatExceptionOfType(StoreLockedException.class).isThrownBy(() -> put(store, 2));
            join();
        }
        assertThat(thrown).hasSize(1).hasOnlyElementsOfType(StoreLockedException.class);
        assertThat(paused).isBetween(later + PATIENCE.toMillis(), later + PATIENCE.toMillis() + 60);
    }

    @Test
    void whenOneHasItAllHave() throws Exception {
        int others = 7;
        Segments[] opened = new Segments[1];
        Disk.Lock held = lock();
        try (Segments store = open(0, before -> {
            for (int i = threads.size(); i < others; i++) {
                start(opened[0], i);
            }
            held.close();
        })) {
            opened[0] = store;
            put(store, others);
            join();
            for (int i = 0; i <= others; i++) {
                assertThat(store.get(block(i).cid())).contains(block(i));
            }
        }
        assertThat(thrown).isEmpty();
        assertThat(paused).isEqualTo(1);
        lock().close();
    }

    /** Waiting threads do not keep another thread from closing the store. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE})
    void closedMeanwhile(long maxUnsynced) throws Exception {
        Segments[] opened = new Segments[1];
        Disk.Lock held = lock();
        Segments store = open(maxUnsynced, before -> {
            start(opened[0]::close);
            held.close();
        });
        opened[0] = store;
        assertThatIllegalStateException().isThrownBy(() -> put(store, 1)).withMessageContaining("closed");
        join();
        assertThat(disk.exists(FOLDER.resolve("00000.open"))).isFalse();
        lock().close();
    }
}
