package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ErasedBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.model.ErasurePlan;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.unixfs.FileLayout;
import dev.pail.unixfs.UnixFs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Erasing values: no file has their bytes, all else stays, and a loss of power at any point loses nothing else. */
class ErasingTest {
    private static final Path FOLDER = Path.of("/repository");
    private static final int WINDOW = 32;
    private static final FileLayout CHUNKS = new FileLayout(1000, 10);

    private final Random random = Randomness.random("ErasingTest");
    private final CrashDisk disk = new CrashDisk();

    private byte[] bytes(int size) {
        byte[] made = new byte[size];
        random.nextBytes(made);
        return made;
    }

    private static Repository open(Disk disk) {
        return FileRepository.open(disk, FOLDER, Duration.ZERO);
    }

    /** A repository with a chain of values, each like the one before, so that segments have deltas between them. */
    private Map<String, Block> fill(Repository repository) {
        Map<String, Block> values = new LinkedHashMap<>();
        byte[] content = bytes(4000);
        for (int i = 0; i < 12; i++) {
            content = content.clone();
            System.arraycopy(bytes(200), 0, content, 250 * i, 200);
            Block block = Block.of(Cid.RAW, content);
            String key = "key" + i;
            values.put(key, block);
            repository.update("main", pail -> {
                pail.blocks().put(block);
                return pail.put(key, block.cid());
            });
        }
        return values;
    }

    /** The bytes of a value that no other value has. */
    private static byte[] secret(Block block, int i) {
        return Arrays.copyOfRange(block.bytes(), 250 * i, 250 * i + 200);
    }

