package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.pail.CorruptBlockException;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.SegmentFile;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong for one of several who use a store must not take anything from the others, nor from it later. */
class BrokenTurnsTest extends StoreInFolder {
    private static final long UNSYNCED = Long.MAX_VALUE;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    /** Others may see a batch before its writer fails to sync it, and cuts it off. */
    @ParameterizedTest
    @CsvSource({"5000, 20000", "20000, 5000", "300, 300"})
    void cutOffAfterItWasSeen(int sizeOfCutOff, int sizeOfNext) {
        Block first = block(1, 200);
        Block cutOff = block(2, sizeOfCutOff);
        Block next = block(3, sizeOfNext);
        Block last = block(4, 400);
        AtomicReference<Runnable> look = new AtomicReference<>();
        Disk disk = failingWhenSeen(look);
        try (Segments reader = open();
                Segments failing = open(disk, LARGE)) {
            put(failing, first);
            assertThat(reader.get(first.cid())).contains(first);
            look.set(() -> assertThat(reader.get(cutOff.cid())).contains(cutOff));
            assertThatThrownBy(() -> put(failing, cutOff)).isInstanceOf(StoreIOException.class);
            putByAnother(LARGE, next);
            assertThat(reader.get(next.cid())).contains(next);
            assertThat(reader.get(cutOff.cid())).isEmpty();
            put(reader, last);
        }
        assertThatFreshReads(first, next, last);
    }

    /** The store reserves space before it writes a batch, so no reader sees a batch that did not fit. */
    @Test
    void nobodySeesWhatThereIsNoSpaceFor() {
        AtomicReference<Integer> writes = new AtomicReference<>(0);
        Disk disk = HookedDisk.of(Disk.system(), (method, path, call) -> {
            if (method.equals("writeDurably")) {
                writes.set(writes.get() + 1);
                if (writes.get() >= 5) {
                    if (writes.get() < 9) {
                        // Space that is set aside: 256, 64, 16 and 4 KiB.
                        call.make();
                    }
                    throw new IOException("No space left on device");
                }
            }
            return call.make();
        });
        List<Block> kept = new ArrayList<>();
        try (Segments store = open(disk, LARGE)) {
            for (int i = 0; i < 4; i++) {
                kept.add(block(i, 50));
                put(store, kept.get(i));
            }
            Block refused = block(5, 50);
            assertThatThrownBy(() -> put(store, refused)).isInstanceOf(StoreIOException.class);
            try (Segments reader = open()) {
                assertThat(reader.get(refused.cid())).isEmpty();
            }
        }
        assertThatFreshReads(kept.toArray(Block[]::new));
    }

    @Test
    void anotherFolderInThePlaceOfTheFirst() throws IOException {
        Block lost = block(1, 200);
        Block other = block(2, 200);
        Block last = block(3, 200);
        try (Segments store = open()) {
            put(store, lost);
            Files.move(folder, temporary.resolve("aside"));
            putByAnother(LARGE, other);
            assertThat(store.get(other.cid())).contains(other);
            put(store, last);
            assertThat(store.get(lost.cid())).isEmpty();
        }
        assertThatFreshReads(other, last);
    }

