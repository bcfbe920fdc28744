package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToLongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers of a log that a writer truncates at a torn line, after the readers have seen the size of the file. */
class CutLogTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private final CrashDisk disk = new CrashDisk();

    private long read(int torn, ToLongFunction<Repository> reading) throws IOException {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES)) {
            repository.update("main", pail -> pail.put("a", VALUE));
        }
        try (Disk.WritableFile log = disk.append(FOLDER.resolve("logs/main"))) {
            log.write("2\t2026-11-22T18:31:56Z\tx".repeat(torn).getBytes(StandardCharsets.US_ASCII));
        }
        AtomicBoolean cut = new AtomicBoolean();
        Disk shared = HookedDisk.telling(disk, (call, file) -> {
            if (call.equals("read") && file.endsWith("logs/main") && !cut.getAndSet(true)) {
                try (Repository writer = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
                    writer.update("main", pail -> pail.put("b", VALUE));
                }
            }
        });
        try (Repository reader = FileRepository.open(shared, FOLDER, Duration.ZERO)) {
            long read = reading.applyAsLong(reader);
            assertThat(cut).isTrue();
            assertThat(reader.pail().entries()).hasSize(2);
            return read;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 1000})
    void theyReadTheVersion(int torn) throws IOException {
        assertThat(read(torn, reader -> reader.pail().entries().count())).isBetween(1L, 2L);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 1000})
    void theyReadTheLog(int torn) throws IOException {
        assertThat(read(torn, reader -> reader.history().log("main").count())).isBetween(1L, 2L);
    }
}