    /** Names the files that have a part of a secret. */
    private static List<Path> filesWith(Disk disk, Path folder, byte[] secret) throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path each : disk.list(folder)) {
            if (disk.isDirectory(each)) {
                found.addAll(filesWith(disk, each, secret));
            } else if (hasPart(disk.read(each, 1 << 26), secret)) {
                found.add(each);
            }
        }
        return found;
    }

    private static boolean hasPart(byte[] file, byte[] secret) {
        String text = new String(file, StandardCharsets.ISO_8859_1);
        for (int at = 0; at + WINDOW <= secret.length; at += WINDOW / 2) {
            if (text.contains(new String(secret, at, WINDOW, StandardCharsets.ISO_8859_1))) {
                return true;
            }
        }
        return false;
    }

    private static void checkOthers(Repository repository, Map<String, Block> values, Cid erased) {
        values.forEach((key, block) -> {
            assertThat(repository.pail().get(key)).contains(block.cid());
            if (!block.cid().equals(erased)) {
                assertThat(repository.blocks().get(block.cid())).contains(block);
            }
        });
    }

    @ParameterizedTest
    @EnumSource(BlockStorage.class)
    void noFileHasTheBytes_ER7(BlockStorage storage) throws IOException {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), storage)) {
            Map<String, Block> values = fill(repository);
            Cid root = repository.root("main");
            for (int i : List.of(5, 0, 11)) {
                Block block = values.get("key" + i);
                // The last value of the chain has the bytes of all before it, so these are of one value only if it goes
                // last.
                byte[] secret = secret(block, i);
                values.remove("key" + i);
                ErasurePlan plan = repository.maintenance().erasing().erase(List.of(block.cid()));
                assertThat(plan.blocks()).containsExactly(block.cid().raw());
                assertThat(repository.blocks().get(block.cid())).isEmpty();
                assertThat(repository.blocks().has(block.cid())).isFalse();
                assertThatThrownBy(() -> repository.blocks().require(block.cid()))
                        .isInstanceOf(ErasedBlockException.class);
                if (i == 11) {
                    assertThat(filesWith(disk, FOLDER, secret)).isEmpty();
                }
                values.forEach((key, other) ->
                        assertThat(repository.blocks().get(other.cid())).contains(other));
            }
            assertThat(repository.root("main")).isEqualTo(root);
            VerifyReport report =
                    repository.verify(VerifyOptions.DEFAULT.withAllVersions().withValues());
            assertThat(report.problems()).isEmpty();
            assertThat(report.erased()).isEqualTo(3);
            assertThat(report.absentValues()).isZero();
            assertThat(report.unremoved()).isZero();
        }
        try (Repository again = open(disk)) {
            assertThat(again.maintenance().erasing().records()).hasSize(3);
            assertThat(again.verify(VerifyOptions.DEFAULT.withAllVersions()).isSound())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(BlockStorage.class)
    void deltasInBothDirectionsGo_ER7(BlockStorage storage) throws IOException {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), storage)) {
            byte[] base = bytes(4000);
            Block[] chain = new Block[9];
            byte[] secret = bytes(300);
            for (int i = 0; i < chain.length; i++) {
                byte[] content = base.clone();
                System.arraycopy(i == 4 ? secret : bytes(300), 0, content, 1000, 300);
                chain[i] = Block.of(Cid.RAW, content);
                Block block = chain[i];
                repository.update("main", pail -> {
                    pail.blocks().put(block);
                    return pail.put("same", block.cid());
                });
            }
            assertThat(filesWith(disk, FOLDER, secret)).isNotEmpty();
            repository.maintenance().erasing().erase(List.of(chain[4].cid()));
            assertThat(filesWith(disk, FOLDER, secret)).isEmpty();
            for (int i = 0; i < chain.length; i++) {
                assertThat(repository.blocks().get(chain[i].cid()).isPresent()).isEqualTo(i != 4);
            }
            Block next = Block.of(Cid.RAW, bytes(4000));
            repository.update("main", pail -> {
                pail.blocks().put(next);
                return pail.put("next", next.cid());
            });
            assertThat(repository.blocks().get(next.cid())).contains(next);
        }
    }

    @ParameterizedTest
    @EnumSource(BlockStorage.class)
    void lossOfPowerLosesNothingElse_ER6(BlockStorage storage) throws IOException {
        Map<String, Block> values;
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), storage)) {
            values = fill(repository);
        }
        Block erased = values.get("key11");
        byte[] secret = secret(erased, 11);
        List<CrashDisk> images = new ArrayList<>();
        disk.onChange(() -> {
            for (CrashDisk.Loss loss : CrashDisk.Loss.values()) {
                images.add(disk.afterLoss(loss, random));
            }
        });
        try (Repository repository = open(disk)) {
            repository.maintenance().erasing().erase(List.of(erased.cid()));
        }
        disk.onChange(() -> {});
        assertThat(images).hasSizeGreaterThan(50);
        int unfinished = 0;
        for (CrashDisk image : images) {
            try (Repository repository = open(image)) {
                checkOthers(repository, values, erased.cid());
                boolean isMarked = repository.blocks().isErased(erased.cid());
                assertThat(repository.blocks().has(erased.cid())).isEqualTo(!isMarked);
                if (!isMarked) {
                    assertThat(repository.blocks().get(erased.cid())).contains(erased);
                    continue;
                }
                boolean isThere = !filesWith(image, FOLDER, secret).isEmpty();
                boolean isKnown = repository.verify(VerifyOptions.DEFAULT).unremoved() > 0;
                assertThat(isKnown || !isThere).isTrue();
                unfinished += isThere ? 1 : 0;
                repository.maintenance().garbageCollection().run();
                assertThat(filesWith(image, FOLDER, secret)).isEmpty();
                assertThat(repository.verify(VerifyOptions.DEFAULT).unremoved()).isZero();
                checkOthers(repository, values, erased.cid());
            }
        }
        assertThat(unfinished).isPositive();
    }

    @ParameterizedTest
    @EnumSource(BlockStorage.class)
    void putOfAnErasedBlockIsRefused_ER5(BlockStorage storage) {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), storage)) {
            Block block = Block.of(Cid.RAW, bytes(300));
            Block other = Block.of(Cid.RAW, bytes(300));
            repository.blocks().putAll(List.of(block, other));
            repository.maintenance().erasing().erase(List.of(block.cid()));
            assertThatThrownBy(() -> repository.blocks().put(block)).isInstanceOf(ErasedBlockException.class);
            Cid root = repository.root("main");
            assertThatThrownBy(() -> repository.update("main", pail -> pail.putBytes("a", block.bytes())))
                    .isInstanceOfSatisfying(
                            ErasedBlockException.class,
                            e -> assertThat(e.use()).isEqualTo(ErasedBlockException.Use.PUT));
            assertThat(repository.root("main")).isEqualTo(root);
            repository.arrivals().putAll(List.of(block, other));
            assertThat(repository.blocks().has(block.cid())).isFalse();
            assertThat(repository.blocks().hasAll(List.of(block.cid(), other.cid())))
                    .containsExactly(other.cid());
            assertThat(repository.maintenance().erasing().allow(block.cid())).hasSize(1);
            repository.blocks().put(block);
            assertThat(repository.blocks().get(block.cid())).contains(block);
        }
    }

    @Test
    void anotherProcessSeesTheMark_ER1() {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.SEGMENTS);
                Repository reader = open(disk)) {
            Block block = Block.of(Cid.RAW, bytes(300));
            repository.blocks().put(block);
            assertThat(reader.blocks().get(block.cid())).contains(block);
            repository.maintenance().erasing().erase(List.of(block.cid()));
            assertThat(reader.blocks().get(block.cid())).isEmpty();
            assertThat(reader.blocks().isErased(block.cid())).isTrue();
            assertThatThrownBy(() -> reader.blocks().put(block)).isInstanceOf(ErasedBlockException.class);
        }
    }

    @Test
    void aDamagedRecordIsNamed_ER2() throws IOException {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            Block block = Block.of(Cid.RAW, bytes(300));
            repository
                    .withNote(Note.of("Ann\u00e9", "a\tb\nc"))
                    .maintenance()
                    .erasing()
                    .erase(List.of(block.cid()));
            assertThat(repository.maintenance().erasing().records().get(0).note())
                    .isEqualTo(Note.of("Ann\u00e9", "a\tb\nc"));
            Path file = FOLDER.resolve("erased");
            byte[] content = disk.read(file, 10_000);
            content[12] ^= 1;
            Disk.write(disk, FOLDER.resolve("other"), content);
            disk.rename(FOLDER.resolve("other"), file);
        }
        try (Repository repository = open(disk)) {
            assertThatThrownBy(() -> repository.maintenance().erasing().records())
                    .isInstanceOf(RepositoryException.class)
                    .hasMessageContaining("line 1");
            assertThat(repository.verify(VerifyOptions.DEFAULT).problems())
                    .extracting(VerifyReport.Problem::subject)
                    .containsExactly(VerifyReport.Subject.ERASED);
            assertThatThrownBy(() -> repository.blocks().put(Block.of(Cid.RAW, bytes(3))))
                    .isInstanceOf(RepositoryException.class);
        }
    }

    @Test
    void chunksOfAnotherValueStay_ER3() throws IOException {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            byte[] first = bytes(CHUNKS.chunkSize());
            byte[] second = bytes(CHUNKS.chunkSize());
            byte[] third = bytes(CHUNKS.chunkSize());
            Cid one = write(repository, first, second);
            Cid two = write(repository, second, third);
            Pail pail = repository
                    .update("main", before -> before.put("one", one).put("two", two))
                    .pail();
            repository.update("main", before -> before.delete("two"));
            Cid chunk = Block.of(Cid.RAW, second).cid();
            ErasurePlan plan = repository.maintenance().erasing().erase(List.of(one));
            assertThat(plan.shared()).containsExactly(chunk);
            assertThat(plan.blocks())
                    .containsExactlyInAnyOrder(
                            one.raw(), Block.of(Cid.RAW, first).cid());
            assertThat(repository.blocks().has(chunk)).isTrue();
            ErasurePlan rest = repository.maintenance().erasing().plan(List.of(two));
            assertThat(rest.blocks())
                    .containsExactlyInAnyOrder(
                            two.raw(), chunk, Block.of(Cid.RAW, third).cid());
            assertThat(repository.blocks().has(two)).isTrue();
            assertThat(pail.get("one")).contains(one);
        }
    }

    private static Cid write(Repository repository, byte[] first, byte[] second) throws IOException {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return UnixFs.write(repository.blocks(), new ByteArrayInputStream(all), CHUNKS);
    }

    @Test
    void eventsAndShardsAreRefused_ER4() {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            fill(repository);
            Cid old = repository.root("main");
            repository.update("main", pail -> pail.delete("key3"));
            for (Cid cid : List.of(
                    old,
                    repository.root("main"),
                    repository.head("main").events().get(0),
                    old.raw())) {
                assertThatThrownBy(() -> repository.maintenance().erasing().erase(List.of(cid)))
                        .isInstanceOfSatisfying(
                                RepositoryException.class,
                                e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.NOT_ERASABLE));
            }
            assertThat(repository.maintenance().erasing().records()).isEmpty();
            assertThat(repository
                            .verify(VerifyOptions.DEFAULT.withAllVersions())
                            .isSound())
                    .isTrue();
        }
    }

    @Test
    void aPeerErasesValuesOnlyAndTheLatestRecordCounts_ER9() throws IOException {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.SEGMENTS)) {
            Map<String, Block> values = fill(repository);
            Block block = values.get("key11");
            Erasure mark = record(Erasure.State.ERASED, block.cid(), 100);
            Erasure shard = record(Erasure.State.ERASED, repository.root("main"), 100);
            assertThat(repository.maintenance().erasing().take(List.of(mark, shard)))
                    .extracting(Erasure::cid)
                    .containsExactly(block.cid());
            assertThat(repository.blocks().get(block.cid())).isEmpty();
            assertThat(repository.maintenance().erasing().left()).containsExactly(block.cid());
            // Until the bytes are gone, the value can be kept.
            Erasure allowed = record(Erasure.State.ALLOWED, block.cid(), 200);
            assertThat(repository.maintenance().erasing().take(List.of(allowed)))
                    .hasSize(1);
            assertThat(repository.maintenance().erasing().take(List.of(mark))).isEmpty();
            assertThat(repository.blocks().get(block.cid())).contains(block);
            assertThat(repository.maintenance().erasing().take(List.of(record(Erasure.State.ERASED, block.cid(), 300))))
                    .hasSize(1);
            assertThat(repository.maintenance().erasing().finish()).containsExactly(block.cid());
            assertThat(filesWith(disk, FOLDER, secret(block, 11))).isEmpty();
            assertThat(repository.verify(VerifyOptions.DEFAULT).isSound()).isTrue();
        }
    }

    private static Erasure record(Erasure.State state, Cid cid, long time) {
        return new Erasure(state, cid, cid, Instant.ofEpochMilli(time), Note.NONE);
    }

    @Test
    void unfinishedFilesAndTheTrashGo_ER8() throws IOException {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            Block block = Block.of(Cid.RAW, bytes(3000));
            repository.blocks().put(block);
            Path trash = FOLDER.resolve("trash");
            disk.createDirectory(trash);
            String name = block.cid().multihashName();
            Path folder = trash.resolve(name.substring(name.length() - 2));
            disk.createDirectory(folder);
            Disk.write(disk, folder.resolve(name + ".data"), block.bytes());
            Disk.write(disk, FOLDER.resolve("blocks/.tmp/1.0.left"), block.bytes());
            Path lost = FOLDER.resolve("segments");
            disk.createDirectory(lost);
            disk.createDirectory(lost.resolve("lost"));
            Disk.write(disk, lost.resolve("lost/00001.open-20-1"), block.bytes());
            repository.maintenance().erasing().erase(List.of(block.cid()));
            assertThat(filesWith(disk, FOLDER, block.bytes())).isEmpty();
        }
    }

    @Test
    void readersOfOtherValuesAreNotDisturbed() throws InterruptedException {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.SEGMENTS);
                Repository other = open(disk)) {
            Map<String, Block> values = fill(repository);
            AtomicBoolean ends = new AtomicBoolean();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            List<Thread> readers = new ArrayList<>();
            for (Repository from : List.of(repository, other)) {
                Thread reader = new Thread(() -> {
                    while (!ends.get()) {
                        checkOthers(from, values, values.get("key4").cid());
                    }
                });
                reader.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
                reader.start();
                readers.add(reader);
            }
            repository.maintenance().erasing().erase(List.of(values.get("key4").cid()));
            for (int i = 0; i < 3; i++) {
                repository.blocks().put(Block.of(Cid.RAW, bytes(5000)));
            }
            ends.set(true);
            for (Thread each : readers) {
                each.join();
            }
            assertThat(failure.get()).isNull();
        }
    }
}