    /** As where what it is on is not mounted for that long. */
    @Test
    void theFolderIsAwayForAWhile() throws IOException {
        Block first = block(1, 200);
        Block second = block(2, 200);
        Path aside = temporary.resolve("aside");
        try (Segments store = open()) {
            put(store, first);
            Files.move(folder, aside);
            assertThat(store.get(second.cid())).isEmpty();
            Files.move(aside, folder);
            put(store, second);
            assertThat(store.get(first.cid())).contains(first);
        }
        assertThatFreshReads(first, second);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, UNSYNCED})
    void brokenOffWhileAnotherPuts(long maxUnsynced) {
        Block before = block(1, 200);
        Block first = block(2, 300);
        Block last = block(3, 300);
        try (Segments store = Segments.open(Disk.system(), folder, maxUnsynced, LARGE)) {
            put(store, before);
            put(
                    store,
                    first,
                    () -> {
                        assertThatThrownBy(() -> store.compact(cid -> {
                                    throw new IllegalStateException("broken off");
                                }))
                                .hasMessage("broken off");
                        assertThatThrownBy(() -> putByAnother(LARGE, block(4, 300)))
                                .isInstanceOf(StoreLockedException.class);
                    },
                    last);
        }
        assertThatFreshReads(before, first, last);
    }

    @Test
    void closedWhileSomethingIsPut() {
        Block first = block(1, 200);
        Segments store = Segments.open(Disk.system(), folder, UNSYNCED, LARGE);
        assertThatThrownBy(() -> put(store, first, store::close, block(2, 200))).hasMessageContaining("is closed");
        assertThatFreshReads(first);
    }

    @Test
    void anErrorWhileTheTailIsOpened() {
        AtomicInteger fails = new AtomicInteger();
        Block first = block(1, 200);
        Block second = block(2, 200);
        putByAnother(LARGE, first);
        Disk disk = HookedDisk.of(Disk.system(), (method, path, call) -> {
            if (method.equals("list") && fails.getAndIncrement() == 0) {
                throw new OutOfMemoryError("of a test");
            }
            return call.make();
        });
        try (Segments store = Segments.open(disk, folder, UNSYNCED, LARGE)) {
            assertThatThrownBy(() -> put(store, second)).hasMessage("of a test");
            put(store, second);
            assertThat(store.get(first.cid())).contains(first);
        }
        assertThatFreshReads(first, second);
    }

    /** Makes segments of one block each, and one more. */
    private List<Block> sealed(int count) {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            blocks.add(block(i, 300));
            try (Segments small = Segments.open(Disk.system(), folder, 0, 100)) {
                put(small, blocks.get(i));
            }
        }
        return blocks;
    }

    private static void damage(Path file, long offset) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.seek(offset);
            int was = opened.read();
            opened.seek(offset);
            opened.write(was ^ 1);
        }
    }

    @Test
    void aPutMendsWhatHasADamagedHead() throws IOException {
        List<Block> blocks = sealed(2);
        damage(folder.resolve("00000.seg"), SegmentFile.BEGINNING + 20);
        Cid damaged = blocks.get(0).cid();
        try (Segments store = open()) {
            assertThatThrownBy(() -> store.has(damaged)).isInstanceOf(CorruptBlockException.class);
            assertThatThrownBy(() -> store.get(damaged)).isInstanceOf(CorruptBlockException.class);
            put(store, blocks.get(0));
            assertThat(store.has(damaged)).isTrue();
            assertThat(store.get(damaged)).contains(blocks.get(0));
        }
    }

    @Test
    void whatIsConfirmedIsNoTornTail() throws IOException {
        Block first = block(1, 300);
        Block second = block(2, 300);
        try (Segments store = open()) {
            put(store, first, second);
            store.confirm();
        }
        damage(folder.resolve("00000.open"), SegmentFile.BEGINNING + 100);
        try (Segments store = open()) {
            assertThat(store.get(second.cid())).contains(second);
            assertThatThrownBy(() -> store.get(first.cid())).isInstanceOf(CorruptBlockException.class);
            put(store, block(3, 300));
            assertThat(store.get(second.cid())).contains(second);
        }
    }

    @Test
    void whatFailsLeavesNoFileOpen() {
        Block first = sealed(8).get(0);
        AtomicInteger open = new AtomicInteger();
        Disk disk = counting(open, (method, path, call) -> {
            if (method.equals("open") && path.endsWith("00005.seg")) {
                throw new IOException("Input/output error");
            }
            return call.make();
        });
        try (Segments store = open(disk, LARGE)) {
            assertThatThrownBy(() -> store.get(first.cid())).isInstanceOf(StoreIOException.class);
            assertThat(open).hasValue(0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 9, 14})
    void aCompactionForWhichThereIsNoSpaceLeavesAsMuchAsThereWas(int failing) throws IOException {
        List<Block> blocks = sealed(8);
        AtomicInteger writes = new AtomicInteger();
        AtomicInteger open = new AtomicInteger();
        Disk disk = counting(open, (method, path, call) -> {
            if (method.equals("write") && path.toString().endsWith(".tmp") && writes.incrementAndGet() >= failing) {
                throw new IOException("No space left on device");
            }
            return call.make();
        });
        List<String> before = names();
        List<Block> kept = blocks.subList(1, blocks.size());
        try (Segments store = Segments.open(disk, folder, 0, 700)) {
            // If there is space for the manifest, the segment of the first block goes, and the others need not be
            // merged.
            Throwable thrown = catchThrowable(
                    () -> store.compact(cid -> !cid.equals(blocks.get(0).cid())));
            if (failing == 1) {
                assertThat(thrown).isInstanceOf(StoreIOException.class);
                assertThat(store.get(blocks.get(0).cid())).contains(blocks.get(0));
            } else {
                assertThat(thrown)
                        .satisfiesAnyOf(
                                none -> assertThat(none).isNull(),
                                failure -> assertThat(failure).isInstanceOf(StoreIOException.class));
            }
            kept.forEach(block -> assertThat(store.get(block.cid())).contains(block));
        }
        assertThat(open).hasValue(0);
        TreeSet<String> more = new TreeSet<>(names());
        more.removeAll(before);
        assertThat(more).allSatisfy(name -> assertThat(name).startsWith("MANIFEST"));
        assertThatFreshReads(kept.toArray(Block[]::new));
    }

    /** Else a loss of power could bring back the one that lists what was removed. */
    @Test
    void aManifestThatWasNotMadeSafeIsBeforeAnythingIsRemoved() {
        List<Block> blocks = sealed(3);
        AtomicReference<String> last = new AtomicReference<>("");
        Disk failing = HookedDisk.of(Disk.system(), (method, path, call) -> {
            if (method.equals("syncDirectory") && last.get().equals("rename MANIFEST.tmp")) {
                throw new IOException("Input/output error");
            }
            last.set(method + ' ' + (path == null ? "" : path.getFileName()));
            return call.make();
        });
        try (Segments store = open(failing, LARGE)) {
            assertThatThrownBy(
                            () -> store.compact(cid -> !cid.equals(blocks.get(0).cid())))
                    .isInstanceOf(StoreIOException.class);
        }
        List<String> calls = new ArrayList<>();
        Disk told = HookedDisk.telling(Disk.system(), (call, path) -> {
            if (call.equals("syncDirectory") || call.equals("delete")) {
                calls.add(call + ' ' + path.getFileName());
            }
        });
        try (Segments store = open(told, LARGE)) {
            put(store, block(9, 70));
        }
        assertThat(calls).contains("delete 00000.seg");
        assertThat(calls.subList(0, calls.indexOf("delete 00000.seg"))).contains("syncDirectory s");
        assertThatFreshReads(blocks.get(1), blocks.get(2), block(9, 70));
    }

    /** The writer that created the folder may have been killed before that was durable. */
    @Test
    void theFolderIsMadeSafeByWhoeverWritesToIt() {
        putByAnother(LARGE, block(1, 200));
        List<Path> forced = new ArrayList<>();
        Disk disk = HookedDisk.of(Disk.system(), (method, path, call) -> {
            if (method.equals("syncDirectory")) {
                forced.add(path);
            }
            return call.make();
        });
        try (Segments store = open(disk, LARGE)) {
            put(store, block(2, 200));
            assertThat(forced).contains(temporary);
        }
    }

    @Test
    void whoMayNotSetTimesKeepsABlockOnceMore() throws IOException {
        Block old = sealed(1).get(0);
        Files.setLastModifiedTime(
                folder.resolve("00000.seg"), FileTime.from(Instant.now().minusSeconds(90_000)));
        Disk disk = HookedDisk.of(Disk.system(), (method, path, call) -> {
            if (method.equals("setMtime")) {
                throw new FileSystemException(path.toString(), null, "Operation not permitted");
            }
            return call.make();
        });
        try (Segments store = open(disk, LARGE)) {
            put(store, old);
            put(store, block(7, 200));
            List<Cid> listed = new ArrayList<>();
            store.forEach(kept -> listed.add(kept.cid()));
            assertThat(listed)
                    .containsExactly(old.cid(), old.cid(), block(7, 200).cid());
        }
    }
}
