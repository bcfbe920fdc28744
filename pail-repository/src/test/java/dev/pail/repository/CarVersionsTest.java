package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.MalformedBlockException;
import dev.pail.car.CarBlockStore;
import dev.pail.car.CarWriter;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.repository.model.VerifyReport.Kind;
import dev.pail.repository.model.VerifyReport.Name;
import dev.pail.repository.model.VerifyReport.Subject;
import dev.pail.repository.model.VerifyReport.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which version a CAR holds. */
class CarVersionsTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    @TempDir
    Path folder;

    private final Repository repository = Repository.inMemory();
    private Cid before;
    private Cid one;
    private Cid other;

    /** Two events side by side that follow the same one. */
    @BeforeEach
    void makeHistory() {
        repository.update("main", pail -> pail.put("a", VALUE));
        before = event("main");
        repository.branches().create("side", repository.head("main"));
        repository.update("main", pail -> pail.put("b", VALUE));
        repository.update("side", pail -> pail.put("c", VALUE));
        one = event("main");
        other = event("side");
    }

    private Cid event(String branch) {
        return repository.head(branch).events().get(0);
    }

    /** A file with all blocks but one. */
    private CarBlockStore car(Optional<Cid> without, Cid... roots) throws IOException {
        Path file = folder.resolve("a.car");
        try (CarWriter writer = CarWriter.of(Files.newOutputStream(file), "", List.of(roots))) {
            for (Cid event : List.of(before, one, other)) {
                Cid root = repository.resolve(event.toString()).pail().root();
                Stream.of(event, root)
                        .filter(cid -> without.isEmpty() || !without.get().equals(cid))
                        .forEach(cid -> writer.write(repository.blocks().require(cid)));
            }
        }
        return CarBlockStore.open(file);
    }

    private CarBlockStore car(Cid... roots) throws IOException {
        return car(Optional.empty(), roots);
    }

    @Test
    void theVersionFollowsFromAllEventsAmongTheRoots() throws IOException {
        for (List<Cid> roots : List.of(List.of(one, other), List.of(other, one), List.of(before, other, one))) {
            try (CarBlockStore car = car(roots.toArray(Cid[]::new))) {
                CarVersions versions = CarVersions.of(car);
                assertThat(versions.current().pail().entries().map(entry -> entry.key()))
                        .containsExactly("a", "b", "c");
                assertThat(versions.head().orElseThrow().events()).containsExactlyInAnyOrder(one, other);
                assertThat(versions.verify(VerifyOptions.DEFAULT).isSound()).isTrue();
            }
        }
    }

    @Test
    void aPailAmongTheRootsIsTheVersion() throws IOException {
        Cid root = repository.root("main");
        try (CarBlockStore car = car(other, root)) {
            CarVersions versions = CarVersions.of(car);
            assertThat(versions.current().pail().root()).isEqualTo(root);
            assertThat(versions.verify(VerifyOptions.DEFAULT).heads()).containsExactly(new Version(Name.CAR, "", root));
        }
    }

    @Test
    void resolvesEventsAndRoots() throws IOException {
        try (CarBlockStore car = car(one)) {
            CarVersions versions = CarVersions.of(car);
            assertThat(versions.resolve(before.toString()).pail().get("b")).isEmpty();
            assertThat(versions.resolve(repository.root("side").toString()).head())
                    .isEmpty();
            for (String none : List.of("main", VALUE.toString())) {
                assertThatThrownBy(() -> versions.resolve(none)).isInstanceOf(RepositoryException.class);
            }
        }
    }

    @Test
    void resolvesHeadAndStepsBack_REP27() throws IOException {
        try (CarBlockStore car = car(one)) {
            CarVersions versions = CarVersions.of(car);
            assertThat(versions.resolve("HEAD").pail().root()).isEqualTo(repository.root("main"));
            assertThat(versions.resolveHead("HEAD~1")).contains(Head.of(before));
            assertThat(versions.resolve(one + "~2").pail().entries()).isEmpty();
            assertThatThrownBy(() -> versions.resolve("HEAD~3")).hasMessage("HEAD has 2 changes, not 3");
        }
        try (CarBlockStore car = car(one, other)) {
            CarVersions versions = CarVersions.of(car);
            assertThat(versions.resolveHead("HEAD").orElseThrow().size()).isEqualTo(2);
            assertThatThrownBy(() -> versions.resolve("HEAD~1")).hasMessageContaining("HEAD has 2 newest events");
        }
    }

    @Test
    void severalVersionsWithoutAHistoryAreNone() throws IOException {
        try (CarBlockStore car = car(repository.root("main"), repository.root("side"))) {
            CarVersions versions = CarVersions.of(car);
            assertThatThrownBy(versions::current).hasMessageContaining("2 versions without a history");
            assertThat(versions.verify(VerifyOptions.DEFAULT).versions()).isEqualTo(2);
        }
        try (CarBlockStore car = car()) {
            assertThatThrownBy(CarVersions.of(car)::head).hasMessageContaining("names no root");
        }
    }

    @Test
    void aLostEventIsAProblem() throws IOException {
        try (CarBlockStore car = car(Optional.of(before), one, other)) {
            VerifyReport report = CarVersions.of(car).verify(VerifyOptions.DEFAULT);
            assertThat(report.problems()).singleElement().satisfies(problem -> {
                assertThat(problem.kind()).isEqualTo(Kind.MISSING);
                assertThat(problem.subject()).isEqualTo(Subject.EVENT);
                assertThat(problem.cid()).contains(before);
            });
            assertThat(report.waysBack()).isEmpty();
        }
    }

    /** A block of dag-cbor in a file, of which it is the root. */
    private CarBlockStore car(String hex) throws IOException {
        Path file = folder.resolve("b.car");
        Block block = Block.of(Cid.DAG_CBOR, HexFormat.of().parseHex(hex));
        try (CarWriter writer = CarWriter.of(Files.newOutputStream(file), "", List.of(block.cid()))) {
            writer.write(block);
        }
        return CarBlockStore.open(file);
    }

    @Test
    void aMalformedEventIsNoVersionAndNoMalformedShard() throws IOException {
        // {"data": null, "parents": []}
        try (CarBlockStore car = car("a26464617461f667706172656e747380")) {
            CarVersions versions = CarVersions.of(car);
            Cid root = car.roots().get(0);
            assertThatThrownBy(() -> versions.resolve(root.toString()))
                    .isInstanceOfSatisfying(
                            MalformedBlockException.class,
                            e -> assertThat(e.subject()).isEqualTo(MalformedBlockException.Subject.FOREIGN_EVENT));
            assertThat(versions.verify(VerifyOptions.DEFAULT).problems())
                    .extracting(VerifyReport.Problem::subject)
                    .containsExactly(Subject.EVENT);
        }
        // {"entries": []}
        try (CarBlockStore car = car("a167656e747269657380")) {
            CarVersions versions = CarVersions.of(car);
            Cid root = car.roots().get(0);
            assertThatThrownBy(() -> versions.resolve(root.toString()))
                    .isInstanceOfSatisfying(
                            RepositoryException.class,
                            e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.NO_VERSION));
            assertThat(versions.verify(VerifyOptions.DEFAULT).problems())
                    .extracting(VerifyReport.Problem::subject)
                    .doesNotContain(Subject.EVENT);
        }
    }
}
