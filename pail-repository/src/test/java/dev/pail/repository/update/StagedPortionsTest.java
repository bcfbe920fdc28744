package dev.pail.repository.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.pail.EntryCounts;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.MemoryRefs;
import dev.pail.repository.OddBlocks;
import dev.pail.repository.Repository;
import dev.pail.threads.TaskThread;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A change of many bytes: another thread writes a portion of its blocks while the next one is staged. */
class StagedPortionsTest {
    private static final int MIB = 1 << 20;
    private static final int BLOCKS_OF_PORTION = (int) (StagedBlocks.MAX_STAGED / MIB) + 1;

    private final OddBlocks store = new OddBlocks();
    private final StagedBlocks staged = new StagedBlocks(store, "", EntryCounts.NONE);
    private final Set<Thread> writers = ConcurrentHashMap.newKeySet();

    /** A put has begun. */
    private final CountDownLatch begun = new CountDownLatch(1);

    /** Puts may write. */
    private final CountDownLatch free = new CountDownLatch(1);

    /** What the next put throws. */
    private final AtomicReference<@Nullable StoreIOException> failure = new AtomicReference<>();

    private void beforePut() {
        writers.add(Thread.currentThread());
        begun.countDown();
        await(free);
        StoreIOException thrown = failure.getAndSet(null);
        if (thrown != null) {
            throw thrown;
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Block> blocks(int from, int count) {
        return IntStream.range(from, from + count)
                .mapToObj(i -> {
                    byte[] bytes = new byte[MIB];
                    bytes[0] = (byte) i;
                    return Block.of(Cid.RAW, bytes);
                })
                .toList();
    }

    @BeforeEach
    void holdPuts() {
        assumeThat(TaskThread.threads()).isGreaterThan(1);
        store.beforePut = this::beforePut;
    }

    @Test
    void theNextBlocksAreStagedMeanwhile() {
        List<Block> first = blocks(0, BLOCKS_OF_PORTION);
        List<Block> next = blocks(BLOCKS_OF_PORTION, 3);
        StagedBlocks.Transaction transaction = staged.transaction();
        try {
            transaction.putAll(first);
            await(begun);
            transaction.putAll(next);
            // Fewer than a portion: what was staged before is not staged again.
            transaction.putAll(first.subList(0, 2));
            for (Block block : List.of(first.get(0), next.get(2))) {
                assertThat(store.has(block.cid())).isFalse();
                assertThat(transaction.has(block.cid())).isTrue();
                assertThat(transaction.view().has(block.cid())).isTrue();
                assertThat(transaction.get(block.cid())).contains(block);
                assertThat(transaction.getAll(List.of(block.cid()))).containsValue(block);
                assertThat(transaction.view().get(block.cid())).contains(block);
            }
            assertThat(transaction.written()).isEmpty();
            free.countDown();
            // What was written early is read again under the lock.
            assertThat(transaction.isStaged(first.get(0).cid())).isFalse();
            assertThat(store.has(first.get(0).cid())).isTrue();
            assertThat(transaction.isStaged(next.get(2).cid())).isTrue();
            transaction.write();
            assertThat(transaction.written().orElseThrow()).hasSize(first.size() + next.size());
            assertThat(transaction.isStaged(first.get(0).cid())).isFalse();
        } finally {
            free.countDown();
            transaction.close();
        }
        assertThat(store.hasAll(first.stream().map(Block::cid).toList())).hasSize(first.size());
        assertThat(store.hasAll(next.stream().map(Block::cid).toList())).hasSize(next.size());
    }

    @Test
    void aPortionThatCannotBeWrittenFailsTheChange_REP24() {
        StoreIOException thrown = new StoreIOException("cannot keep blocks", "/r", new IOException("No space left"));
        free.countDown();
        try (Repository repository = Repository.open(new MemoryRefs(), store, ShardFormat.v1())) {
            Cid before = repository.pail().root();
            failure.set(thrown);
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> repository.update("main", pail -> {
                        pail.blocks().putAll(blocks(0, BLOCKS_OF_PORTION));
                        return pail.put("a", blocks(0, 1).get(0).cid());
                    }))
                    .isSameAs(thrown);
            assertThat(repository.pail().root()).isEqualTo(before);
            assertThat(repository
                            .update("main", pail -> pail.putBytes("a", new byte[1]))
                            .pail()
                            .get("a"))
                    .isPresent();
        }
    }

    @Test
    void theEndOfAChangeWaitsForItsWrite() {
        Thread caller = Thread.currentThread();
        List<Block> first = blocks(0, BLOCKS_OF_PORTION);
        StagedBlocks.Transaction transaction = staged.transaction();
        transaction.putAll(first);
        await(begun);
        CompletableFuture<Void> later = CompletableFuture.runAsync(() -> {
            while (caller.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            free.countDown();
        });
        transaction.close();
        assertThat(store.has(first.get(0).cid())).isTrue();
        later.join();
    }

    /** The lock of an update belongs to its thread. */
    @Test
    void aChangeWithinAnUpdateWritesAlone() {
        free.countDown();
        try (StagedBlocks.Transaction transaction = staged.transactionInUpdate()) {
            transaction.putAll(blocks(0, BLOCKS_OF_PORTION));
        }
        assertThat(writers).containsExactly(Thread.currentThread());
    }
}
