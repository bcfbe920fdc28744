package dev.pail.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockLocation;
import dev.pail.BlockLocation.Form;
import dev.pail.CorruptBlockException;
import dev.pail.RowLoc;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.segment.format.SegmentFile;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where blocks are in segments, and blocks by their places (Benchtop, "RowLoc"). */
class LocatedBlocksTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Segments open(boolean packs) {
        return Segments.open(Disk.system(), folder, 0, 20_000, packs, Duration.ZERO);
    }

    private static Block block(Random random, int size) {
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return Block.of(Cid.RAW, bytes);
    }

    /** The bytes in a place, by its offset alone. */
    private byte[] bytes(BlockLocation found) throws IOException {
        RowLoc place = found.rowLoc().orElseThrow();
        byte[] file = Files.readAllBytes(Path.of(found.file().orElseThrow()));
        return Arrays.copyOfRange(file, (int) place.offset(), (int) (place.offset() + place.size()));
    }

    @Test
    void aPlaceHasTheBytesOfItsBlock_B7_SEG5() throws IOException {
        Random random = Randomness.random("aPlaceHasTheBytesOfItsBlock");
        List<Block> blocks = new ArrayList<>();
        Map<Form, Integer> forms = new EnumMap<>(Form.class);
        try (Segments store = open(true)) {
            Lineages lineages = new Lineages(random, 3, 30);
            for (int i = 0; i < 300; i++) {
                Block block = i % 3 == 0 ? block(random, random.nextInt(300)) : lineages.next();
                blocks.add(block);
                store.putAll(List.of(block), lineages.origins);
            }
            for (Block block : blocks) {
                BlockLocation found = store.locate(block.cid()).orElseThrow();
                forms.merge(found.form(), 1, Integer::sum);
                if (found.form() == Form.WHOLE) {
                    assertThat(bytes(found)).isEqualTo(block.bytes());
                    RowLoc place = found.rowLoc().orElseThrow();
                    assertThat(store.read(place)).contains(block);
                    assertThat(store.read(new RowLoc(place.section(), place.offset() + 1, place.size())))
                            .isEmpty();
                    assertThat(store.read(new RowLoc(place.section(), place.offset(), place.size() + 1)))
                            .isEmpty();
                    assertThat(store.read(new RowLoc(60_000, place.offset(), place.size())))
                            .isEmpty();
                }
            }
        }
        assertThat(forms).containsOnlyKeys(Form.WHOLE, Form.DELTA, Form.PACKED_DELTA);
    }

    @Test
    void noPlaceInForeignBytes() throws IOException {
        Random random = Randomness.random("noPlaceInForeignBytes");
        try (Segments store = open(true)) {
            store.putAll(List.of(block(random, 5000)), Map.of());
            for (int i = 0; i < 2000; i++) {
                long offset = random.nextInt(4) == 0 ? random.nextLong() & 0xffff_ffffL : random.nextInt(6000);
                long size = random.nextInt(4) == 0 ? random.nextLong() & 0xffff_ffffL : random.nextInt(6000);
                assertThat(store.read(new RowLoc(0, offset, size)))
                        .satisfiesAnyOf(
                                none -> assertThat(none).isEmpty(),
                                found -> assertThat(size).isEqualTo(5000));
            }
        }
    }

    @Test
    void aBlockThatIsItsOwnOriginIsWhole_SEG11() throws IOException {
        Random random = Randomness.random("aBlockThatIsItsOwnOriginIsWhole");
        Block first = block(random, 1000);
        byte[] changed = first.bytes();
        changed[500]++;
        Block second = Block.of(Cid.RAW, changed);
        try (Segments store = open(true)) {
            store.putAll(List.of(first, second), Map.of(second.cid(), first.cid()));
            assertThat(store.locate(second.cid()).orElseThrow().form()).isNotEqualTo(Form.WHOLE);
            store.putAll(List.of(second), Map.of(second.cid(), second.cid()));
            BlockLocation whole = store.locate(second.cid()).orElseThrow();
            assertThat(bytes(whole)).isEqualTo(second.bytes());
            store.putAll(List.of(second), Map.of(second.cid(), second.cid()));
            assertThat(store.locate(second.cid())).contains(whole);
            // Staged twice in one batch.
            Block third = block(random, 1000);
            byte[] similar = third.bytes();
            similar[1]++;
            Block fourth = Block.of(Cid.RAW, similar);
            store.putAll(List.of(third, fourth), Map.of(third.cid(), third.cid(), fourth.cid(), fourth.cid()));
            assertThat(bytes(store.locate(fourth.cid()).orElseThrow())).isEqualTo(fourth.bytes());
            store.compact(cid -> !cid.equals(first.cid()));
            BlockLocation moved = store.locate(second.cid()).orElseThrow();
            assertThat(bytes(moved)).isEqualTo(second.bytes());
            assertThat(moved.rowLoc()).isNotEqualTo(whole.rowLoc());
            assertThat(store.locate(first.cid())).as("a base").isEqualTo(Optional.empty());
        }
        try (Segments again = open(true)) {
            assertThat(again.get(second.cid())).contains(second);
        }
    }

    @Test
    void aNumberOverTenBytesHasNoPlace_SEG4() throws IOException {
        Block block = block(new Random(1), 10);
        Files.write(folder.resolve("70000.open"), SegmentFile.beginning(70_000, 1));
        try (Segments store = open(true)) {
            store.putAll(List.of(block), Map.of());
            BlockLocation found = store.locate(block.cid()).orElseThrow();
            assertThat(found.form()).isEqualTo(Form.TOO_WIDE);
            assertThat(found.rowLoc()).isEmpty();
            assertThat(found.file().orElseThrow()).contains("70000");
        }
    }

    @Test
    void bytesThatDoNotMatchTheirCidAreRefused() throws IOException {
        Block block = block(new Random(1), 100);
        RowLoc place;
        try (Segments store = open(true)) {
            store.putAll(List.of(block), Map.of());
            place = store.locate(block.cid()).orElseThrow().rowLoc().orElseThrow();
        }
        Path file = folder.resolve("00000.open");
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) place.offset() + 50] ^= 1;
        Files.write(file, bytes);
        try (Segments store = open(true)) {
            assertThatExceptionOfType(CorruptBlockException.class)
                    .isThrownBy(() -> store.read(place))
                    .satisfies(e -> assertThat(e.cid()).isEqualTo(block.cid()));
        }
    }
}
