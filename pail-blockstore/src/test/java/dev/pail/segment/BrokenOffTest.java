package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.CorruptBlockException;
import dev.pail.StoreDamagedException;
import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.Input;
import dev.pail.segment.format.Location;
import dev.pail.segment.format.Manifest;
import dev.pail.segment.format.Output;
import dev.pail.segment.format.RecordHeader;
import dev.pail.segment.format.SegmentFile;
import dev.pail.sweep.SweepRule;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is left where something was broken off in the middle must not get into the way of what is whole. */
class BrokenOffTest extends StoreInFolder {
    private static final long SMALL = 100;

    private static void refuseLast(Segments store, Block first) {
        assertThatThrownBy(() -> put(store, first, null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void whatIsLeftOfAPutIsNotWrittenWithoutTheLock() {
        Block first = block(1, 200);
        Block left = block(2, 200);
        Block byAnother = block(3, 200);
        Segments store = open();
        put(store, first);
        refuseLast(store, left);
        putByAnother(LARGE, byAnother);
        store.close();
        assertThatFreshReads(first, byAnother);
    }

    /** As Kotlin, or a test, may throw it without saying so. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> RuntimeException sneakily(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** A writer that holds the lock until the end may rely on its state, unless an operation was broken off. */
    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE})
    void whoIsAskedWhatIsWantedMayThrowAnything(long maxUnsynced) {
        List<Throwable> all = List.of(
                new IllegalStateException("asked"),
                new StackOverflowError("asked"),
                new InterruptedException("asked"),
                new Throwable("asked"));
        try (Segments store = Segments.open(Disk.system(), folder, maxUnsynced, LARGE)) {
            put(store, block(1, 200), block(2, 200));
            for (Throwable thrown : all) {
                assertThatThrownBy(() -> store.compact(cid -> {
                            throw BrokenOffTest.<RuntimeException>sneakily(thrown);
                        }))
                        .isSameAs(thrown);
                put(store, block(3 + all.indexOf(thrown), 200));
            }
        }
        assertThatFreshReads(block(1, 200), block(2, 200), block(3, 200), block(4, 200), block(5, 200), block(6, 200));
    }

    @Test
    void whatIsLeftOfAPutIsWrittenWithTheNext() {
        Block left = block(1, 200);
        Block next = block(2, 200);
        try (Segments store = open()) {
            refuseLast(store, left);
            put(store, next);
        }
        assertThatFreshReads(left, next);
    }

    /** Another process puts a block, cannot sync it, and puts it elsewhere: a reader that saw the first one finds it there. */
    @Test
    void aBlockThatWasCutOffAndPutAgain() {
        Block first = block(1, 200);
        Block seen = block(2, 300);
        AtomicReference<Runnable> look = new AtomicReference<>();
        Disk disk = failingWhenSeen(look);
        try (Segments reader = open();
                Segments failing = open(disk, LARGE)) {
            put(failing, first);
            assertThat(reader.get(first.cid())).contains(first);
            look.set(() -> assertThat(reader.has(seen.cid())).isTrue());
            assertThatThrownBy(() -> put(failing, seen)).isInstanceOf(StoreIOException.class);
            putByAnother(LARGE, block(3, 5000), seen);
            assertThat(reader.get(seen.cid())).contains(seen);
        }
    }

    /** One thread has read the commit of what another process then cuts off, and takes it in while a second one puts something. */
    @Test
    void aPutWhileAnotherThreadTakesInWhatWasCutOff() throws Exception {
        Block first = block(1, 200);
        Block cutOff = block(2, 300);
        Block last = block(3, 400);
        Thread writer = Thread.currentThread();
        AtomicBoolean readsBlock = new AtomicBoolean();
        CountDownLatch read = new CountDownLatch(1);
        AtomicBoolean looked = new AtomicBoolean();
        Disk disk = HookedDisk.of(Disk.system(), (method, path, call) -> {
            Object made = call.make();
            boolean isWriter = Thread.currentThread().equals(writer);
            if (!(made instanceof Integer size) || (!isWriter && read.getCount() == 0)) {
                return made;
            }
            if (isWriter) {
                looked.compareAndSet(false, read.getCount() == 0 && size == 0);
            } else if (!readsBlock.get()) {
                readsBlock.set(size > 300);
            } else if (size == RecordHeader.COMMIT) {
                read.countDown();
                while (!looked.get() && writer.getState() != Thread.State.BLOCKED) {
                    Thread.onSpinWait();
                }
            }
            return made;
        });
        ExecutorService threads = Executors.newSingleThreadExecutor();
        AtomicReference<Future<?>> asked = new AtomicReference<>();
        try (Segments store = open(disk, LARGE)) {
            Disk failing = HookedDisk.of(Disk.system(), (method, path, call) -> {
                Object made = call.make();
                if (method.equals("writeDurably")) {
                    asked.set(threads.submit(() -> store.get(block(4, 10).cid())));
                    read.await();
                    throw new IOException("Input/output error");
                }
                return made;
            });
            put(store, first);
            try (Segments another = open(failing, LARGE)) {
                assertThatThrownBy(() -> put(another, cutOff)).isInstanceOf(StoreIOException.class);
            }
            put(store, last);
            asked.get().get();
        } finally {
            threads.shutdownNow();
        }
        assertThatFreshReads(first, last);
    }

    @ParameterizedTest
    @CsvSource({"writeDurably, false", "writeDurably, true", "sync, false", "rename, true", "syncDirectory, false"})
    void afterAnErrorWithinAPutTheNextPutWritesAndWhatWasPutStays(String failing, boolean afterwards) {
        Block first = block(1, 200);
        Block refused = block(2, 200);
        AtomicInteger left = new AtomicInteger(-1);
        Disk disk = HookedDisk.of(Disk.system(), (method, path, call) -> {
            boolean fails = method.equals(failing) && left.decrementAndGet() == 0;
            if (fails && !afterwards) {
                throw new OutOfMemoryError("of a test");
            }
            Object made = call.make();
            if (fails) {
                throw new OutOfMemoryError("of a test");
            }
            return made;
        });
        try (Segments store = open(disk, 300)) {
            put(store, first);
            left.set(1);
            assertThatThrownBy(() -> put(store, refused)).hasMessage("of a test");
            assertThat(store.get(first.cid())).contains(first);
            put(store, block(3, 200));
            put(store, refused);
            assertThat(store.get(first.cid())).contains(first);
            assertThat(store.get(refused.cid())).contains(refused);
            putByAnother(LARGE, block(4, 200));
            assertThat(store.get(block(4, 200).cid())).isPresent();
        }
        try (Segments fresh = open()) {
            assertThat(fresh.get(first.cid())).contains(first);
            assertThat(fresh.get(block(4, 200).cid())).isPresent();
            assertThat(fresh.get(block(3, 200).cid())).isPresent();
            assertThat(fresh.get(refused.cid())).contains(refused);
        }
    }

    private static void overwrite(Path file, int length) throws IOException {
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw")) {
            opened.write(new byte[length]);
        }
    }

