package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.MergePolicy;
import dev.pail.ShardFormat;
import dev.pail.clock.OpenConflict;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.RepositoryRemote;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.ConflictEntry;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RepositoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conflicts that merges leave open (spec rules M22 to M24). */
class ConflictsTest {
    private static final String MAIN = Repository.MAIN;

    private final Repository ann = Repository.inMemory();
    private final Repository bob = Repository.inMemory();

    @TempDir
    Path folder;

    private static Cid value(String text) {
        return Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8)).cid();
    }

    @BeforeEach
    void start() {
        put(ann, "milk", "1");
        put(ann, "tea", "1");
        pull(bob, ann);
    }

    @AfterEach
    void close() {
        ann.close();
        bob.close();
    }

    private static void put(Repository repository, String key, String value) {
        repository.update(MAIN, before -> before.put(key, value(value)));
    }

    private static void pull(Repository to, Repository from) {
        pull(to, from, MergeOptions.DEFAULT);
    }

    private static void pull(Repository to, Repository from, MergeOptions options) {
        Exchange.of(to, "other", RepositoryRemote.of(from, "there")).pull(MAIN, options);
    }

    private static List<ConflictEntry> open(Repository repository) {
        return repository.conflicts().of(MAIN);
    }

    /** Both have a value of their own, and have merged. */
    private void disagree() {
        put(ann, "milk", "2");
        put(bob, "milk", "3");
        pull(ann, bob);
        pull(bob, ann);
    }

    @Test
    void aConflictHasItsBaseAndBothSides() {
        disagree();
        assertThat(ann.root(MAIN)).isEqualTo(bob.root(MAIN));
        ConflictEntry ofAnn = open(ann).get(0);
        assertThat(ofAnn.conflict().key()).isEqualTo("milk");
        assertThat(ofAnn.conflict().base()).contains(value("1"));
        assertThat(ofAnn.conflict().ours()).contains(value("2"));
        assertThat(ofAnn.conflict().theirs()).contains(value("3"));
        assertThat(ofAnn.stands()).isEqualTo(ann.pail(MAIN).get("milk"));
        assertThat(open(ann)).hasSize(1);
        ConflictEntry ofBob = open(bob).get(0);
        assertThat(ofBob.conflict().ours()).contains(value("3"));
        assertThat(ofBob.conflict().theirs()).contains(value("2"));
        assertThat(ofBob.sides()).isEqualTo(ofAnn.sides());
    }

    @Test
    void ofAnotherCopyTheValueThatStandsIsOurs() {
        disagree();
        try (Repository eve = Repository.inMemory()) {
            pull(eve, ann);
            assertThat(open(eve).get(0).conflict().ours())
                    .isEqualTo(ann.pail(MAIN).get("milk"));
        }
    }

    @Test
    void ourSideMayBeALargeChange() {
        Repository noted = ann.withNote(Note.of("Ann", "all"));
        noted.update(MAIN, before -> {
            var batch = before.batch().put("milk", value("2"));
            for (int i = 0; i < 12_000; i++) {
                batch.put("key" + i, value("" + i));
            }
            return batch.commit();
        });
        put(bob, "milk", "3");
        pull(ann, bob);
        assertThat(open(ann).get(0).conflict().ours()).contains(value("2"));
    }

    @Test
    void anyLaterChangeOfTheKeyEndsIt_M22() {
        disagree();
        put(bob, "tea", "2");
        assertThat(open(bob)).hasSize(1);
        put(bob, "milk", "4");
        assertThat(open(bob)).isEmpty();
        assertThat(open(ann)).hasSize(1);
        pull(ann, bob);
        assertThat(open(ann)).isEmpty();
    }

    @Test
    void aDecisionThatKeepsTheValueEndsItInAllCopies_M23() {
        disagree();
        Cid before = ann.root(MAIN);
        ann.conflicts().resolve(MAIN, List.of("milk"), (each, blocks) -> each.stands());
        assertThat(ann.root(MAIN)).isEqualTo(before);
        assertThat(open(ann)).isEmpty();
        pull(bob, ann);
        assertThat(open(bob)).isEmpty();
        assertThat(bob.head(MAIN)).isEqualTo(ann.head(MAIN));
    }

    @Test
    void aDecisionMayBeAValueOfItsOwnOrNone() {
        disagree();
        Block own = Block.of(Cid.RAW, new byte[] {7});
        ann.conflicts().resolve(MAIN, List.of("milk"), (each, blocks) -> {
            blocks.put(own);
            return Optional.of(own.cid());
        });
        assertThat(ann.pail(MAIN).get("milk")).contains(own.cid());
        assertThat(ann.blocks().has(own.cid())).isTrue();
        bob.conflicts().resolve(MAIN, List.of("milk"), (each, blocks) -> Optional.empty());
        assertThat(bob.pail(MAIN).get("milk")).isEmpty();
        // Two decisions are a conflict again.
        pull(bob, ann);
        assertThat(open(bob).get(0).sides())
                .extracting(OpenConflict.Side::value)
                .containsExactlyInAnyOrder(Optional.of(own.cid()), Optional.empty());
    }

    @Test
    void whatIsNotInConflictCannotBeDecided() {
        disagree();
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> ann.conflicts()
                        .resolve(
                                MAIN,
                                List.of("milk", "tea"),
                                (each, blocks) -> each.conflict().ours()))
                .withMessage("no open conflict of main: \"tea\"");
        assertThat(open(ann)).hasSize(1);
    }

    @Test
    void aPolicyDecidesWhatIsChangedAndChangedBack() {
        put(ann, "milk", "2");
        put(bob, "milk", "3");
        put(bob, "milk", "1");
        pull(ann, bob, MergeOptions.DEFAULT.withPolicy(MergePolicy.theirs()));
        // Only our side differs from the base, so that is no conflict of the two versions.
        assertThat(ann.pail(MAIN).get("milk")).contains(value("2"));
        assertThat(open(ann)).isEmpty();
    }

    @Test
    void theCacheOfAFolderSavesTheWalk_REP36() throws IOException {
        disagree();
        Path path = folder.resolve("r");
        try (Repository copy = FileRepository.init(path, ShardFormat.v1())) {
            pull(copy, ann);
            assertThat(open(copy)).hasSize(1);
        }
        Path file = path.resolve("derived").resolve("conflicts");
        byte[] kept = Files.readAllBytes(file);
        try (Repository copy = FileRepository.open(path)) {
            assertThat(open(copy)).hasSize(1);
            // A damaged one is written anew.
            byte[] damaged = kept.clone();
            damaged[damaged.length - 1] ^= 1;
            Files.write(file, damaged);
        }
        try (Repository copy = FileRepository.open(path)) {
            assertThat(open(copy)).hasSize(1);
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(kept);
    }
}
