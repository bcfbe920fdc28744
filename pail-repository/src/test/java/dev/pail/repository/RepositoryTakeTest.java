package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pail.BlockStore;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.car.CarExport;
import dev.pail.car.CarImport;
import dev.pail.car.CarReader;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.clock.UnrelatedHistoriesException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.ImportException;
import dev.pail.repository.model.ImportOptions;
import dev.pail.repository.model.ImportResult;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.RepositoryException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** CARs that a repository takes in: what becomes of the branch. */
class RepositoryTakeTest {
    private static final Block ONE = Block.of(Cid.RAW, new byte[] {1, 1, 1, 1});

    private final Repository there = Repository.inMemory();
    private final Repository here = Repository.inMemory();

    @BeforeEach
    void fill() {
        there.update("main", pail -> {
            pail.blocks().put(ONE);
            return pail.put("a", ONE.cid())
                    .put("absent", Block.of(Cid.RAW, new byte[] {2}).cid());
        });
    }

    @AfterEach
    void close() {
        there.close();
        here.close();
    }

    private static byte[] car(BlockStore blocks, Cid... roots) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(CarExport.of(blocks, List.of(roots)).writeTo(out, "car").blocks())
                .isPositive();
        return out.toByteArray();
    }

    private byte[] history() {
        return car(there.blocks(), there.head("main").events().toArray(Cid[]::new));
    }

    private ImportResult take(String branch, byte[] car, ImportOptions options) {
        try (CarReader reader = CarReader.of(new ByteArrayInputStream(car), "there.car")) {
            return here.take(branch, reader, options);
        }
    }

    private ImportResult take(String branch, byte[] car) {
        return take(branch, car, ImportOptions.DEFAULT);
    }

    private ImportException refused(String branch, byte[] car) {
        return catchThrowableOfType(ImportException.class, () -> take(branch, car));
    }

    private String reason(String branch) {
        try (Stream<LogEntry> log = here.history().log(branch)) {
            return log.findFirst().orElseThrow().reason();
        }
    }

    @Test
    void aHistoryFillsMakesAndMerges() {
        List<String> steps = new ArrayList<>();
        ImportOptions options = ImportOptions.DEFAULT
                .withProgress(() -> steps.add("step"))
                .withBlocks(blocks ->
                        steps.add(blocks.added() + " new, " + here.branches().names()));
        ImportResult made = take("new", history(), options.withName("theirs"));
        // A step for each section, and more for what the merge reads.
        assertThat(steps)
                .startsWith("step", "step", "step", "step", "4 new, [main]", "step")
                .hasSizeGreaterThan(6);
        assertThat(reason("new")).isEqualTo("import theirs");
        assertThat(made.merge().orElseThrow().root()).isEqualTo(there.root("main"));
        assertThat(made.blocks().leftOut()).isEqualTo(1);
        assertThat(here.head("new")).isEqualTo(there.head("main"));
        assertThat(take("main", history()).merge().orElseThrow().root()).isEqualTo(there.root("main"));
        assertThat(reason("main")).isEqualTo("import there.car");
        here.update("main", pail -> pail.put("b", ONE.cid()));
        there.update(
                "main", pail -> pail.put("b", Block.of(Cid.RAW, new byte[] {3}).cid()));
        MergeResult merged = take("main", history()).merge().orElseThrow();
        assertThat(merged.conflicts()).extracting(each -> each.conflict().key()).containsExactly("b");
        assertThat(here.head("main").events())
                .containsAll(there.head("main").events())
                .hasSize(2);
        assertThat(take("main", history()).merge().orElseThrow().root()).isEqualTo(merged.root());
    }

    @Test
    void historiesThatBeganApartAreRefusedAndTheBlocksStay() {
        here.update("main", pail -> pail.put("b", ONE.cid()));
        Cid before = here.root("main");
        assertThatExceptionOfType(UnrelatedHistoriesException.class).isThrownBy(() -> take("main", history()));
        assertThat(here.root("main")).isEqualTo(before);
        assertThat(here.blocks().has(there.root("main"))).isTrue();
        ImportOptions allowed = ImportOptions.DEFAULT.withUnrelated(UnrelatedHistories.MERGE_FROM_EMPTY);
        assertThat(take("main", history(), allowed).merge().orElseThrow().pail().getAll(List.of("a", "b")))
                .hasSize(2);
    }

    @Test
    void aVersionWithoutAHistoryFillsAnEmptyBranchOrMakesOne() {
        byte[] car = car(there.blocks(), there.root("main"));
        assertThat(take("new", car).merge().orElseThrow().root()).isEqualTo(there.root("main"));
        assertThat(take("main", car).merge().orElseThrow().root()).isEqualTo(there.root("main"));
        assertThat(here.root("main")).isEqualTo(there.root("main"));
        assertThat(take("main", car).merge().orElseThrow().root()).isEqualTo(there.root("main"));
        here.update("main", pail -> pail.put("b", ONE.cid()));
        ImportException apart = refused("main", car);
        assertThat(apart.reason()).isEqualTo(ImportException.Reason.NO_HISTORY);
        assertThat(apart.code()).isEqualTo("unrelated-histories");
        assertThat(apart.versions()).containsExactly(there.root("main"));
    }

    @Test
    void severalVersionsAreRefusedAndCanBecomeBranches() {
        Pail other = there.pail().put("c", ONE.cid());
        byte[] car = car(there.blocks(), there.root("main"), other.root());
        ImportException several = refused("main", car);
        assertThat(several.reason()).isEqualTo(ImportException.Reason.SEVERAL_VERSIONS);
        assertThat(several.versions()).containsExactly(there.root("main"), other.root());
        assertThat(several.blocks().refused()).isZero();
        here.branches().create("taken", here.resolve(other.root().toString()));
        assertThat(here.root("taken")).isEqualTo(other.root());
        assertThat(here.head("main").isEmpty()).isTrue();
    }

    @Test
    void aCarWithoutAVersionLeavesTheBranchAndMakesNone() {
        byte[] car = car(there.blocks(), ONE.cid());
        ImportResult result = take("main", car);
        assertThat(result.merge()).isEmpty();
        assertThat(result.blocks().added()).isEqualTo(1);
        assertThat(here.blocks().has(ONE.cid())).isTrue();
        assertThat(refused("new", car).reason()).isEqualTo(ImportException.Reason.NO_VERSION);
        assertThat(here.branches().names()).containsExactly("main");
    }

    @Test
    void damagedBlocksMoveNoBranch() {
        byte[] damaged = history();
        damaged[indexOf(damaged, ONE.bytes())]++;
        List<CarImport> taken = new ArrayList<>();
        assertThatExceptionOfType(ImportException.class)
                .isThrownBy(() -> take("main", damaged, ImportOptions.DEFAULT.withBlocks(taken::add)))
                .withMessage("blocks of the CAR are damaged, and no branch was moved: there.car: 1 refused")
                .matches(e -> e.reason() == ImportException.Reason.DAMAGED && taken.equals(List.of(e.blocks())));
        assertThat(here.head("main").isEmpty()).isTrue();
    }

    @Test
    void missingEventsAndBytesMoveNoBranch() {
        Cid first = there.head("main").events().get(0);
        there.update("main", pail -> pail.put("b", ONE.cid()));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(CarExport.of(there.blocks(), there.head("main").events())
                        .without(first::equals)
                        .writeTo(out, "car")
                        .blocks())
                .isPositive();
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() -> take("main", out.toByteArray()))
                .matches(e -> e.cid().equals(first));
        byte[] whole = history();
        assertThatExceptionOfType(MalformedDataException.class)
                .isThrownBy(() -> take("main", Arrays.copyOf(whole, whole.length - 1)))
                .matches(e -> e.code().equals("malformed-car"));
        assertThat(here.head("main").isEmpty()).isTrue();
    }

    @Test
    void aNameThatNoBranchCanHaveIsRefusedBeforeTheBlocksAreRead() {
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> take("no name", history()))
                .matches(e -> e.reason() == RepositoryException.Reason.NAME);
        assertThat(here.blocks().has(ONE.cid())).isFalse();
    }

    private static int indexOf(byte[] whole, byte[] part) {
        for (int i = 0; i <= whole.length - part.length; i++) {
            if (Arrays.equals(whole, i, i + part.length, part, 0, part.length)) {
                return i;
            }
        }
        throw new AssertionError("not there");
    }
}
