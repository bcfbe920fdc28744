package dev.pail.through;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.MissingBlockException;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.Remote;
import dev.pail.remote.RepositoryRemote;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.MemoryRefs;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.sweep.SweptBlocks;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.MemoryTempDir;
import dev.pail.unixfs.FileLayout;
import dev.pail.unixfs.UnixFs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that a store has lost come back from another repository. */
final class HealingBlocksTest {
    private static final VerifyOptions ALL =
            VerifyOptions.DEFAULT.withAllVersions().withValues();

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private final Random random = Randomness.random("HealingBlocksTest");

    /** A repository with a history, values, and files of several blocks. */
    private Repository filled() throws IOException {
        Repository repository = Repository.inMemory(ShardFormat.v1());
        int updates = Randomness.times(60, 1500);
        for (int i = 0; i < updates; i++) {
            byte[] file = new byte[random.nextInt(3000)];
            random.nextBytes(file);
            Cid root = UnixFs.write(repository.blocks(), new ByteArrayInputStream(file), new FileLayout(512, 4));
            int number = i;
            var unused = repository.update(
                    "main",
                    before -> before.put("file/" + number % 40, root)
                            .putBytes(
                                    "text/" + random.nextInt(200),
                                    ("text " + number).getBytes(StandardCharsets.UTF_8)));
            if (i % 10 == 9) {
                var unusedBranch = repository.branches().create("side" + i, repository.head("main"));
            }
        }
        return repository;
    }

    private static Exchange.Cloned cloned(Repository origin, Repository copy) {
        Remote remote = RepositoryRemote.of(origin, "origin");
        return Exchange.of(copy, "origin", remote).cloneAll(remote.info());
    }

    private static BlockSources sources(Repository origin) {
        return BlockSources.of(
                Map.of("origin", () -> RemoteReads.of(RepositoryRemote.of(origin, "origin"))),
                BlockSources.Listener.NONE);
    }

    private static void heal(Repository origin, Repository copy) {
        try (BlockSources sources = sources(origin)) {
            assertThat(lost(origin, copy.readingThrough(sources))).isEmpty();
            assertThat(sources.fetched()).isPositive();
        }
        assertThat(lost(origin, copy)).isEmpty();
    }

    /** What a check finds missing or damaged that the origin has. It does not have what a copy notes for itself, such as the end of a fetch. */
    private static List<Cid> lost(Repository origin, Repository copy) {
        List<Cid> lost = new ArrayList<>();
        VerifyReport unused =
                copy.verify(ALL.withProblems(problem -> problem.cid().ifPresent(lost::add)));
        lost.removeIf(cid -> !origin.blocks().has(cid));
        return lost;
    }

    private List<Path> files(Path below) {
        try (Stream<Path> all = Files.walk(below)) {
            return new ArrayList<>(all.filter(Files::isRegularFile).sorted().toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void filesThatAreGoneOrDamaged() throws IOException {
        try (Repository origin = filled();
                Repository copy = FileRepository.init(folder.resolve("copy"), ShardFormat.v1(), BlockStorage.FILES)) {
            assertThat(cloned(origin, copy).fetched()).isNotEmpty();
            List<Path> files = files(folder.resolve("copy/blocks"));
            for (Path file : files) {
                switch (random.nextInt(3)) {
                    case 0 -> Files.delete(file);
                    case 1 -> damage(file);
                    default -> {}
                }
            }
            try (Repository opened = FileRepository.open(folder.resolve("copy"))) {
                assertThat(lost(origin, opened)).isNotEmpty();
                heal(origin, opened);
                assertThat(opened.root("main")).isEqualTo(origin.root("main"));
            }
        }
    }

    private void damage(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length > 0) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, bytes);
        }
    }

