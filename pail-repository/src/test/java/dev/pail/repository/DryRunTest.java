package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Collected;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a garbage collection would do is found out without a write. */
class DryRunTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();
    private static final Set<String> READS =
            Set.of("read", "status", "identity", "exists", "isDirectory", "list", "open", "size", "close");

    private final CrashDisk disk = new CrashDisk();

    /** A repository with a branch that stands at two events, and a block that nothing needs. */
    private void init(BlockStorage storage) {
        try (Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), storage)) {
            repository.update("main", pail -> pail.put("a", VALUE));
            Head first = repository.snapshot("main").head();
            repository.branches().create("b", first);
            repository.update("main", pail -> pail.put("b", VALUE));
            repository.update("b", pail -> pail.put("c", VALUE));
            Head both = Head.of(Stream.of("main", "b")
                    .flatMap(branch -> repository.snapshot(branch).head().events().stream())
                    .toList());
            repository.move(repository.snapshot("main"), both, "both");
            repository.blocks().put(Block.of(Cid.RAW, new byte[] {2}));
        }
        disk.pause(Duration.ofDays(100).toMillis());
    }

    private Collected dryRun() {
        List<String> writes = new ArrayList<>();
        Disk told = HookedDisk.telling(disk, (call, file) -> {
            if (!READS.contains(call)) {
                writes.add(call + ' ' + file);
            }
        });
        try (Repository repository = FileRepository.open(told, FOLDER, Duration.ZERO)) {
            Collected found = repository.maintenance().garbageCollection().dryRun();
            assertThat(writes).isEmpty();
            return found;
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsWritten(BlockStorage storage) {
        init(storage);
        Collected would = dryRun();
        assertThat(would.moved().blocks()).isEqualTo(1);
        try (Repository repository = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            assertThat(repository.maintenance().garbageCollection().run()).isEqualTo(would);
        }
    }

    @Test
    void whatIsInTheTrashStaysThere() throws IOException {
        init(BlockStorage.FILES);
        long moved = 0;
        disk.createDirectory(FOLDER.resolve("trash"));
        for (Path folder : disk.list(FOLDER.resolve("blocks"))) {
            if (folder.getFileName().toString().length() == 2) {
                Path to = FOLDER.resolve("trash").resolve(folder.getFileName());
                disk.createDirectory(to);
                for (Path file : disk.list(folder)) {
                    disk.rename(file, to.resolve(file.getFileName()));
                    moved++;
                }
            }
        }
        Collected would = dryRun();
        assertThat(would.deleted().blocks()).isEqualTo(1);
        assertThat(would.restored().blocks()).isEqualTo(moved - 1);
    }
}
