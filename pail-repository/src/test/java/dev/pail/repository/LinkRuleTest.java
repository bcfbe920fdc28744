package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Batch;
import dev.pail.BlockStore;
import dev.pail.MissingBlockException;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.car.CarExport;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.car.ValueCheck;
import dev.pail.dag.RandomDag;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;

/**
 * One rule for links (G4): an export, a collection, a check of values and an import see the blocks of a random graph that a walk over
 * its edges sees, which reads no block.
 */
class LinkRuleTest {
    private static final Path FOLDER = Path.of("/r");

    private final CrashDisk disk = new CrashDisk();
    private final Repository repository = FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES);
    private final Random random = new Random(Randomness.seed("LinkRuleTest"));
    private final RandomDag dag = new RandomDag(random, 1 + random.nextInt(80));

    /** The blocks of the graph that are in the repository. */
    private final Set<Cid> there = new HashSet<>();

    /** The blocks, there or not, that values lead to. */
    private final Set<Cid> reached = new LinkedHashSet<>();

    private void putSome() {
        int outOf = 1 + random.nextInt(20);
        dag.blocks().values().stream()
                .filter(block -> outOf == 1 || random.nextInt(outOf) > 0)
                .forEach(block -> {
                    repository.blocks().put(block);
                    there.add(block.cid());
                });
        List<Cid> values = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            values.add(dag.nodes().get(random.nextInt(dag.nodes().size())));
        }
        repository.update("main", pail -> {
            Batch batch = pail.batch();
            values.forEach(value -> batch.put("key " + values.indexOf(value), value));
            return batch.commit();
        });
        values.forEach(value -> reached.addAll(dag.reach(value, there)));
    }

    private Set<Cid> present() {
        return reached.stream().filter(there::contains).collect(Collectors.toSet());
    }

    private Set<Cid> absent() {
        return reached.stream().filter(cid -> !there.contains(cid)).collect(Collectors.toSet());
    }

    @RepeatedTest(40)
    void allSeeTheSameBlocks_G4() {
        putSome();
        CarExport export = CarExport.of(repository.blocks(), List.of(repository.root("main")));
        ByteArrayOutputStream car = new ByteArrayOutputStream();
        CarExport.Written written = export.writeTo(car, "");
        Set<Cid> exported = new HashSet<>();
        reader(car).forEach(section -> exported.add(section.cid()));
        exported.retainAll(dag.blocks().keySet());
        assertThat(exported).isEqualTo(present());
        assertThat(written.leftOut()).isEqualTo(absent().size());
        assertThat(export.leftOut()).isEqualTo(absent().size());

        checkImport(car);
        checkVerification();
        checkCollection();
    }

    private static CarReader reader(ByteArrayOutputStream car) {
        return CarReader.of(new ByteArrayInputStream(car.toByteArray()), "");
    }

    private void checkImport(ByteArrayOutputStream car) {
        MemoryBlockStore other = new MemoryBlockStore();
        assertThat(CarImport.of(reader(car), other).leftOut()).isEqualTo(absent().size());
        assertThat(CarImport.of(reader(car), other).leftOut()).isEqualTo(absent().size());
        dag.blocks().values().forEach(other::put);
        assertThat(CarImport.of(reader(car), other).leftOut()).isZero();
    }

    private ValueCheck check(BlockStore blocks, ValueCheck.Extent extent, Set<Cid> problems) {
        ValueCheck check = new ValueCheck(blocks, extent, () -> {}, (key, place, cause) -> {
            assertThat(cause).isInstanceOf(MissingBlockException.class);
            assertThat(problems.add(cause.cid())).isTrue();
        });
        Verification.of(blocks, List.of(repository.root("main")), () -> {}, check::check);
        return check;
    }

    private void checkVerification() {
        Set<Cid> read = new HashSet<>();
        Set<Cid> problems = new HashSet<>();
        ValueCheck whole = check(new Reads(repository.blocks(), read), ValueCheck.Extent.ALL, problems);
        read.retainAll(dag.blocks().keySet());
        read.retainAll(there);
        assertThat(read).isEqualTo(present());
        assertThat(problems).isEqualTo(absent());
        assertThat(whole.values() + whole.below()).isEqualTo(present().size());
        assertThat(whole.absentValues() + whole.absentBelow()).isEqualTo(absent().size());
        assertThat(whole.bytes())
                .isEqualTo(present().stream()
                        .mapToLong(cid -> repository.blocks().require(cid).size())
                        .sum());

        problems.clear();
        ValueCheck counted = check(repository.blocks(), ValueCheck.Extent.LINKED, problems);
        assertThat(problems).isEmpty();
        assertThat(counted.values()).isEqualTo(whole.values());
        assertThat(counted.below()).isEqualTo(whole.below());
        assertThat(counted.absentValues()).isEqualTo(whole.absentValues());
        assertThat(counted.absentBelow()).isEqualTo(whole.absentBelow());
    }

    /** What is left after two grace periods. */
    private void checkCollection() {
        for (int i = 0; i < 3; i++) {
            disk.pause(Duration.ofDays(15).toMillis());
            repository.maintenance().garbageCollection().run();
        }
        Set<Cid> left =
                dag.blocks().keySet().stream().filter(repository.blocks()::has).collect(Collectors.toSet());
        assertThat(left).isEqualTo(present());
        repository.close();
    }

    /** Notes which blocks are read. */
    private record Reads(BlockStore blocks, Set<Cid> read) implements BlockStore {
        @Override
        public Optional<Block> get(Cid cid) {
            read.add(cid);
            return blocks.get(cid);
        }

        @Override
        public boolean has(Cid cid) {
            return blocks.has(cid);
        }

        @Override
        public void putAll(Collection<Block> all) {
            blocks.putAll(all);
        }

        @Override
        public void close() {}
    }
}
