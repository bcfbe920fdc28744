package dev.pail.car;

import static dev.pail.car.Cars.header;
import static dev.pail.car.Cars.hex;
import static dev.pail.car.Cars.join;
import static dev.pail.car.Cars.raw;
import static dev.pail.car.Cars.section;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.BlockStore;
import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.blockstore.DirectoryBlockStore;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CarImportTest {
    private static final Block ONE = raw("one");
    private static final Block TWO = raw("two");

    private final MemoryBlockStore blocks = new MemoryBlockStore();

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private CarImport load(byte[] car) {
        try (CarReader reader = Cars.reader(car)) {
            return CarImport.of(reader, blocks);
        }
    }

    @Test
    void newAndKnownBlocksAreCounted() {
        byte[] car = join(header(ONE.cid()), section(ONE), section(TWO), section(ONE));
        assertThat(load(car)).isEqualTo(new CarImport(new CarHeader(1, List.of(ONE.cid())), 2, 1, 0, 0, 0, List.of()));
        assertThat(load(Cars.v2(car, 1, 1)))
                .isEqualTo(new CarImport(new CarHeader(2, List.of(ONE.cid())), 0, 3, 0, 0, 0, List.of()));
        assertThat(blocks.size()).isEqualTo(2);
    }

    @Test
    void whatIsRefusedIsToldAndTheRestIsPut() {
        Cid unknown = Cid.fromBytes(join(hex("0155ffff7f20"), new byte[32]));
        byte[] car = join(header(), section(ONE.cid(), hex("00")), section(unknown, hex("68656c6c6f")), section(TWO));
        CarImport loaded = load(car);
        assertThat(loaded.added()).isEqualTo(1);
        assertThat(loaded.refused()).isEqualTo(2);
        assertThat(loaded.damaged()).isEqualTo(1);
        CarImport.Refusal first = loaded.refusals().get(0);
        assertThat(first.cid()).isEqualTo(ONE.cid());
        assertThat(first.offset()).isEqualTo(header().length);
        assertThat(first.cause()).isInstanceOf(CorruptBlockException.class).hasMessageContaining("test.car");
        assertThat(loaded.refusals().get(1).cid()).isEqualTo(unknown);
        assertThat(loaded.refusals().get(1).cause()).isInstanceOf(UnsupportedHashException.class);
        assertThat(blocks.has(ONE.cid())).isFalse();
        assertThat(blocks.has(TWO.cid())).isTrue();
    }

    /** Its bytes are in its CID, wherever that is a link. */
    @Test
    void identitySectionsArePassedOver_CAR5() {
        byte[] car = join(
                header(),
                section(Cid.fromBytes(hex("0155000568656c6c6f")), hex("68656c6c6f")),
                section(ONE),
                section(Cid.fromBytes(hex("01710001a0")), hex("a0")),
                section(Cid.fromBytes(hex("01550000")), new byte[0]));
        assertThat(load(car)).isEqualTo(new CarImport(new CarHeader(1, List.of()), 1, 0, 0, 0, 0, List.of()));
        assertThat(blocks.size()).isEqualTo(1);
    }

    @Test
    void refusalsAreToldUpToANumber() {
        byte[][] parts = new byte[1501][];
        Arrays.fill(parts, section(ONE.cid(), hex("00")));
        parts[0] = header();
        CarImport loaded = load(join(parts));
        assertThat(loaded.refused()).isEqualTo(1500);
        assertThat(loaded.refusals()).hasSize(CarImport.MAX_REFUSALS);
    }

    @Test
    void blocksArePutInBatchesOfBoundedSize() {
        List<Block> small = Cars.randomBlocks(new Random(7), 3000, 50);
        Block large = Block.of(Cid.RAW, new byte[3 << 20]);
        Block larger = Block.of(Cid.RAW, new byte[Block.MAX_SIZE]);
        List<Block> all = new ArrayList<>(small);
        all.addAll(List.of(large, larger, ONE));
        CountingBlockStore counting = new CountingBlockStore(blocks);
        CarImport.of(Cars.reader(Cars.car(all)), counting);
        assertThat(all).allMatch(block -> blocks.has(block.cid()));
        assertThat(counting.batches).hasSizeGreaterThanOrEqualTo(4);
        assertThat(counting.batches).allSatisfy(batch -> {
            assertThat(batch[0]).isLessThanOrEqualTo((4 << 20) + Block.MAX_SIZE);
            assertThat(batch[1]).isLessThanOrEqualTo(1000);
        });
    }

    /** A known block is put all the same, which mends it. */
    @Test
    void damageInTheStoreIsMended() throws IOException {
        try (DirectoryBlockStore store = DirectoryBlockStore.open(folder.resolve("blocks"))) {
            store.put(ONE);
        }
        try (Stream<Path> files = Files.walk(folder)) {
            Files.write(files.filter(Files::isRegularFile).findFirst().orElseThrow(), new byte[] {9});
        }
        try (DirectoryBlockStore store = DirectoryBlockStore.open(folder.resolve("blocks"))) {
            CarImport loaded = CarImport.of(Cars.reader(join(header(), section(ONE))), store);
            assertThat(loaded.known()).isEqualTo(1);
            assertThat(store.get(ONE.cid())).contains(ONE);
        }
    }

    /** A block that is in the trash is brought back when it is looked for, unless it is damaged. */
    @Test
    void damageInTheTrashIsMended() throws IOException {
        Path kept = folder.resolve("blocks");
        try (DirectoryBlockStore store = DirectoryBlockStore.open(kept)) {
            store.putAll(List.of(ONE, TWO));
        }
        Files.createDirectory(kept.resolve(".trash"));
        try (Stream<Path> files = Files.walk(kept)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path thrown = kept.resolve(".trash").resolve(kept.relativize(file));
                Files.createDirectories(thrown.getParent());
                Files.delete(file);
                Files.write(thrown, new byte[] {9});
            }
        }
        try (DirectoryBlockStore store = DirectoryBlockStore.open(kept)) {
            CarImport loaded = CarImport.of(Cars.reader(join(header(), section(ONE), section(TWO))), store);
            assertThat(loaded).isEqualTo(new CarImport(new CarHeader(1, List.of()), 2, 0, 0, 0, 0, List.of()));
            assertThat(store.get(ONE.cid())).contains(ONE);
            assertThat(store.get(TWO.cid())).contains(TWO);
        }
    }

    /** Of a store that is damaged, nothing is said of the CAR. */
    @Test
    void aStoreThatCannotBeWrittenRefusesNoBlocks() {
        BlockStore damaged = new CountingBlockStore(blocks) {
            @Override
            public boolean has(Cid cid) {
                throw new CorruptBlockException(ONE.cid(), "something else");
            }

            @Override
            public void putAll(Collection<Block> all) {
                if (!all.isEmpty()) {
                    throw new StoreIOException("cannot keep a block", "store", "damaged", null);
                }
            }
        };
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> CarImport.of(Cars.reader(join(header(), section(TWO))), damaged));
    }

    private static Pail pail(MemoryBlockStore from) {
        Pail pail = Pail.create(from, ShardFormat.v1());
        for (int i = 0; i < 50; i++) {
            pail = pail.put("key " + i % 7 + i, raw("value " + i).cid());
        }
        return pail;
    }

    @Test
    void aPailComesAcross() {
        Pail pail = pail(new MemoryBlockStore());
        CarImport loaded = load(Cars.export(CarExport.of(pail.blocks(), List.of(pail.root()))));
        assertThat(loaded.known() + loaded.refused()).isZero();
        assertThat(Completeness.require(blocks, loaded.header().roots())).isEqualTo(loaded.added());
        assertThat(Pail.open(blocks, pail.root()).entries())
                .containsExactlyElementsOf(pail.entries().toList());
    }

    /** D21c: a file that was cut between two blocks reads as a whole one, and is found to be incomplete. */
    @Test
    void aFileThatWasCutBetweenBlocksIsIncomplete() {
        Pail pail = pail(new MemoryBlockStore());
        byte[] car = Cars.export(CarExport.of(pail.blocks(), List.of(pail.root())));
        List<CarSection> sections = Cars.sections(car);
        assertThat(sections).hasSizeGreaterThan(5);
        for (int kept = 0; kept < sections.size(); kept++) {
            MemoryBlockStore other = new MemoryBlockStore();
            byte[] cut = Arrays.copyOf(car, (int) sections.get(kept).offset());
            CarImport loaded = CarImport.of(Cars.reader(cut), other);
            assertThat(loaded.added()).isEqualTo(kept);
            Cid missing = sections.get(kept).cid();
            assertThatExceptionOfType(MissingBlockException.class)
                    .isThrownBy(
                            () -> Completeness.require(other, loaded.header().roots()))
                    .satisfies(e -> assertThat(e.cid()).isEqualTo(missing));
        }
    }

    /** D21d: a block with a flipped bit is refused, and then it is missing. */
    @Test
    void aFlippedBitIsRefusedAndThenMissing() {
        Pail pail = pail(new MemoryBlockStore());
        byte[] car = Cars.export(CarExport.of(pail.blocks(), List.of(pail.root())));
        car[car.length - 20] ^= 4;
        CarImport loaded = load(car);
        Cid damaged = Cars.sections(car).get(Cars.sections(car).size() - 1).cid();
        assertThat(loaded.refusals()).extracting(CarImport.Refusal::cid).containsExactly(damaged);
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() -> Completeness.require(blocks, loaded.header().roots()))
                .satisfies(e -> assertThat(e.cid()).isEqualTo(damaged));
    }

    @Test
    void aFileThatIsCutInsideABlockIsMalformed() {
        byte[] car = join(header(), section(ONE), section(TWO));
        assertThatExceptionOfType(MalformedDataException.class)
                .isThrownBy(() -> load(Arrays.copyOf(car, car.length - 1)))
                .matches(e -> e.code().equals("malformed-car"));
    }
}
