package dev.pail.repository.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ShardFormat;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.RepositoryException;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A branch is read from its files when these have changed, and is never older than they are. */
class BranchCacheTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Path LOG = FOLDER.resolve("logs/main");
    private static final Path HEAD = FOLDER.resolve("heads/main");
    private static final Instant OLD = Instant.EPOCH.minus(Duration.ofHours(1));
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private final CrashDisk disk = new CrashDisk();
    private final List<Path> reads = new ArrayList<>();
    private Repository reader;
    private Repository writer;

    @BeforeEach
    void open() {
        FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES).close();
        Disk told = HookedDisk.telling(disk, (call, file) -> {
            if (call.equals("open") || call.equals("read")) {
                reads.add(file);
            }
        });
        reader = FileRepository.open(told, FOLDER, Duration.ZERO);
        writer = FileRepository.open(disk, FOLDER, Duration.ZERO);
        put("a");
    }

    @AfterEach
    void close() {
        reader.close();
        writer.close();
    }

    private void put(String key) {
        writer.update("main", pail -> pail.put(key, VALUE));
    }

    /** Gives both files an mtime that they may have had before. */
    private void age() throws IOException {
        disk.setMtime(HEAD, OLD);
        disk.setMtime(LOG, OLD);
    }

    private long generation() {
        reads.clear();
        return reader.snapshot("main").generation();
    }

    private void write(Path file, byte[] bytes) throws IOException {
        disk.delete(file);
        Disk.write(disk, file, bytes);
    }

    @Test
    void readsUnchangedFilesOnce() throws Exception {
        age();
        assertThat(generation()).isOne();
        assertThat(reads).contains(HEAD, LOG);
        assertThat(generation()).isOne();
        assertThat(reads).doesNotContain(HEAD, LOG);
    }

    @Test
    void sizeOfTheLogShowsAMove_REP14() throws Exception {
        age();
        assertThat(generation()).isOne();
        for (int i = 2; i < 5; i++) {
            put("key " + i);
            age();
            assertThat(generation()).isEqualTo(i);
            assertThat(reader.snapshot("main").head())
                    .isEqualTo(writer.snapshot("main").head());
        }
    }

    @Test
    void mtimeShowsAnotherHead() throws Exception {
        byte[] first = disk.read(HEAD, 1 << 10);
        put("b");
        age();
        assertThat(generation()).isEqualTo(2);
        write(HEAD, first);
        assertThat(generation()).isOne();
    }

    @Test
    void removedHeadIsMissing() throws Exception {
        age();
        assertThat(generation()).isOne();
        disk.delete(HEAD);
        assertThatExceptionOfType(RepositoryException.class).isThrownBy(this::generation);
    }

    @Test
    void youngFilesAreReadAgain() throws Exception {
        Instant young = disk.now();
        disk.setMtime(HEAD, OLD);
        disk.setMtime(LOG, young);
        assertThat(generation()).isOne();
        byte[] log = disk.read(LOG, 1 << 20);
        log[0] ^= 1;
        write(LOG, log);
        disk.setMtime(LOG, young);
        assertThatExceptionOfType(RepositoryException.class).isThrownBy(this::generation);
    }

    @Test
    void youngHeadIsReadAgain() throws Exception {
        byte[] first = disk.read(HEAD, 1 << 10);
        put("b");
        Instant young = disk.now();
        disk.setMtime(HEAD, young);
        disk.setMtime(LOG, OLD);
        assertThat(generation()).isEqualTo(2);
        write(HEAD, first);
        disk.setMtime(HEAD, young);
        assertThat(generation()).isOne();
    }

    @Test
    void tornLogIsReadAgain() throws Exception {
        try (Disk.WritableFile log = disk.append(LOG)) {
            log.write(new byte[] {'1', '\t'});
        }
        age();
        assertThat(generation()).isOne();
        assertThat(generation()).isOne();
        assertThat(reads).contains(HEAD, LOG);
    }

    /** A writer has appended to the log, and replaces the head now. */
    @Test
    void moveThatIsNotThroughIsReadAgain_REP14() throws Exception {
        byte[] first = disk.read(HEAD, 1 << 10);
        put("b");
        byte[] second = disk.read(HEAD, 1 << 10);
        write(HEAD, first);
        age();
        assertThat(generation()).isOne();
        write(HEAD, second);
        age();
        assertThat(generation()).isEqualTo(2);
    }
}
