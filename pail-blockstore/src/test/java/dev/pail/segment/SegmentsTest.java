package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentsTest {
    private static final int SEGMENT = 4000;

    @TempDir
    Path folder;

    private Segments open() {
        return Segments.open(Disk.system(), folder.resolve("s"), 0, SEGMENT);
    }

    private List<Block> fill(Segments store, int count) {
        Lineages lineages = new Lineages(new Random(3), 2, 10);
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Block block = lineages.next();
            store.putAll(List.of(block), lineages.origins);
            blocks.add(block);
        }
        return blocks;
    }

    private List<String> names() throws IOException {
        return Disk.system().list(folder.resolve("s")).stream()
                .map(file -> String.valueOf(file.getFileName()))
                .toList();
    }

    @Test
    void whatDiffersIsKept() {
        List<Integer> chains = new ArrayList<>();
        List<Block> blocks;
        long logical = 0;
        AtomicLong stored = new AtomicLong();
        try (Segments store = open()) {
            blocks = fill(store, 500);
            store.forEach(kept -> {
                chains.add(kept.chain());
                stored.addAndGet(kept.storedSize());
            });
        }
        for (Block block : blocks) {
            logical += block.size();
        }
        assertThat(chains.size()).isBetween(480, 500);
        assertThat(Collections.max(chains)).isBetween(4, 10);
        assertThat(stored.get()).isLessThan(logical / 2);
        try (Segments store = open()) {
            assertThat(blocks)
                    .allSatisfy(block -> assertThat(store.get(block.cid())).contains(block));
        }
    }

    /** Versions of one block: rule SEG11 says with how many deltas each is made. */
    @Test
    void chainsAreAsLongAsTheGenerationSays_SEG11() {
        byte[] bytes = new byte[2000];
        new Random(5).nextBytes(bytes);
        List<Integer> chains = new ArrayList<>();
        try (Segments store = Segments.open(Disk.system(), folder.resolve("s"), Long.MAX_VALUE, 1 << 20)) {
            Cid origin = null;
            for (int generation = 0; generation < 200; generation++) {
                bytes[10 * generation]++;
                Block block = Block.of(Cid.RAW, bytes);
                store.putAll(List.of(block), origin == null ? Map.of() : Map.of(block.cid(), origin));
                origin = block.cid();
            }
            store.forEach(kept -> chains.add(kept.chain()));
        }
        for (int generation = 0; generation < 200; generation++) {
            assertThat(chains.get(generation))
                    .as("generation " + generation)
                    .isEqualTo(generation % 4 + Integer.bitCount(generation / 4));
        }
    }

    /** An error that is no exception, of memory or of the machine, leaves nothing behind that the next batch would stand on. */
    @Test
    void afterAnErrorNothingIsWritten() {
        AtomicBoolean failing = new AtomicBoolean();
        Disk disk = failing(failing);
        Lineages lineages = new Lineages(new Random(4), 1, 10);
        Block first = lineages.next();
        Block second = lineages.next();
        Block third = lineages.next();
        try (Segments store = Segments.open(disk, folder.resolve("s"), Long.MAX_VALUE, SEGMENT)) {
            store.putAll(List.of(first), Map.of());
            failing.set(true);
            assertThatExceptionOfType(OutOfMemoryError.class)
                    .isThrownBy(() -> store.putAll(List.of(second), lineages.origins));
            failing.set(false);
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> store.putAll(List.of(third), lineages.origins))
                    .withMessageContaining("opened again");
            assertThat(store.get(first.cid())).contains(first);
            assertThat(store.get(second.cid())).isEmpty();
        }
        try (Segments store = Segments.open(disk, folder.resolve("s"), Long.MAX_VALUE, SEGMENT)) {
            store.putAll(List.of(third), lineages.origins);
        }
        try (Segments store = open()) {
            assertThat(store.get(first.cid())).contains(first);
            assertThat(store.get(third.cid())).contains(third);
        }
    }

    @Test
    void whoIsAskedWhatIsWantedReadsAndDoesNotWrite() {
        for (long maxUnsynced : List.of(0L, Long.MAX_VALUE)) {
            try (Segments store =
                    Segments.open(Disk.system(), folder.resolve("asked" + maxUnsynced), maxUnsynced, SEGMENT)) {
                List<Block> blocks = fill(store, 100);
                Block more = Block.of(Cid.RAW, new byte[] {1, 2, 3});
                store.compact(cid -> store.get(cid).isPresent());
                for (Runnable write : List.<Runnable>of(
                        () -> store.putAll(List.of(more), Map.of()),
                        () -> store.compact(cid -> true),
                        store::confirm)) {
                    assertThatExceptionOfType(IllegalStateException.class)
                            .isThrownBy(() -> store.compact(cid -> {
                                write.run();
                                return true;
                            }))
                            .withMessageContaining("wanted");
                }
                store.putAll(List.of(more), Map.of());
                blocks.add(more);
                assertThat(blocks)
                        .allSatisfy(block -> assertThat(store.get(block.cid())).contains(block));
            }
        }
    }

    /** If the predicate of wanted blocks throws, nothing is removed, and later puts are kept. */
    @Test
    void afterACompactionThatWasBrokenOffAllGoesOn() {
        for (long maxUnsynced : List.of(0L, Long.MAX_VALUE)) {
            Path at = folder.resolve("unsynced" + maxUnsynced);
            List<Block> blocks;
            try (Segments store = Segments.open(Disk.system(), at, maxUnsynced, SEGMENT)) {
                blocks = fill(store, 100);
                AtomicLong asked = new AtomicLong();
                assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(() -> store.compact(cid -> {
                            if (asked.incrementAndGet() == 50) {
                                throw new IllegalStateException("as if");
                            }
                            return false;
                        }));
                Block more = block(1);
                store.putAll(List.of(more), Map.of());
                blocks.add(more);
                assertThat(blocks)
                        .allSatisfy(block -> assertThat(store.get(block.cid())).contains(block));
            }
            try (Segments store = Segments.open(Disk.system(), at, 0, SEGMENT)) {
                assertThat(blocks)
                        .allSatisfy(block -> assertThat(store.get(block.cid())).contains(block));
                store.compact(cid -> true);
                assertThat(blocks)
                        .allSatisfy(block -> assertThat(store.get(block.cid())).contains(block));
            }
        }
    }

    /** A disk that runs out of memory in the middle of what it writes. */
    private static Disk failing(AtomicBoolean now) {
        return HookedDisk.of(Disk.system(), (call, file, made) -> {
            if (now.get() && call.equals("write")) {
                byte[] bytes = (byte[]) made.arguments[0];
                made.arguments[0] = Arrays.copyOf(bytes, bytes.length / 2);
                made.make();
                throw new OutOfMemoryError("as if");
            }
            return made.make();
        });
    }

    /** The caller never names the origin of a block, or only sometimes; several lineages at once, also in one batch. */
    @Test
    void lineagesWithoutOrigins() {
        Random random = new Random(Randomness.seed("SegmentsTest, without origins"));
        for (int round = 0; round < Randomness.times(10, 500); round++) {
            Path at = folder.resolve("round" + round);
            Lineages lineages = new Lineages(random, 1 + random.nextInt(4), random.nextInt(30));
            int known = random.nextInt(3);
            Set<Block> blocks = new HashSet<>();
            for (int opened = 0; opened < 2; opened++) {
                try (Segments store = Segments.open(Disk.system(), at, Long.MAX_VALUE, 20_000)) {
                    for (int batch = 0; batch < 60; batch++) {
                        List<Block> together = new ArrayList<>();
                        for (int n = random.nextInt(8); n >= 0; n--) {
                            together.add(lineages.next());
                        }
                        blocks.addAll(together);
                        Collections.shuffle(together, random);
                        store.putAll(together, random.nextInt(2) < known ? lineages.origins : Map.of());
                        if (random.nextInt(30) == 0) {
                            store.compact(cid -> true);
                        }
                    }
                    assertThat(blocks)
                            .allSatisfy(
                                    block -> assertThat(store.get(block.cid())).contains(block));
                }
            }
            try (Segments store = Segments.open(Disk.system(), at, 0, 20_000)) {
                assertThat(blocks)
                        .allSatisfy(block -> assertThat(store.get(block.cid())).contains(block));
                store.forEach(kept -> assertThat(kept.chain()).isLessThanOrEqualTo(Blocks.LONGEST_CHAIN));
            }
        }
    }

    /** A batch may have more than is held of what was written: of large blocks that differ little. */
    @Test
    void aGroupOfLargeBlocks() {
        byte[] bytes = new byte[600_000];
        Random random = new Random(5);
        random.nextBytes(bytes);
        List<Block> blocks = new ArrayList<>();
        Map<Cid, Cid> origins = new HashMap<>();
        for (int i = 0; i < 70; i++) {
            bytes[random.nextInt(bytes.length)]++;
            Block block = Block.of(Cid.RAW, bytes);
            if (i > 0) {
                origins.put(block.cid(), blocks.get(i - 1).cid());
            }
            blocks.add(block);
        }
        AtomicLong stored = new AtomicLong();
        try (Segments store = open()) {
            store.putAll(blocks, origins);
            store.forEach(kept -> stored.addAndGet(kept.storedSize()));
        }
        assertThat(stored.get()).isBetween((long) bytes.length, bytes.length + 20_000L);
        try (Segments store = open()) {
            assertThat(blocks)
                    .allSatisfy(block -> assertThat(store.get(block.cid())).contains(block));
        }
    }

    /** What is written with an origin is found for what has none. */
    @Test
    void originsAreGuessed() {
        long[] sizes = new long[3];
        for (int known = 0; known < sizes.length; known++) {
            Lineages lineages = new Lineages(new Random(8), 3, 60);
            AtomicLong stored = new AtomicLong();
            try (Segments store =
                    Segments.open(Disk.system(), folder.resolve("known" + known), Long.MAX_VALUE, 1 << 20)) {
                for (int i = 0; i < 600; i++) {
                    boolean with = known == 2 || (known == 1 && i % 2 == 0);
                    store.putAll(List.of(lineages.next()), with ? lineages.origins : Map.of());
                }
                store.forEach(kept -> stored.addAndGet(kept.storedSize()));
            }
            sizes[known] = stored.get();
        }
        assertThat(sizes[0]).isLessThan(sizes[2] * 3 / 2);
        assertThat(sizes[1]).isLessThan(sizes[2] * 3 / 2);
    }

    @Test
    void compactionKeepsWhatIsWantedAndItsBases_SEG17() throws IOException {
        Random random = new Random(Randomness.seed("SegmentsTest"));
        try (Segments store = open()) {
            List<Block> blocks = fill(store, 300);
            Set<Cid> wanted = new HashSet<>();
            while (wanted.size() < 20) {
                wanted.add(blocks.get(random.nextInt(blocks.size())).cid());
            }
            long before = size();
            store.compact(wanted::contains);
            assertThat(size()).isLessThan(before / 2);
            for (Block block : blocks) {
                if (wanted.contains(block.cid())) {
                    assertThat(store.get(block.cid())).contains(block);
                }
            }
            List<Block> more = fill(store, 300);
            assertThat(more)
                    .allSatisfy(block -> assertThat(store.get(block.cid())).contains(block));
            store.compact(cid -> true);
            assertThat(more)
                    .allSatisfy(block -> assertThat(store.get(block.cid())).contains(block));
            store.compact(cid -> false);
            assertThat(more)
                    .allSatisfy(block -> assertThat(store.get(block.cid())).isEmpty());
        }
        assertThat(names()).filteredOn(name -> name.endsWith(".seg")).isEmpty();
    }

    private long size() throws IOException {
        long size = 0;
        for (Path file : Disk.system().list(folder.resolve("s"))) {
            size += Disk.system().status(file).orElseThrow().size();
        }
        return size;
    }

    @Test
    void whoDoesNotSyncKeepsTheLock() {
        Block block = Block.of(Cid.RAW, new byte[] {1});
        try (Segments second = open()) {
            try (Segments first = Segments.open(Disk.system(), folder.resolve("s"), Long.MAX_VALUE, SEGMENT)) {
                first.putAll(List.of(block), Map.of());
                assertThat(second.get(block.cid())).contains(block);
                assertThatExceptionOfType(StoreLockedException.class)
                        .isThrownBy(() -> second.putAll(List.of(block), Map.of()));
            }
            second.putAll(List.of(Block.of(Cid.RAW, new byte[] {2})), Map.of());
        }
    }

    /** Reserved space is neither lost nor damaged, and the next writer uses it. */
    @Test
    void spaceIsSetAside() throws IOException {
        Disk disk = new CrashDisk();
        Path tail = Path.of("/s/00000.open");
        List<Long> sizes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            try (Segments store = Segments.open(disk, Path.of("/s"), 0, 1 << 20)) {
                for (int j = 0; j < 10; j++) {
                    store.putAll(List.of(block(10 * i + j)), Map.of());
                    sizes.add(disk.status(tail).orElseThrow().size());
                }
            }
        }
        assertThat(sizes.subList(0, 4)).allSatisfy(size -> assertThat(size).isLessThan(1000));
        assertThat(new HashSet<>(sizes.subList(4, 30))).hasSize(1);
        assertThat(sizes.get(4)).isGreaterThan(200_000);
        try (Segments store = Segments.open(disk, Path.of("/s"), Long.MAX_VALUE, 1 << 20)) {
            for (int i = 0; i < 30; i++) {
                assertThat(store.get(block(i).cid())).contains(block(i));
            }
            store.putAll(List.of(block(30)), Map.of());
        }
        assertThat(disk.status(tail).orElseThrow().size()).isLessThan(10_000);
        assertThat(disk.isDirectory(Path.of("/s/lost"))).isFalse();
    }

    @Test
    void indexesAreMadeAnew_SEG14_SEG16() throws IOException {
        List<Block> blocks;
        try (Segments store = open()) {
            blocks = fill(store, 300);
        }
        int removed = 0;
        for (String name : names()) {
            if (name.endsWith(".idx") || name.equals("MANIFEST")) {
                Disk.system().delete(folder.resolve("s").resolve(name));
                removed++;
            }
        }
        assertThat(removed).isGreaterThan(3);
        try (Segments store = open()) {
            assertThat(blocks)
                    .allSatisfy(block -> assertThat(store.get(block.cid())).contains(block));
        }
    }

    /** What is put while a batch is written, is written together. */
    @Test
    void putsShareTheirSyncs() throws Exception {
        int puts = 16;
        CrashDisk disk = new CrashDisk();
        List<Thread> waiting = new CopyOnWriteArrayList<>();
        AtomicLong calls = new AtomicLong();
        try (Segments store = Segments.open(disk, Path.of("/s"), 0, 1 << 20)) {
            store.putAll(List.of(block(0)), Map.of());
            disk.onChange(() -> {
                if (calls.getAndIncrement() == 0) {
                    for (int i = 2; i <= puts; i++) {
                        int number = i;
                        Thread thread = new Thread(() -> store.putAll(List.of(block(number)), Map.of()));
                        waiting.add(thread);
                        thread.start();
                    }
                    while (!waiting.stream().allMatch(SegmentsTest::isAwaiting)) {
                        Thread.onSpinWait();
                    }
                }
            });
            store.putAll(List.of(block(1)), Map.of());
            for (Thread thread : waiting) {
                thread.join();
            }
            for (int i = 0; i <= puts; i++) {
                assertThat(store.get(block(i).cid())).contains(block(i));
            }
        }
        assertThat(calls.get()).isLessThanOrEqualTo(4);
    }

    /** Whether a thread has staged what it puts. That it waits does not say so: perhaps for its turn to do that. */
    private static boolean isAwaiting(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(at -> at.getClassName().equals(GroupCommit.class.getName())
                        && at.getMethodName().equals("await"));
    }

    private static Block block(int number) {
        return Block.of(Cid.RAW, new byte[] {(byte) number});
    }

    /** Readers in this process and, as they would in another, beside the writer: across seals and compactions. */
    @Test
    void readersAcrossSealsAndCompactions() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        ConcurrentLinkedQueue<Block> written = new ConcurrentLinkedQueue<>();
        AtomicLong reads = new AtomicLong();
        try (Segments store = open();
                Segments beside = open()) {
            ExecutorService threads = Executors.newFixedThreadPool(4);
            List<Future<?>> readers = new ArrayList<>();
            for (Segments from : List.of(store, beside, store, beside)) {
                readers.add(threads.submit(() -> {
                    while (!done.get()) {
                        for (Block block : written) {
                            assertThat(from.get(block.cid())).contains(block);
                            reads.incrementAndGet();
                        }
                    }
                }));
            }
            Lineages lineages = new Lineages(new Random(9), 3, 10);
            Set<Cid> wanted = new HashSet<>();
            for (int i = 0; i < Randomness.times(600, 20_000); i++) {
                Block block = lineages.next();
                store.putAll(List.of(block), lineages.origins);
                if (i % 2 == 0) {
                    wanted.add(block.cid());
                    written.add(block);
                }
                if (i % 100 == 99) {
                    store.compact(wanted::contains);
                }
            }
            done.set(true);
            for (Future<?> reader : readers) {
                reader.get();
            }
            threads.shutdown();
        }
        assertThat(reads.get()).isGreaterThan(100);
    }
}
