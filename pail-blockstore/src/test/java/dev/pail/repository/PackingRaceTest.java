package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.disk.CrashDisk;
import dev.pail.disk.Disk;
import dev.pail.disk.HookedDisk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What others do while blocks are moved from segments to files, which holds the lock only at its end. */
class PackingRaceTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Block VALUE = Block.of(Cid.RAW, new byte[] {1, 2, 3});

    private final CrashDisk disk = new CrashDisk();

    private void unpackWhile(Runnable meanwhile) {
        AtomicBoolean done = new AtomicBoolean();
        try (Repository repository = Repository.open(disk, FOLDER, Duration.ZERO)) {
            repository
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
        try (Repository again = Repository.open(disk, FOLDER, Duration.ZERO)) {
            assertThat(Verification.of(again.blocks(), again.root("main")).isSound())
                    .isTrue();
            assertThat(again.blocks().get(VALUE.cid())).contains(VALUE);
        }
    }

    @Test
    void anotherMovesTheBlocksBack() {
        try (Repository other = Repository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.SEGMENTS)) {
            other.blocks().put(VALUE);
            other.update("main", pail -> pail.put("a", VALUE.cid()));
            unpackWhile(() -> other.packing().pack());
        }
        assertWhole();
    }

    /** As seen by another process: nobody here knows that there are other segments. */
    @Test
    void segmentsAreGoneWhileACollectionLooksAtThem() {
        try (Repository other = Repository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.SEGMENTS)) {
            other.update("main", pail -> pail.put("a", VALUE.cid()));
            AtomicBoolean done = new AtomicBoolean();
            Disk hooked = HookedDisk.telling(disk, (call, file) -> {
                if (call.equals("facts") && file.toString().endsWith(".open") && !done.getAndSet(true)) {
                    other.packing().unpack();
                }
            });
            try (Repository collector = Repository.open(hooked, FOLDER, Duration.ZERO)) {
                assertThat(collector.garbageCollection().run().moved().blocks()).isZero();
            }
            assertThat(done).isTrue();
        }
    }

    /** Where nobody needs a block, its file is taken away; who puts it then finds it in a segment. */
    @Test
    void whatACollectionTakesAwayIsPutAgain() {
        try (Repository other = Repository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.SEGMENTS)) {
            other.blocks().put(VALUE);
            unpackWhile(() -> {
                GarbageCollection collection = other.garbageCollection().withAnyGrace(Duration.ofSeconds(-1));
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
}
