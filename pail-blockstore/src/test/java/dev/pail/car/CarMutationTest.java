package dev.pail.car;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.CorruptBlockException;
import dev.pail.ipld.Block;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CARs with damage: never other data, another error, or more memory than the bytes are worth. */
class CarMutationTest {
    private final Random random = new Random(Randomness.seed("CarMutationTest"));

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    /** Reads all, and says how many blocks there were; the bytes of every one are among those that were written, if there were any. */
    static int check(byte[] car, Set<Block> written) {
        int found = 0;
        try (CarReader reader = Cars.reader(car)) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                try {
                    Block block = next.get().block();
                    assertThat(Block.verified(block.cid(), block.bytes())).isEqualTo(block);
                    if (written.contains(block)) {
                        found++;
                    } else if (!written.isEmpty()) {
                        // Damage to the codec gives the bytes another name, which their hash does not tell.
                        assertThat(written).anyMatch(each -> Arrays.equals(each.bytes(), block.bytes()));
                    }
                } catch (CorruptBlockException | UnsupportedHashException e) {
                    assertThat(e.getMessage()).contains(next.get().cid().toString());
                }
            }
        } catch (MalformedDataException e) {
            assertThat(e.code()).isEqualTo("malformed-car");
            assertThat(e.offset()).isBetween(0L, (long) car.length);
        }
        return found;
    }

    private byte[] original(List<Block> blocks) {
        byte[] car = Cars.car(blocks);
        return switch (random.nextInt(3)) {
            case 0 -> car;
            case 1 -> Cars.v2(car, random.nextInt(20), 0);
            default -> Cars.v2(car, random.nextInt(20), 1 + random.nextInt(50));
        };
    }

    private byte[] mutated(byte[] car) {
        byte[] bytes = car.clone();
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            // The beginning, where the lengths and offsets are, is hit more often.
            int at = random.nextInt(random.nextBoolean() ? Math.min(bytes.length, 120) : bytes.length);
            switch (random.nextInt(6)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt(256);
                case 2 -> bytes[at] = (byte) 0xff;
                case 3 -> bytes = Arrays.copyOf(bytes, at + 1);
                case 4 -> bytes = Cars.join(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, at + 1, bytes.length));
                default ->
                    bytes = Cars.join(
                            Arrays.copyOf(bytes, at),
                            new byte[random.nextInt(10)],
                            Arrays.copyOfRange(bytes, at, bytes.length));
            }
            if (bytes.length == 0) {
                return bytes;
            }
        }
        return bytes;
    }

    @Test
    void randomDamage() {
        int refused = 0;
        int times = Randomness.times(20_000, 1_000_000);
        for (int i = 0; i < times; i++) {
            List<Block> blocks = Cars.randomBlocks(random, 1 + random.nextInt(5), 100);
            byte[] car = mutated(original(blocks));
            Set<Block> written = blocks.stream().collect(Collectors.toSet());
            // The first time loads classes, some 17 MB for other hash functions.
            int found = check(car, written);
            long before = Allocation.soFar();
            check(car, written);
            assertThat(Allocation.soFar() - before).isLessThan(1 << 20);
            refused += found < blocks.size() ? 1 : 0;
        }
        assertThat(refused).isGreaterThan(times / 2);
    }

    @Test
    void aStoreWithDamage() throws IOException {
        Path file = folder.resolve("damaged.car");
        for (int i = 0; i < Randomness.times(3000, 100_000); i++) {
            List<Block> blocks = Cars.randomBlocks(random, 1 + random.nextInt(5), 100);
            Files.write(file, mutated(original(blocks)));
            try (CarBlockStore store = CarBlockStore.open(file)) {
                for (Block block : blocks) {
                    readFrom(store, block);
                }
            } catch (MalformedDataException e) {
                assertThat(e.code()).isEqualTo("malformed-car");
                assertThat(e).hasMessageContaining(file.toString());
            }
        }
    }

    private static void readFrom(CarBlockStore store, Block block) {
        try {
            store.get(block.cid()).ifPresent(found -> assertThat(found.bytes()).isEqualTo(block.bytes()));
        } catch (CorruptBlockException e) {
            assertThat(e.cid()).isEqualTo(block.cid());
        }
    }

    @Test
    void everyByteEveryBit() {
        List<Block> blocks = Cars.randomBlocks(random, 3, 40);
        for (byte[] car : List.of(Cars.car(blocks), Cars.v2(Cars.car(blocks), 3, 7))) {
            for (int bit = 0; bit < 8 * car.length; bit++) {
                byte[] bytes = car.clone();
                bytes[bit / 8] ^= (byte) (1 << (bit % 8));
                check(bytes, Set.of());
            }
        }
    }

    /** D21c: of version 1 nothing tells that blocks are missing behind the last one; everywhere else a cut is noticed. */
    @Test
    void aCutIsNoticedExceptBetweenSections_CAR6() {
        List<Block> blocks = Cars.randomBlocks(random, 4, 50);
        byte[] car = Cars.car(blocks);
        Set<Integer> boundaries = Cars.sections(car).stream()
                .map(section -> (int) section.offset())
                .collect(Collectors.toSet());
        for (int length = 0; length < car.length; length++) {
            byte[] cut = Arrays.copyOf(car, length);
            if (boundaries.contains(length)) {
                List<Block> read = Cars.blocks(cut);
                assertThat(read).isEqualTo(blocks.subList(0, read.size()));
            } else {
                assertThatThrownBy(() -> Cars.sections(cut)).isInstanceOfSatisfying(MalformedDataException.class, e -> {
                    assertThat(e.code()).isEqualTo("malformed-car");
                    assertThat(e.offset()).isEqualTo(cut.length);
                    assertThat(e.rule()).contains("CAR6");
                });
            }
        }
    }

    @Test
    void everyCutOfVersion2IsNoticed() {
        byte[] car = Cars.car(Cars.randomBlocks(random, 4, 50));
        byte[] indexless = Cars.v2(car, 5, 0);
        byte[] indexed = Cars.v2(car, 5, 1);
        for (byte[] whole : List.of(indexless, indexed)) {
            assertThat(Cars.sections(whole)).hasSize(4);
            for (int length = 0; length < whole.length; length++) {
                byte[] cut = Arrays.copyOf(whole, length);
                // The index is not read.
                if (length >= indexless.length) {
                    assertThat(Cars.sections(cut)).hasSize(4);
                } else {
                    assertThatThrownBy(() -> Cars.sections(cut)).hasMessageStartingWith("malformed CAR: ");
                }
            }
        }
    }
}
