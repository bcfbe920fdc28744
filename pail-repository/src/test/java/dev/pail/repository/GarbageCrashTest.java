package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.collect.Reachable;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Collected;
import dev.pail.repository.model.LogEntry;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.Fault;
import dev.pail.testkit.disk.FaultyDisk;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The power is lost before each call of a collection, or each call fails: all that is needed is there, and the next run ends. */
@Tag("stress")
class GarbageCrashTest {
    private static final int STEPS = 25;
    private static final int IMAGES_OF_EACH_RANDOM_LOSS = 3;

    private long recoveries;
    private long failures;
    private long writes;
    private long collected;

    /** What was promised when the collection began. */
    private record Promise(Map<String, Map<String, Cid>> contents, Set<Head> heads) {
        static Promise of(GarbageWorkload workload) throws IOException {
            Instant keptSince = workload.disk.now().minus(GarbageCollection.RETENTION);
            return new Promise(
                    GarbageWorkload.contents(workload.repository),
                    GarbageWorkload.heads(workload.repository, keptSince));
        }

        /** What is needed is in place, or comes back as it is read. */
        void check(Disk disk) {
            try (Repository opened = FileRepository.open(disk, GarbageWorkload.FOLDER, Duration.ZERO)) {
                assertThat(GarbageWorkload.contents(opened)).isEqualTo(contents);
                Reachable reachable = new Reachable(opened.blocks()::get, () -> {});
                heads.forEach(head -> reachable.addEvents(head.events()));
            }
        }
    }

    @Test
    void thePowerIsLostBeforeEachCall() throws IOException {
        long seed = Randomness.seed("GarbageCrashTest power");
        int enough = Randomness.times(100, 6000);
        for (long each = seed; collected < enough; each++) {
            GarbageWorkload workload = grown(each);
            Promise promise = Promise.of(workload);
            Random random = new Random(each);
            long history = each;
            workload.disk.onChange(() -> lose(workload.disk, promise, random, history));
            collected += collect(workload.repository);
            workload.disk.onChange(() -> {});
            lose(workload.disk, promise, random, history);
        }
        assertThat(recoveries).isGreaterThan(1000);
        assertThat(collected).isPositive();
    }

    private static BlockStorage storage(long seed) {
        return seed % 2 == 0 ? BlockStorage.FILES : BlockStorage.SEGMENTS;
    }

    /** A repository with garbage. Some of it is in the trash, and has been for long. */
    private static GarbageWorkload grown(long seed) {
        GarbageWorkload workload = new GarbageWorkload(seed, storage(seed));
        for (int i = 0; i < 3; i++) {
            for (int step = 0; step < STEPS; step++) {
                workload.step();
            }
            workload.disk.pause(Duration.ofDays(20).toMillis());
            if (i < 2) {
                collect(workload.repository);
            }
        }
        return workload;
    }

    private static long collect(Repository repository) {
        Collected done = repository.maintenance().garbageCollection().run();
        return done.moved().blocks() + done.deleted().blocks() + done.restored().blocks();
    }

    private void lose(CrashDisk disk, Promise promise, Random random, long history) {
        for (CrashDisk.Loss loss : CrashDisk.Loss.values()) {
            for (int i = 0; i < (loss.isRandom() ? IMAGES_OF_EACH_RANDOM_LOSS : 1); i++) {
                CrashDisk image = disk.afterLoss(loss, random);
                try {
                    promise.check(image);
                    if (random.nextInt(10) == 0) {
                        try (Repository again = FileRepository.open(image, GarbageWorkload.FOLDER, Duration.ZERO)) {
                            collect(again);
                        }
                        promise.check(image.afterLoss(CrashDisk.Loss.ALL, random));
                    }
                    recoveries++;
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError("history " + history + ", " + loss + " before call " + disk.calls(), e);
                }
            }
        }
    }

