package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pail.BlockStore;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.disk.CrashDisk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is put while others put, too. */
class StagedBlocksTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Block VALUE = Block.of(Cid.RAW, new byte[] {1});
    private static final Block OTHER = Block.of(Cid.RAW, new byte[] {2});

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

    /** What goes wrong while blocks are given is no failed write, after which nothing would be written any more. */
    @Test
    void blocksThatCannotBeGiven() {
        StoreIOException error =
                new StoreIOException("cannot read", "/elsewhere", new IOException("Input/output error"));
        AbstractCollection<Block> given = new AbstractCollection<>() {
            @Override
            public Iterator<Block> iterator() {
                throw error;
            }

            @Override
            public int size() {
                return 1;
            }
        };
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> blocks.putAll(given))
                .isSameAs(error);
        putUnlessThere("a");
        assertThat(repository.pail().get("a")).contains(VALUE.cid());
    }

    /** A thread that has no memory left when it asks for what belongs to it. */
    private static final class Failing extends Thread {
        private volatile boolean fails;

        Failing(Runnable action) {
            super(action);
        }

        @Override
        public int hashCode() {
            if (fails) {
                throw new OutOfMemoryError("for now");
            }
            return System.identityHashCode(this);
        }

        void whileFailing(Runnable action) {
            fails = true;
            try {
                action.run();
            } finally {
                fails = false;
            }
        }
    }

    private static CompletableFuture<Void> run(Consumer<Failing> action) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Failing thread = new Failing(() -> {
            try {
                action.accept((Failing) Thread.currentThread());
                ended.complete(null);
            } catch (Throwable e) {
                ended.completeExceptionally(e);
            }
        });
        thread.start();
        return ended;
    }

    @Test
    void afterAnErrorAtItsEndNothingIsPutIntoAStage() {
        try (BlockStore store = new MemoryBlockStore();
                StagedBlocks staged = new StagedBlocks(
                        store,
                        new FoundBlocks(DirectoryBlockStore.open(disk, FOLDER)),
                        new RepositoryFolder(disk, FOLDER))) {
            run(thread -> {
                        StagedBlocks.Stage outer = staged.stage();
                        StagedBlocks.Stage inner = staged.stage();
                        assertThatExceptionOfType(OutOfMemoryError.class)
                                .isThrownBy(() -> thread.whileFailing(inner::close));
                        staged.put(VALUE);
                        outer.write();
                        assertThat(store.has(VALUE.cid())).isTrue();
                        assertThatExceptionOfType(OutOfMemoryError.class)
                                .isThrownBy(() -> thread.whileFailing(outer::close));
                        staged.put(OTHER);
                        assertThat(store.has(OTHER.cid())).isTrue();
                    })
                    .join();
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
