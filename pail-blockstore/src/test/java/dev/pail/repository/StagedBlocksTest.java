package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pail.BlockStore;
import dev.pail.ShardFormat;
import dev.pail.disk.CrashDisk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is put while others put, too. */
class StagedBlocksTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Block VALUE = Block.of(Cid.RAW, new byte[] {1});

    private final CrashDisk disk = new CrashDisk();
    private final Repository repository = Repository.init(disk, FOLDER, ShardFormat.v1());
    private final BlockStore blocks = repository.blocks();

    @AfterEach
    void close() {
        repository.close();
    }

    private void putUnlessThere(String key) {
        if (!blocks.has(VALUE.cid())) {
            blocks.put(VALUE);
        }
        repository.update("main", pail -> pail.put(key, VALUE.cid()));
    }

    @Test
    void whatAnotherChangeHoldsIsNotThere() {
        assertThatIllegalStateException()
                .isThrownBy(() -> repository.update("main", pail -> {
                    blocks.put(VALUE);
                    CompletableFuture.runAsync(() -> putUnlessThere("a")).join();
                    throw new IllegalStateException("not now");
                }));
        try (Repository again = Repository.open(disk, FOLDER, Duration.ZERO)) {
            assertThat(again.pail().get("a")).contains(VALUE.cid());
            assertThat(again.blocks().get(VALUE.cid())).contains(VALUE);
        }
    }

    @Test
    void whatAChangeHoldsItselfIsThere() {
        repository.update("main", pail -> {
            blocks.put(VALUE);
            assertThat(blocks.has(VALUE.cid())).isTrue();
            // Whoever merges reads with a stage of its own.
            repository.pailAt(repository.snapshot("main").head());
            assertThat(blocks.has(VALUE.cid())).isTrue();
            return pail;
        });
        assertThat(blocks.has(VALUE.cid())).isTrue();
    }
}
