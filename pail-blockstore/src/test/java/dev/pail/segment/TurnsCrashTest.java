package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.StoreIOException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.RecordHeader;
import dev.pail.sweep.SweepRule;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import dev.pail.testkit.disk.Turns;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Two take turns at a store: they put, remove and confirm blocks, while the power is lost, or a call fails in the middle of a compaction. */
class TurnsCrashTest {
    private static final Path FOLDER = Path.of("/s");
    private static final int SEGMENT = 2500;
    private static final int STEPS = 40;

    private static final class Workload extends Turns {
        final Lineages lineages;
        final Set<Block> wanted = new LinkedHashSet<>();
        final Segments[] both = new Segments[2];

        Workload(long seed) {
            super(seed);
            lineages = new Lineages(random, 2, 3);
            both[0] = open(disk);
            both[1] = open(disk);
        }

        static Segments open(Disk disk) {
            return Segments.open(disk, FOLDER, 0, SEGMENT);
        }

        @Override
        protected void step() {
            int turn = random.nextInt(2);
            Segments store = both[turn];
            switch (random.nextInt(12)) {
                case 0 -> {
                    forgetSome();
                    store.compact(this::isWanted);
                }
                case 1 -> {
                    forgetSome();
                    store.sweep(new SweepRule(this::isWanted, disk.now().minus(Duration.ofHours(random.nextInt(2)))));
                }
                case 2 -> store.confirm();
                case 3 -> disk.pause(Duration.ofHours(1).toMillis());
                case 4 -> {
                    store.close();
                    both[turn] = open(disk);
                }
                default -> put(store);
            }
        }

        private void put(Segments store) {
            List<Block> blocks = new ArrayList<>(
                    wanted.stream().filter(block -> random.nextInt(20) == 0).toList());
            blocks.add(lineages.next());
            store.putAll(blocks, lineages.origins);
            wanted.addAll(blocks);
        }

        private void forgetSome() {
            wanted.removeIf(block -> random.nextInt(3) == 0);
        }

        private boolean isWanted(Cid cid) {
            return wanted.stream().anyMatch(block -> RecordHeader.isSame(block.cid(), cid));
        }

        @Override
        protected void check() {
            check(both[0]);
            check(both[1]);
        }

        private void check(Segments store) {
            wanted.forEach(block -> assertThat(store.get(block.cid())).contains(block));
        }

        /** What may be left after a loss of power is complete, stays so when it is written to, and when the power is lost again. */
        @Override
        protected void loseThePower() {
            CrashDisk image = left(disk);
            try (Segments store = open(image)) {
                check(store);
                if (random.nextBoolean()) {
                    store.compact(this::isWanted);
                } else {
                    store.confirm();
                }
                check(store);
            }
            try (Segments store = open(left(image))) {
                check(store);
            }
        }
    }

    @Test
    void thePowerIsLost() {
        long seed = Randomness.seed("segment.TurnsCrashTest power");
        Turns.run(seed, Randomness.times(4, 2000), STEPS, 5, Workload::new);
    }

    @Test
    void aCallOfACompactionFailsAndThePowerIsLost() {
        long seed = Randomness.seed("segment.TurnsCrashTest errors");
        int workloads = Randomness.times(1, 300);
        for (long each = seed; each < seed + workloads; each++) {
            Workload workload = new Workload(each);
            for (int i = 0; i < STEPS; i++) {
                workload.put(workload.both[i % 2]);
            }
            for (Throwable error : List.of(new IOException("of a test"), new OutOfMemoryError("of a test"))) {
                for (long failing = 1; fails(workload, error, failing); failing++) {
                    // The next call.
                }
            }
        }
    }

    /** Whether there were as many calls that something can be done to. */
    private static boolean fails(Workload workload, Throwable error, long failing) {
        AtomicLong calls = new AtomicLong();
        CrashDisk before = workload.disk.afterLoss(CrashDisk.Loss.NOTHING, workload.random);
        Disk disk = HookedDisk.of(before, (call, file, made) -> {
            boolean isTold = file == null
                    || List.of("exists", "isDirectory", "holder", "close").contains(call);
            if (!isTold && calls.incrementAndGet() == failing) {
                throw error;
            }
            return made.make();
        });
        Block first = workload.wanted.iterator().next();
        try (Segments another = Workload.open(before);
                Segments store = Workload.open(disk)) {
            workload.check(another);
            try {
                store.compact(cid -> !cid.equals(first.cid()));
            } catch (StoreIOException | OutOfMemoryError e) {
                assertThat(e).hasMessageContaining("of a test");
            }
            long made = calls.getAndSet(failing);
            workload.wanted.remove(first);
            workload.check(store);
            workload.check(another);
            for (int i = 0; i < 3; i++) {
                CrashDisk image = before.afterLoss(CrashDisk.Loss.ANY, workload.random);
                try (Segments left = Workload.open(image)) {
                    workload.check(left);
                    left.compact(workload::isWanted);
                    workload.check(left);
                }
            }
            workload.wanted.add(first);
            return made >= failing;
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("call " + failing + ", " + error, e);
        }
    }
}
