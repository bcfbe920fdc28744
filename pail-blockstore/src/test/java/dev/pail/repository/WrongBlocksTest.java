package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.ShardFormat;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.blockstore.LyingBlockStore;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedPail;
import dev.pail.disk.CrashDisk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** An event that the block store gives in the place of another says nothing of what that one needs. */
class WrongBlocksTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    @Test
    void anotherEventIsNotTakenForTheOneThatArrives() {
        CrashDisk disk = new CrashDisk();
        Repository.init(disk, FOLDER, ShardFormat.v1()).close();
        MemoryBlockStore blocks = new MemoryBlockStore();
        ReplicatedPail first = ReplicatedPail.create(blocks).put("a", VALUE);
        ReplicatedPail other = ReplicatedPail.create(blocks).put("b", VALUE);
        Cid asked = first.head().events().get(0);
        Cid given = other.head().events().get(0);
        assertThatCode(() -> arrive(disk, blocks, first.head())).doesNotThrowAnyException();
        assertThatExceptionOfType(CorruptBlockException.class)
                .isThrownBy(() -> arrive(disk, new LyingBlockStore(blocks, asked, given), first.head()))
                .withMessageContaining(given.toString());
    }

    private static void arrive(CrashDisk disk, BlockStore blocks, Head head) {
        RepositoryFolder folder = new RepositoryFolder(disk, FOLDER);
        Branches branches = new Branches(folder);
        StagedBlocks staged =
                new StagedBlocks(blocks, new FoundBlocks(DirectoryBlockStore.open(disk, FOLDER), () -> false), folder);
        try (StagedBlocks.Stage stage = staged.stage()) {
            new Arrivals(branches, new Tags(folder, branches), 0).check(head, "main", stage, Epoch.NONE);
        }
    }
}
