package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.BlockStore;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.ReplicatedPail;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A branch, a tag or a merge of events whose import ended before they were durable (spec rule REP14). */
class UnsyncedBlocksTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();
    private static final int LOSSES = 20;

    private final CrashDisk disk = new CrashDisk();
    private final BlockStore blocks = new MemoryBlockStore();
    private final ReplicatedPail theirs =
            ReplicatedPail.create(blocks, ShardFormat.v1()).put("a", VALUE).put("b", VALUE);

    /** The blocks of the history, those that are linked before those that link to them. */
    private List<Block> history() {
        MerkleClock clock = MerkleClock.open(blocks);
        Event second = clock.event(theirs.head().events().get(0));
        Event first = clock.event(second.parents().get(0));
        return List.of(blocks.require(first.root()), first.block(), blocks.require(second.root()), second.block());
    }

    /** A file of a process that is killed when it is about to sync all of what it has put. */
    private final class Dying implements Disk.WritableFile {
        private final Disk.WritableFile file;
        private final AtomicBoolean killed;

        Dying(Disk.WritableFile file, AtomicBoolean killed) {
            this.file = file;
            this.killed = killed;
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            file.write(bytes);
        }

        @Override
        public void seek(long position) throws IOException {
            file.seek(position);
        }

        @Override
        public void sync() throws IOException {
            killIfAllIsPut(killed);
            file.sync();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    private void killIfAllIsPut(AtomicBoolean killed) throws IOException {
        killed.compareAndSet(false, holdsAll());
        if (killed.get()) {
            throw new IOException("killed");
        }
    }

    /** Another process is killed when it is about to sync what it has put: what it does after that does not happen. */
    private void importIsKilled() {
        AtomicBoolean killed = new AtomicBoolean();
        Disk other = HookedDisk.of(disk, (call, file, made) -> {
            if (killed.get() && !call.equals("close") && !call.equals("now")) {
                throw new IOException("killed");
            }
            if (call.equals("syncDirectory") && file != null && file.startsWith(FOLDER.resolve("blocks"))) {
                killIfAllIsPut(killed);
            }
            Object opened = made.make();
            return opened instanceof Disk.WritableFile writable ? new Dying(writable, killed) : opened;
        });
        try (Repository importing = FileRepository.open(other, FOLDER, Duration.ZERO)) {
            assertThatThrownBy(() -> importing.blocks().putAll(history())).hasMessageContaining("killed");
        }
        assertThat(holdsAll()).isTrue();
    }

    /** Whether the blocks can be read, be they durable or not. */
    private boolean holdsAll() {
        CrashDisk image = disk.afterLoss(CrashDisk.Loss.NOTHING, new Random(0));
        try (Repository repository = FileRepository.open(image, FOLDER, Duration.ZERO)) {
            return history().stream()
                    .allMatch(block -> repository.blocks().get(block.cid()).isPresent());
        }
    }

    private enum How {
        BRANCH,
        TAG,
        MERGE
    }

    @ParameterizedTest
    @EnumSource
    void branchOfUnsyncedEventsSurvives_REP14(BlockStorage storage) {
        survives(storage, How.BRANCH);
    }

    @ParameterizedTest
    @EnumSource
    void tagOfUnsyncedEventsSurvives_REP14(BlockStorage storage) {
        survives(storage, How.TAG);
    }

    @ParameterizedTest
    @EnumSource
    void mergeOfUnsyncedEventsSurvives_REP14(BlockStorage storage) {
        survives(storage, How.MERGE);
    }

    private void survives(BlockStorage storage, How how) {
        FileRepository.init(disk, FOLDER, ShardFormat.v1(), storage).close();
        try (Repository repository = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            repository.blocks().put(Block.of(Cid.RAW, new byte[] {2}));
        }
        importIsKilled();
        Head head = theirs.head();
        try (Repository repository = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            switch (how) {
                case BRANCH -> repository.branches().create("theirs", head);
                case TAG -> repository.tags().create("theirs", head);
                case MERGE -> repository.change("main", "merge", ours -> ours.merge(head));
            }
        }
        Random random = new Random(Randomness.seed("UnsyncedBlocksTest"));
        for (int i = 0; i < LOSSES; i++) {
            CrashDisk image = disk.afterLoss(i == 0 ? CrashDisk.Loss.ALL : CrashDisk.Loss.ANY, random);
            try (Repository again = FileRepository.open(image, FOLDER, Duration.ZERO)) {
                Head there = how == How.TAG
                        ? again.tags().head("theirs").orElseThrow()
                        : again.head(how == How.BRANCH ? "theirs" : "main");
                assertThat(there).isEqualTo(head);
                assertThat(Verification.of(again.blocks(), again.pailAt(there).root())
                                .isSound())
                        .isTrue();
                assertThat(MerkleClock.open(again.blocks()).history(there)).hasSize(2);
            }
        }
    }
}
