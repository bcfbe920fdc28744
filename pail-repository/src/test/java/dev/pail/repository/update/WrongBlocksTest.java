package dev.pail.repository.update;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.EntryCounts;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.Head;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.refs.Refs;
import dev.pail.repository.spi.Epoch;
import dev.pail.repository.spi.RefStore;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.sweep.SweptBlocks;
import dev.pail.testkit.LyingBlockStore;
import dev.pail.testkit.disk.CrashDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** An event that the block store gives in the place of another says nothing of what that one needs. */
class WrongBlocksTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    @Test
    void anotherEventIsNotTakenForTheOneThatArrives() {
        CrashDisk disk = new CrashDisk();
        FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES).close();
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
        RefStore refs = FileRepository.open(disk, FOLDER, Duration.ZERO).refs();
        StagedBlocks staged = new StagedBlocks(new Adapted(blocks), "", EntryCounts.NONE);
        try (StagedBlocks.Transaction transaction = staged.transaction()) {
            new ConnectivityCheck(new Refs(refs), 0).check(head, "main", transaction, Epoch.NONE);
        }
    }

    /** Any block store as that of a repository, from which nothing is collected. */
    private record Adapted(BlockStore blocks) implements RepositoryBlocks {
        @Override
        public void check(Consumer<PailException> damaged, Runnable progress) {}

        @Override
        public Optional<Block> get(Cid cid) {
            return blocks.get(cid);
        }

        @Override
        public boolean has(Cid cid) {
            return blocks.has(cid);
        }

        @Override
        public void putAll(Collection<Block> all, Map<Cid, Cid> origins) {
            blocks.putAll(all);
        }

        @Override
        public SweptBlocks swept() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void renew() {}

        @Override
        public void rely(Cid found) {}

        @Override
        public boolean confirm() {
            return false;
        }

        @Override
        public void offer(Collection<Block> made, Map<Cid, Cid> origins) {
            blocks.putAll(made);
        }

        @Override
        public void close() {
            blocks.close();
        }
    }
}
