package dev.pail.testkit.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.disk.Disk;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A loss of power loses changes that were not synced, and nothing else. All tests of power loss rely on that. */
class CrashDiskTest {
    private static final Path FOLDER = Path.of("/f");
    private static final Path OTHER = Path.of("/g");
    private static final Path FILE = FOLDER.resolve("file");
    private static final String ABSENT = "absent";

    private final CrashDisk disk = new CrashDisk();
    private final Random random = new Random(Randomness.seed("CrashDiskTest"));

    @BeforeEach
    void makeFolders() throws IOException {
        disk.createDirectory(FOLDER);
        disk.createDirectory(OTHER);
        disk.syncDirectory(Path.of("/"));
    }

    private void create(Path file, String text, boolean sync) throws IOException {
        try (Disk.WritableFile out = disk.create(file)) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
            if (sync) {
                out.sync();
            }
        }
    }

    private String left(CrashDisk.Loss loss, Path file) throws IOException {
        CrashDisk image = disk.afterLoss(loss, random);
        return image.exists(file) ? new String(image.read(file, 1 << 20), StandardCharsets.ISO_8859_1) : ABSENT;
    }

    /** What is left of a file in many losses of a kind. */
    private Set<String> allLeft(CrashDisk.Loss loss, Path file) throws IOException {
        Set<String> all = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            all.add(left(loss, file));
        }
        return all;
    }

    private void assertLeft(CrashDisk.Loss loss, String... all) throws IOException {
        assertThat(allLeft(loss, FILE)).as(loss.toString()).containsExactlyInAnyOrder(all);
    }

    @Test
    void whatWasWrittenIsSafeWhenItWasForced() throws IOException {
        create(FILE, "one", false);
        disk.syncDirectory(FOLDER);
        assertLeft(CrashDisk.Loss.ALL, "");
        assertLeft(CrashDisk.Loss.CONTENT, "");
        assertLeft(CrashDisk.Loss.NAMES, "one");
        assertLeft(CrashDisk.Loss.NOTHING, "one");
        assertLeft(CrashDisk.Loss.TORN, "", "one");
        assertLeft(CrashDisk.Loss.ZEROS, "\0\0\0", "one");
        assertThat(allLeft(CrashDisk.Loss.GARBAGE, FILE)).contains("one").hasSizeGreaterThan(10);
        assertThat(allLeft(CrashDisk.Loss.ANY, FILE)).contains("one", "\0\0\0").hasSizeGreaterThan(10);
        disk.sync(FILE);
        for (CrashDisk.Loss loss : CrashDisk.Loss.values()) {
            assertLeft(loss, "one");
        }
    }

    @Test
    void aNameIsSafeWhenItsFolderWasForced() throws IOException {
        create(FILE, "one", true);
        assertLeft(CrashDisk.Loss.ALL, ABSENT);
        assertLeft(CrashDisk.Loss.NAMES, ABSENT);
        assertLeft(CrashDisk.Loss.CONTENT, "one");
        assertLeft(CrashDisk.Loss.NOTHING, "one");
        for (CrashDisk.Loss loss : CrashDisk.Loss.values()) {
            if (loss.isRandom()) {
                assertLeft(loss, ABSENT, "one");
            }
        }
        disk.syncDirectory(Path.of("/"));
        disk.syncDirectory(OTHER);
        assertLeft(CrashDisk.Loss.ALL, ABSENT);
        disk.syncDirectory(FOLDER);
        for (CrashDisk.Loss loss : CrashDisk.Loss.values()) {
            assertLeft(loss, "one");
        }
    }

    @Test
    void whatIsInAFolderWithoutANameIsLost() throws IOException {
        Path inside = FOLDER.resolve("new/file");
        disk.createDirectory(FOLDER.resolve("new"));
        create(inside, "one", true);
        disk.syncDirectory(FOLDER.resolve("new"));
        assertThat(left(CrashDisk.Loss.ALL, inside)).isEqualTo(ABSENT);
        disk.syncDirectory(FOLDER);
        assertThat(left(CrashDisk.Loss.ALL, inside)).isEqualTo("one");
    }

    @Test
    void aRenameIsSafeWhenBothFoldersWereForced() throws IOException {
        create(FILE, "old", true);
        create(FOLDER.resolve("new"), "new", true);
        disk.syncDirectory(FOLDER);
        disk.rename(FOLDER.resolve("new"), FILE);
        assertThat(disk.read(FILE, 3)).asString().isEqualTo("new");
        assertLeft(CrashDisk.Loss.ALL, "old");
        assertLeft(CrashDisk.Loss.ANY, "old", "new");
        disk.syncDirectory(FOLDER);
        assertLeft(CrashDisk.Loss.ALL, "new");
        assertThat(left(CrashDisk.Loss.ALL, FOLDER.resolve("new"))).isEqualTo(ABSENT);

        Path moved = OTHER.resolve("moved");
        disk.rename(FILE, moved);
        assertLeft(CrashDisk.Loss.ALL, "new");
        disk.syncDirectory(FOLDER);
        assertLeft(CrashDisk.Loss.ALL, ABSENT);
        assertThat(allLeft(CrashDisk.Loss.ALL, moved)).containsExactly(ABSENT);
        assertThat(allLeft(CrashDisk.Loss.ANY, moved)).containsExactlyInAnyOrder(ABSENT, "new");
        disk.syncDirectory(OTHER);
        assertThat(allLeft(CrashDisk.Loss.ANY, moved)).containsExactly("new");
    }

    @Test
    void whatWasRemovedIsGoneWhenItsFolderWasForced() throws IOException {
        create(FILE, "one", true);
        disk.syncDirectory(FOLDER);
        disk.delete(FILE);
        assertLeft(CrashDisk.Loss.ALL, "one");
        assertLeft(CrashDisk.Loss.NOTHING, ABSENT);
        assertLeft(CrashDisk.Loss.ANY, "one", ABSENT);
        disk.syncDirectory(FOLDER);
        assertLeft(CrashDisk.Loss.ANY, ABSENT);
    }

    @Test
    void whatWasAddedToAFileMayBeLostSectorBySector() throws IOException {
        create(FILE, "s".repeat(600), true);
        disk.syncDirectory(FOLDER);
        try (Disk.WritableFile out = disk.append(FILE)) {
            out.write("n".repeat(1000).getBytes(StandardCharsets.US_ASCII));
            assertLeft(CrashDisk.Loss.ALL, "s".repeat(600));
            assertLeft(
                    CrashDisk.Loss.TORN,
                    "s".repeat(600),
                    "s".repeat(600) + "n".repeat(424),
                    "s".repeat(600) + "n".repeat(936),
                    "s".repeat(600) + "n".repeat(1000));
            assertThat(allLeft(CrashDisk.Loss.ANY, FILE))
                    .allMatch(left -> left.startsWith("s".repeat(600)))
                    .anyMatch(left -> left.startsWith("\0", 600) && left.startsWith("n", 1024))
                    .anyMatch(left -> left.startsWith("n", 600) && left.startsWith("\0", 1024));
            out.sync();
        }
        assertLeft(CrashDisk.Loss.ANY, "s".repeat(600) + "n".repeat(1000));
        disk.truncate(FILE, 3);
        assertLeft(CrashDisk.Loss.ALL, "sss");
    }

    @Test
    void anImageIsADiskOfItsOwnThatLosesWhatIsWrittenToIt() throws IOException {
        create(FILE, "one", true);
        disk.syncDirectory(FOLDER);
        disk.pause(5000);
        CrashDisk image = disk.afterLoss(CrashDisk.Loss.ALL, random);
        try (Disk.WritableFile out = image.append(FILE)) {
            out.write(new byte[] {'2'});
        }
        assertThat(image.read(FILE, 4)).asString().isEqualTo("one2");
        assertThat(image.afterLoss(CrashDisk.Loss.ALL, random).read(FILE, 4))
                .asString()
                .isEqualTo("one");
        assertThat(disk.read(FILE, 4)).asString().isEqualTo("one");
        assertThat(image.now()).isAfterOrEqualTo(Instant.EPOCH.plusMillis(5000));
    }

    /** The lock of a process that the power was taken from is free. */
    @Test
    void locksDoNotOutliveTheLoss() throws IOException {
        Path lock = FOLDER.resolve("LOCK");
        assertThat(disk.tryLock(lock, "me")).isPresent();
        assertThat(disk.tryLock(lock, "you")).isEmpty();
        Optional<Disk.Lock> afterwards =
                disk.afterLoss(CrashDisk.Loss.NOTHING, random).tryLock(lock, "you");
        assertThat(afterwards).isPresent();
    }

    /** Before it, so that what is lost can be the change itself. */
    @Test
    void eachChangeIsToldBeforeItIsMade() throws IOException {
        AtomicInteger told = new AtomicInteger();
        disk.onChange(() -> assertThat(disk.exists(FILE)).isEqualTo(told.getAndIncrement() > 0));
        long calls = disk.calls();
        create(FILE, "one", true);
        disk.syncDirectory(FOLDER);
        assertThat(told).hasValue(4);
        assertThat(disk.calls() - calls).isEqualTo(4);
    }

    /** A store syncs its files by several threads. */
    @Test
    void severalThreadsMakeFilesAtOnce() throws Exception {
        int each = 2_000;
        List<Callable<Long>> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            String name = "thread" + i + "-";
            threads.add(() -> {
                for (int n = 0; n < each; n++) {
                    Path file = FOLDER.resolve(name + n);
                    create(file, "one", true);
                    disk.rename(file, OTHER.resolve(name + n));
                }
                return (long) each;
            });
        }
        ExecutorService pool = Executors.newFixedThreadPool(threads.size());
        try {
            for (Future<Long> thread : pool.invokeAll(threads)) {
                assertThat(thread.get()).isEqualTo(each);
            }
        } finally {
            pool.shutdown();
        }
        assertThat(disk.list(FOLDER)).isEmpty();
        assertThat(disk.list(OTHER)).hasSize(4 * each);
        assertThat(disk.written()).isEqualTo(4L * each * 3);
        assertThat(disk.used()).isEqualTo(4L * each * 3);
    }

    @Test
    void theHookMayWaitForAThreadThatReads() throws Exception {
        create(FILE, "one", true);
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            disk.onChange(() -> {
                Future<Boolean> read = pool.submit(() -> disk.exists(FILE) && disk.read(FILE, 3).length == 3);
                try {
                    assertThat(read.get(1, TimeUnit.MINUTES)).isTrue();
                } catch (Exception e) {
                    throw new AssertionError("the hook holds up who reads", e);
                }
            });
            disk.sync(FILE);
        } finally {
            pool.shutdownNow();
        }
    }
}
