package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.car.CarExport;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.jdbc.PostgresStorage;
import dev.pail.jdbc.TestRepository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read from PostgreSQL: the bytes that a folder has, with few statements. */
class PostgresReadsTest {
    private static final int KEYS = 10_000;

    private final TestRepository place = TestRepository.inShared(PostgresStorage.PATIENCE);

    @TempDir(factory = MemoryTempDir.class)
    Path temporary;

    private long statements() {
        return place.storage().statistics().statements();
    }

    /** How many statements something takes. */
    private long statements(Runnable action) {
        long before = statements();
        action.run();
        return statements() - before;
    }

    private static Cid value(String of) {
        return Block.of(Cid.RAW, of.getBytes(StandardCharsets.UTF_8)).cid();
    }

    private static long count(Pail pail) {
        try (Stream<?> entries = pail.entries()) {
            return entries.count();
        }
    }

    @Test
    void aScanFetchesAheadAndWarmReadsSendNoStatement_PG3() {
        try (Repository repository = place.init(ShardFormat.v1())) {
            repository.update(Repository.MAIN, pail -> {
                Batch batch = pail.batch();
                for (int i = 0; i < KEYS; i++) {
                    batch.put("key/%05d".formatted(i), value("value " + i));
                }
                return batch.commit();
            });
        }
        try (Repository repository = place.open()) {
            long cold = statements(() -> assertThat(count(repository.pail())).isEqualTo(KEYS));
            System.out.println("PostgresReadsTest: " + KEYS + " keys read with " + cold + " statements");
            assertThat(cold).isLessThan(KEYS / 20);

            Pail warm = repository.pail();
            assertThat(statements(() -> assertThat(count(warm)).isEqualTo(KEYS)))
                    .isZero();
            assertThat(statements(() -> {
                        for (int i = 0; i < KEYS; i += 100) {
                            assertThat(warm.get("key/%05d".formatted(i))).contains(value("value " + i));
                        }
                    }))
                    .isZero();
            long verified = statements(
                    () -> assertThat(repository.verify(VerifyOptions.DEFAULT).absentValues())
                            .isEqualTo(KEYS));
            System.out.println(
                    "PostgresReadsTest: " + KEYS + " absent values looked for with " + verified + " statements");
            assertThat(verified).isLessThan(KEYS / 20);
            // The ref is asked for each time, as other machines may move it.
            assertThat(statements(
                            () -> assertThat(repository.pail().get("key/00001")).isPresent()))
                    .isEqualTo(1);
        }
    }

    /** Random changes on two branches that are merged now and then, the same in both. */
    @Test
    void anExportIsThatOfAFolder() {
        long seed = Randomness.seed("PostgresReadsTest");
        for (ShardFormat format : new ShardFormat[] {ShardFormat.v1(), ShardFormat.v0()}) {
            Supplier<Repository> folder =
                    () -> FileRepository.init(temporary.resolve(format.name()), format, BlockStorage.SEGMENTS);
            byte[] expected = exported(folder.get(), seed);
            byte[] found =
                    exported(TestRepository.inShared(PostgresStorage.PATIENCE).init(format), seed);
            assertThat(found).isEqualTo(expected);
            assertThat(expected.length).isGreaterThan(10_000);
        }
    }

    private static Pail put(Pail pail, String key) {
        Block block = Block.of(Cid.RAW, key.getBytes(StandardCharsets.UTF_8));
        pail.blocks().put(block);
        return pail.put(key, block.cid());
    }

    private static byte[] exported(Repository made, long seed) {
        Random random = Randomness.random(seed);
        try (Repository repository = made) {
            repository.update(Repository.MAIN, pail -> put(pail, "first"));
            repository.branches().create("side", repository.head(Repository.MAIN));
            for (int i = 0; i < 60; i++) {
                String branch = random.nextInt(3) == 0 ? "side" : Repository.MAIN;
                int keys = 1 + random.nextInt(20);
                repository.update(branch, pail -> {
                    Batch batch = pail.batch();
                    for (int each = 0; each < keys; each++) {
                        String key = "key " + random.nextInt(200);
                        if (random.nextInt(4) == 0) {
                            batch.delete(key);
                        } else {
                            Block block =
                                    Block.of(Cid.RAW, ("value " + random.nextInt()).getBytes(StandardCharsets.UTF_8));
                            pail.blocks().put(block);
                            batch.put(key, block.cid());
                        }
                    }
                    return batch.commit();
                });
                if (random.nextInt(10) == 0) {
                    MergeResult unused = repository.merge(
                            Repository.MAIN, "side", MergeOptions.DEFAULT.withPolicy(MergePolicy.theirs()));
                }
            }
            ByteArrayOutputStream car = new ByteArrayOutputStream();
            CarExport.Written written = CarExport.of(
                            repository.blocks(),
                            repository.head(Repository.MAIN).events())
                    .writeTo(car, "");
            assertThat(written.leftOut()).isZero();
            return car.toByteArray();
        }
    }
}
