package dev.pail.blockstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.Pail;
import dev.pail.StoreDamagedException;
import dev.pail.StoreLockedException;
import dev.pail.Verification;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.BlockStoreContract;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SegmentBlockStoreTest extends BlockStoreContract {
    private static final Block FIRST = block("the first of three");
    private static final Cid IDENTITY = Cid.parse("bafkqaaa");

    @TempDir
    Path folder;

    @Override
    protected BlockStore newStore() {
        return SegmentBlockStore.open(folder.resolve("segments"));
    }

    private static Block block(String text) {
        return Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A store with these blocks, where the head of the first one's record is damaged. */
    private SegmentBlockStore damaged(Block... others) throws IOException {
        try (BlockStore store = newStore()) {
            store.put(FIRST);
            for (Block other : others) {
                store.put(other);
            }
        }
        Path segment = folder.resolve("segments/00000.open");
        byte[] bytes = Files.readAllBytes(segment);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        bytes[text.indexOf("the first of three") - 1] ^= 1;
        Files.write(segment, bytes);
        return SegmentBlockStore.open(folder.resolve("segments"));
    }

    @Test
    void whoFindsItHeldByAnotherWaitsForTenSeconds() throws Exception {
        Path store = Path.of("/store");
        CrashDisk disk = new CrashDisk();
        Disk.createDurably(disk, store);
        long[] paused = new long[1];
        Disk told = HookedDisk.of(disk, (call, file, made) -> {
            if (call.equals("pause")) {
                paused[0] += (long) made.arguments[0];
            }
            return made.make();
        });
        Disk.Lock held = disk.tryLock(store.resolve("LOCK"), "another").orElseThrow();
        try (SegmentBlockStore waiting = SegmentBlockStore.open(told, store, Durability.SYNC)) {
            assertThatExceptionOfType(StoreLockedException.class).isThrownBy(() -> waiting.put(FIRST));
            assertThat(paused[0]).isBetween(10_000L, 10_100L);
            held.close();
            waiting.put(FIRST);
            assertThat(waiting.get(FIRST.cid())).contains(FIRST);
        }
    }

    @Test
    void c7_identityBlocksAreNotWhereItIsDamagedEither() throws IOException {
        Block last = block("the last");
        try (SegmentBlockStore store = damaged(last)) {
            assertThatExceptionOfType(CorruptBlockException.class).isThrownBy(() -> store.has(FIRST.cid()));
            assertThat(store.has(IDENTITY)).isFalse();
            assertThat(store.get(IDENTITY)).isEmpty();
        }
    }

    @Test
    void aCheckFindsNothingWrongWithValuesThatAreTheirOwnNames() throws IOException {
        MemoryBlockStore memory = new MemoryBlockStore();
        Cid root = Pail.create(memory).put("key", IDENTITY).root();
        try (SegmentBlockStore store = damaged(memory.get(root).orElseThrow())) {
            assertThat(Verification.of(store, root).problems()).isEmpty();
        }
    }

    /** What is lost cannot be named, and must not seem never to have been there. */
    @Test
    void aListOfWhatIsLeftSaysThatItIsNotAll() throws IOException {
        Block second = block("another");
        Block third = block("the last");
        try (SegmentBlockStore store = damaged(second, third)) {
            List<Cid> listed = new ArrayList<>();
            assertThatExceptionOfType(StoreDamagedException.class)
                    .isThrownBy(() -> store.forEach(listed::add))
                    .withMessageContaining("00000.open at offset ");
            assertThat(listed).containsExactly(second.cid(), third.cid());
            SegmentStatistics statistics = store.statistics();
            assertThat(statistics.blocks()).isEqualTo(2);
            assertThat(statistics.damages()).singleElement().asString().contains("00000.open at offset ");
        }
        try (SegmentBlockStore sound = SegmentBlockStore.open(folder.resolve("sound"))) {
            sound.put(FIRST);
            sound.forEach(cid -> assertThat(cid).isEqualTo(FIRST.cid()));
            assertThat(sound.statistics().damages()).isEmpty();
        }
    }

    /** What a compaction moves while it is counted counts once. */
    @Test
    void whatIsMovedMeanwhileIsCountedOnce() {
        Path own = folder.resolve("segments");
        List<Block> blocks = new ArrayList<>();
        try (SegmentBlockStore store =
                SegmentBlockStore.open(Disk.system(), own, Durability.SYNC, 1, true, Duration.ZERO)) {
            for (int i = 0; i < 5; i++) {
                blocks.add(block("block " + i));
                store.put(blocks.get(i));
            }
        }
        AtomicReference<Runnable> meanwhile = new AtomicReference<>();
        Disk disk = HookedDisk.of(Disk.system(), (call, file, made) -> {
            Runnable due = meanwhile.get();
            if (call.equals("read") && file.endsWith("00003.seg") && due != null) {
                meanwhile.set(null);
                due.run();
            }
            return made.make();
        });
        try (SegmentBlockStore store = SegmentBlockStore.open(disk, own, Durability.SYNC)) {
            assertThat(store.has(blocks.get(0).cid())).isTrue();
            meanwhile.set(() -> store.compact(cid -> !cid.equals(blocks.get(4).cid())));
            SegmentStatistics statistics = store.statistics();
            assertThat(meanwhile.get()).isNull();
            assertThat(statistics.blocks()).isEqualTo(4);
            assertThat(statistics.logicalBytes()).isEqualTo(4L * blocks.get(0).size());
        }
    }

    /** What each kind of store promises for when the power is lost. */
    @ParameterizedTest
    @EnumSource
    void aLossOfPowerCostsNoMoreThanItMay(Durability durability) {
        Path own = Path.of("/store");
        int size = 64 << 10;
        CrashDisk disk = new CrashDisk();
        Random random = new Random(Randomness.seed("SegmentBlockStoreTest"));
        List<Block> blocks = new ArrayList<>();
        try (SegmentBlockStore store = SegmentBlockStore.open(disk, own, durability)) {
            for (int i = 0; i < 50; i++) {
                byte[] bytes = new byte[size];
                random.nextBytes(bytes);
                blocks.add(Block.of(Cid.RAW, bytes));
                store.put(blocks.get(i));
                long lost = lost(disk, own, blocks, random);
                switch (durability) {
                    case SYNC -> assertThat(lost).isZero();
                    case BATCH -> assertThat(lost * size).isBetween(i == 2 ? 3L * size : 0, 1L << 20);
                    case NONE -> assertThat(lost).isEqualTo(i + 1);
                }
            }
        }
        assertThat(lost(disk, own, blocks, random)).as("after it was closed").isZero();
    }

    /** How many blocks are not there when all is lost that is not safe: the last ones. */
    private static long lost(CrashDisk disk, Path folder, List<Block> blocks, Random random) {
        CrashDisk image = disk.afterLoss(CrashDisk.Loss.ALL, random);
        try (SegmentBlockStore left = SegmentBlockStore.open(image, folder, Durability.SYNC)) {
            long there =
                    blocks.stream().takeWhile(block -> left.has(block.cid())).count();
            assertThat(blocks.stream().skip(there)).noneMatch(block -> left.has(block.cid()));
            if (there > 0) {
                Block last = blocks.get((int) there - 1);
                assertThat(left.get(last.cid())).contains(last);
            }
            return blocks.size() - there;
        }
    }
}
