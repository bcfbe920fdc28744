package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.StoreLockedException;
import dev.pail.clock.MerkleClock;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.RepositoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepositoryTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    @TempDir
    Path folder;

    private Repository init() {
        return FileRepository.init(folder.resolve("r"), ShardFormat.v1());
    }

    private Repository open() {
        return FileRepository.open(folder.resolve("r"));
    }

    @Test
    void whatIsChangedIsThereWhenItIsOpenedAgain() {
        Pail changed;
        try (Repository repository = init()) {
            changed = repository.update("main", pail -> pail.put("a", VALUE)).pail();
            assertThat(repository.pail().root()).isEqualTo(changed.root());
        }
        try (Repository repository = open()) {
            assertThat(repository.format()).isEqualTo(ShardFormat.v1());
            assertThat(repository.root("main")).isEqualTo(changed.root());
            assertThat(repository.pail().get("a")).contains(VALUE);
        }
    }

    /** Spec rule M19: a deletion can leave another root for the same entries. */
    @Test
    void aVersionWithAnotherRootAndTheSameEntriesIsAnEventWithoutChanges() {
        try (Repository repository = init()) {
            Pail before = repository
                    .update("main", pail -> pail.put("abc", VALUE).put("d", VALUE))
                    .pail();
            Pail after = repository
                    .update("main", pail -> pail.put("abd", VALUE).delete("abd"))
                    .pail();
            assertThat(before.diff(after).isEmpty()).isTrue();
            assertThat(after.root()).isNotEqualTo(before.root());
            assertThat(repository.root("main")).isEqualTo(after.root());
            Cid newest = repository.replica("main").head().events().get(0);
            assertThat(MerkleClock.open(repository.blocks())
                            .event(newest)
                            .operation()
                            .changes())
                    .isEmpty();
        }
    }

    @Test
    void theConfigurationIsKept() {
        for (ShardFormat format : List.of(ShardFormat.v0(1024, 8), ShardFormat.v1(10), ShardFormat.v2())) {
            Path own = folder.resolve(format.name());
            FileRepository.init(own, format).close();
            try (Repository repository = FileRepository.open(own)) {
                assertThat(repository.format()).isEqualTo(format);
                assertThat(repository.pail().format()).isEqualTo(format);
            }
        }
    }

    @Test
    void aRepositoryIsMadeOnce() {
        init().close();
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(this::init)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.EXISTS));
    }

    @Test
    void whatIsNoRepository() throws IOException {
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(this::open)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.NO_REPOSITORY));
        init().close();
        for (String config :
                List.of("", "layout = 4\nformat = v0\n", "layout = 2\nformat = v9\n", "x", "layout=2\nformat=v1")) {
            Files.writeString(folder.resolve("r/config"), config);
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(this::open)
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.DAMAGED));
        }
    }

    @Test
    void headsThatNameNothing() throws IOException {
        try (Repository repository = init()) {
            Files.writeString(folder.resolve("r/heads/main"), "nothing\n");
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(repository::pail)
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.DAMAGED));
            assertThatExceptionOfType(RepositoryException.class).isThrownBy(() -> repository.pail("other"));
            for (String name : List.of("", "..", "a//b", ".hidden", "a b", "x".repeat(101))) {
                assertThatExceptionOfType(RepositoryException.class)
                        .isThrownBy(() -> repository.pail(name))
                        .satisfies(e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.NAME));
            }
        }
    }

    @Test
    void aChangeThatFailsChangesNothing() {
        try (Repository repository = init()) {
            Cid root = repository.root("main");
            assertThatThrownBy(() -> repository.update("main", pail -> {
                        Pail unused = pail.put("a", VALUE);
                        throw new IllegalStateException("no");
                    }))
                    .hasMessage("no");
            assertThat(repository.root("main")).isEqualTo(root);
            repository.update("main", pail -> pail.put("b", VALUE));
        }
    }

    /** Contract of the block store, 11: also what is only held in memory as yet. */
    @Test
    void aChangePutsNoBlockThatIsTooLarge() {
        Block block = Block.of(Cid.RAW, new byte[] {2});
        Block larger = Block.of(Cid.RAW, new byte[Block.MAX_SIZE + 1]);
        try (Repository repository = init()) {
            repository.update("main", pail -> {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> repository.blocks().putAll(List.of(block, larger)))
                        .withMessageContaining(larger.cid().toString());
                assertThat(repository.blocks().get(block.cid())).isEmpty();
                assertThat(repository.blocks().has(larger.cid())).isFalse();
                return pail.put("a", VALUE);
            });
            assertThat(repository.pail().get("a")).contains(VALUE);
            assertThat(repository.blocks().has(block.cid())).isFalse();
        }
    }

    @Test
    void oneWriterAtATime_REP13() throws IOException {
        init().close();
        Path lock = folder.resolve("r/LOCK");
        Disk.Lock held = Disk.system().tryLock(lock, "another writer").orElseThrow();
        try (Repository repository = FileRepository.open(folder.resolve("r"), Duration.ZERO)) {
            assertThatExceptionOfType(StoreLockedException.class)
                    .isThrownBy(() -> repository.update("main", pail -> pail.put("a", VALUE)))
                    .satisfies(e -> assertThat(e.holder()).isEqualTo("another writer"));
            assertThat(repository.pail().get("a")).isEmpty();
            held.close();
            repository.update("main", pail -> pail.put("a", VALUE));
        }
    }

    @Test
    void patienceMayHaveNoEnd() {
        init().close();
        try (Repository repository = FileRepository.open(folder.resolve("r"), ChronoUnit.FOREVER.getDuration())) {
            assertThat(repository
                            .update("main", pail -> pail.put("a", VALUE))
                            .pail()
                            .get("a"))
                    .contains(VALUE);
        }
    }

    @Test
    void manyThreadsLoseNothing() throws Exception {
        init().close();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> all = IntStream.range(0, 4)
                .<Future<?>>mapToObj(t -> threads.submit(() -> {
                    try (Repository repository = open()) {
                        for (int i = 0; i < 25; i++) {
                            String key = "key " + t + "/" + i;
                            repository.update("main", pail -> pail.put(key, VALUE));
                        }
                    }
                }))
                .toList();
        for (Future<?> each : all) {
            each.get();
        }
        threads.shutdown();
        try (Repository repository = open()) {
            assertThat(repository.pail().entries()).hasSize(100);
        }
    }

    /** Spec rule REP1. */
    @Test
    void foldersMayBeElsewhere() throws IOException {
        init().close();
        for (String name : List.of("heads", "logs", "blocks", "tags", "trash")) {
            Path elsewhere = Files.createDirectories(folder.resolve("elsewhere").resolve(name));
            Path here = folder.resolve("r").resolve(name);
            if (Files.isDirectory(here)) {
                Files.delete(elsewhere);
                Files.move(here, elsewhere);
            }
            Files.createSymbolicLink(here, elsewhere);
        }
        Block unneeded = Block.of(Cid.RAW, new byte[] {2});
        try (Repository repository = open()) {
            repository.update("main", pail -> pail.put("a", VALUE));
            repository.tags().create("tag", repository.snapshot("main").head());
            repository.blocks().put(unneeded);
        }
        Path file = folder.resolve("elsewhere/blocks")
                .resolve(unneeded.cid().multihashName().replaceFirst(".*(..)$", "$1/$0.data"));
        Files.setLastModifiedTime(file, FileTime.fromMillis(0));
        try (Repository repository = open()) {
            assertThat(repository
                            .maintenance()
                            .garbageCollection()
                            .run()
                            .moved()
                            .blocks())
                    .isEqualTo(1);
            assertThat(Files.exists(file)).isFalse();
            assertThat(repository.blocks().get(unneeded.cid())).contains(unneeded);
            assertThat(Files.exists(file)).isTrue();
            assertThat(repository.tags().head("tag"))
                    .contains(repository.snapshot("main").head());
            assertThat(repository.pail().get("a")).contains(VALUE);
        }
    }

    @Test
    void theNearestRepositoryIsFound() throws IOException {
        Path inner = Files.createDirectories(folder.resolve("x/y/z"));
        FileRepository.init(folder.resolve("x/.pail"), ShardFormat.v0()).close();
        assertThat(FileRepository.find(inner)).contains(folder.resolve("x/.pail"));
        assertThat(FileRepository.find(folder.resolve("x"))).contains(folder.resolve("x/.pail"));
    }

    @Test
    void aRepositoryIsFoundFromWithin() throws IOException {
        Path own = folder.resolve("own");
        FileRepository.init(own, ShardFormat.v0()).close();
        assertThat(FileRepository.find(own)).contains(own);
        assertThat(FileRepository.find(Files.createDirectories(own.resolve("a/b"))))
                .contains(own);
        assertThat(FileRepository.find(folder)).isEmpty();
        // Another program has a file of this name, too.
        Path other = Files.createDirectories(folder.resolve("other/heads")).getParent();
        Files.createFile(other.resolve("config"));
        assertThat(FileRepository.find(other)).isEmpty();
        FileRepository.init(own.resolve("a/.pail"), ShardFormat.v0()).close();
        assertThat(FileRepository.find(own.resolve("a/b"))).contains(own.resolve("a/.pail"));
    }
}
