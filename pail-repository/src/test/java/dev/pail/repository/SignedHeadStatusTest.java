package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.car.CarBlockStore;
import dev.pail.car.CarExport;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.sign.InvalidNoteException;
import dev.pail.sign.SignedHead;
import dev.pail.sign.SigningKey;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signed heads, compared by a program. The command tests more of them. */
class SignedHeadStatusTest {
    @TempDir
    Path folder;

    private final SigningKey key = SigningKey.generate("example.com/ann");
    private final Repository repository = Repository.inMemory();

    @BeforeEach
    void fill() {
        put("main", "a");
        put("main", "b");
    }

    @AfterEach
    void close() {
        repository.close();
    }

    private void put(String branch, String text) {
        repository.update(branch, pail -> pail.putBytes(text, new byte[] {1}));
    }

    private void branch(String name, Head head) {
        Snapshot unused = repository.branches().create(name, head);
    }

    private SignedHead signed(String branch) {
        Snapshot now = repository.snapshot(branch);
        return signed(branch, now.root(), now.head());
    }

    /** As a reader gets it. */
    private SignedHead signed(String name, Cid root, Head head) {
        return SignedHead.open(new SignedHead(name, 1, root, head).sign(key), key.verifierKey());
    }

    @Test
    void aHeadIsInTheHistoryOrNot_SN10() {
        SignedHead signed = signed("main");
        assertThat(SignedHeadStatus.of(repository, signed)).isEqualTo(SignedHeadStatus.CURRENT);
        branch("side", signed.head());
        put("main", "c");
        assertThat(SignedHeadStatus.of(repository, signed)).isEqualTo(SignedHeadStatus.OLDER);
        put("side", "d");
        SignedHead side = signed("side");
        assertThat(SignedHeadStatus.of(repository, repository.head("main"), side))
                .isEqualTo(SignedHeadStatus.ABSENT);
        assertThat(SignedHeadStatus.of(repository, repository.head("side"), side))
                .isEqualTo(SignedHeadStatus.CURRENT);
        try (Repository other = Repository.inMemory()) {
            assertThat(SignedHeadStatus.of(other, signed)).isEqualTo(SignedHeadStatus.ABSENT);
        }
    }

    @Test
    void theBranchOfTheNameCountsBeforeTheTag_SN10() {
        SignedHead first = signed("main");
        SignedHead tagged = signed("v1", first.root(), first.head());
        assertThatThrownBy(() -> SignedHeadStatus.of(repository, tagged))
                .isInstanceOfSatisfying(
                        RepositoryException.class,
                        e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.NO_BRANCH));
        repository.tags().create("v1", first.head());
        put("main", "c");
        assertThat(SignedHeadStatus.of(repository, tagged)).isEqualTo(SignedHeadStatus.CURRENT);
    }

    @Test
    void anotherRootIsRefused_SN10() {
        Cid before = repository.root("main");
        put("main", "c");
        SignedHead wrong = signed("main", before, repository.head("main"));
        assertThatThrownBy(() -> SignedHeadStatus.of(repository, wrong))
                .isInstanceOf(InvalidNoteException.class)
                .hasMessageContaining("another root")
                .hasMessageContaining(before + ", not " + repository.root("main"));
    }

    @Test
    void aCarIsComparedByItsHead_SN10() throws IOException {
        SignedHead old = signed("main");
        Path file = folder.resolve("a.car");
        try (OutputStream out = Files.newOutputStream(file)) {
            CarExport.Written unused =
                    CarExport.of(repository.blocks(), old.head().events()).writeTo(out, "a.car");
        }
        put("main", "c");
        SignedHead now = signed("main");
        try (CarBlockStore car = CarBlockStore.open(file)) {
            CarVersions versions = CarVersions.of(car);
            Head head = versions.head().orElseThrow();
            assertThat(SignedHeadStatus.of(versions, head, old)).isEqualTo(SignedHeadStatus.CURRENT);
            assertThat(SignedHeadStatus.of(versions, head, now)).isEqualTo(SignedHeadStatus.ABSENT);
            assertThatThrownBy(() -> SignedHeadStatus.of(versions, head, signed("main", now.root(), old.head())))
                    .isInstanceOf(InvalidNoteException.class);
        }
    }
}
