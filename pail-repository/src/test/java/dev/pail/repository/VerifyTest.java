package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.pail.Batch;
import dev.pail.MissingBlockException;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Revision;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.model.VerifyReport;
import dev.pail.repository.model.VerifyReport.Kind;
import dev.pail.repository.model.VerifyReport.Name;
import dev.pail.repository.model.VerifyReport.Problem;
import dev.pail.repository.model.VerifyReport.Subject;
import dev.pail.repository.model.VerifyReport.Version;
import dev.pail.repository.model.VerifyReport.WayBack;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/** What a check of a repository reports. */
class VerifyTest {
    private final RestlessRefs refs = new RestlessRefs();
    private final OddBlocks blocks = new OddBlocks();
    private final Repository repository = Repository.open(refs.store(), blocks, ShardFormat.v1());
    private final List<Problem> problems = new ArrayList<>();

    private static Block block(int number) {
        return Block.of(Cid.RAW, new byte[] {(byte) number});
    }

    private void put(String branch, String key, int number) {
        repository.update(branch, pail -> pail.put(key, block(number).cid()));
    }

    private Cid event(String branch) {
        return repository.head(branch).events().get(0);
    }

    private VerifyReport verify(VerifyOptions options) {
        problems.clear();
        VerifyReport report = repository.verify(options.withProblems(problems::add));
        assertThat(report.problems()).isEqualTo(problems);
        assertThat(report.damaged() + report.unreadable()).isEqualTo(problems.size());
        return report;
    }

    @Test
    void countsWhatIsSound() {
        put("main", "a", 1);
        repository.branches().create("side", repository.head("main"));
        repository.tags().create("one", repository.head("main"));
        put("side", "b", 2);
        blocks.put(block(1));
        VerifyReport report = verify(VerifyOptions.DEFAULT);
        assertThat(report.isSound()).isTrue();
        assertThat(report.heads())
                .containsExactly(
                        new Version(Name.BRANCH, "main", repository.root("main")),
                        new Version(Name.BRANCH, "side", repository.root("side")),
                        new Version(Name.TAG, "one", repository.root("main")));
        assertThat(List.of(report.versions(), report.events(), report.values(), report.absentValues()))
                .containsExactly(2L, 2L, 1L, 1L);
        assertThat(repository.verify(VerifyOptions.DEFAULT.withBranch("main")).heads())
                .hasSize(1);
    }

    @Test
    void anAbsentValueIsAProblemWhenValuesAreChecked() {
        put("main", "a", 1);
        VerifyReport report = verify(VerifyOptions.DEFAULT.withValues());
        assertThat(report.damaged()).isEqualTo(1);
        assertThat(problems)
                .extracting(
                        Problem::kind,
                        Problem::subject,
                        Problem::place,
                        problem -> problem.cid().orElseThrow())
                .containsExactly(tuple(Kind.MISSING, Subject.VALUE, "a", block(1).cid()));
        assertThat(report.waysBack()).isEmpty();
    }

    @Test
    void aValueThatTheStoreHasLostIsMissing() {
        put("main", "a", 1);
        blocks.lost.add(block(1).cid().raw());
        assertThat(verify(VerifyOptions.DEFAULT).damaged()).isEqualTo(1);
    }

    @Test
    void namesTheNewestWholeVersionOfEachBranch_REP18() {
        put("main", "a", 1);
        Head whole = repository.head("main");
        put("main", "b", 2);
        put("main", "c", 3);
        repository.branches().create("side", whole);
        blocks.missing.add(repository.root("main"));
        put("main", "c", 4);
        blocks.missing.add(repository.root("main"));
        put("main", "c", 3);
        VerifyReport report = verify(VerifyOptions.DEFAULT);
        assertThat(problems).extracting(Problem::subject).containsExactly(Subject.SHARD);
        assertThat(report.waysBack())
                .extracting(WayBack::branch, WayBack::updates)
                .containsExactly(tuple("main", 3));
        repository.move(repository.snapshot("main"), report.waysBack().get(0).head(), "back");
        assertThat(verify(VerifyOptions.DEFAULT).isSound()).isTrue();
    }