    @Test
    void blocksThatAnyStoreHasLost() throws IOException {
        try (Repository origin = filled()) {
            Lossy blocks = new Lossy();
            Repository copy = Repository.open(new MemoryRefs(), blocks, ShardFormat.v1());
            assertThat(cloned(origin, copy).fetched()).isNotEmpty();
            blocks.lose(random);
            Repository again = Repository.open(copy.refs(), blocks, ShardFormat.v1());
            assertThat(lost(origin, again)).isNotEmpty();
            heal(origin, again);
        }
    }

    /** A reader gets what it needs, and that alone is put back; a value that no place has stays absent. */
    @Test
    void readersGetWhatTheyNeed() throws IOException {
        try (Repository origin = filled()) {
            Lossy blocks = new Lossy();
            Repository copy = Repository.open(new MemoryRefs(), blocks, ShardFormat.v1());
            assertThat(cloned(origin, copy).fetched()).isNotEmpty();
            blocks.lost.addAll(blocks.known);
            Repository bare = Repository.open(copy.refs(), blocks, ShardFormat.v1());
            assertThatThrownBy(bare::pail).isInstanceOf(MissingBlockException.class);
            List<String> told = new ArrayList<>();
            BlockSources sources = BlockSources.of(
                    Map.of("origin", () -> RemoteReads.of(RepositoryRemote.of(origin, "origin"))),
                    new BlockSources.Listener() {
                        @Override
                        public void fetched(String place, Cid first, int count) {
                            told.add(place);
                        }
                    });
            try (Repository healing =
                    Repository.open(copy.refs(), blocks, ShardFormat.v1()).readingThrough(sources)) {
                assertThat(healing.pail().entries())
                        .hasSameSizeAs(origin.pail().entries().toList());
                assertThat(told).contains("origin");
                Cid nowhere = Block.of(Cid.RAW, new byte[] {9, 9, 9}).cid();
                assertThat(healing.blocks().get(nowhere)).isEmpty();
                assertThat(healing.blocks().has(nowhere)).isFalse();
            }
        }
    }

    /** The listener hears once of a place that cannot be reached, and the reader has what it would have without it. */
    @Test
    void aPlaceThatCannotBeReached() {
        List<String> told = new ArrayList<>();
        BlockSources sources = BlockSources.of(
                Map.of("origin", () -> (cids, target) -> {
                    throw new StoreIOException("cannot reach", "origin", "gone", null);
                }),
                new BlockSources.Listener() {
                    @Override
                    public void unreachable(String place, PailException cause) {
                        told.add(place);
                    }
                });
        try (Repository repository = Repository.inMemory().readingThrough(sources)) {
            Cid nowhere = Block.of(Cid.RAW, new byte[] {9, 9, 9}).cid();
            assertThat(repository.blocks().get(nowhere)).isEmpty();
            assertThat(repository.blocks().get(nowhere)).isEmpty();
            assertThat(told).containsExactly("origin");
            assertThat(sources.failure()).isPresent();
        }
    }

    /** Blocks in memory. Some are lost until they are put again. */
    private static final class Lossy implements RepositoryBlocks {
        private final MemoryBlocks blocks = new MemoryBlocks();
        private final Set<Cid> known = new HashSet<>();
        private final Set<Cid> lost = new HashSet<>();

        void lose(Random random) {
            known.stream().filter(cid -> random.nextInt(3) == 0).forEach(lost::add);
        }

        @Override
        public Optional<Block> get(Cid cid) {
            return lost.contains(cid.raw()) ? Optional.empty() : blocks.get(cid);
        }

        @Override
        public boolean has(Cid cid) {
            return !lost.contains(cid.raw()) && blocks.has(cid);
        }

        @Override
        public void putAll(Collection<Block> all, Map<Cid, Cid> origins) {
            blocks.putAll(all, origins);
            all.forEach(block -> {
                known.add(block.cid().raw());
                lost.remove(block.cid().raw());
            });
        }

        @Override
        public SweptBlocks swept() {
            return blocks.swept();
        }

        @Override
        public void close() {
            blocks.close();
        }
    }
}
