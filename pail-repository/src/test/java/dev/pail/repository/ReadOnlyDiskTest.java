package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.clock.Head;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Snapshot;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.Fault;
import dev.pail.testkit.disk.FaultyDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A repository on a disk that takes no writes. */
class ReadOnlyDiskTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();
    private static final Set<String> WRITES = Set.of(
            "tryLock", "create", "append", "truncate", "sync", "setMtime", "rename", "createDirectory", "delete");

    /** However blocks are kept, and although there is nothing to take away. */
    @ParameterizedTest
    @EnumSource
    void collectionFailsAndDryRunDoesNot(BlockStorage storage) {
        CrashDisk disk = new CrashDisk();
        FileRepository.init(disk, FOLDER, ShardFormat.v1(), storage).close();
        try (Repository repository = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            repository.update("main", pail -> pail.put("a", VALUE));
        }
        Disk readOnly = HookedDisk.telling(disk, (call, file) -> {
            if (WRITES.contains(call)) {
                throw new IOException("Read-only file system");
            }
        });
        try (Repository repository = FileRepository.open(readOnly, FOLDER, Duration.ZERO)) {
            assertThat(repository
                            .maintenance()
                            .garbageCollection()
                            .dryRun()
                            .kept()
                            .blocks())
                    .isPositive();
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(
                            () -> repository.maintenance().garbageCollection().run())
                    .withMessageContaining("Read-only file system");
        }
    }

    private static Snapshot put(Repository writer, String key) {
        writer.update("main", pail -> pail.put(key, VALUE));
        return writer.snapshot("main");
    }

    @Test
    void readingWritesNothing() {
        CrashDisk disk = new CrashDisk();
        Repository writer = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES);
        put(writer, "a");
        long calls = disk.calls();
        try (Repository reader = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            assertThat(Listing.entries(reader.pail())).containsOnlyKeys("a");
            assertThat(Listing.entries(reader.pailAt(Head.empty()))).isEmpty();
            reader.resolve("@{1}");
            reader.replica("main");
        }
        assertThat(disk.calls()).isEqualTo(calls);
    }

    @Test
    void whatIsMergedIsReadWhereNothingCanBeWritten() throws IOException {
        CrashDisk disk = new CrashDisk();
        Repository writer = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES);
        writer.branches().create("side", put(writer, "a").head());
        writer.update("side", pail -> pail.put("b", VALUE));
        put(writer, "c");
        Head side = writer.snapshot("side").head();
        writer.change("main", "merge side", ours -> ours.merge(side));
        Snapshot merged = writer.snapshot("main");
        assertThat(merged.head().size()).isEqualTo(2);
        String name = merged.root().multihashName();
        disk.delete(FOLDER.resolve("blocks")
                .resolve(name.substring(name.length() - 2))
                .resolve(name + ".data"));
        Disk readOnly = new FaultyDisk(disk, Fault.READ_ONLY, 1, true);
        try (Repository reader = FileRepository.open(readOnly, FOLDER, Duration.ZERO)) {
            for (int i = 0; i < 2; i++) {
                assertThat(Listing.entries(reader.pail())).containsOnlyKeys("a", "b", "c");
                assertThat(Listing.entries(Pail.open(reader.blocks(), merged.root())))
                        .containsOnlyKeys("a", "b", "c");
            }
        }
    }
}
