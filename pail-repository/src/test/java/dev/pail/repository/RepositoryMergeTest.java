package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.pail.Conflict;
import dev.pail.MergeConflictException;
import dev.pail.MergePolicy;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.clock.UnrelatedHistoriesException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Revision;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Merges and reverts of branches by the library alone. */
class RepositoryMergeTest {
    private static final MergeOptions DEFAULT = MergeOptions.DEFAULT;
    private static final Conflict A = Conflict.of("a", value(1), value(2), value(4));
    private static final Conflict B = Conflict.of("b", value(1), value(3), Optional.empty());

    private final Repository repository = Repository.inMemory();

    @AfterEach
    void close() {
        repository.close();
    }

    private static Cid cid(int number) {
        return Block.of(Cid.RAW, new byte[] {(byte) number}).cid();
    }

    private static Optional<Cid> value(int number) {
        return Optional.of(cid(number));
    }

    private static Cid last(Repository repository, String branch) {
        return repository.head(branch).events().get(0);
    }

    /** Both branches begin with the keys a and b, and each changes both. */
    private static void diverge(Repository repository) {
        repository.update("main", pail -> pail.put("a", cid(1)).put("b", cid(1)));
        repository.branches().create("side", repository.head("main"));
        repository.update("main", pail -> pail.put("a", cid(2)).put("b", cid(3)));
        repository.update("side", pail -> pail.put("a", cid(4)).delete("b").put("c", cid(5)));
    }

    private static List<Conflict> conflicts(MergeResult result) {
        return result.conflicts().stream().map(MergeResult.Resolved::conflict).toList();
    }

    @Test
    void theOrderOfTheClockDecidesAndTheEventsJoin() {
        diverge(repository);
        Head side = repository.head("side");
        MergeResult result = repository.merge("main", "side", DEFAULT);
        assertThat(conflicts(result)).containsExactly(A, B);
        Pail now = repository.pail();
        assertThat(result.root()).isEqualTo(now.root());
        assertThat(now.get("c")).isEqualTo(value(5));
        assertThat(result.conflicts())
                .allSatisfy(each -> assertThat(each.stands())
                        .isEqualTo(now.get(each.conflict().key())));
        assertThat(repository.head("main").events()).containsAll(side.events());
        assertThat(result.notes()).isEmpty();
        // Replicas agree.
        assertThat(repository.merge("side", "main", DEFAULT).root()).isEqualTo(result.root());
        assertThat(conflicts(repository.merge("main", "side", DEFAULT))).isEmpty();
        try (var log = repository.history().log("main")) {
            assertThat(log.findFirst().orElseThrow().reason()).isEqualTo("merge side");
        }
    }

    @Test
    void aPolicyDecidesAndTheClockFollowsIt() {
        diverge(repository);
        MergeResult ours = repository.merge("main", "side", DEFAULT.withPolicy(MergePolicy.ours()));
        assertThat(ours.conflicts())
                .containsExactly(new MergeResult.Resolved(A, value(2)), new MergeResult.Resolved(B, value(3)));
        assertThat(repository.pail().get("c")).isEqualTo(value(5));
        assertThat(repository.merge("side", "main", DEFAULT).root()).isEqualTo(ours.root());
    }

    @Test
    void aPolicyThatRefusesChangesNothing() {
        diverge(repository);
        Head before = repository.head("main");
        MergeConflictException refused = catchThrowableOfType(
                MergeConflictException.class,
                () -> repository.merge("main", "side", DEFAULT.withPolicy(MergePolicy.fail())));
        assertThat(refused.conflicts()).containsExactly(A, B);
        assertThat(repository.head("main")).isEqualTo(before);
    }

