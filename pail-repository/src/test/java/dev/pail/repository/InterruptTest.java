package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.Batch;
import dev.pail.KeyChange;
import dev.pail.OperationInterruptedException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.Durability;
import dev.pail.car.CarExport;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.Registration;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.VerifyOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an interrupt of the thread ends, and what stays: the branch as it was, and a repository that works. */
class InterruptTest {
    private static final String MAIN = Repository.MAIN;
    private static final Cid VALUE =
            Block.of(Cid.RAW, "value".getBytes(StandardCharsets.UTF_8)).cid();

    @TempDir
    Path folder;

    private Repository repository;
    private Snapshot before;

    @BeforeEach
    void begin() {
        FileRepository.init(folder, ShardFormat.v1()).close();
        repository = FileRepository.open(folder, Durability.NONE);
        repository.update(MAIN, pail -> filled(pail, "there", 2_000));
        before = repository.snapshot(MAIN);
    }

    @AfterEach
    void end() {
        assertThat(Thread.interrupted()).isFalse();
        repository.close();
    }

    private static Pail filled(Pail pail, String name, int count) {
        Batch batch = pail.batch();
        for (int i = 0; i < count; i++) {
            batch.put(name + i, VALUE);
        }
        return batch.commit();
    }

    /** Runs an action in another thread, which this one interrupts when the action counts the latch down. */
    private static void interrupted(CountDownLatch reached, CountDownLatch sent, Runnable action) throws Exception {
        FutureTask<Boolean> result = new FutureTask<>(() -> {
            assertThatExceptionOfType(OperationInterruptedException.class)
                    .isThrownBy(action::run)
                    .withMessageStartingWith("the thread was interrupted, which ended a");
            return Thread.currentThread().isInterrupted();
        });
        Thread thread = new Thread(result);
        thread.start();
        reached.await();
        thread.interrupt();
        sent.countDown();
        assertThat(result.get()).as("the interrupt status").isTrue();
    }

    /** Says that the place is reached, and waits until the interrupt was sent. Waiting would end with the interrupt, so this spins. */
    private static void meet(CountDownLatch reached, CountDownLatch sent) {
        reached.countDown();
        while (sent.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    private void assertWorks() {
        assertThat(repository.snapshot(MAIN)).isEqualTo(before);
        Pail after = repository.update(MAIN, pail -> pail.put("later", VALUE)).pail();
        assertThat(after.get("later")).contains(VALUE);
        assertThat(repository.verify(VerifyOptions.DEFAULT.withAllVersions()).isSound())
                .isTrue();
    }

    @Test
    void anUpdateOfManyPutsEnds_REP34() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        AtomicInteger puts = new AtomicInteger();
        interrupted(reached, sent, () -> {
            repository.update(MAIN, pail -> {
                Pail next = pail;
                while (puts.incrementAndGet() <= 400_000) {
                    next = next.put("key" + puts, VALUE);
                    if (puts.get() == 100) {
                        meet(reached, sent);
                    }
                }
                return next;
            });
        });
        assertThat(puts).hasValue(101);
        assertWorks();
    }

    @Test
    void aBatchEnds_REP34() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        AtomicInteger puts = new AtomicInteger();
        interrupted(reached, sent, () -> {
            repository.update(MAIN, pail -> {
                Batch batch = pail.batch();
                while (puts.incrementAndGet() <= 400_000) {
                    batch.put("key" + puts, VALUE);
                    if (puts.get() == 100) {
                        meet(reached, sent);
                    }
                }
                return batch.commit();
            });
        });
        assertThat(puts).hasValue(101);
        assertWorks();
    }