    /** Of a segment without a beginning all else may be saved. */
    @ParameterizedTest
    @CsvSource({"00000.open, 1000", "00000.seg, 100"})
    void aSegmentThatCannotBeReadStaysAndIsDamage_SEG16(String name, long segmentSize) throws IOException {
        Block lost = block(1, 200);
        putByAnother(segmentSize, lost);
        Files.deleteIfExists(folder.resolve("MANIFEST"));
        overwrite(folder.resolve(name), SegmentFile.BEGINNING);
        for (int i = 2; i < 5; i++) {
            putByAnother(SMALL, block(i, 200));
        }
        assertThat(folder.resolve(name)).exists();
        try (Segments fresh = open()) {
            assertThatThrownBy(() -> fresh.get(lost.cid())).isInstanceOf(CorruptBlockException.class);
            assertThat(fresh.get(block(2, 200).cid())).isPresent();
        }
    }

    @ParameterizedTest
    @CsvSource({"read, 00000.seg, 1", "status, MANIFEST, 2", "sync, 00003.open, 1", "create, MANIFEST.tmp, 2"})
    void anErrorLeavesNoFileOpen(String failing, String file, int time) {
        putByAnother(SMALL, block(0, 200), block(1, 200), block(2, 200));
        AtomicInteger open = new AtomicInteger();
        AtomicInteger left = new AtomicInteger(time);
        Disk disk = HookedDisk.of(Disk.system(), (method, path, call) -> {
            if (method.equals(failing) && path.endsWith(file) && left.decrementAndGet() == 0) {
                throw new OutOfMemoryError("of a test");
            }
            Object made = call.make();
            if (made instanceof Disk.ReadableFile || made instanceof Disk.WritableFile) {
                open.incrementAndGet();
            } else if (method.equals("close")) {
                open.decrementAndGet();
            }
            return made;
        });
        try (Segments store = open(disk, LARGE)) {
            assertThatThrownBy(() -> {
                        put(store, block(3, 200));
                        store.compact(cid -> !cid.equals(block(0, 200).cid()));
                    })
                    .hasMessage("of a test");
        }
        assertThat(open).hasValue(0);
        assertThatFreshReads(block(1, 200), block(2, 200));
    }

