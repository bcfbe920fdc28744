package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.Fault;
import dev.pail.testkit.disk.FaultyDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions that follow from several events, where what is made of these cannot be written. */
class MergedVersionsTest {
    private static final Path FOLDER = Path.of("/r");

    private final CrashDisk disk = new CrashDisk();

    @TempDir
    Path real;

    private static Block value(int number) {
        byte[] bytes = new byte[3000];
        Arrays.fill(bytes, (byte) number);
        return Block.of(Cid.RAW, bytes);
    }

    /** Makes a repository with two branches. No merged version of them was ever read. */
    private static Head fill(Repository repository) {
        repository.update("main", pail -> {
            Pail next = pail;
            for (int i = 0; i < 40; i++) {
                next = next.put((char) ('a' + i % 4) + "/" + i, value(i).cid());
            }
            return next;
        });
        repository.branches().create("b", repository.snapshot("main").head());
        repository.update("main", pail -> pail.put("a/x", value(1).cid()));
        repository.update("b", pail -> pail.put("a/y", value(2).cid()));
        List.of(100, 101, 102).forEach(number -> repository.blocks().put(value(number)));
        return Head.of(Stream.of("main", "b")
                .flatMap(branch -> repository.snapshot(branch).head().events().stream())
                .toList());
    }

    private static void assertRead(Repository repository, Head both) {
        assertThat(repository.pailAt(both).get("a/x")).isPresent();
        assertThat(repository.pailAt(both).entries()).hasSize(42);
    }

    @Test
    void itIsReadWhileSegmentsAreLocked() throws IOException {
        Head both;
        try (Repository made = FileRepository.init(disk, FOLDER, ShardFormat.v0(400, 8), BlockStorage.SEGMENTS)) {
            both = fill(made);
        }
        try (Repository repository = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            Pail merged;
            try (Disk.Lock lock =
                    disk.tryLock(FOLDER.resolve("segments/LOCK"), "another").orElseThrow()) {
                assertThat(lock).isNotNull();
                assertRead(repository, both);
                merged = repository.pailAt(both);
            }
            // What is made of it needs what could not be written.
            repository.replace(
                    "main", "replace", pail -> merged.in(pail.blocks()).put("c/x", value(3).cid()));
        }
        try (Repository again = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            assertThat(Verification.of(again.blocks(), again.root("main")).isSound())
                    .isTrue();
            assertThat(again.pail().entries()).hasSize(43);
        }
    }

    /** Nothing is held for longer than that is needed. */
    @Test
    void itIsWrittenWithTheNext() throws IOException {
        Head both;
        Head others;
        try (Repository made = FileRepository.init(disk, FOLDER, ShardFormat.v0(400, 8), BlockStorage.SEGMENTS)) {
            both = fill(made);
            others = Head.of(List.of(
                    made.snapshot("main").head().events().get(0),
                    made.replica("b").put("b/z", value(3).cid()).head().events().get(0)));
        }
        try (Repository repository = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            Pail merged;
            try (Disk.Lock lock =
                    disk.tryLock(FOLDER.resolve("segments/LOCK"), "another").orElseThrow()) {
                assertThat(lock).isNotNull();
                merged = repository.pailAt(both);
            }
            repository.pailAt(others);
            try (Repository again = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
                assertThat(Verification.of(again.blocks(), merged.root()).isSound())
                        .isTrue();
            }
        }
    }

    /** A second read does not wait for the lock again. */
    @Test
    void itIsTriedOnceToWriteIt() throws IOException {
        Head both;
        try (Repository made = FileRepository.init(disk, FOLDER, ShardFormat.v0(400, 8), BlockStorage.SEGMENTS)) {
            both = fill(made);
        }
        List<Path> tried = new ArrayList<>();
        Disk told = HookedDisk.telling(disk, (call, file) -> {
            if (call.equals("tryLock")) {
                tried.add(file);
            }
        });
        try (Repository repository = FileRepository.open(told, FOLDER, Duration.ofSeconds(1));
                Disk.Lock lock =
                        disk.tryLock(FOLDER.resolve("segments/LOCK"), "another").orElseThrow()) {
            assertThat(lock).isNotNull();
            assertRead(repository, both);
            assertThat(tried).isNotEmpty();
            tried.clear();
            assertRead(repository, both);
            assertThat(tried).isEmpty();
        }
    }

    @Test
    void itIsReadWhereSomethingElseIsDamaged() throws IOException {
        Path folder = real.resolve("r");
        Head both;
        try (Repository made = FileRepository.init(folder, ShardFormat.v0(400, 8), BlockStorage.SEGMENTS)) {
            both = fill(made);
        }
        Path segment = folder.resolve("segments/00000.open");
        byte[] bytes = Files.readAllBytes(segment);
        bytes[indexOf(bytes, value(100).bytes()) + 1000] ^= 1;
        Files.write(segment, bytes);
        try (Repository repository = FileRepository.open(folder, Duration.ZERO)) {
            assertRead(repository, both);
            repository.update("main", pail -> pail.put("c/x", value(3).cid()));
            assertThat(repository.pail().get("c/x")).contains(value(3).cid());
        }
    }

    private static int indexOf(byte[] bytes, byte[] part) {
        for (int i = 0; ; i++) {
            if (Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
    }

    /** What could not be written for a reader, stops no other write. */
    @Test
    void whereItCannotBeWrittenOtherThingsCan() {
        Head both;
        try (Repository made = FileRepository.init(disk, FOLDER, ShardFormat.v0(400, 8), BlockStorage.FILES)) {
            both = fill(made);
        }
        FaultyDisk full = new FaultyDisk(disk, Fault.FULL, 1, false);
        try (Repository repository = FileRepository.open(full, FOLDER, Duration.ZERO)) {
            assertRead(repository, both);
            assertThat(full.failed()).isPresent();
            repository.branches().switchTo("b");
            assertThat(repository.branches().current()).isEqualTo("b");
            assertThat(repository.branches().names()).isEqualTo(List.of("b", "main"));
        }
    }
}
