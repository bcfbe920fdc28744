package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.disk.CrashDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the garbage collector keeps for files that can be read as heads, but are no branches and no tags (spec rule G1). */
class ForeignHeadsTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private final CrashDisk disk = new CrashDisk();

    @ParameterizedTest
    @CsvSource({"heads, main.sync-conflict-20261121", "heads, main (copy)", "tags, v1 (copy)"})
    void keepsWhatAForeignFileLeadsTo_G1(String folder, String name) throws IOException {
        FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES).close();
        Path file = FOLDER.resolve(folder).resolve(name);
        try (Repository repository = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            repository
                    .tags()
                    .create(
                            "v0",
                            repository.replica("main").put("tagged", VALUE).head());
            Head other = repository.replica("main").put("other", VALUE).head();
            Cid absent = Block.of(Cid.DAG_CBOR, new byte[] {(byte) 0xa0}).cid();
            Cid shard = repository.root(Repository.MAIN);
            Disk.write(disk, file, file(Head.of(other.events().get(0), absent, shard)));
            assertThat(FileRepository.of(repository).orElseThrow().foreignFiles())
                    .containsExactly(file);
            collect(repository);
            Pail kept = repository.pailAt(other);
            assertThat(kept.get("other")).contains(VALUE);

            disk.delete(file);
            collect(repository);
            assertThat(repository.blocks().has(other.events().get(0))).isFalse();
        }
    }

    /** Twice: to the trash, and from there. */
    private void collect(Repository repository) {
        for (int i = 0; i < 2; i++) {
            disk.pause(Duration.ofDays(1).toMillis());
            repository
                    .maintenance()
                    .garbageCollection()
                    .withAnyGrace(Duration.ofMinutes(1))
                    .run();
        }
    }

    private static byte[] file(Head head) {
        StringBuilder lines = new StringBuilder();
        head.events().forEach(event -> lines.append(event).append('\n'));
        return lines.toString().getBytes(StandardCharsets.US_ASCII);
    }
}
