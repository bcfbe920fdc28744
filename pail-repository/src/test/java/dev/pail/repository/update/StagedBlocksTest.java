package dev.pail.repository.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pail.BlockStore;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.PailChange;
import dev.pail.testkit.disk.CrashDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is put while others put, too. */
class StagedBlocksTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Block VALUE = Block.of(Cid.RAW, new byte[] {1});

    private final CrashDisk disk = new CrashDisk();
    private final Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES);
    private final BlockStore blocks = repository.blocks();
    private final AtomicReference<Pail> last = new AtomicReference<>();

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
                    pail.blocks().put(VALUE);
                    CompletableFuture.runAsync(() -> putUnlessThere("a")).join();
                    throw new IllegalStateException("not now");
                }));
        try (Repository again = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            assertThat(again.pail().get("a")).contains(VALUE.cid());
            assertThat(again.blocks().get(VALUE.cid())).contains(VALUE);
        }
    }

    /** The transaction is that of the pail, not that of the thread. */
    @Test
    void whatAnotherThreadPutsGoesWithTheChange_REP24() {
        Pail before = repository.pail();
        assertThatIllegalStateException()
                .isThrownBy(() -> repository.update("main", pail -> {
                    CompletableFuture.runAsync(() -> {
                                pail.blocks().put(VALUE);
                                last.set(pail.put("lost", VALUE.cid()));
                            })
                            .join();
                    assertThat(pail.blocks().has(VALUE.cid())).isTrue();
                    assertThat(blocks.has(VALUE.cid())).isFalse();
                    throw new IllegalStateException("not now");
                }));
        assertThat(blocks.has(VALUE.cid())).isFalse();
        assertThat(blocks.has(last.get().root())).isFalse();
        assertThat(repository.root("main")).isEqualTo(before.root());
        assertThat(CompletableFuture.supplyAsync(() -> repository
                                .update("main", pail -> {
                                    CompletableFuture.runAsync(
                                                    () -> pail.blocks().put(VALUE))
                                            .join();
                                    return CompletableFuture.supplyAsync(() -> pail.put("kept", VALUE.cid()))
                                            .join();
                                })
                                .pail())
                        .join()
                        .get("kept"))
                .contains(VALUE.cid());
        assertThat(blocks.has(VALUE.cid())).isTrue();
    }

    @Test
    void aPailOfAChangeThatIsOverTakesNoChanges() {
        Pail made = repository
                .update("main", pail -> {
                    last.set(pail);
                    return pail.put("a", VALUE.cid());
                })
                .pail();
        assertThatIllegalStateException()
                .isThrownBy(() -> last.get().put("b", VALUE.cid()))
                .withMessageContaining("is over");
        assertThat(last.get().entries()).isEmpty();
        assertThat(made.put("b", VALUE.cid()).entries()).hasSize(2);
    }

    @Test
    void aVersionFromElsewhereIsRefusedUnlessItReplaces_REP24() {
        Pail old = repository.pail();
        Pail now = repository.update("main", pail -> pail.put("a", VALUE.cid())).pail();
        Pail stale = old.put("b", VALUE.cid());
        List<PailChange<RuntimeException>> changes = List.of(
                pail -> stale,
                pail -> old,
                pail -> Pail.open(pail.blocks(), old.root()),
                pail -> Pail.create(pail.blocks()).put("c", VALUE.cid()));
        for (PailChange<RuntimeException> change : changes) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> repository.update("main", change))
                    .withMessageContaining("not made from the one that update gave");
            assertThat(repository.root("main")).isEqualTo(now.root());
        }
        assertThat(repository.update("main", pail -> now).root()).isEqualTo(now.root());
        for (PailChange<RuntimeException> change : changes) {
            Pail replaced = repository.replace("main", "replace", change).pail();
            assertThat(replaced.get("a")).isEmpty();
            assertThat(repository.root("main")).isEqualTo(replaced.root());
        }
    }

    @Test
    void theFunctionMayThrow_REP24() {
        Cid before = repository.root("main");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> repository.update("main", pail -> {
                    pail.blocks().put(VALUE);
                    throw new IOException("no input");
                }))
                .withMessage("no input");
        assertThat(blocks.has(VALUE.cid())).isFalse();
        assertThat(repository.root("main")).isEqualTo(before);
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

    @Test
    void whatAChangeHoldsItselfIsThere() {
        repository.update("main", pail -> {
            pail.blocks().put(VALUE);
            assertThat(pail.blocks().has(VALUE.cid())).isTrue();
            assertThat(pail.blocks().get(VALUE.cid())).contains(VALUE);
            return pail;
        });
        assertThat(blocks.has(VALUE.cid())).isTrue();
    }
}