    /** What it has made is removed again: a loss of power must not bring back deltas without their bases. */
    @Test
    void thePowerIsLostAfterACompactionThatFailed() {
        CrashDisk crashing = new CrashDisk();
        AtomicInteger published = new AtomicInteger();
        AtomicBoolean renamed = new AtomicBoolean();
        Disk failing = HookedDisk.of(crashing, (method, path, call) -> {
            boolean follows = renamed.getAndSet(
                    method.equals("rename") && String.valueOf(call.arguments[1]).endsWith(".seg"));
            if (follows && method.equals("syncDirectory") && published.incrementAndGet() > 3) {
                throw new IOException("Input/output error");
            }
            return call.make();
        });
        Path folder = Path.of("/s");
        Random random = new Random(Randomness.seed("BrokenOffTest"));
        Lineages lineages = new Lineages(random, 1, 20);
        Block unwanted = block(1, 500);
        List<Block> blocks = Stream.generate(lineages::next).limit(120).toList();
        try (Segments store = Segments.open(failing, folder, 0, 2000)) {
            store.putAll(List.of(unwanted), Map.of());
            store.putAll(blocks, lineages.origins);
            published.set(0);
            assertThatThrownBy(() -> store.compact(cid -> !cid.equals(unwanted.cid())))
                    .isInstanceOf(StoreIOException.class);
        }
        assertThat(published.get()).isGreaterThan(3);
        for (int i = 0; i < 100; i++) {
            CrashDisk image = crashing.afterLoss(CrashDisk.Loss.ANY, random);
            try (Segments store = Segments.open(image, folder, 0, 2000)) {
                store.compact(cid -> !cid.equals(unwanted.cid()));
                blocks.forEach(block -> assertThat(store.get(block.cid())).contains(block));
            }
        }
    }

    /** Nothing may list the segment of a base that is gone. What can be read of a block elsewhere must stay. */
    @Test
    void aCompactionKeepsNoDeltaWithoutItsBaseInThePlaceOfTheBlock() throws IOException {
        CrashDisk disk = new CrashDisk();
        Disk owned = HookedDisk.telling(disk, (call, path) -> {
            if (call.equals("setMtime")) {
                throw new IOException("Operation not permitted");
            }
        });
        Path folder = Path.of("/s");
        Lineages lineages = new Lineages(new Random(1), 1, 20);
        Block base = lineages.next();
        Block block = lineages.next();
        for (Block each : List.of(block, base, block)) {
            try (Segments store = Segments.open(owned, folder, 0, SMALL)) {
                store.putAll(List.of(each), lineages.origins);
            }
            disk.pause(3_600_000);
        }
        for (String name : List.of("00001.seg", "00001.idx", "MANIFEST")) {
            disk.delete(folder.resolve(name));
        }
        try (Segments store = Segments.open(disk, folder, 0, LARGE)) {
            assertThat(store.get(block.cid())).contains(block);
            assertThatThrownBy(() -> store.compact(cid -> true)).isInstanceOf(StoreDamagedException.class);
            assertThat(store.get(block.cid())).contains(block);
        }
    }

