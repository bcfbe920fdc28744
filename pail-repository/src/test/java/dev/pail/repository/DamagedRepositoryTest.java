package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.LimitException;
import dev.pail.Pail;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.ReplayException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A repository with one damaged file: damage at each place and of several kinds. A read returns the right result or throws an error
 * that names the file or the block, and it changes nothing.
 */
class DamagedRepositoryTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Random NO_RANDOM = new Random(0);
    private static final int DAMAGED_FILES_FOR_A_WRITE = 32;
    private static final int DAMAGED_FILES_FOR_ALL = 20;

    /** The short form tries one of this many damages to a file. */
    private static final int STRIDE = Randomness.times(3, 1);

    private static final String VALUE = "value ";
    private static final String NEW_KEY = "new";
    private static final Cid NEW_VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private final Map<Path, byte[]> files = new TreeMap<>();
    private final Map<String, Branch> branches = new TreeMap<>();
    private final Map<Path, Block> blocks = new HashMap<>();
    private final AtomicLong damaged = new AtomicLong();
    private final AtomicLong noticed = new AtomicLong();
    private final AtomicLong stepsBack = new AtomicLong();
    private final AtomicLong writes = new AtomicLong();
    private CrashDisk sound = new CrashDisk();
    private long seed;

    /** Where a branch stands, and stood before its last move. */
    private record Branch(
            Cid root, Cid rootBefore, Map<String, Cid> entries, Map<String, Cid> entriesBefore, List<LogEntry> log) {}

    @BeforeEach
    void printTheSeed() {
        seed = Randomness.seed("DamagedRepositoryTest");
    }

    @Test
    void v0() throws IOException {
        damageAllOf(ShardFormat.v0(400, 8));
    }

    @Test
    void v1() throws IOException {
        damageAllOf(ShardFormat.v1());
    }

    private void damageAllOf(ShardFormat format) throws IOException {
        make(format);
        files.putAll(find(sound, FOLDER));
        try (Repository repository = open(sound)) {
            repository.branches().names().forEach(name -> branches.put(name, read(repository, name)));
            for (Map.Entry<Path, byte[]> file : files.entrySet()) {
                if (file.getKey().startsWith(FOLDER.resolve("blocks"))) {
                    blocks.put(file.getKey(), block(file.getValue()));
                }
            }
        }
        long bytes = files.values().stream().mapToLong(file -> file.length).sum();
        files.entrySet().parallelStream().forEach(file -> damageAll(file.getKey(), file.getValue()));
        assertThat(bytes).isBetween(15_000L, 40_000L);
        assertThat(damaged).hasValueGreaterThan(15_000 / STRIDE);
        assertThat(noticed).hasValueGreaterThan(damaged.get() / 2);
        assertThat(stepsBack).as("read as before a move").hasPositiveValue();
        assertThat(writes).as("changed afterwards").hasPositiveValue();
    }

    /** A block that is in a file and in a segment, and damaged in one of the two, is read from the other. */
    @Test
    void damagedInOneOfTwoPlaces() throws IOException {
        for (BlockStorage storage : BlockStorage.values()) {
            CrashDisk disk = new CrashDisk();
            Block block = Block.of(Cid.RAW, new byte[] {1, 2, 3});
            FileRepository.init(disk, FOLDER, ShardFormat.v1(), storage).close();
            try (Repository repository = open(disk)) {
                repository.blocks().put(block);
                FileRepository.of(repository).orElseThrow().packing().unpack();
                Map<Path, byte[]> inFiles = find(disk, FOLDER.resolve("blocks"));
                inFiles.values().removeIf(bytes -> !Arrays.equals(bytes, block.bytes()));
                assertThat(inFiles).hasSize(1);
                FileRepository.of(repository).orElseThrow().packing().pack();
                for (Map.Entry<Path, byte[]> file : inFiles.entrySet()) {
                    byte[] bytes = file.getValue();
                    if (storage == BlockStorage.FILES) {
                        bytes[1] ^= 1;
                    }
                    replace(disk, file.getKey(), bytes);
                }
            }
            if (storage == BlockStorage.SEGMENTS) {
                Path segment = disk.list(FOLDER.resolve("segments")).stream()
                        .filter(file -> file.toString().endsWith(".open"))
                        .findFirst()
                        .orElseThrow();
                byte[] bytes = disk.read(segment, 1 << 20);
                int at = bytes.length - 1;
                while (bytes[at] != 3 || bytes[at - 1] != 2 || bytes[at - 2] != 1) {
                    at--;
                }
                bytes[at] ^= 1;
                replace(disk, segment, bytes);
            }
            try (Repository repository = open(disk)) {
                assertThat(repository.blocks().get(block.cid()))
                        .as(storage.name())
                        .contains(block);
                assertThat(repository.blocks().has(block.cid())).isTrue();
            }
        }
    }

    private static void replace(Disk disk, Path file, byte[] bytes) throws IOException {
        disk.delete(file);
        try (Disk.WritableFile out = disk.create(file)) {
            out.write(bytes);
        }
    }

    private static Repository open(Disk disk) {
        return FileRepository.open(disk, FOLDER, Duration.ZERO);
    }

    private void make(ShardFormat format) {
        Random random = Randomness.random(seed);
        while (true) {
            try {
                make(format, random);
                return;
            } catch (ReplayException e) {
                // So small a shard may have no room for the keys of two branches; then there are others.
                assertThat(e).hasCauseInstanceOf(LimitException.class);
                sound = new CrashDisk();
            }
        }
    }

    /** Makes three branches with different heads: one head has two events, and one branch was moved back. */
    private void make(ShardFormat format, Random random) {
        FileRepository.init(sound, FOLDER, format, BlockStorage.FILES).close();
        try (Repository repository = open(sound)) {
            for (int i = 0; i < 8; i++) {
                put(repository, "main", random, 3);
            }
            for (String name : List.of("topic", "old")) {
                repository.branches().create(name, repository.snapshot("main").head());
                put(repository, name, random, 2);
                put(repository, "main", random, 1);
            }
            put(repository, "topic", random, 1);
            repository.change(
                    "main",
                    "merge",
                    ours -> ours.merge(repository.snapshot("topic").head()));
            put(repository, "topic", random, 1);
            put(repository, "old", random, 1);
            try (Stream<LogEntry> log = repository.history().log("old")) {
                repository.move(repository.snapshot("old"), log.toList().get(0).from(), "undo");
            }
            repository.branches().switchTo("topic");
        }
    }

    private static void put(Repository repository, String branch, Random random, int keys) {
        repository.update(branch, before -> {
            Pail pail = before;
            int put = 0;
            while (put < keys) {
                byte[] value = (VALUE + random.nextInt()).getBytes(StandardCharsets.US_ASCII);
                Block block = Block.of(Cid.RAW, value);
                String key = "abc".charAt(random.nextInt(3)) + Long.toString(random.nextLong(), 36);
                try {
                    pail = pail.put(key, block.cid());
                    repository.blocks().put(block);
                    put++;
                } catch (LimitException e) {
                    // So small a shard may have no room for a key; then another is put.
                    assertThat(pail.get(key)).isEmpty();
                }
            }
            return pail;
        });
    }

    private static Map<Path, byte[]> find(Disk disk, Path folder) throws IOException {
        Map<Path, byte[]> found = new TreeMap<>();
        for (Path path : disk.list(folder)) {
            if (disk.isDirectory(path)) {
                found.putAll(find(disk, path));
            } else {
                found.put(path, disk.read(path, 1 << 20));
            }
        }
        return found;
    }

    private static Branch read(Repository repository, String name) {
        Snapshot snapshot = repository.snapshot(name);
        List<LogEntry> log = Listing.log(repository, name);
        Pail before = repository.pailAt(log.get(0).from());
        return new Branch(
                snapshot.root(), before.root(), Listing.entries(snapshot.pail()), Listing.entries(before), log);
    }

    private static Block block(byte[] bytes) {
        boolean isValue = new String(bytes, StandardCharsets.ISO_8859_1).startsWith(VALUE);
        return Block.of(isValue ? Cid.RAW : Cid.DAG_CBOR, bytes);
    }

    private void damageAll(Path file, byte[] bytes) {
        // Of this file alone: which cases are tried must not depend on how far other threads are.
        AtomicLong tried = new AtomicLong(seed + file.hashCode());
        Set<String> concerned = damage(file, Optional.empty(), "missing", branches.keySet(), tried);
        // One branch that needs the file is read each time, all of them now and then.
        Set<String> one = Set.of(concerned.stream().findFirst().orElse(Repository.MAIN));
        AtomicLong offered = new AtomicLong(tried.get());
        DamagedFiles.Victim victim = (left, how) -> {
            boolean isTried = offered.incrementAndGet() % STRIDE == 0;
            if (isTried && left.isPresent() && !Arrays.equals(left.get(), bytes)) {
                boolean all = tried.get() % DAMAGED_FILES_FOR_ALL == 0;
                Set<String> noticedIn = damage(file, left, how, all ? branches.keySet() : one, tried);
                if (blocks.containsKey(file) && !concerned.isEmpty()) {
                    assertThat(noticedIn).as("%s, %s: noticed", file, how).isNotEmpty();
                }
            }
        };
        DamagedFiles.changeBytes(bytes, seed, victim);
        DamagedFiles.cut(bytes, seed, victim);
        DamagedFiles.mixSectors(bytes, victim);
        DamagedFiles.exchange(List.copyOf(files.values()), seed + file.hashCode(), victim);
    }

    /** In which of some branches the damage was noticed, or undone. */
    private Set<String> damage(Path file, Optional<byte[]> left, String how, Set<String> read, AtomicLong tried) {
        CrashDisk disk = sound.afterLoss(CrashDisk.Loss.NOTHING, NO_RANDOM);
        try {
            if (left.isPresent()) {
                replace(disk, file, left.get());
            } else {
                disk.delete(file);
            }
            Reading reading = new Reading(file, read);
            long calls = disk.calls();
            reading.all(disk);
            if (disk.calls() > calls) {
                // A merged head is merged anew, and noted again, if its note or a block of it is missing or damaged.
                assertThat(blocks.containsKey(file) || file.startsWith(FOLDER.resolve("derived")))
                        .as("the disk is changed")
                        .isTrue();
                Map<Path, byte[]> after = find(disk, FOLDER);
                assertThat(after.keySet()).isSubsetOf(files.keySet());
                after.forEach((path, bytes) -> {
                    if (!path.equals(file) || left.isEmpty() || !Arrays.equals(bytes, left.get())) {
                        assertThat(bytes).as(path.toString()).isEqualTo(files.get(path));
                    }
                });
                files.keySet().stream()
                        .filter(path -> !path.equals(file))
                        .forEach(path -> assertThat(after).containsKey(path));
            }
            damaged.incrementAndGet();
            if (tried.incrementAndGet() % DAMAGED_FILES_FOR_A_WRITE == 0) {
                reading.write(disk);
                writes.incrementAndGet();
            }
            noticed.addAndGet(reading.problems > 0 ? 1 : 0);
            stepsBack.addAndGet(reading.isBefore ? 1 : 0);
            return reading.noticedIn;
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError(file + ": " + how, e);
        }
    }

    /** Reads all that there is, and compares it with what should be there. */
    private final class Reading {
        private final Path file;
        private final Set<String> read;
        private final List<String> names;
        private final Set<String> noticedIn = new TreeSet<>();
        private int problems;
        private boolean isBefore;

        Reading(Path file, Set<String> read) {
            this.file = file;
            this.read = read;
            this.names = names(file);
        }

        /** Runs it, unless it fails with an error that names the damaged file or its block. */
        private void expect(Runnable reading) {
            try {
                reading.run();
            } catch (PailException e) {
                problems++;
                assertThat(e.getMessage()).containsAnyOf(names.toArray(String[]::new));
            }
        }

        void all(Disk disk) {
            expect(() -> {
                try (Repository repository = open(disk)) {
                    expect(() -> assertThat(branches.keySet())
                            .containsAll(repository.branches().names()));
                    expect(() -> current(repository));
                    for (String name : read) {
                        int before = problems;
                        branch(repository, name, branches.get(name));
                        if (problems > before) {
                            noticedIn.add(name);
                        }
                    }
                    blocks(repository);
                }
            });
        }

        /** A damaged name is that of no branch. */
        private void current(Repository repository) {
            String current = repository.branches().current();
            if (!current.equals("topic")) {
                assertThat(file).isEqualTo(FOLDER.resolve("branch"));
                problems++;
                if (!current.equals(Repository.MAIN)) {
                    assertThatExceptionOfType(RepositoryException.class)
                            .isThrownBy(() -> repository.snapshot(current))
                            .withMessageContaining("no branch " + current);
                }
            }
        }

        private void branch(Repository repository, String name, Branch expected) {
            Path head = FOLDER.resolve("heads").resolve(name);
            expect(() -> {
                Snapshot snapshot = repository.snapshot(name);
                boolean before = !snapshot.root().equals(expected.root);
                // What may be left of a head can be the head before the last move.
                assertThat(before).isIn(false, file.equals(head));
                isBefore |= before;
                assertThat(snapshot.root()).isEqualTo(before ? expected.rootBefore : expected.root);
                assertThat(repository.root(name)).isEqualTo(snapshot.root());
                expect(() -> assertThat(Listing.entries(snapshot.pail()))
                        .isEqualTo(before ? expected.entriesBefore : expected.entries));
                expect(() -> assertThat(MerkleClock.open(repository.blocks()).history(snapshot.head()))
                        .containsAll(snapshot.head().events()));
                expect(() -> checkLog(
                        snapshot,
                        Listing.log(repository, name),
                        before ? expected.log.subList(1, expected.log.size()) : expected.log));
                Verification.of(repository.blocks(), snapshot.root()).problems().forEach(problem -> {
                    problems++;
                    assertThat(problem.cause())
                            .hasMessageContaining(problem.cid().toString());
                    assertThat(names).contains(problem.cid().toString());
                });
            });
        }

        /** What may be left of a log can be that of an earlier time, when the branch stood where it does. */
        private void checkLog(Snapshot snapshot, List<LogEntry> found, List<LogEntry> expected) {
            int missing = expected.size() - found.size();
            assertThat(found).isEqualTo(expected.subList(missing, expected.size()));
            assertThat(found.isEmpty() ? Head.empty() : found.get(0).to()).isEqualTo(snapshot.head());
            if (missing > 0) {
                isBefore = true;
                assertThat(file.getFileName()).hasToString(snapshot.branch());
            }
        }

        private void blocks(Repository repository) {
            Block damagedBlock = blocks.get(file);
            if (damagedBlock != null) {
                expect(() -> {
                    Optional<Block> found = repository.blocks().get(damagedBlock.cid());
                    found.ifPresent(block -> assertThat(block).isEqualTo(damagedBlock));
                });
            }
        }

        /** A change is refused, or is made to what was read, and loses nothing. */
        void write(Disk disk) {
            for (String branch : read) {
                try (Repository repository = open(disk)) {
                    Map<String, Cid> before = Listing.entries(repository.pail(branch));
                    repository.update(branch, pail -> pail.put(NEW_KEY, NEW_VALUE));
                    before.put(NEW_KEY, NEW_VALUE);
                    assertThat(Listing.entries(repository.pail(branch))).isEqualTo(before);
                } catch (PailException e) {
                    assertThat(e.getMessage()).containsAnyOf(names.toArray(String[]::new));
                }
            }
        }
    }

    /** What an error may call a file: its name, or the CID of its block. */
    private List<String> names(Path file) {
        List<String> names = new ArrayList<>(List.of(file.toString()));
        if (file.equals(FOLDER.resolve("config"))) {
            names.add("a repository without a configuration: " + FOLDER);
        }
        Block block = blocks.get(file);
        if (block != null) {
            names.add(block.cid().toString());
        }
        return names;
    }
}