    /** The function is done: the change is checked and written after that. */
    @Test
    void anUpdateEndsBehindItsFunction_REP34() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        interrupted(reached, sent, () -> {
            repository.update(MAIN, pail -> {
                Pail next = pail.put("a", VALUE);
                meet(reached, sent);
                return next;
            });
        });
        assertWorks();
    }

    /** Another thread puts for the function. */
    @Test
    void theThreadsOfAnUpdateEnd_REP34() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        interrupted(reached, sent, () -> {
            repository.update(MAIN, pail -> {
                FutureTask<Pail> other = new FutureTask<>(() -> {
                    meet(reached, sent);
                    return filled(pail, "key", 10);
                });
                new Thread(other).start();
                while (!other.isDone()) {
                    Thread.onSpinWait();
                }
                try {
                    return other.get();
                } catch (ExecutionException e) {
                    throw (OperationInterruptedException) e.getCause();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        });
        assertWorks();
    }

    /** Once the log has the entry, the update returns, and the interrupt stays for the caller. */
    @Test
    void anUpdateThatIsDurableReturns_REP34() {
        Registration registration =
                repository.listen(update -> Thread.currentThread().interrupt());
        Pail after = repository.update(MAIN, pail -> pail.put("a", VALUE)).pail();
        assertThat(Thread.interrupted()).isTrue();
        registration.close();
        assertThat(repository.root(MAIN)).isEqualTo(after.root());
        assertThat(repository.pail().get("a")).contains(VALUE);
    }

    /** Reads take as long as they always do, and the caller may end them between two. */
    @Test
    void readsOfAnInterruptedThreadWork() {
        Thread.currentThread().interrupt();
        try (Repository other = FileRepository.open(folder)) {
            assertThat(other.pail().get("there7")).contains(VALUE);
            assertThat(other.pail().entries()).hasSize(2_000);
            assertThat(repository.pail().get("there7")).contains(VALUE);
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertWorks();
    }

    @Test
    void aCheckEnds() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        AtomicInteger steps = new AtomicInteger();
        interrupted(
                reached,
                sent,
                () -> repository.verify(VerifyOptions.DEFAULT.withAllVersions().withProgress(() -> {
                    if (steps.incrementAndGet() == 10) {
                        meet(reached, sent);
                    }
                })));
        assertThat(steps).hasValue(10);
        assertWorks();
    }

    /** At one step of each third. What was collected until then stays collected, and the last run ends. */
    @Test
    void aCollectionEnds() throws IOException {
        Snapshot undone = repository.snapshot(MAIN);
        repository.update(MAIN, pail -> filled(pail, "gone", 500));
        before = repository.move(repository.snapshot(MAIN), undone.head(), "back");
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
            }
        }
        GarbageCollection collection =
                repository.maintenance().garbageCollection().withRetention(Duration.ZERO);
        int ends = 0;
        for (int at = 1; !isCollected(collection, at); at += 1 + at / 3) {
            ends++;
            assertThat(repository.verify(VerifyOptions.DEFAULT).isSound()).isTrue();
        }
        assertThat(ends).isGreaterThan(10);
        assertWorks();
    }

    private static boolean isCollected(GarbageCollection collection, int interruptedAt) {
        AtomicInteger steps = new AtomicInteger();
        try {
            collection
                    .withProgress(() -> {
                        if (steps.incrementAndGet() == interruptedAt) {
                            Thread.currentThread().interrupt();
                        }
                    })
                    .run();
            // It had no step behind this one.
            return !Thread.interrupted() || steps.get() == interruptedAt;
        } catch (OperationInterruptedException e) {
            assertThat(Thread.interrupted()).isTrue();
            assertThat(steps).hasValue(interruptedAt);
            return false;
        }
    }

    private void makeDraft() {
        Snapshot unused = repository.branches().create("draft", repository.head(MAIN));
        Pail unusedDraft =
                repository.update("draft", pail -> filled(pail, "draft", 2_000)).pail();
        Pail unusedMain =
                repository.update(MAIN, pail -> filled(pail, "main", 2_000)).pail();
        before = repository.snapshot(MAIN);
    }

    @Test
    void aMergeEnds_REP34() throws Exception {
        makeDraft();
        for (MergeOptions options : List.of(MergeOptions.DEFAULT, MergeOptions.DEFAULT.withDryRun())) {
            CountDownLatch reached = new CountDownLatch(1);
            CountDownLatch sent = new CountDownLatch(1);
            AtomicInteger steps = new AtomicInteger();
            // Opened anew: nothing is decoded.
            repository.close();
            repository = FileRepository.open(folder, Durability.NONE);
            interrupted(
                    reached,
                    sent,
                    () -> repository.merge(MAIN, "draft", options.withProgress(() -> {
                        if (steps.incrementAndGet() == 3) {
                            meet(reached, sent);
                        }
                    })));
            assertThat(steps).hasValue(3);
        }
        assertThat(repository.snapshot(MAIN)).isEqualTo(before);
        MergeResult merged = repository.merge(MAIN, "draft", MergeOptions.DEFAULT);
        assertThat(merged.pail().entries()).hasSize(6_000);
    }

    @Test
    void aDiffEnds() throws Exception {
        makeDraft();
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        AtomicInteger changes = new AtomicInteger();
        interrupted(reached, sent, () -> {
            try (Stream<KeyChange> keys =
                    repository.pail(MAIN).diff(repository.pail("draft")).keys()) {
                keys.forEach(change -> {
                    if (changes.incrementAndGet() == 10) {
                        meet(reached, sent);
                    }
                });
            }
        });
        assertThat(changes).hasValueLessThan(4_000);
        assertWorks();
    }

    @Test
    void anExportEnds() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        AtomicInteger blocks = new AtomicInteger();
        interrupted(
                reached,
                sent,
                () -> CarExport.of(repository.blocks(), repository.head(MAIN).events())
                        .watched(block -> {
                            if (blocks.incrementAndGet() == 2) {
                                meet(reached, sent);
                            }
                        })
                        .writeTo(OutputStream.nullOutputStream(), ""));
        assertThat(blocks).hasValue(2);
        assertWorks();
    }

    /** Another writer has the lock. */
    @Test
    void aWaitForTheLockEnds_REP34() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        try (Repository other = FileRepository.open(folder, Duration.ofDays(1))) {
            Thread holder = new Thread(() -> repository.refs().update(update -> {
                reached.countDown();
                try {
                    ended.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                return update;
            }));
            holder.start();
            // Else the update could take the lock first.
            reached.await();
            interrupted(reached, sent, () -> {
                other.update(MAIN, pail -> pail.put("a", VALUE));
            });
            ended.countDown();
            holder.join();
        }
        assertWorks();
    }
}
