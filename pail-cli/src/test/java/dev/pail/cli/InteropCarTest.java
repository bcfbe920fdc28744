package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.Entry;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.PailException;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.car.CarBlockStore;
import dev.pail.car.CarExport;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.car.CarSection;
import dev.pail.car.CarWriter;
import dev.pail.car.Completeness;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** CAR files, ours and those of the npm packages, each used by the other side. */
class InteropCarTest {
    private static final long SEED = seed();

    private final InteropNode node = InteropNode.required();
    private final Random random = new Random(SEED);
    private final MemoryBlockStore blocks = new MemoryBlockStore();

    // Their command renames a file from the folder of the system, which no other disk takes.
    @TempDir(factory = TempDirFactory.Standard.class)
    Path folder;

    private static long seed() {
        String given = System.getProperty("pail.seed", "");
        long seed = given.isEmpty() ? new Random().nextLong() : Long.parseLong(given);
        System.out.println("InteropCarTest: -Dpail.seed=" + seed);
        return seed;
    }

    private static Block raw(String text) {
        return Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8));
    }

    private InteropCar car(String format) {
        return new InteropCar(node, folder.resolve("pail.car"), format);
    }

    private Pail pail(String format) {
        Pail pail = Pail.create(blocks, format.equals("v0") ? ShardFormat.v0(3000, 64) : ShardFormat.v1());
        for (String key : new InteropKeys(random, InteropKeys.ASCII, 12).several(300)) {
            Block value = raw("value of " + key);
            if (random.nextBoolean()) {
                blocks.put(value);
            }
            pail = pail.put(key, value.cid());
        }
        return pail;
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1"})
    void theyReadAndListWhatWeExport(String format) throws IOException {
        Pail pail = pail(format);
        InteropCar car = car(format);
        try (OutputStream out = Files.newOutputStream(car.path())) {
            CarExport.of(blocks, List.of(pail.root())).writeTo(out, car.path().toString());
        }
        InteropCar.Content theirs = car.read();
        List<Block> ours = new ArrayList<>();
        try (CarReader reader = CarReader.open(car.path())) {
            reader.forEach(section -> ours.add(section.block()));
        }
        assertThat(theirs).isEqualTo(new InteropCar.Content(1, List.of(pail.root()), ours));
        assertThat(theirs.blocks().get(0).cid()).isEqualTo(pail.root());
        assertThat(car.list()).isEqualTo(pail.entries().toList());
        assertThat(car.command("ls", "--json").lines().map(InteropCarTest::entry))
                .containsExactlyElementsOf(pail.entries().toList());
    }

    private static Entry entry(String json) {
        try {
            var line = InteropNode.JSON.readTree(json);
            return new Entry(
                    line.get("key").asText(), Cid.parse(line.get("value").asText()));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1"})
    void weReadAndListWhatTheirCommandWrites(String format) {
        InteropCar car = car(format);
        // No two keys begin alike: so there is one shard, and none is lost (D22).
        for (String key : List.of("melon", "apple", "banana", "zucchini")) {
            car.command("put", key, raw(key).cid().toString());
        }
        car.command("del", "banana");
        assertThat(Shell.in(folder)
                        .run("--store", car.path().toString(), "ls")
                        .done()
                        .lines())
                .hasSize(3);
        try (CarBlockStore store = CarBlockStore.open(car.path())) {
            Pail pail = Pail.open(store, store.roots().get(0));
            assertThat(pail.format().name()).isEqualTo(format);
            assertThat(pail.entries())
                    .containsExactly(
                            new Entry("apple", raw("apple").cid()),
                            new Entry("melon", raw("melon").cid()),
                            new Entry("zucchini", raw("zucchini").cid()));
            assertThatExceptionOfType(PailException.class).isThrownBy(() -> pail.delete("apple"));
        }
        try (CarReader reader = CarReader.open(car.path())) {
            CarImport loaded = CarImport.of(reader, blocks);
            assertThat(loaded.refused()).isZero();
            assertThat(Completeness.require(blocks, loaded.header().roots())).isEqualTo(1);
        }
    }

    /** The file has a history beside the pail, which their command passes over. */
    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1"})
    void theirCommandListsWhatOursExports(String format) {
        Shell shell = Shell.withRepository(folder, "--format", format);
        shell.put("melon", 1, "apple", 2);
        InteropCar car = car(format);
        shell.run("export", car.path().toString()).done();
        assertThat(car.command("ls", "--json").lines().map(InteropCarTest::entry))
                .containsExactly(
                        new Entry("apple", Cid.parse(Shell.cid(2))), new Entry("melon", Cid.parse(Shell.cid(1))));
    }

    @Test
    void whatTheyWriteIsWhatWeWrite() throws IOException {
        List<Block> some = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[random.nextInt(40_000)];
            random.nextBytes(bytes);
            some.add(Block.of(i % 2 == 0 ? Cid.RAW : Cid.DAG_CBOR, bytes));
        }
        InteropCar car = car("v1");
        Cid root = some.get(7).cid();
        car.write(root, some);
        try (CarReader reader = CarReader.open(car.path())) {
            assertThat(reader.header().roots()).containsExactly(root);
            List<CarSection> sections = new ArrayList<>();
            reader.forEach(sections::add);
            assertThat(sections).extracting(CarSection::block).isEqualTo(some);
        }
        ByteArrayOutputStream ours = new ByteArrayOutputStream();
        try (CarWriter writer = CarWriter.of(ours, "", List.of(root))) {
            some.forEach(writer::write);
        }
        assertThat(car.path()).hasBinaryContent(ours.toByteArray());
    }

    /** D22: their command keeps one of the old blocks at a change. What is lost is named. */
    @Test
    void aFileFromWhichTheirCommandLostBlocks() {
        InteropCar car = car("v1");
        for (String key : List.of("apple1", "apple2", "banana")) {
            car.command("put", key, raw(key).cid().toString());
        }
        assertThat(car.answer("ls").get("err").asText()).contains("missing block");
        Pail whole = Pail.create(blocks, ShardFormat.v1());
        for (String key : List.of("apple1", "apple2", "banana")) {
            whole = whole.put(key, raw(key).cid());
        }
        try (CarBlockStore store = CarBlockStore.open(car.path())) {
            assertThat(store.roots()).containsExactly(whole.root());
            Pail pail = Pail.open(store, whole.root());
            assertThatExceptionOfType(MissingBlockException.class)
                    .isThrownBy(() -> pail.entries().count())
                    .satisfies(e -> {
                        assertThat(store.has(e.cid())).isFalse();
                        assertThat(blocks.has(e.cid())).isTrue();
                    })
                    .withMessageContaining("missing block: bafy");
            assertThatExceptionOfType(MissingBlockException.class)
                    .isThrownBy(() -> Completeness.require(store, store.roots()));
        }
    }
}
