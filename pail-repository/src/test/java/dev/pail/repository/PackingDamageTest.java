package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.CorruptBlockException;
import dev.pail.ShardFormat;
import dev.pail.StoreDamagedException;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.blockstore.SegmentBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of all other blocks when they are moved and one is damaged. */
class PackingDamageTest {
    private static final int BLOCKS = 60;

    @TempDir
    Path folder;

    /** Blocks that are each similar to the one before, except the one in the middle. */
    private static List<Block> blocks() {
        byte[] bytes = new byte[4000];
        Random random = new Random(Randomness.seed("PackingDamageTest"));
        return IntStream.range(0, BLOCKS)
                .mapToObj(i -> {
                    if (i % (BLOCKS / 2) == 0) {
                        random.nextBytes(bytes);
                    }
                    bytes[i * 50]++;
                    return Block.of(Cid.RAW, bytes);
                })
                .toList();
    }

    private Repository init(BlockStorage storage, List<Block> blocks) {
        Repository repository = FileRepository.init(folder.resolve("r"), ShardFormat.v1(), storage);
        blocks.forEach(block -> repository.blocks().put(block));
        return repository;
    }

    @Test
    void whatCanBeReadGetsFiles() throws IOException {
        List<Block> blocks = blocks();
        init(BlockStorage.SEGMENTS, blocks).close();
        Path segment = folder.resolve("r/segments/00000.open");
        byte[] bytes = Files.readAllBytes(segment);
        // Bytes of the first block, which is the base of other blocks.
        byte[] part = Arrays.copyOfRange(blocks.get(0).bytes(), 3500, 3600);
        int at = 0;
        while (!Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
            at++;
        }
        bytes[at] ^= 1;
        Files.write(segment, bytes);
        List<Block> readable;
        try (SegmentBlockStore segments = SegmentBlockStore.open(segment.resolveSibling(""))) {
            readable =
                    blocks.stream().filter(block -> isReadable(segments, block)).toList();
        }
        assertThat(readable).isNotEmpty().hasSizeLessThan(BLOCKS);
        long size = Files.size(segment);

        try (Repository repository = FileRepository.open(folder.resolve("r"))) {
            assertThatExceptionOfType(CorruptBlockException.class)
                    .isThrownBy(() -> FileRepository.of(repository)
                            .orElseThrow()
                            .packing()
                            .unpack());
        }
        try (DirectoryBlockStore files = DirectoryBlockStore.open(folder.resolve("r/blocks"))) {
            assertThat(blocks.stream().filter(block -> files.has(block.cid()))).containsExactlyElementsOf(readable);
        }
        assertThat(Files.size(segment)).isEqualTo(size);
    }

    /** A file that is there already, and is not as it should be, does not take the place of a block in a segment. */
    @Test
    void aDamagedFileIsWrittenAnew() throws IOException {
        List<Block> blocks = blocks();
        init(BlockStorage.SEGMENTS, blocks).close();
        Block block = blocks.get(3);
        String name = block.cid().multihashName();
        Path file = folder.resolve("r/blocks/" + name.substring(name.length() - 2) + "/" + name + ".data");
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[block.size()]);
        try (Repository repository = FileRepository.open(folder.resolve("r"))) {
            FileRepository.of(repository).orElseThrow().packing().unpack();
        }
        assertThat(file).hasBinaryContent(block.bytes());
    }

    /** The files are removed when the blocks are in a segment: what is damaged there afterwards takes nothing else with it. */
    @ParameterizedTest
    @ValueSource(ints = {40, 2000, 5000})
    void damageBehindAPackLosesNothingElse(int offset) throws IOException {
        List<Block> blocks = blocks();
        try (Repository repository = init(BlockStorage.FILES, blocks)) {
            FileRepository.of(repository).orElseThrow().packing().pack();
        }
        Path segment = folder.resolve("r/segments/00000.open");
        byte[] bytes = Files.readAllBytes(segment);
        bytes[offset] ^= 1;
        Files.write(segment, bytes);
        List<Block> readable;
        try (SegmentBlockStore segments = SegmentBlockStore.open(segment.resolveSibling(""))) {
            readable =
                    blocks.stream().filter(block -> isReadable(segments, block)).toList();
        }
        assertThat(readable).hasSizeGreaterThanOrEqualTo(BLOCKS / 2);

        try (Repository repository = FileRepository.open(folder.resolve("r"))) {
            assertThatThrownBy(() -> FileRepository.of(repository)
                            .orElseThrow()
                            .packing()
                            .unpack())
                    .isInstanceOfAny(CorruptBlockException.class, StoreDamagedException.class);
            // Nothing that was written has failed.
            repository.update("main", pail -> pail.put("key", blocks.get(0).cid()));
        }
        try (DirectoryBlockStore files = DirectoryBlockStore.open(folder.resolve("r/blocks"))) {
            assertThat(blocks.stream().filter(block -> files.has(block.cid()))).containsExactlyElementsOf(readable);
        }
        assertThat(segment).hasBinaryContent(bytes);
    }

    private static boolean isReadable(SegmentBlockStore segments, Block block) {
        try {
            return segments.get(block.cid()).isPresent();
        } catch (CorruptBlockException e) {
            return false;
        }
    }

    @Test
    void allButOneGoToSegments() throws IOException {
        List<Block> blocks = blocks();
        try (Repository repository = init(BlockStorage.FILES, blocks)) {
            String name = blocks.get(7).cid().multihashName();
            Path file = folder.resolve("r/blocks/" + name.substring(name.length() - 2) + '/' + name + ".data");
            Files.write(file, new byte[] {1});
            assertThatExceptionOfType(CorruptBlockException.class)
                    .isThrownBy(() -> FileRepository.of(repository)
                            .orElseThrow()
                            .packing()
                            .pack())
                    .withMessageContaining(name);
            assertThat(file).hasBinaryContent(new byte[] {1});
        }
        try (SegmentBlockStore segments = SegmentBlockStore.open(folder.resolve("r/segments"))) {
            assertThat(blocks.stream().filter(block -> !segments.has(block.cid())))
                    .containsExactly(blocks.get(7));
        }
    }
}
