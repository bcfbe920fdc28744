package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.MissingBlockException;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.clock.ReplicatedPail;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Revision;
import dev.pail.repository.model.Snapshot;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is read before a branch is moved, where there is a long history: no more than goes with what is moved. */
class ConnectivityCheckTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    /** The whole history is as many versions, and its log takes more reads than are allowed. */
    private static final int MOVES = 800;

    private static final int MOST_READS = 30;

    private int blockReads;
    private int logReads;
    private int tagReads;

    private final CrashDisk disk = new CrashDisk();
    private final Disk counting = HookedDisk.telling(disk, (call, file) -> {
        if (call.equals("read")) {
            blockReads += file.startsWith(FOLDER.resolve("blocks")) ? 1 : 0;
            tagReads += file.startsWith(FOLDER.resolve("tags")) ? 1 : 0;
            logReads += file.startsWith(FOLDER.resolve("logs")) ? 1 : 0;
        }
    });
    private final Repository repository = FileRepository.init(counting, FOLDER, ShardFormat.v1(), BlockStorage.FILES);

    @BeforeEach
    void fill() {
        for (int i = 0; i < MOVES; i++) {
            put("k" + i % 10 + "/" + i);
        }
    }

    @AfterEach
    void close() {
        assertThat(Verification.of(repository.blocks(), repository.root("main")).isSound())
                .isTrue();
        repository.close();
    }

    private void put(String key) {
        repository.update("main", pail -> pail.put(key, VALUE));
    }

    private void assertReadsFew(Runnable action) {
        blockReads = 0;
        logReads = 0;
        action.run();
        assertThat(blockReads).isLessThan(MOST_READS);
        assertThat(logReads).isLessThan(MOST_READS);
    }

    private Snapshot earlier(String branch, int moves) {
        Revision revision = repository.resolve("main@{" + moves + "}");
        return new Snapshot(branch, 0, revision.head().orElseThrow(), revision.pail());
    }

    @Test
    void anEarlierVersionGetsABranch() {
        Snapshot last = earlier("b", 1);
        assertReadsFew(() -> repository.branches().create("b", last.head()));
    }

    @Test
    void anEarlierVersionGetsATag() {
        Snapshot last = earlier("b", 1);
        assertReadsFew(() -> repository.tags().create("t", last.head()));
    }

    /** What is far back in the log is found before its history is read. */
    @Test
    void oneThatIsFarBack() {
        Snapshot early = earlier("b", MOVES - 100);
        blockReads = 0;
        repository.branches().create("b", early.head());
        assertThat(blockReads).isLessThan(MOST_READS);
        assertThat(repository.snapshot("b").pail().entries()).hasSize(100);
    }

    @Test
    void aChangeMadeElsewhereIsMerged() {
        ReplicatedPail side = repository.replica("main").put("side", VALUE);
        put("k1/more");
        assertReadsFew(() -> repository.change("main", "merge", replica -> replica.merge(side.head())));
        assertThat(repository.pail().get("side")).isPresent();
    }

    @Test
    void thereAreManyTags() {
        Snapshot head = repository.snapshot("main");
        for (int i = 0; i < 100; i++) {
            repository.tags().create("t" + i, head.head());
        }
        ReplicatedPail side = repository.replica("main").put("side", VALUE);
        put("k1/more");
        tagReads = 0;
        repository.change("main", "merge", replica -> replica.merge(side.head()));
        assertThat(tagReads).isLessThan(50);
    }

    @Test
    void aChangeAfterBlocksWereTakenAway() {
        ReplicatedPail unused = repository.replica("main").put("never", VALUE);
        repository
                .maintenance()
                .garbageCollection()
                .withAnyGrace(Duration.ZERO.minusSeconds(1))
                .run();
        assertThat(repository.maintenance().logsKeptSince()).isNotEqualTo(Instant.MIN);
        assertReadsFew(() -> put("next"));
        assertReadsFew(() -> put("another"));
    }

    /** A collection was broken off: then everything is looked at twice, the second time while the lock is held. */
    @Test
    void aChangeWhileBlocksMayBeTakenAway() throws IOException {
        try (Disk.WritableFile file = disk.append(FOLDER.resolve("gc"))) {
            file.write("1 2020-01-01T00:00:00Z\n".getBytes(StandardCharsets.US_ASCII));
        }
        assertReadsFew(() -> put("next"));
        assertThat(logReads).isLessThan(5);
    }

    /** A collector is killed after it has removed a block: the number in {@code gc} is odd before and after that. */
    @Test
    void aCollectorIsKilledBetweenTheCheckAndTheLock_G15() throws IOException {
        ReplicatedPail made = repository.replica("main").put("never", VALUE);
        try (Disk.WritableFile file = disk.append(FOLDER.resolve("gc"))) {
            file.write("1 2020-01-01T00:00:00Z\n".getBytes(StandardCharsets.US_ASCII));
        }
        String name = made.pail().root().multihashName();
        Path shard = FOLDER.resolve("blocks")
                .resolve(name.substring(name.length() - 2))
                .resolve(name + ".data");
        AtomicInteger locked = new AtomicInteger();
        Disk collected = HookedDisk.telling(disk, (call, file) -> {
            if (file.endsWith("LOCK") && locked.getAndIncrement() == 0) {
                disk.delete(shard);
            }
        });
        try (Repository writer = FileRepository.open(collected, FOLDER, Duration.ZERO)) {
            locked.set(0);
            assertThatExceptionOfType(MissingBlockException.class)
                    .isThrownBy(() -> writer.branches().create("side", made.head()));
            assertThat(writer.branches().names()).doesNotContain("side");
        }
        assertThat(locked).hasPositiveValue();
    }

    @Test
    void whatIsDamagedElsewhereDoesNotMatter() throws IOException {
        repository.branches().create("a", earlier("a", 3).head());
        repository.update("a", pail -> pail.put("a", VALUE));
        ReplicatedPail side = repository.replica("main").put("side", VALUE);
        put("k1/more");
        try (Disk.WritableFile head = disk.append(FOLDER.resolve("heads/a"))) {
            head.write("x\n".getBytes(StandardCharsets.US_ASCII));
        }
        assertReadsFew(() -> repository.change("main", "merge", replica -> replica.merge(side.head())));
        assertReadsFew(() -> repository.branches().create("b", earlier("b", 2).head()));
    }
}