    /** A branch that is removed is there as it was, without events, or not at all; a tag is there or not. */
    @Test
    void thePowerIsLostWhileNamesComeAndGo() {
        CrashDisk disk = new CrashDisk();
        Random random = new Random(Randomness.seed("GarbageCrashTest names"));
        Cid value = Block.of(Cid.RAW, new byte[] {1}).cid();
        try (Repository repository =
                FileRepository.init(disk, GarbageWorkload.FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            repository.update("main", pail -> pail.put("a", value));
            repository.branches().create("side", repository.snapshot("main").head());
            repository.update("side", pail -> pail.put("b", value));
            Head side = repository.snapshot("side").head();
            Head main = repository.snapshot("main").head();
            disk.onChange(() -> {
                for (CrashDisk.Loss loss : CrashDisk.Loss.values()) {
                    for (int i = 0; i < IMAGES_OF_EACH_RANDOM_LOSS; i++) {
                        checkNames(disk.afterLoss(loss, random), main, side);
                    }
                }
            });
            repository.tags().create("v1", side);
            repository.branches().remove("side");
            repository.tags().create("v2", main);
            repository.branches().create("side", repository.tags().head("v1").orElseThrow());
            repository.tags().remove("v1");
            disk.onChange(() -> {});
            CrashDisk after = disk.afterLoss(CrashDisk.Loss.ALL, random);
            try (Repository opened = FileRepository.open(after, GarbageWorkload.FOLDER, Duration.ZERO)) {
                assertThat(opened.tags().names()).containsExactly("v2");
                assertThat(opened.snapshot("side").head()).isEqualTo(side);
            }
        }
        assertThat(recoveries).isGreaterThan(500);
    }

    private void checkNames(CrashDisk image, Head main, Head side) {
        recoveries++;
        try (Repository opened = FileRepository.open(image, GarbageWorkload.FOLDER, Duration.ZERO)) {
            assertThat(opened.snapshot("main").head()).isEqualTo(main);
            boolean isThere = opened.branches().contains("side");
            Head found = isThere ? opened.snapshot("side").head() : Head.empty();
            assertThat(found).isIn(side, Head.empty());
            for (String tag : opened.tags().names()) {
                assertThat(opened.tags().head(tag).orElseThrow()).isEqualTo(tag.equals("v1") ? side : main);
            }
            try (Stream<LogEntry> log = opened.history().logEvenIfRemoved("side")) {
                assertThat(log.flatMap(entry -> Stream.of(entry.from(), entry.to())))
                        .contains(side);
            }
            opened.maintenance()
                    .garbageCollection()
                    .withRetention(Duration.ZERO)
                    .withAnyGrace(Duration.ZERO)
                    .run();
            if (found.isEmpty()) {
                opened.update("main", pail -> pail.put("c", anyValue(pail)));
                if (isThere) {
                    opened.branches().remove("side");
                }
                opened.branches().create("side", side);
            }
            assertThat(Verification.of(opened.blocks(), opened.root("side")).isSound())
                    .isTrue();
        }
    }

    private static Cid anyValue(Pail pail) {
        return pail.get("a").orElseThrow();
    }

    @Test
    void everyCallFails() throws IOException {
        long seed = Randomness.seed("GarbageCrashTest errors");
        int enough = Randomness.times(2000, 100_000);
        Set<BlockStorage> storages = EnumSet.noneOf(BlockStorage.class);
        for (long each = seed; failures < enough || storages.size() < 2; each++) {
            Grown grown = Grown.of(each);
            // Where nothing is deleted, no segment is written anew.
            if (!grown.isDeletedFrom()) {
                continue;
            }
            storages.add(storage(each));
            for (Fault fault : Fault.values()) {
                List<Fault.Call> calls = grown.fail(fault, 0, false);
                for (boolean forever : new boolean[] {false, true}) {
                    int next = 1;
                    for (int failing = 1; failing <= calls.size(); failing++) {
                        boolean isWrite = calls.get(failing - 1).isWrite();
                        // The reads of marking are many, and much the same.
                        if (isWrite || failing >= next) {
                            grown.fail(fault, failing, forever);
                            next = failing + 1 + failing / 20;
                            failures++;
                            writes += isWrite ? 1 : 0;
                        }
                    }
                }
            }
        }
        assertThat(writes).isPositive().isLessThanOrEqualTo(failures);
    }

    /** A repository with garbage in it, and what was promised of it. */
    private record Grown(long seed, CrashDisk disk, Promise promise) {
        static Grown of(long seed) throws IOException {
            GarbageWorkload workload = grown(seed);
            return new Grown(seed, workload.disk, Promise.of(workload));
        }

        /** Whether a collection deletes something now. */
        boolean isDeletedFrom() {
            CrashDisk own = disk.afterLoss(CrashDisk.Loss.NOTHING, Randomness.random(seed));
            try (Repository repository = FileRepository.open(own, GarbageWorkload.FOLDER, Duration.ZERO)) {
                return repository
                                .maintenance()
                                .garbageCollection()
                                .dryRun()
                                .deleted()
                                .blocks()
                        > 0;
            }
        }

        /** Lets a call of a collection fail, of those that the fault can be of; 0 for none. Gives these calls. */
        List<Fault.Call> fail(Fault fault, int failing, boolean forever) {
            Random random = Randomness.random(seed);
            CrashDisk own = disk.afterLoss(CrashDisk.Loss.NOTHING, random);
            FaultyDisk faulty = new FaultyDisk(own, fault, failing, forever);
            try {
                try (Repository repository = FileRepository.open(faulty, GarbageWorkload.FOLDER, Duration.ZERO)) {
                    collect(repository);
                    // The loss of what only closes or removes a file may go unsaid.
                } catch (PailException e) {
                    assertThat(e).hasMessageContaining(fault.reason());
                }
                promise.check(own);
                promise.check(own.afterLoss(CrashDisk.Loss.ALL, random));
                try (Repository repository = FileRepository.open(own, GarbageWorkload.FOLDER, Duration.ZERO)) {
                    collect(repository);
                }
                promise.check(own);
                return faulty.made();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "history " + seed + ", call " + failing + ", " + fault + ", " + forever + ", "
                                + faulty.failed(),
                        e);
            }
        }
    }
}
