package dev.pail.repository.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of the numbers of entries below shards. */
class EntryCountFileTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private static Pail filled(Pail pail) {
        Cid value = Block.of(Cid.RAW, new byte[] {1}).cid();
        Batch batch = pail.batch();
        for (int i = 0; i < 5_000; i++) {
            batch.put("k" + Integer.toHexString(i * 0x9e3779b9), value);
        }
        return batch.commit();
    }

    private long count() {
        try (Repository repository = FileRepository.open(folder.resolve("r"))) {
            return repository.pail().count(KeyRange.all());
        }
    }

    /** A reader takes the numbers of another one; a lost or damaged file costs time alone. */
    @Test
    void aFileThatIsLostOrDamagedIsMadeAgain_REP41() throws IOException {
        Path file = folder.resolve("r/derived/counts");
        try (Repository repository =
                FileRepository.init(folder.resolve("r"), ShardFormat.v1(), BlockStorage.SEGMENTS)) {
            repository.update("main", EntryCountFileTest::filled);
        }
        assertThat(count()).isEqualTo(5_000);
        byte[] written = Files.readAllBytes(file);
        assertThat(count()).isEqualTo(5_000);
        assertThat(Files.readAllBytes(file)).isEqualTo(written);
        for (int at : new int[] {0, 20, 36, 40, written.length - 1}) {
            byte[] damaged = written.clone();
            damaged[at] ^= 1;
            Files.write(file, damaged);
            assertThat(count()).isEqualTo(5_000);
            assertThat(Files.readAllBytes(file)).isEqualTo(written);
        }
        Files.write(file, Arrays.copyOf(written, written.length / 2));
        assertThat(count()).isEqualTo(5_000);
        Files.delete(file);
        assertThat(count()).isEqualTo(5_000);
        assertThat(Files.readAllBytes(file)).isEqualTo(written);
        // What the file has is used: with a right sum, a wrong number is believed.
        DerivedFile derived =
                new DerivedFile(new RepositoryFolder(Disk.system(), folder.resolve("r")), "counts", "counts");
        byte[] content = derived.read().orElseThrow();
        content[content.length - 1] ^= 1;
        derived.write(content);
        assertThat(count()).isNotEqualTo(5_000);
    }
}
