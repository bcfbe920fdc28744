package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.CorruptBlockException;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.SegmentFile;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.Fault;
import dev.pail.testkit.disk.FaultyDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The power is lost before each call of the disk that changes something; and each call fails. */
class SegmentCrashTest {
    private static final Path FOLDER = Path.of("/s");
    /** How many bytes may be written and not yet synced, in workloads of consecutive seeds. */
    private static final List<Long> UNSYNCED = List.of(0L, 0L, 500L, Long.MAX_VALUE);

    private static final int SEGMENT = 3000;

    /** What was put, and what has become of it. */
    private static final class Workload {
        final Random random;
        final long maxUnsynced;
        final Lineages lineages;
        final Set<Block> acknowledged = new LinkedHashSet<>();
        final List<Block> putting = new ArrayList<>();
        final Set<Cid> unwanted = new HashSet<>();
        final CrashDisk disk = new CrashDisk();

        /** How much was written to the disk before the put of each block that was acknowledged. */
        final Map<Block, Long> before = new HashMap<>();

        /** How much had been written when the last put was acknowledged. */
        long written;

        boolean closed;
        long recoveries;
        long bounded;

        Workload(long seed) {
            random = Randomness.random(seed);
            maxUnsynced = UNSYNCED.get((int) Math.floorMod(seed, (long) UNSYNCED.size()));
            lineages = new Lineages(random, 2, 3);
        }

        void run(Disk on, int puts) {
            try (Segments store = Segments.open(on, FOLDER, maxUnsynced, SEGMENT)) {
                for (int i = 0; i < puts; i++) {
                    putting.clear();
                    for (int n = random.nextInt(3); n >= 0; n--) {
                        putting.add(lineages.next());
                    }
                    long start = disk.written();
                    store.putAll(putting, lineages.origins);
                    acknowledged.addAll(putting);
                    putting.forEach(block -> before.putIfAbsent(block, start));
                    written = disk.written();
                    putting.clear();
                    if (random.nextInt(puts) < 2) {
                        acknowledged.stream()
                                .filter(block -> random.nextInt(3) == 0)
                                .forEach(block -> unwanted.add(block.cid()));
                        store.compact(cid -> !unwanted.contains(cid));
                    }
                    if (random.nextInt(puts) < 2) {
                        copy(store);
                    }
                }
            }
            closed = true;
        }

        /** Copies some of the blocks, and then all, which makes the first copies superfluous. */
        private void copy(Segments store) {
            List<Cid> order = new ArrayList<>();
            acknowledged.forEach(block -> order.add(block.cid()));
            Collections.shuffle(order, random);
            store.copy(order.subList(0, random.nextInt(order.size() + 1)).iterator());
            store.copy(order.iterator());
        }

        void loseThePower() {
            for (CrashDisk.Loss loss : CrashDisk.Loss.values()) {
                for (int i = loss.isRandom() ? 3 : 1; i > 0; i--) {
                    recover(disk.afterLoss(loss, random), loss);
                }
            }
        }

        private void recover(CrashDisk image, CrashDisk.Loss loss) {
            recoveries++;
            List<Block> found = check(image, loss);
            if (random.nextInt(10) == 0) {
                // The power is lost again while the store recovers.
                int at = random.nextInt(12);
                image.onChange(() -> {
                    if (image.calls() == at) {
                        check(image.afterLoss(loss, random), loss);
                    }
                });
            }
            Lineages more = new Lineages(random, 1, 2);
            try (Segments store = Segments.open(image, FOLDER, 0, SEGMENT)) {
                Block block = more.next();
                store.putAll(List.of(block), more.origins);
                assertThat(store.get(block.cid())).contains(block);
            }
            assertThat(check(image, loss)).isEqualTo(found);
        }

        /** Checks what is to be found, and gives what is found. */
        private List<Block> check(CrashDisk image, CrashDisk.Loss loss) {
            List<Block> found = new ArrayList<>();
            boolean allSafe =
                    closed || maxUnsynced == 0 || loss == CrashDisk.Loss.NOTHING || loss == CrashDisk.Loss.NAMES;
            boolean missed = false;
            try (Segments store = Segments.open(image, FOLDER, 0, SEGMENT)) {
                for (Block block : acknowledged) {
                    boolean there = isThere(store, block);
                    if (there) {
                        found.add(block);
                    }
                    if (unwanted.contains(block.cid())) {
                        continue;
                    }
                    assertThat(there || !allSafe).as("an acknowledged block").isTrue();
                    assertThat(there && missed)
                            .as("a block behind one that is lost")
                            .isFalse();
                    if (!there && !missed) {
                        missed = true;
                        bounded++;
                        if (maxUnsynced < Long.MAX_VALUE) {
                            // The first put has made the file, too.
                            assertThat(written - before.get(block))
                                    .as("bytes that were written for acknowledged blocks and are lost")
                                    .isLessThanOrEqualTo(maxUnsynced + SegmentFile.BEGINNING);
                        }
                    }
                }
                for (Block block : putting) {
                    if (isThere(store, block)) {
                        found.add(block);
                    }
                }
            }
            return found;
        }
    }

    /** Of a put that a loss of power broke off, a payload may hold anything. */
    private static boolean isThere(Segments store, Block block) {
        try {
            return store.get(block.cid()).isPresent();
        } catch (CorruptBlockException e) {
            return false;
        }
    }

    @Test
    void thePowerIsLostBeforeEachChange() {
        long seed = Randomness.seed("SegmentCrashTest");
        long recoveries = 0;
        long bounded = 0;
        int enough = Randomness.times(8_000, 1_250_000);
        // At least one workload of each kind.
        for (long each = seed; recoveries < enough || each - seed < UNSYNCED.size(); each++) {
            Workload workload = new Workload(each);
            try {
                workload.disk.onChange(workload::loseThePower);
                workload.run(workload.disk, 12);
                workload.loseThePower();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("workload " + each + ", unsynced " + workload.maxUnsynced, e);
            }
            recoveries += workload.recoveries;
            bounded += workload.maxUnsynced == 500 ? workload.bounded : 0;
        }
        assertThat(bounded).isPositive().isLessThan(recoveries);
    }

    @Test
    void everyCallFails() {
        long seed = Randomness.seed("SegmentCrashTest, faults");
        long failures = 0;
        int enough = Randomness.times(1500, 45_000);
        for (long each = seed; failures < enough; each++) {
            for (Fault fault : Fault.values()) {
                for (boolean forever : new boolean[] {false, true}) {
                    for (long failing = 1; fail(each, fault, failing, forever); failing++) {
                        failures++;
                    }
                }
            }
        }
    }

    /** Makes one call fail, and says whether there was such a call. */
    private static boolean fail(long seed, Fault fault, long failing, boolean forever) {
        Workload workload = new Workload(seed);
        FaultyDisk faulty = new FaultyDisk(workload.disk, fault, failing, forever);
        try {
            try {
                workload.run(faulty, 8);
            } catch (PailException e) {
                assertThat(e).isInstanceOf(StoreIOException.class).hasMessageContaining(fault.reason());
            }
            workload.check(workload.disk.afterLoss(CrashDisk.Loss.NOTHING, workload.random), CrashDisk.Loss.NOTHING);
            workload.loseThePower();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("workload " + seed + ", call " + failing + ", " + fault + ", " + forever, e);
        }
        return faulty.calls() >= failing;
    }
}