    @Test
    void aBranchThatIsAbsentIsMade() {
        diverge(repository);
        assertThat(repository.merge("new", "side", DEFAULT).root()).isEqualTo(repository.root("side"));
        assertThat(repository.head("new")).isEqualTo(repository.head("side"));
        assertThat(repository.merge("other", "side", DEFAULT.withDryRun()).root())
                .isEqualTo(repository.root("side"));
        assertThat(repository.branches().contains("other")).isFalse();
        repository.tags().create("tag", repository.head("side"));
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> repository.merge("tag", "side", DEFAULT.withDryRun()))
                .matches(e -> e.reason() == RepositoryException.Reason.EXISTS);
    }

    @Test
    void numbersOfMovesAreThoseOfTheBranch() {
        diverge(repository);
        repository.update("side", pail -> pail.put("d", cid(6)));
        repository.branches().switchTo("side");
        assertThat(repository.merge("main", "@{1}", DEFAULT.withDryRun()).root())
                .isEqualTo(repository.root("main"));
        assertThat(repository.merge("main", "side@{1}", DEFAULT).pail().get("d"))
                .isEmpty();
    }

    @Test
    void aBaseMergesContentWithItsDeletionsAndWithoutTheEvents() {
        diverge(repository);
        Revision base = repository.resolve("main@{1}");
        MergeOptions content = DEFAULT.withBase(base);
        assertThatExceptionOfType(MergeConflictException.class)
                .isThrownBy(() -> repository.merge("main", "side", content))
                .matches(e -> e.conflicts().equals(List.of(A, B)));
        MergeResult result = repository.merge("main", "side", content.withPolicy(MergePolicy.theirs()));
        assertThat(result.conflicts())
                .containsExactly(new MergeResult.Resolved(A, value(4)), new MergeResult.Resolved(B, Optional.empty()));
        assertThat(result.root()).isEqualTo(repository.root("side")).isEqualTo(repository.root("main"));
        assertThat(repository.head("main").events())
                .hasSize(1)
                .doesNotContainAnyElementsOf(repository.head("side").events());
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> repository.merge("absent", "side", content))
                .matches(e -> e.reason() == RepositoryException.Reason.NO_BRANCH);
    }

    /** By events, by content, into a new branch, and computed in memory. */
    @Test
    void aMergeTellsOfItsProgressAndIsCancelledByWhatThatThrows() {
        diverge(repository);
        MergeOptions theirs = DEFAULT.withPolicy(MergePolicy.theirs());
        List<MergeOptions> all =
                List.of(DEFAULT, theirs, theirs.withBase(repository.resolve("main@{1}")), DEFAULT.withDryRun());
        for (MergeOptions options : all) {
            for (String branch : options.base().isPresent() ? List.of("main") : List.of("main", "fresh")) {
                Cid before = repository.root("main");
                assertThatExceptionOfType(CancellationException.class)
                        .as("%s into %s", options, branch)
                        .isThrownBy(() -> repository.merge(branch, "side", options.withProgress(() -> {
                            throw new CancellationException();
                        })));
                assertThat(repository.root("main")).isEqualTo(before);
                assertThat(repository.branches().names()).containsExactly("main", "side");
            }
        }

        Cid expected = repository.merge("main", "side", theirs.withDryRun()).root();
        AtomicInteger steps = new AtomicInteger();
        MergeResult result = repository.merge("main", "side", theirs.withProgress(steps::incrementAndGet));
        assertThat(result.root()).isEqualTo(expected).isEqualTo(repository.root("main"));
        assertThat(steps.get()).isGreaterThan(5);
    }

    @Test
    void historiesThatBeganApartAreMergedOnlyIfThatIsAllowed() {
        repository.update("main", pail -> pail.put("a", cid(1)));
        repository
                .branches()
                .create(
                        "apart",
                        Pail.create(repository.blocks(), ShardFormat.v1()).put("b", cid(2)));
        assertThatExceptionOfType(UnrelatedHistoriesException.class)
                .isThrownBy(() -> repository.merge("main", "apart", DEFAULT));
        MergeResult result =
                repository.merge("main", "apart", DEFAULT.withUnrelated(UnrelatedHistories.MERGE_FROM_EMPTY));
        assertThat(result.pail().getAll(List.of("a", "b"))).containsOnlyKeys("a", "b");
    }

    @Test
    void aRootWithoutAHistoryNeedsABase() {
        diverge(repository);
        Pail loose = repository.pail().put("loose", cid(9));
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> repository.merge("main", loose.root().toString(), DEFAULT))
                .matches(e -> e.reason() == RepositoryException.Reason.NO_VERSION);
        MergeOptions content = DEFAULT.withBase(repository.resolve("main"));
        assertThat(repository.merge("main", loose.root().toString(), content).root())
                .isEqualTo(loose.root());
    }

    @Test
    void aRaceThatIsLostIsMergedAgainWithTheNewerVersion() {
        SharedMemory stores = SharedMemory.exclusive();
        try (Repository ours = stores.open();
                Repository other = stores.open()) {
            diverge(ours);
            AtomicInteger calls = new AtomicInteger();
            MergePolicy theirs = MergePolicy.resolve(conflict -> {
                if (calls.incrementAndGet() == 1) {
                    other.update("main", pail -> pail.put("a", cid(7)).put("raced", cid(8)));
                }
                return conflict.theirs();
            });
            MergeResult result = ours.merge("main", "side", DEFAULT.withPolicy(theirs));
            assertThat(calls.get()).isGreaterThan(2);
            assertThat(conflicts(result)).containsExactly(Conflict.of("a", value(1), value(7), value(4)), B);
            assertThat(other.pail().get("raced")).isEqualTo(value(8));
            assertThat(other.pail().get("a")).isEqualTo(value(4));
            assertThat(other.root("main")).isEqualTo(result.root());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDryRunWritesNothing(BlockStorage storage) {
        CrashDisk disk = new CrashDisk();
        Path folder = Path.of("/r");
        try (Repository made = FileRepository.init(disk, folder, ShardFormat.v1(), storage)) {
            diverge(made);
            // A head of two events whose version was never computed.
            made.branches().create("both", Head.of(List.of(last(made, "main"), last(made, "side"))));
            made.update("side", pail -> pail.put("d", cid(6)));
        }
        Set<String> reads =
                Set.of("read", "status", "identity", "exists", "isDirectory", "list", "open", "size", "close");
        List<String> writes = new ArrayList<>();
        Disk told = HookedDisk.telling(disk, (call, file) -> {
            if (!reads.contains(call)) {
                writes.add(call + ' ' + file);
            }
        });
        try (Repository opened = FileRepository.open(told, folder, Duration.ZERO)) {
            MergeOptions dry = DEFAULT.withDryRun();
            MergeOptions ours = dry.withPolicy(MergePolicy.ours());
            List<MergeResult> results = List.of(
                    opened.merge("main", "side", dry),
                    opened.merge("main", "side", ours),
                    opened.merge("both", "side", dry),
                    opened.merge("new", "both", dry),
                    opened.merge("main", "side", ours.withBase(opened.resolve("main@{1}"))));
            assertThat(results.get(1).pail().get("d")).isEqualTo(value(6));
            assertThat(results.get(1).leftOut()).isPositive();
            assertThat(writes).isEmpty();
            assertThat(opened.branches().names()).containsExactly("both", "main", "side");
            assertThat(opened.merge("main", "side", DEFAULT).root())
                    .isEqualTo(results.get(0).root());
            assertThat(writes).isNotEmpty();
        }
    }

    @Test
    void blocksThatAreAbsentAreCountedIfTheMergeBringsThem() {
        repository.update("main", pail -> pail.put("a", cid(1)));
        repository.branches().create("side", repository.head("main"));
        repository.blocks().put(Block.of(Cid.RAW, new byte[] {3}));
        repository.update("side", pail -> pail.put("b", cid(2)).put("c", cid(3)));
        assertThat(repository.merge("main", "side", DEFAULT).leftOut()).isEqualTo(1);
    }

    @Test
    void aRevertIsAMergeOfTheEventAndSaysWhatWasChangedSince() {
        diverge(repository);
        Cid event = last(repository, "main");
        repository.update("main", pail -> pail.put("a", cid(9)));
        Conflict since = Conflict.of("a", value(2), value(9), value(1));
        assertThatExceptionOfType(MergeConflictException.class)
                .isThrownBy(() -> repository.revert("main", event, MergePolicy.fail()))
                .matches(e -> e.conflicts().equals(List.of(since)));
        MergeResult result = repository.revert("main", event, MergePolicy.ours());
        assertThat(result.conflicts()).containsExactly(new MergeResult.Resolved(since, value(9)));
        assertThat(result.root()).isEqualTo(repository.root("main"));
        assertThat(result.pail().getAll(List.of("a", "b")).values()).containsExactly(cid(9), cid(1));
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> repository.revert("main", last(repository, "side"), MergePolicy.theirs()))
                .matches(e -> e.reason() == RepositoryException.Reason.NO_VERSION);
    }
}