    /** The second tail was begun when the first had been removed, and the power lost before that was durable. */
    @Test
    void aLookThatFailsLeavesWhatWasSeenBeforeOpen() throws IOException {
        Files.createDirectory(folder);
        Files.write(folder.resolve("00000.open"), SegmentFile.beginning(0, 1));
        AtomicInteger left = new AtomicInteger(-1);
        Disk disk = HookedDisk.telling(Disk.system(), (call, path) -> {
            if (call.equals("status") && path.endsWith("MANIFEST") && left.decrementAndGet() == 0) {
                throw new IOException("Input/output error");
            }
        });
        Cid absent = block(1, 10).cid();
        try (Segments reader = open(disk, LARGE)) {
            assertThat(reader.get(absent)).isEmpty();
            Files.write(folder.resolve("00001.open"), SegmentFile.beginning(1, 2));
            left.set(2);
            assertThatThrownBy(reader::renew).isInstanceOf(StoreIOException.class);
            assertThat(reader.get(absent)).isEmpty();
        }
    }

    /** Spec rule SEG2: one copy of the beginning is enough only where there is room for both. */
    @ParameterizedTest
    @CsvSource({"16, 0", "16, 1000000", "31, 0", "31, 1000000"})
    void aTailThatIsShorterThanABeginning_SEG2(int size, long maxUnsynced) throws IOException {
        Files.createDirectory(folder);
        Files.write(folder.resolve("00000.open"), Arrays.copyOf(SegmentFile.beginning(0, 1), size));
        Block block = block(1, 200);
        try (Segments store = Segments.open(Disk.system(), folder, maxUnsynced, LARGE)) {
            put(store, block);
        }
        assertThatFreshReads(block);
    }

    /** 65,536 segments of 32 MiB are 2 TiB: numbers continue behind that, and old files read as before. */
    @Test
    void numbersOfMoreThanTwoBytes_SEG4() throws IOException {
        Files.createDirectory(folder);
        Files.write(folder.resolve("MANIFEST"), new Manifest(65_531, Set.of()).toBytes());
        Lineages lineages = new Lineages(new Random(Randomness.seed("BrokenOffTest, numbers")), 1, 20);
        List<Block> blocks = Stream.generate(lineages::next).limit(60).toList();
        try (Segments store = open(Disk.system(), 400)) {
            blocks.forEach(block -> store.putAll(List.of(block), lineages.origins));
        }
        assertThat(folder.resolve("65532.seg")).exists();
        assertThat(folder.resolve("65536.seg")).exists();
        Block unwanted = blocks.get(59);
        for (int i = 0; i < 2; i++) {
            try (Segments store = open(Disk.system(), 400)) {
                assertThat(blocks.subList(0, 59))
                        .allSatisfy(block -> assertThat(store.get(block.cid())).contains(block));
                store.sweep(new SweepRule(cid -> !cid.equals(unwanted.cid()), Instant.MAX));
                assertThat(store.forEach(kept -> {}).damages()).isEmpty();
            }
        }
        try (Segments store = open(Disk.system(), 400)) {
            assertThat(store.get(unwanted.cid())).isEmpty();
            store.compact(cid -> true);
            blocks.subList(0, 59)
                    .forEach(block -> assertThat(store.get(block.cid())).contains(block));
        }
        for (int segmentNumber : new int[] {0, 65_535, 65_536, SegmentFile.MAX_SEGMENT_NUMBER}) {
            Location location = new Location(segmentNumber, 0xffffffffL, Block.MAX_SIZE + 1000);
            Output out = new Output(Location.ENCODED);
            location.write(out);
            assertThat(Location.read(new Input(out.toBytes(), 0, Location.ENCODED)))
                    .isEqualTo(location);
            assertThat(Catalog.segmentNumber(new Catalog(Disk.system(), folder).path(segmentNumber, ".seg"), ".seg"))
                    .isEqualTo(segmentNumber);
        }
    }