    /** A read error says nothing of the block. */
    @Test
    void aReadErrorIsNoDamage() {
        put("main", "a", 1);
        repository.branches().create("side", repository.head("main"));
        put("side", "b", 2);
        blocks.unreadable.add(repository.root("main"));
        VerifyReport report = verify(VerifyOptions.DEFAULT.withAllVersions());
        assertThat(report.damaged()).isZero();
        assertThat(report.unreadable()).isEqualTo(1);
        assertThat(problems.get(0).cause()).isInstanceOf(StoreIOException.class);
        assertThat(problems.get(0).cid()).contains(repository.root("main"));

        blocks.missing.add(event("side"));
        report = verify(VerifyOptions.DEFAULT);
        assertThat(report.damaged()).isEqualTo(1);
        assertThat(report.unreadable()).isEqualTo(1);
        assertThat(problems)
                .extracting(Problem::kind, Problem::subject)
                .containsExactlyInAnyOrder(tuple(Kind.MISSING, Subject.EVENT), tuple(Kind.UNREADABLE, Subject.SHARD));
        assertThat(problems)
                .filteredOn(problem -> problem.kind() == Kind.MISSING)
                .allSatisfy(problem -> assertThat(problem.cause()).isInstanceOf(MissingBlockException.class));
    }

    @Test
    void listsABoundedNumberOfProblems() {
        repository.update("main", pail -> {
            Batch batch = pail.batch();
            for (int i = 0; i < VerifyReport.MOST_PROBLEMS + 5; i++) {
                batch.put(
                        "key" + i,
                        Block.of(Cid.RAW, new byte[] {(byte) i, (byte) (i >> 8)})
                                .cid());
            }
            return batch.commit();
        });
        VerifyReport report =
                repository.verify(VerifyOptions.DEFAULT.withValues().withProblems(problems::add));
        assertThat(report.problems()).hasSize(VerifyReport.MOST_PROBLEMS);
        assertThat(problems).hasSize(VerifyReport.MOST_PROBLEMS + 5);
        assertThat(report.damaged()).isEqualTo(problems.size());
    }

    @Test
    void endsWithWhatTheProgressThrows() {
        put("main", "a", 1);
        assertThatThrownBy(() -> repository.verify(VerifyOptions.DEFAULT.withProgress(() -> {
                    throw new CancellationException("enough");
                })))
                .isInstanceOf(CancellationException.class);
    }

    /** The branch is removed before it is read, and made again before the next read. */
    @Test
    void leavesOutABranchThatIsRemovedMeanwhile() {
        put("main", "a", 1);
        repository.branches().create("side", repository.head("main"));
        refs.removeAtRead("side", 1);
        assertThat(verify(VerifyOptions.DEFAULT).heads()).hasSize(1);
        assertThat(verify(VerifyOptions.DEFAULT).heads()).hasSize(2);

        refs.removeAtRead("side", 1);
        assertThat(repository.branches().heads()).containsOnlyKeys("main");
        assertThat(repository.branches().heads()).containsOnlyKeys("main", "side");
    }

    @Test
    void aBranchThatIsAskedForMustBeThere() {
        assertThatThrownBy(() -> repository.verify(VerifyOptions.DEFAULT.withBranch("side")))
                .isInstanceOfSatisfying(
                        RepositoryException.class,
                        e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.NO_BRANCH));
    }

    /** Every read in turn finds the branch removed: a version that does not need it is found. */
    @Test
    void findsVersionsWhileABranchIsRemoved() {
        put("main", "a", 1);
        String event = event("main").toString();
        repository.branches().create("side", repository.head("main"));
        put("side", "b", 2);
        String root = repository.root("main").toString();
        for (int read = 1; read <= 3; read++) {
            for (String text : List.of(event.substring(0, event.length() - 1), root, "main@{0}")) {
                refs.removeAtRead("side", read);
                assertThat(repository.resolve(text).head()).isEqualTo(Optional.of(repository.head("main")));
            }
        }
    }

    /** A head and its log are of one read: a move between two reads would make another version of it. */
    @Test
    void countsMovesFromOneRead() {
        put("main", "a", 1);
        refs.removeAtRead("main", 0);
        Revision unused = repository.resolve("main@{1}");
        assertThat(refs.reads("main")).isEqualTo(1);
    }
}
