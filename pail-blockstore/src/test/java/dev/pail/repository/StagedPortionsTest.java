package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.sweep.SweptBlocks;
import dev.pail.threads.TaskThread;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A change of many bytes: another thread writes a portion of its blocks while the next one is staged. */
class StagedPortionsTest {
    private static final int MIB = 1 << 20;
    private static final int BLOCKS_OF_PORTION = (int) (StagedBlocks.MAX_STAGED / MIB) + 1;

    private final HeldBlocks store = new HeldBlocks();
    private final StagedBlocks staged = new StagedBlocks(store, "");

    /** A store whose puts wait until they may write. */
    private static final class HeldBlocks implements RepositoryBlocks {
        private final MemoryBlocks blocks = new MemoryBlocks();
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch free = new CountDownLatch(1);
        private final Set<Thread> writers = ConcurrentHashMap.newKeySet();

        /** What the next put throws. */
        private volatile @Nullable StoreIOException failure;

        @Override
        public Optional<Block> get(Cid cid) {
            return blocks.get(cid);
        }

        @Override
        public boolean has(Cid cid) {
            return blocks.has(cid);
        }

        @Override
        public void putAll(Collection<Block> all, Map<Cid, Cid> origins) {
            writers.add(Thread.currentThread());
            begun.countDown();
            await(free);
            StoreIOException thrown = failure;
            if (thrown != null) {
                failure = null;
                throw thrown;
            }
            blocks.putAll(all, origins);
        }

        @Override
        public SweptBlocks swept() {
            return blocks.swept();
        }

        @Override
        public void close() {
            blocks.close();
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
    void twoThreads() {
        assumeThat(TaskThread.threads()).isGreaterThan(1);
    }

    @Test
    void theNextBlocksAreStagedMeanwhile() {
        List<Block> first = blocks(0, BLOCKS_OF_PORTION);
        List<Block> next = blocks(BLOCKS_OF_PORTION, 3);
        StagedBlocks.Transaction transaction = staged.transaction();
        try {
            transaction.putAll(first);
            await(store.begun);
            transaction.putAll(next);
            transaction.putAll(first);
            for (Block block : List.of(first.get(0), next.get(2))) {
                assertThat(store.has(block.cid())).isFalse();
                assertThat(transaction.has(block.cid())).isTrue();
                assertThat(transaction.view().has(block.cid())).isTrue();
                assertThat(transaction.get(block.cid())).contains(block);
                assertThat(transaction.getAll(List.of(block.cid()))).containsValue(block);
                assertThat(transaction.view().get(block.cid())).contains(block);
            }
            assertThat(transaction.written()).isEmpty();
            store.free.countDown();
            // What was written early is read again under the lock.
            assertThat(transaction.isStaged(first.get(0).cid())).isFalse();
            assertThat(store.has(first.get(0).cid())).isTrue();
            assertThat(transaction.isStaged(next.get(2).cid())).isTrue();
            transaction.write();
            assertThat(transaction.written().orElseThrow()).hasSize(first.size() + next.size());
            assertThat(transaction.isStaged(first.get(0).cid())).isFalse();
        } finally {
            store.free.countDown();
            transaction.close();
        }
        assertThat(store.hasAll(first.stream().map(Block::cid).toList())).hasSize(first.size());
        assertThat(store.hasAll(next.stream().map(Block::cid).toList())).hasSize(next.size());
    }

    @Test
    void aPortionThatCannotBeWrittenFailsTheChange_REP24() {
        StoreIOException failure = new StoreIOException("cannot keep blocks", "/r", new IOException("No space left"));
        store.free.countDown();
        try (Repository repository = Repository.open(new MemoryRefs(), store, ShardFormat.v1())) {
            Cid before = repository.pail().root();
            store.failure = failure;
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> repository.update("main", pail -> {
                        pail.blocks().putAll(blocks(0, BLOCKS_OF_PORTION));
                        return pail.put("a", blocks(0, 1).get(0).cid());
                    }))
                    .isSameAs(failure);
            assertThat(repository.pail().root()).isEqualTo(before);
            assertThat(repository
                            .update("main", pail -> pail.putBytes("a", new byte[1]))
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
        await(store.begun);
        CompletableFuture<Void> later = CompletableFuture.runAsync(() -> {
            while (caller.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            store.free.countDown();
        });
        transaction.close();
        assertThat(store.has(first.get(0).cid())).isTrue();
        later.join();
    }

    /** The lock of an update belongs to its thread. */
    @Test
    void aChangeWithinAnUpdateWritesAlone() {
        store.free.countDown();
        try (StagedBlocks.Transaction transaction = staged.transactionInUpdate()) {
            transaction.putAll(blocks(0, BLOCKS_OF_PORTION));
        }
        assertThat(store.writers).containsExactly(Thread.currentThread());
    }
}