    /** A stray file uses up no numbers. */
    @ParameterizedTest
    @ValueSource(strings = {"65535.seg", "65535.open", "16777215.seg", "00001.seg", "00000.seg"})
    void aStrayFileDoesNotStopPuts_SEG1(String name) throws IOException {
        Files.createDirectory(folder);
        Path stray = folder.resolve(name);
        Files.write(stray, new byte[100]);
        Block[] blocks = new Block[6];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] = block(i, 200);
            putByAnother(SMALL, blocks[i]);
        }
        assertThat(stray).hasBinaryContent(new byte[100]);
        Files.delete(stray);
        assertThatFreshReads(blocks);
    }

    /** Many empty files are not kept open. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void emptySegmentsAreNotKeptOpen(boolean sealed) throws IOException {
        Block block = block(0, 200);
        putByAnother(LARGE, block);
        for (int segmentNumber = 1; segmentNumber < 2000; segmentNumber++) {
            Output out = new Output(100).write(SegmentFile.beginning(segmentNumber, 1));
            if (sealed) {
                CRC32C crc = new CRC32C();
                crc.update(out.toBytes());
                RecordHeader.Seal seal = new RecordHeader.Seal(0, (int) crc.getValue());
                RecordHeader.write(out, seal, new byte[0], 1, SegmentFile.BEGINNING);
            }
            Files.write(
                    new Catalog(Disk.system(), folder).path(segmentNumber, sealed ? ".seg" : ".open"), out.toBytes());
        }
        AtomicInteger open = new AtomicInteger();
        Disk counted = counting(open, (method, path, call) -> {
            assertThat(open.get()).isLessThan(100);
            return call.make();
        });
        try (Segments store = open(counted, LARGE)) {
            assertThat(store.get(block.cid())).contains(block);
            assertThat(store.forEach(kept -> {}).damages()).isEmpty();
            put(store, block(1, 200));
        }
        assertThatFreshReads(block, block(1, 200));
    }

    /** A manifest that another process replaces all the time keeps no reader for ever. */
    @Test
    void aManifestThatChangesAtEachLook() {
        putByAnother(SMALL, block(0, 200), block(1, 200), block(2, 200));
        AtomicInteger reads = new AtomicInteger();
        Disk disk = HookedDisk.of(Disk.system(), (method, path, call) -> {
            if (method.equals("read") && String.valueOf(path).endsWith("MANIFEST")) {
                assertThat(reads.incrementAndGet()).isLessThan(1000);
                Manifest manifest = Manifest.read((byte[]) call.make());
                TreeSet<Integer> listed = new TreeSet<>(manifest.listed());
                if (reads.get() % 2 == 0) {
                    listed.remove(0);
                }
                return new Manifest(manifest.last(), listed).toBytes();
            }
            return call.make();
        });
        try (Segments store = open(disk, SMALL)) {
            assertThat(store.get(block(1, 200).cid())).contains(block(1, 200));
        }
        assertThat(reads.get()).isGreaterThan(100);
    }

    /** Space for later batches is set aside only where there is some. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3000, 20_000, 64 * 1024, 160 * 1024, 300 * 1024})
    void aFullDiskIsFullWhenItIsFull_SEG12(int free) {
        CrashDisk disk = new CrashDisk();
        Path folder = Path.of("/s");
        List<Block> kept = new ArrayList<>();
        try (Segments store = Segments.open(disk, folder, 0, LARGE)) {
            store.putAll(List.of(block(0, 500)), Map.of());
            disk.limit(disk.used() + free);
            assertThatThrownBy(() -> {
                        while (true) {
                            Block next = block(kept.size() + 1, 500);
                            store.putAll(List.of(next), Map.of());
                            kept.add(next);
                        }
                    })
                    .isInstanceOf(StoreIOException.class)
                    .hasMessageContaining("No space left on device");
        }
        assertThat(kept).hasSizeGreaterThanOrEqualTo(free / 700);
        try (Segments store = Segments.open(disk, folder, 0, LARGE)) {
            assertThat(kept)
                    .allSatisfy(block -> assertThat(store.get(block.cid())).contains(block));
        }
    }

    @Test
    void anIndexThatCannotBeReadIsMadeAnew_SEG14() {
        Block block = block(1, 200);
        putByAnother(SMALL, block);
        Disk disk = HookedDisk.telling(Disk.system(), (call, path) -> {
            if (call.equals("read") && path.toString().endsWith(".idx")) {
                throw new IOException("Input/output error");
            }
        });
        try (Segments store = open(disk, SMALL)) {
            assertThat(store.get(block.cid())).contains(block);
            put(store, block(2, 200));
        }
        assertThatFreshReads(block, block(2, 200));
    }
}
