package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.Verification;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What others do while blocks are moved from segments to files, which holds the lock only at its end. */
class PackingRaceTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Block VALUE = Block.of(Cid.RAW, new byte[] {1, 2, 3});

    private final CrashDisk disk = new CrashDisk();

    private void unpackWhile(Runnable meanwhile) {
        AtomicBoolean done = new AtomicBoolean();
        try (Repository repository = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            FileRepository.of(repository)
                    .orElseThrow()
                    .packing()
                    .withProgress(bytes -> {
                        if (!done.getAndSet(true)) {
                            meanwhile.run();
                        }
                    })
                    .unpack();
        }
        assertThat(done).isTrue();
    }

    private void assertWhole() {
        try (Repository again = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            assertThat(Verification.of(again.blocks(), again.root("main")).isSound())
                    .isTrue();
            assertThat(again.blocks().get(VALUE.cid())).contains(VALUE);
        }
    }

    @Test
    void anotherMovesTheBlocksBack() {
        try (Repository other = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.SEGMENTS)) {
            other.blocks().put(VALUE);
            other.update("main", pail -> pail.put("a", VALUE.cid()));
            unpackWhile(() -> FileRepository.of(other).orElseThrow().packing().pack());
        }
        assertWhole();
    }

    /** If a reader finds neither the file nor a record in the segments, it looks for the file again. */
    @Test
    void aBlockMovesToAFileBetweenBothLooks() {
        try (Repository other = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            other.blocks().put(VALUE);
            AtomicBoolean done = new AtomicBoolean(true);
            Disk hooked = HookedDisk.telling(disk, (call, file) -> {
                if (file.equals(FOLDER.resolve("segments")) && !done.getAndSet(true)) {
                    FileRepository.of(other).orElseThrow().packing().unpack();
                }
            });
            try (Repository reader = FileRepository.open(hooked, FOLDER, Duration.ZERO)) {
                FileRepository.of(other).orElseThrow().packing().pack();
                done.set(false);
                assertThat(reader.blocks().get(VALUE.cid())).contains(VALUE);
            }
            assertThat(done).isTrue();
        }
    }

    /** As seen by another process: this one has not read the new segments yet. */
    @Test
    void segmentsAreGoneWhileACollectionLooksAtThem() {
        try (Repository other = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.SEGMENTS)) {
            other.update("main", pail -> pail.put("a", VALUE.cid()));
            AtomicBoolean done = new AtomicBoolean();
            Disk hooked = HookedDisk.telling(disk, (call, file) -> {
                if (call.equals("status") && file.toString().endsWith(".open") && !done.getAndSet(true)) {
                    FileRepository.of(other).orElseThrow().packing().unpack();
                }
            });
            try (Repository collector = FileRepository.open(hooked, FOLDER, Duration.ZERO)) {
                assertThat(collector
                                .maintenance()
                                .garbageCollection()
                                .run()
                                .moved()
                                .blocks())
                        .isZero();
            }
            assertThat(done).isTrue();
        }
    }

    /** A collection removes the file of an unneeded block; the next put finds the block in a segment. */
    @Test
    void whatACollectionTakesAwayIsPutAgain() {
        try (Repository other = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.SEGMENTS)) {
            other.blocks().put(VALUE);
            unpackWhile(() -> {
                GarbageCollection collection =
                        other.maintenance().garbageCollection().withAnyGrace(Duration.ofSeconds(-1));
                assertThat(collection.run().moved().blocks()).isPositive();
                assertThat(collection.run().deleted().blocks()).isPositive();
                other.update("main", pail -> {
                    other.blocks().put(VALUE);
                    return pail.put("a", VALUE.cid());
                });
            });
        }
        assertWhole();
    }

    /** This disk for a process that is killed before it makes safe which blocks have files. */
    private Disk killed() {
        return HookedDisk.telling(disk, (call, file) -> {
            if (call.equals("syncDirectory") && file.startsWith(FOLDER.resolve("blocks")) && file.getNameCount() == 3) {
                throw new IOException("killed");
            }
        });
    }

    private void assertThatTheValueIsSafe() {
        Random random = new Random(Randomness.seed("PackingRaceTest"));
        for (int i = 0; i < 50; i++) {
            CrashDisk image = disk.afterLoss(CrashDisk.Loss.ANY, random);
            try (Repository again = FileRepository.open(image, FOLDER, Duration.ZERO)) {
                assertThat(again.blocks().get(VALUE.cid())).contains(VALUE);
            }
        }
    }

    /** A file that a killed unpack has not synced must not count as durable. */
    @Test
    void thePowerIsLostAfterAnotherUnpackWasKilled() {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            repository.blocks().put(VALUE);
            FileRepository.of(repository).orElseThrow().packing().pack();
            try (Repository other = FileRepository.open(killed(), FOLDER, Duration.ZERO)) {
                assertThatThrownBy(() ->
                                FileRepository.of(other).orElseThrow().packing().unpack())
                        .hasMessageContaining("killed");
            }
            FileRepository.of(repository).orElseThrow().packing().unpack();
        }
        assertThatTheValueIsSafe();
    }

    /** The same of a block that comes back from the trash. */
    @Test
    void thePowerIsLostAfterWhoReadFromTheTrashWasKilled() {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            repository.blocks().put(VALUE);
            GarbageCollection collection =
                    repository.maintenance().garbageCollection().withAnyGrace(Duration.ofSeconds(-1));
            assertThat(collection.run().moved().blocks()).isEqualTo(1);
            try (Repository other = FileRepository.open(killed(), FOLDER, Duration.ZERO)) {
                assertThat(other.blocks().get(VALUE.cid())).contains(VALUE);
            }
            try (Repository other = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
                other.update("main", pail -> pail.put("a", VALUE.cid()));
            }
            collection.run();
        }
        assertThatTheValueIsSafe();
    }

    /** Another process collects, twice: what was put so far goes to the trash, and from there for good. */
    private void deleteValue() {
        try (Repository collector = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            GarbageCollection collection =
                    collector.maintenance().garbageCollection().withAnyGrace(Duration.ofSeconds(-1));
            collection.run();
            assertThat(collection.run().deleted().blocks()).isEqualTo(1);
        }
    }

    /** The same for a block that a collection has deleted and a writer has put again. */
    @Test
    void thePowerIsLostAfterWhoPutAgainWhatWasDeletedWasKilled() {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            repository.blocks().put(VALUE);
            deleteValue();
            putKilled(List.of(VALUE));
            repository.update("main", pail -> {
                repository.blocks().put(VALUE);
                return pail.put("a", VALUE.cid());
            });
        }
        assertThatTheValueIsSafe();
    }

    /** The same, if who was there all the time finds it, and names it only later. */
    @Test
    void thePowerIsLostAfterWhatWasPutBeforeWasPutAgainAndKilled() {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            repository.blocks().put(VALUE);
            deleteValue();
            putKilled(List.of(VALUE));
            repository.blocks().put(VALUE);
            repository.update("main", pail -> pail.put("a", VALUE.cid()));
        }
        assertThatTheValueIsSafe();
    }

    /** If a killed writer has put the file of a packed block again, the segment must stay: the file may not be durable. */
    @Test
    void thePowerIsLostAfterWhoPutAgainWhatWasPackedWasKilled() {
        try (Repository other = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            other.blocks().put(VALUE);
            FileRepository.of(other).orElseThrow().packing().pack();
            unpackWhile(() -> {
                FileRepository.of(other).orElseThrow().packing().pack();
                putKilled(List.of(VALUE));
            });
        }
        assertThatTheValueIsSafe();
    }

    private void putKilled(Collection<Block> blocks) {
        try (Repository other = FileRepository.open(killed(), FOLDER, Duration.ZERO)) {
            assertThatThrownBy(() -> other.blocks().putAll(blocks)).hasMessageContaining("killed");
        }
    }

    /** The new head of a branch or a tag is durable, even if another process has put its blocks. */
    @Test
    void thePowerIsLostAfterWhoPutAVersionWasKilled() {
        CrashDisk elsewhere = new CrashDisk();
        List<Block> blocks = new ArrayList<>();
        Head head;
        try (Repository source = FileRepository.init(elsewhere, FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            source.update("main", pail -> pail.put("aa1", VALUE.cid()).put("aa2", VALUE.cid()));
            head = source.snapshot("main").head();
        }
        DirectoryBlockStore files = DirectoryBlockStore.open(elsewhere, FOLDER.resolve("blocks"));
        files.loose().forEach(each -> blocks.add(files.loose().read(each.cid()).orElseThrow()));
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            putKilled(blocks);
            repository.tags().create("tag", head);
            repository.branches().create("branch", head);
        }
        for (int seed = 0; seed < 50; seed++) {
            CrashDisk image = disk.afterLoss(CrashDisk.Loss.ANY, Randomness.random(seed));
            try (Repository again = FileRepository.open(image, FOLDER, Duration.ZERO)) {
                assertThat(Verification.of(again.blocks(), again.pailAt(head).root())
                                .isSound())
                        .isTrue();
                assertThat(again.blocks().has(head.events().get(0))).isTrue();
            }
        }
    }

    /** A run that is interrupted after at least one portion makes progress: otherwise it could never be completed. */
    @Test
    void eachRunGetsFurther() throws IOException {
        int count = 4500;
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.SEGMENTS)) {
            List<Block> blocks = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                blocks.add(Block.of(Cid.RAW, new byte[] {(byte) i, (byte) (i >> 8)}));
            }
            repository.blocks().putAll(blocks);
        }
        long before = 0;
        while (files() <= count) {
            AtomicInteger left = new AtomicInteger(1600);
            Disk broken = HookedDisk.of(disk, (call, file, made) -> {
                if (call.equals("sync") && left.getAndDecrement() <= 0) {
                    throw new IOException("Input/output error");
                }
                return made.make();
            });
            try (Repository repository = FileRepository.open(broken, FOLDER, Duration.ZERO)) {
                assertThatThrownBy(() -> FileRepository.of(repository)
                                .orElseThrow()
                                .packing()
                                .unpack())
                        .isInstanceOf(StoreIOException.class);
            }
            assertThat(files()).isGreaterThan(before);
            before = files();
        }
        try (Repository repository = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            // And the empty pail.
            assertThat(FileRepository.of(repository)
                            .orElseThrow()
                            .packing()
                            .unpack()
                            .blocks())
                    .isEqualTo(count + 1L);
            assertThat(FileRepository.of(repository)
                            .orElseThrow()
                            .statistics()
                            .segments()
                            .blocks())
                    .isZero();
        }
    }

    private long files() {
        try (Repository repository = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            return FileRepository.of(repository).orElseThrow().statistics().files();
        }
    }
}
