package dev.pail.car;

import static dev.pail.car.Cars.header;
import static dev.pail.car.Cars.hex;
import static dev.pail.car.Cars.join;
import static dev.pail.car.Cars.raw;
import static dev.pail.car.Cars.section;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.pail.CorruptBlockException;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.Fault;
import dev.pail.testkit.disk.FaultyDisk;
import dev.pail.testkit.disk.HookedDisk;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CarBlockStoreTest {
    private static final Block ONE = raw("one");
    private static final Block TWO = raw("two");

    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Path file(byte[] car) throws IOException {
        return Files.write(folder.resolve("test.car"), car);
    }

    @Test
    void blocksAreFoundByTheirCid() throws IOException {
        List<Block> blocks = Cars.randomBlocks(new Random(Randomness.seed("CarBlockStoreTest")), 2000, 60);
        byte[] car = Cars.car(blocks);
        for (byte[] each : List.of(car, Cars.v2(car, 7, 100))) {
            try (CarBlockStore store = CarBlockStore.open(file(each))) {
                assertThat(store.roots()).containsExactly(blocks.get(0).cid());
                assertThat(store.size()).isEqualTo((int) blocks.stream()
                        .map(block -> block.cid().raw())
                        .distinct()
                        .count());
                for (Block block : blocks) {
                    assertThat(store.has(block.cid())).isTrue();
                    Block found = store.get(block.cid()).orElseThrow();
                    assertThat(found).isEqualTo(block);
                    assertThat(found.bytes()).isEqualTo(block.bytes());
                }
                assertThat(store.get(ONE.cid())).isEmpty();
                assertThat(store.has(ONE.cid())).isFalse();
            }
        }
    }

    @Test
    void aBlockIsFoundUnderEveryCidWithItsMultihash_CAR7() throws IOException {
        Cid raw = ONE.cid();
        Cid cbor = Block.of(Cid.DAG_CBOR, ONE.bytes()).cid();
        Cid version0 = Cid.fromBytes(raw.multihash());
        Cid version1 = Cid.fromBytes(join(hex("0170"), raw.multihash()));
        // So long that the CID of the section is not within the first bytes that are read.
        Cid longCodec = Cid.fromBytes(join(hex("01ffffffffffffff7f"), raw.multihash()));
        List<Cid> all = List.of(raw, cbor, version0, version1, longCodec);
        for (Cid written : all) {
            try (CarBlockStore store =
                    CarBlockStore.open(file(join(header(), section(written, ONE.bytes()), section(TWO))))) {
                for (Cid asked : all) {
                    assertThat(store.has(asked)).isTrue();
                    Block found = store.get(asked).orElseThrow();
                    assertThat(found.cid()).isEqualTo(asked);
                    assertThat(found.bytes()).isEqualTo(ONE.bytes());
                }
                assertThat(store.size()).isEqualTo(2);
            }
        }
    }

    /** A multihash that ends as another does is another one. */
    @Test
    void aMultihashThatEndsInAnotherIsNotThatOne() throws IOException {
        byte[] wrapped = ONE.cid().multihash();
        Cid longer = Cid.fromBytes(join(hex("0155ffff7f"), new byte[] {(byte) wrapped.length}, wrapped));
        try (CarBlockStore store = CarBlockStore.open(file(join(header(), section(longer, ONE.bytes()))))) {
            assertThat(store.has(ONE.cid())).isFalse();
        }
    }

    /** As js-car reads it: only the length of the section may be padded. */
    @Test
    void aSectionWithAPaddedLengthIsFound() throws IOException {
        byte[] one = section(ONE);
        byte[] padded = join(
                new byte[] {(byte) (one[0] | 0x80), (byte) 0x80, 0}, java.util.Arrays.copyOfRange(one, 1, one.length));
        try (CarBlockStore store = CarBlockStore.open(file(join(header(), padded, section(TWO))))) {
            assertThat(store.get(ONE.cid())).contains(ONE);
            assertThat(store.get(TWO.cid())).contains(TWO);
        }
    }

    @Test
    void ofEqualMultihashesTheFirstCounts_CAR7() throws IOException {
        Cid version0 = Cid.fromBytes(ONE.cid().multihash());
        byte[] car = join(
                header(),
                section(ONE),
                section(ONE.cid(), hex("00")),
                section(version0, hex("00")),
                section(TWO),
                section(ONE));
        try (CarBlockStore store = CarBlockStore.open(file(car))) {
            assertThat(store.size()).isEqualTo(2);
            assertThat(store.get(ONE.cid()).orElseThrow().bytes()).isEqualTo(ONE.bytes());
        }
    }

    /** CAR5: what cannot be verified is no block. */
    @Test
    void sectionsThatCannotBeVerifiedArePassedOver() throws IOException {
        Cid murmur3 = Cid.fromBytes(join(hex("01552208"), new byte[8]));
        Cid unknown = Cid.fromBytes(join(hex("0155ffff7f8001"), new byte[128]));
        Cid identity = Cid.fromBytes(hex("01550001ff"));
        byte[] car = join(
                header(),
                section(murmur3, hex("01")),
                section(unknown, hex("01")),
                section(identity, hex("ff")),
                section(TWO));
        try (CarBlockStore store = CarBlockStore.open(file(car))) {
            for (Cid each : List.of(murmur3, unknown, identity)) {
                assertThat(store.has(each)).isFalse();
                assertThat(store.get(each)).isEmpty();
            }
            assertThat(store.get(TWO.cid())).contains(TWO);
            assertThat(store.size()).isEqualTo(1);
        }
    }

    @Test
    void longCids() throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-512").digest(ONE.bytes());
        Block sha512 = Block.verified(Cid.fromBytes(join(hex("01ffffffff7f1340"), digest)), ONE.bytes());
        Cid absent = Cid.fromBytes(join(hex("01ffffffff7f1340"), new byte[64]));
        Cid empty = Cid.fromBytes(
                join(hex("01551340"), MessageDigest.getInstance("SHA-512").digest()));
        try (CarBlockStore store =
                CarBlockStore.open(file(join(header(), section(sha512), section(empty, hex("")), section(TWO))))) {
            assertThat(store.get(sha512.cid())).contains(sha512);
            assertThat(store.has(empty)).isTrue();
            assertThat(store.has(absent)).isFalse();
            assertThat(store.get(TWO.cid())).contains(TWO);
        }
    }

    @Test
    void aFlippedBitIsACorruptBlock() throws IOException {
        byte[] car = join(header(), section(ONE), section(TWO));
        car[car.length - 1] ^= 1;
        Path file = file(car);
        try (CarBlockStore store = CarBlockStore.open(file)) {
            assertThatExceptionOfType(CorruptBlockException.class)
                    .isThrownBy(() -> store.get(TWO.cid()))
                    .withMessageContaining(file.toString())
                    .withMessageContaining("offset " + (car.length - 3));
            assertThat(store.get(ONE.cid())).contains(ONE);
        }
        assertThat(file).hasBinaryContent(car);
    }

    @Test
    void aFileThatIsCutOffWhileItIsOpen() throws IOException {
        byte[] car = join(header(), section(ONE), section(TWO));
        Path file = file(car);
        try (CarBlockStore store = CarBlockStore.open(file)) {
            Files.write(file, java.util.Arrays.copyOf(car, car.length - 1));
            assertThatExceptionOfType(CorruptBlockException.class).isThrownBy(() -> store.get(TWO.cid()));
            Files.write(file, new byte[0]);
            assertThat(store.get(ONE.cid())).isEmpty();
        }
    }

    @Test
    void nothingIsPut() throws IOException {
        byte[] car = join(header(), section(ONE));
        Path file = file(car);
        try (CarBlockStore store = CarBlockStore.open(file)) {
            store.putAll(List.of());
            for (Block block : List.of(ONE, TWO)) {
                assertThatExceptionOfType(StoreIOException.class)
                        .isThrownBy(() -> store.put(block))
                        .withMessageContaining(file.toString())
                        .withMessageContaining("only read");
            }
            assertThatExceptionOfType(StoreIOException.class).isThrownBy(() -> Pail.create(store));
        }
        assertThat(file).hasBinaryContent(car);
    }

    @Test
    void nothingAfterClose() throws IOException {
        CarBlockStore store = CarBlockStore.open(file(join(header(), section(ONE))));
        store.close();
        store.close();
        assertThatIllegalStateException().isThrownBy(() -> store.get(ONE.cid()));
        assertThatIllegalStateException().isThrownBy(() -> store.has(ONE.cid()));
        assertThatIllegalStateException().isThrownBy(() -> store.put(ONE));
        assertThatIllegalStateException().isThrownBy(() -> store.putAll(List.of(ONE)));
    }

    @Test
    void severalThreads() throws Exception {
        List<Block> blocks = Cars.randomBlocks(new Random(1), 300, 500);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (CarBlockStore store = CarBlockStore.open(file(Cars.car(blocks)))) {
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                all.add(threads.submit(() -> blocks.forEach(
                        block -> assertThat(store.get(block.cid())).contains(block))));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void aDiskThatFails() throws IOException {
        Path file = file(join(header(), section(ONE), section(TWO)));
        FaultyDisk counting = new FaultyDisk(Disk.system(), Fault.BEFORE, 0, false);
        use(counting, file);
        assertThat(counting.calls()).isGreaterThan(5);
        for (long call = 1; call <= counting.calls(); call++) {
            for (Fault fault : List.of(Fault.BEFORE, Fault.BEHIND)) {
                FaultyDisk disk = new FaultyDisk(Disk.system(), fault, call, false);
                assertThatExceptionOfType(StoreIOException.class)
                        .isThrownBy(() -> use(disk, file))
                        .withMessageContaining(file.toString())
                        .withMessageContaining("injected");
            }
        }
    }

    private static void use(Disk disk, Path file) {
        try (CarBlockStore store = CarBlockStore.open(disk, file)) {
            assertThat(store.get(ONE.cid())).contains(ONE);
            assertThat(store.has(TWO.cid())).isTrue();
        }
    }

    @Test
    void aPailInAFileIsReadWhereItIs() throws IOException {
        Pail pail = Pail.create(new MemoryBlockStore());
        for (int i = 0; i < 100; i++) {
            pail = pail.put("key " + i, raw("value " + i).cid());
        }
        Path file = file(Cars.export(CarExport.of(pail.blocks(), List.of(pail.root()))));
        try (CarBlockStore store = CarBlockStore.open(file)) {
            Pail read = Pail.open(store, store.roots().get(0));
            assertThat(read.entries()).containsExactlyElementsOf(pail.entries().toList());
            Pail unchanged = read.put("key 7", raw("value 7").cid());
            assertThat(unchanged.root()).isEqualTo(pail.root());
            assertThatExceptionOfType(PailException.class)
                    .isThrownBy(() -> read.put("another", ONE.cid()))
                    .withMessageContaining("only read");
        }
    }

    @Test
    void aRootThatIsNotInTheFile() throws IOException {
        Cid root = Pail.create(new MemoryBlockStore()).root();
        try (CarBlockStore store = CarBlockStore.open(file(header(root)))) {
            assertThatExceptionOfType(MissingBlockException.class)
                    .isThrownBy(() -> Pail.open(store, store.roots().get(0)))
                    .withMessageContaining(root.toString());
        }
    }

    @Test
    void whoReadsAFileThatAnotherThreadClosesMeanwhileIsToldThat() throws IOException {
        Path file = file(Cars.car(List.of(ONE, TWO)));
        CarBlockStore[] closing = new CarBlockStore[1];
        Disk disk = HookedDisk.telling(Disk.system(), (call, path) -> {
            if (call.equals("read") && closing[0] != null) {
                closing[0].close();
            }
        });
        for (Consumer<CarBlockStore> read :
                List.<Consumer<CarBlockStore>>of(store -> store.get(TWO.cid()), store -> store.has(TWO.cid()))) {
            try (CarBlockStore store = CarBlockStore.open(disk, file)) {
                closing[0] = store;
                assertThatIllegalStateException()
                        .isThrownBy(() -> read.accept(store))
                        .withMessageContaining("closed");
            }
            closing[0] = null;
        }
    }
}
