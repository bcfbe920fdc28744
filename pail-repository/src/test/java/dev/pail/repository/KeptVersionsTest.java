package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.clock.ReplicatedPail;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.RepositoryException;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A version that was made in one update and returned by another: it stays in memory even if the first update failed. */
class KeptVersionsTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private final CrashDisk disk = new CrashDisk();
    private final List<String> reads = new ArrayList<>();
    private final List<Repository> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(Repository::close);
    }

    /** A repository with a pail of several shards. */
    private Repository init(BlockStorage storage) {
        Disk told = HookedDisk.telling(disk, (call, file) -> {
            if (call.equals("read")) {
                reads.add(file.toString());
            }
        });
        FileRepository.init(told, FOLDER, ShardFormat.v0(400, 8), storage).close();
        Repository repository = FileRepository.open(told, FOLDER, Duration.ZERO);
        open.add(repository);
        repository.update("main", pail -> {
            Pail next = pail;
            for (int i = 0; i < 40; i++) {
                next = next.put((char) ('a' + i % 4) + "/" + i, VALUE);
            }
            return next;
        });
        return repository;
    }

    private static Pail lost(Repository repository, UnaryOperator<Pail> change) {
        AtomicReference<Pail> kept = new AtomicReference<>();
        assertThatIllegalStateException()
                .isThrownBy(() -> repository.update("main", pail -> {
                    kept.set(change.apply(pail));
                    throw new IllegalStateException("not now");
                }));
        return kept.get();
    }

    /** What is asked for is refused, and nothing has changed; then the next update works. */
    private void assertRefused(Repository repository, UnaryOperator<Pail> change) {
        Cid before = repository.root("main");
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> repository.replace("main", "replace", change::apply))
                .withMessageContaining("made outside of this change: bafy")
                .satisfies(e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.INCOMPLETE));
        assertThat(repository.root("main")).isEqualTo(before);
        repository.update("main", pail -> pail.put("next", VALUE));
        assertSound();
    }

    private void assertSound() {
        try (Repository again = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            assertThat(Verification.of(again.blocks(), again.root("main")).isSound())
                    .isTrue();
            assertThat(again.history().log("main").count()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void thatOfAnUpdateThatThrew(BlockStorage storage) {
        Repository repository = init(storage);
        Pail kept = lost(repository, pail -> pail.put("b", VALUE));
        assertRefused(repository, pail -> kept);
    }

    @ParameterizedTest
    @EnumSource
    void oneThatWasMadeFromSuch(BlockStorage storage) {
        Repository repository = init(storage);
        Pail kept = lost(repository, pail -> pail.put("a/new", VALUE));
        // The shards of this are put, those above them too; the other one is found below them only.
        assertRefused(repository, pail -> kept.in(pail.blocks()).put("d/new", VALUE));
    }

    @ParameterizedTest
    @EnumSource
    void thatOfALostRace(BlockStorage storage) {
        Repository repository = init(storage);
        AtomicReference<Pail> first = new AtomicReference<>();
        assertRefused(repository, pail -> {
            if (first.get() == null) {
                first.set(pail.put("b", VALUE));
                try (Repository other = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
                    Pail theirs = other.pail();
                    other.update("main", mine -> mine.put("c", VALUE));
                    other.replace("main", "back", mine -> theirs);
                }
            }
            return first.get();
        });
    }

    @ParameterizedTest
    @EnumSource
    void thatOfAnUpdateThatIsUnderWay(BlockStorage storage) throws Exception {
        Repository repository = init(storage);
        CompletableFuture<Pail> made = new CompletableFuture<>();
        CountDownLatch used = new CountDownLatch(1);
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> repository.update("main", pail -> {
            made.complete(pail.put("b", VALUE));
            try {
                used.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            throw new IllegalStateException("not now");
        }));
        try {
            assertRefused(repository, pail -> made.join());
        } finally {
            used.countDown();
        }
        assertThat(other.handle((done, error) -> error).get()).hasMessageContaining("not now");
        assertSound();
    }

    @ParameterizedTest
    @EnumSource
    void anEventThatIsUnderWayGetsNoTag(BlockStorage storage) {
        Repository repository = init(storage);
        assertThatIllegalStateException()
                .isThrownBy(() -> repository.change("main", "", replica -> {
                    ReplicatedPail next = replica.put("b", VALUE);
                    CompletableFuture<Void> tagged =
                            CompletableFuture.runAsync(() -> repository.tags().create("t", next.head()));
                    assertThat(tagged.handle((done, error) -> error).join())
                            .hasCauseInstanceOf(MissingBlockException.class);
                    throw new IllegalStateException("not now");
                }));
        assertThat(repository.tags().names()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void anEventOfAChangeThatThrew(BlockStorage storage) {
        Repository repository = init(storage);
        AtomicReference<ReplicatedPail> kept = new AtomicReference<>();
        assertThatIllegalStateException()
                .isThrownBy(() -> repository.change("main", "", replica -> {
                    kept.set(replica.put("b", VALUE));
                    throw new IllegalStateException("not now");
                }));
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() -> repository.change(
                        "main",
                        "",
                        replica -> kept.get().in(replica.clock().blocks()).put("c", VALUE)))
                .withMessageContaining(kept.get().head().toString());
        repository.update("main", pail -> pail.put("next", VALUE));
        assertSound();
    }

    @ParameterizedTest
    @EnumSource
    void oneThatWasWrittenIsWelcome(BlockStorage storage) {
        Repository repository = init(storage);
        AtomicReference<Pail> kept = new AtomicReference<>();
        repository.update("main", pail -> {
            kept.set(pail.put("b", VALUE));
            return pail.unchanged();
        });
        repository.replace("main", "replace", pail -> kept.get());
        assertThat(repository.root("main")).isEqualTo(kept.get().root());
        assertSound();
        Pail outside = repository.pail().put("c", VALUE);
        repository.replace("main", "replace", pail -> outside);
        assertThat(repository.root("main")).isEqualTo(outside.root());
        assertSound();
    }

    @ParameterizedTest
    @EnumSource
    void aPutOfOneKeyReadsNoShard(BlockStorage storage) {
        Repository repository = init(storage);
        repository.pail().entries().forEach(entry -> {});
        reads.clear();
        repository.update("main", pail -> pail.put("a/new", VALUE));
        // The event is put once more, which checks the stored one. A writer of segments checks for segments of other
        // processes.
        assertThat(reads.stream().filter(file -> file.startsWith("/r/blocks") || file.startsWith("/r/segments")))
                .hasSizeLessThanOrEqualTo(storage == BlockStorage.SEGMENTS ? 3 : 1);
    }
}
