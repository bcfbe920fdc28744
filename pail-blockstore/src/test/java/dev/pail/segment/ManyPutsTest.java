package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Puts that overlap or follow each other, so that there is always one, beside another process that wants to put something, too. */
class ManyPutsTest {
    private static final Path FOLDER = Path.of("/s");
    private static final int PUTS = 5;

    private final CrashDisk disk = new CrashDisk();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Throwable> thrown = new CopyOnWriteArrayList<>();
    private final List<Integer> putByAnother = new CopyOnWriteArrayList<>();

    private static Block block(int number) {
        return StoreInFolder.block(number, 10);
    }

    private static void put(Segments store, int number) {
        store.putAll(List.of(block(number)), Map.of());
    }

    private void start(Segments store, int number) {
        Thread thread = new Thread(() -> put(store, number));
        thread.setUncaughtExceptionHandler((same, e) -> thrown.add(e));
        threads.add(thread);
        thread.start();
        while (thread.getState() != Thread.State.WAITING && thread.isAlive()) {
            Thread.onSpinWait();
        }
    }

    /** A disk on which each write of a batch takes so long, and while one is written another thread begins a put at this store. */
    private Disk slow(Duration each, Segments[] store) {
        return HookedDisk.of(disk, (call, file, made) -> {
            if (call.equals("writeDurably") && String.valueOf(file).endsWith(".open")) {
                disk.pause(each.toMillis());
                if (store[0] != null && threads.size() < PUTS) {
                    start(store[0], threads.size());
                }
            } else if (call.equals("pause")) {
                int number = 100 + putByAnother.size();
                try (Segments another = Segments.open(disk, FOLDER, 0, 1 << 20)) {
                    put(another, number);
                    putByAnother.add(number);
                }
            }
            return made.make();
        });
    }

    private void putWhereEachTakes(Duration each) throws InterruptedException {
        Segments[] opened = new Segments[1];
        try (Segments store = Segments.open(slow(each, opened), FOLDER, 0, 1 << 20)) {
            opened[0] = store;
            put(store, 50);
            for (int i = 0; i < PUTS; i++) {
                threads.get(i).join();
            }
            assertThat(thrown).isEmpty();
            for (int i = 0; i < PUTS; i++) {
                assertThat(store.get(block(i).cid())).contains(block(i));
            }
            for (int number : putByAnother) {
                assertThat(store.get(block(number).cid())).contains(block(number));
            }
        }
    }

    @Test
    void othersHaveTheirTurn() throws InterruptedException {
        putWhereEachTakes(Duration.ofSeconds(1));
        assertThat(putByAnother).hasSize(PUTS);
    }

    /** Two that take so long together are a turn. */
    @ParameterizedTest
    @ValueSource(ints = {260, 400})
    void afterHalfASecond_SEG1(int milliseconds) throws InterruptedException {
        putWhereEachTakes(Duration.ofMillis(milliseconds));
        assertThat(putByAnother).hasSize(PUTS / 2);
    }

    @Test
    void untilThenTheyShare() throws InterruptedException {
        putWhereEachTakes(Duration.ofMillis(50));
        assertThat(putByAnother).isEmpty();
    }

    @Test
    void alsoWhereOneThreadPutsOneAfterAnother() {
        try (Segments store = Segments.open(slow(Duration.ofMillis(300), new Segments[1]), FOLDER, 0, 1 << 20)) {
            for (int i = 0; i < 2 * PUTS; i++) {
                put(store, i);
            }
        }
        assertThat(putByAnother).hasSize(PUTS - 1);
    }

    /** A put inside another put of the same thread would wait for itself. */
    @Test
    void oneWithinAnother() {
        Block first = block(1);
        Block second = block(2);
        Block within = block(3);
        try (Segments store = Segments.open(disk, FOLDER, 0, 1 << 20)) {
            StoreInFolder.put(
                    store,
                    first,
                    () -> {
                        disk.pause(Duration.ofSeconds(1).toMillis());
                        store.putAll(List.of(within), Map.of());
                    },
                    second);
            for (Block block : List.of(first, second, within)) {
                assertThat(store.get(block.cid())).contains(block);
            }
        }
    }
}
