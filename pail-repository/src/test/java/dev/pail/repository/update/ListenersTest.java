package dev.pail.repository.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.disk.CrashDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listeners that have trouble of their own. */
class ListenersTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private final Repository repository =
            FileRepository.init(new CrashDisk(), Path.of("/r"), ShardFormat.v1(), BlockStorage.FILES);
    private final List<Throwable> handled = new ArrayList<>();
    private final List<Long> told = new ArrayList<>();

    @AfterEach
    void close() {
        repository.close();
    }

    private static Block block(int number) {
        return Block.of(Cid.RAW, new byte[] {(byte) number, 2});
    }

    private void put(String key) {
        repository.update("main", pail -> pail.put(key, VALUE));
    }

    private void withHandler(Thread.UncaughtExceptionHandler handler, Runnable action) {
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler(handler);
        try {
            action.run();
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }
    }

    private void listen() {
        repository.listen(move -> {
            throw new AssertionError("trouble " + move.entry().generation());
        });
        repository.listen(move -> told.add(move.entry().generation()));
    }

    @Test
    void anErrorGoesToTheHandler() {
        listen();
        withHandler((thread, error) -> handled.add(error), () -> {
            put("a");
            put("b");
        });
        assertThat(handled).extracting(Throwable::getMessage).containsExactly("trouble 1", "trouble 2");
        assertThat(told).containsExactly(1L, 2L);
    }

    @Test
    void soItIsWhereTheHandlerThrowsAsWell() {
        listen();
        withHandler(
                (thread, error) -> {
                    throw new IllegalStateException(error);
                },
                () -> {
                    put("a");
                    put("b");
                });
        assertThat(told).containsExactly(1L, 2L);
        assertThat(repository.pail().entries()).hasSize(2);
    }

    @Test
    void whatAListenerPutsIsKept() {
        repository.listen(
                move -> repository.blocks().put(block((int) move.entry().generation())));
        put("a");
        assertThat(repository.blocks().has(block(1).cid())).isTrue();
    }

    /** The listener is called while the function of another change runs, on its thread. */
    @Test
    void soItIsWhereAChangeAroundItComesToNothing() {
        repository.branches().create("b", repository.snapshot("main").head());
        repository.listen(move -> repository.blocks().put(block(1)));
        assertThatIllegalStateException()
                .isThrownBy(() -> repository.update("b", pail -> {
                    pail.blocks().put(block(2));
                    put("a");
                    pail.blocks().put(block(3));
                    throw new IllegalStateException("not now");
                }));
        assertThat(repository.blocks().has(block(1).cid())).isTrue();
        assertThat(repository.blocks().has(block(2).cid())).isFalse();
        assertThat(repository.blocks().has(block(3).cid())).isFalse();
    }
}
