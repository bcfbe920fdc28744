package dev.pail.testkit.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.car.CarExport;
import dev.pail.car.Completeness;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.FetchResult;
import dev.pail.remote.FetchedTag;
import dev.pail.remote.PushMode;
import dev.pail.remote.PushReply;
import dev.pail.remote.PushRequest;
import dev.pail.remote.Pushed;
import dev.pail.remote.Remote;
import dev.pail.remote.RemoteException;
import dev.pail.remote.RemoteTag;
import dev.pail.repository.HeadNotes;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.Snapshot;
import dev.pail.repository.model.Tracking;
import dev.pail.sign.HeadNote;
import dev.pail.sign.SignedHead;
import dev.pail.sign.SigningKey;
import dev.pail.testkit.Randomness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link Remote} as tests: what repositories exchange by way of it. Extend it for each kind of remote.
 *
 * <pre>{@code
 * class MyRemoteTest extends RemoteContract {
 *     protected Remote open(Repository there) {
 *         return RepositoryRemote.of(there, "there"); // the remote to test
 *     }
 * }
 * }</pre>
 */
public abstract class RemoteContract {
    private static final String MAIN = Repository.MAIN;
    private static final String ORIGIN = "origin/main";
    private static final int CLIENTS = 8;

    private final Repository there = Repository.inMemory();
    private final Repository here = Repository.inMemory();
    private CountingRemote remote;
    private Exchange exchange;

    /** Tests of the remote that {@link #open} gives. */
    protected RemoteContract() {}

    /** A remote for a repository, which the test closes. */
    protected abstract Remote open(Repository repository) throws Exception;

    /** Opens a remote for each test. */
    @BeforeEach
    public void open() throws Exception {
        remote = new CountingRemote(open(there));
        exchange = Exchange.of(here, "origin", remote);
    }

    /** Closes all. */
    @AfterEach
    public void close() {
        remote.close();
        there.close();
        here.close();
    }

    private static void put(Repository repository, String key) {
        repository.update(MAIN, pail -> pail.putBytes(key, ("the value of " + key).getBytes(StandardCharsets.UTF_8)));
    }

    private static void assertEqual(Repository one, Repository other) {
        assertThat(one.head(MAIN)).isEqualTo(other.head(MAIN));
        assertThat(one.root(MAIN)).isEqualTo(other.root(MAIN));
        assertThat(Completeness.require(one.blocks(), one.head(MAIN).events())).isPositive();
    }

    private Tracking tracking() {
        return here.refs().tracking(ORIGIN).orElseThrow();
    }

    @Test
    public void aBranchIsRemovedAsItWasSeen_SY15() {
        put(there, "a");
        there.branches().create("x/y", there.head(MAIN));
        there.branches().create("z", there.head(MAIN));
        assertRemovalFails(RemoteException.Reason.NO_BRANCH, "x/y");
        assertThat(exchange.fetchAll()).hasSize(3);
        Pail moved =
                there.update("x/y", pail -> pail.putBytes("b", new byte[1])).pail();
        assertRemovalFails(RemoteException.Reason.MOVED, "x/y");
        assertThat(there.root("x/y")).isEqualTo(moved.root());
        assertThat(exchange.fetch("x/y").isChanged()).isTrue();
        exchange.remove("x/y");
        assertThat(there.branches().names()).containsExactly(MAIN, "z");
        assertThat(here.remotes().refs()).containsOnlyKeys(ORIGIN, "origin/z");
        assertRemovalFails(RemoteException.Reason.KEPT, MAIN);
        there.branches().switchTo("z");
        assertRemovalFails(RemoteException.Reason.KEPT, "z");
        there.branches().switchTo(MAIN);
        there.branches().remove("z");
        assertRemovalFails(RemoteException.Reason.NO_BRANCH, "z");
        assertThat(exchange.gone(there.branches().names())).containsExactly("origin/z");
        assertThat(exchange.prune()).containsExactly("origin/z");
        assertThat(here.remotes().refs()).containsOnlyKeys(ORIGIN);
    }

    private void assertTagFails(RemoteException.Reason reason, Runnable action) {
        assertThatExceptionOfType(RemoteException.class)
                .isThrownBy(action::run)
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
    }

    private static List<String> names(List<FetchedTag> tags, FetchedTag.Outcome outcome) {
        return tags.stream()
                .filter(each -> each.outcome() == outcome)
                .map(each -> each.tag().name())
                .toList();
    }

    @Test
    public void signedHeadsTravel_SY22_SY23() {
        put(there, "a");
        SigningKey ann = SigningKey.generate("example.com/ann");
        Snapshot now = there.snapshot(MAIN);
        HeadNote note = HeadNote.parse(new SignedHead(MAIN, 1, now.root(), now.head()).sign(ann));
        there.headNotes().keep(note);
        there.branches().create("x/y", now.head());
        HeadNote slash = HeadNote.parse(new SignedHead("x/y", 1, now.root(), now.head()).sign(ann));
        there.headNotes().keep(slash);
        assertThat(exchange.fetch(MAIN).isChanged()).isTrue();
        assertThat(here.headNotes().takeAll(remote.headNotes(), name -> true))
                .containsExactly(
                        new HeadNotes.Taken(note, HeadNotes.Outcome.KEPT),
                        new HeadNotes.Taken(slash, HeadNotes.Outcome.LEFT));
        assertThat(here.headNotes().all()).containsExactly(note);

        HeadNotes remoteNotes = remote.headNotes();
        assertThat(remoteNotes.keep(note)).isEqualTo(HeadNotes.Outcome.KNOWN);
        HeadNote newer = HeadNote.parse(new SignedHead("x/y", 2, now.root(), now.head()).sign(ann));
        assertThat(remoteNotes.keep(newer)).isEqualTo(HeadNotes.Outcome.KEPT);
        HeadNote wrong =
                HeadNote.parse(new SignedHead("x/y", 2, now.head().events().get(0), now.head()).sign(ann));
        assertThat(remoteNotes.keep(wrong)).isEqualTo(HeadNotes.Outcome.CONTRADICTS);
        HeadNote unknown = HeadNote.parse(new SignedHead("none", 2, now.root(), now.head()).sign(ann));
        assertThat(remoteNotes.keep(unknown)).isEqualTo(HeadNotes.Outcome.LEFT);
        assertThat(there.headNotes().all()).containsExactly(note, newer);
    }

    @Test
    public void tagsFollowTheVersionsThatAFetchBrings_SY19() {
        put(there, "a");
        there.tags().create("first", there.head(MAIN));
        put(there, "b");
        there.branches().create("x", there.head(MAIN));
        there.update("x", pail -> pail.putBytes("c", new byte[1]));
        there.tags().create("releases/x", there.head("x"));
        there.tags().create("taken", there.head(MAIN));
        there.tags().create("branch", there.head(MAIN));
        FetchResult unused = exchange.fetch(MAIN);
        here.tags().create("taken", there.tags().head("first").orElseThrow());
        here.branches().create("branch", Head.empty());
        List<FetchedTag> fetched = exchange.fetchTags();
        assertThat(names(fetched, FetchedTag.Outcome.CREATED)).containsExactly("first");
        assertThat(names(fetched, FetchedTag.Outcome.NOT_HERE)).containsExactly("releases/x");
        assertThat(names(fetched, FetchedTag.Outcome.LEFT)).containsExactly("branch", "taken");
        assertThat(here.tags().head("first")).isEqualTo(there.tags().head("first"));
        assertThat(here.tags().head("taken")).isEqualTo(there.tags().head("first"));
        assertThat(exchange.fetchAll()).hasSize(2);
        assertThat(names(exchange.fetchTags(), FetchedTag.Outcome.CREATED)).containsExactly("releases/x");
        assertThat(names(exchange.fetchTags(), FetchedTag.Outcome.UNCHANGED)).containsExactly("first", "releases/x");
    }

    @Test
    public void allTagsComeWithTheirVersions_SY19() {
        put(there, "a");
        there.branches().create("gone", there.head(MAIN));
        there.update("gone", pail -> pail.putBytes("b", new byte[1]));
        Head head = there.head("gone");
        there.tags().create("releases/x", head);
        there.branches().remove("gone");
        FetchResult unused = exchange.fetch(MAIN);
        assertThat(names(exchange.fetchTags(), FetchedTag.Outcome.NOT_HERE)).containsExactly("releases/x");
        assertThat(names(exchange.fetchAllTags(), FetchedTag.Outcome.CREATED)).containsExactly("releases/x");
        assertThat(here.tags().head("releases/x")).contains(head);
        assertThat(Completeness.require(here.blocks(), head.events())).isPositive();
        assertThat(here.refs().trackings()).containsExactly(ORIGIN);
        assertThat(names(exchange.fetchAllTags(), FetchedTag.Outcome.UNCHANGED)).containsExactly("releases/x");
        assertThat(remote.branches()).extracting(branch -> branch.name()).containsExactly(MAIN);
    }

    @Test
    public void aTagIsPushedWithItsVersion_SY20() {
        put(here, "a");
        Pushed unused = exchange.push(MAIN, PushMode.FAST_FORWARD);
        here.tags().create("first", here.head(MAIN));
        remote.blocks();
        assertThat(exchange.pushTag("first")).isTrue();
        assertThat(remote.blocks()).isZero();
        assertThat(exchange.pushTag("first")).isFalse();
        put(here, "b");
        here.tags().create("releases/2", here.head(MAIN));
        assertThat(exchange.pushTag("releases/2")).isTrue();
        assertThat(remote.blocks()).isPositive();
        assertThat(remote.tags()).extracting(tag -> tag.name()).containsExactly("first", "releases/2");
        assertThat(there.tags().head("releases/2")).contains(here.head(MAIN));
        assertThat(there.pailAt(here.head(MAIN)).getBytes("b")).isPresent();
        here.tags().remove("first");
        here.tags().create("first", here.head(MAIN));
        assertTagFails(RemoteException.Reason.TAG_EXISTS, () -> exchange.pushTag("first"));
        there.branches().create("third", there.head(MAIN));
        here.tags().create("third", here.head(MAIN));
        assertTagFails(RemoteException.Reason.TAG_EXISTS, () -> exchange.pushTag("third"));
        assertThat(there.tags().names()).containsExactly("first", "releases/2");
    }

    @Test
    public void aTagWithoutItsVersionIsNotMade_SY20() {
        put(here, "a");
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() -> remote.pushTag(new RemoteTag("first", here.head(MAIN))));
        assertThat(there.tags().names()).isEmpty();
        // The remote lost what the remote-tracking ref says.
        Tracking unused = here.remotes().track(ORIGIN, new Tracking(1, true, here.head(MAIN)));
        here.tags().create("first", here.head(MAIN));
        assertThat(exchange.pushTag("first")).isTrue();
        assertThat(there.tags().head("first")).contains(here.head(MAIN));
    }

    @Test
    public void aTagIsRemovedAsItWasSeen_SY21() {
        put(there, "a");
        there.tags().create("first", there.head(MAIN));
        RemoteTag seen = remote.tags().get(0);
        there.tags().remove("first");
        put(there, "b");
        there.tags().create("first", there.head(MAIN));
        assertTagFails(RemoteException.Reason.MOVED, () -> remote.removeTag(seen));
        assertThat(there.tags().names()).containsExactly("first");
        exchange.removeTag("first");
        assertThat(there.tags().names()).isEmpty();
        assertTagFails(RemoteException.Reason.NO_TAG, () -> exchange.removeTag("first"));
        assertTagFails(RemoteException.Reason.NO_TAG, () -> remote.removeTag(seen));
    }

    private void assertRemovalFails(RemoteException.Reason reason, String branch) {
        assertThatExceptionOfType(RemoteException.class)
                .isThrownBy(() -> exchange.remove(branch))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
    }

    @Test
    public void aRemoteSaysWhatItIs() {
        assertThat(remote.info().format()).isEqualTo(there.format());
        assertThat(remote.info().current()).isEqualTo(MAIN);
        assertThat(remote.branches()).hasSize(1);
        assertThat(remote.branches().get(0).head().isEmpty()).isTrue();
        put(there, "a");
        there.branches().create("feature/x", there.head(MAIN));
        assertThat(remote.branches()).extracting(branch -> branch.name()).containsExactly("feature/x", MAIN);
        assertThat(remote.branches().get(1).head()).isEqualTo(there.head(MAIN));
        assertThat(remote.branches().get(1).generation())
                .isEqualTo(there.snapshot(MAIN).generation());
    }

    @Test
    public void anEmptyBranchIsFetchedAndPushedTo() {
        FetchResult fetched = exchange.fetch(MAIN);
        assertThat(fetched.now()).isEqualTo(new Tracking(0, true, Head.empty()));
        put(here, "a");
        Pushed pushed = exchange.push(MAIN, PushMode.FAST_FORWARD);
        assertThat(pushed.isMerged()).isFalse();
        assertEqual(here, there);
        assertThat(tracking().head()).isEqualTo(here.head(MAIN));
    }

    @Test
    public void allBranchesAreFetchedWithOneRequestForEachThatChanged_SY3() throws IOException {
        put(there, "a");
        there.branches().create("b", there.head(MAIN));
        assertThat(exchange.fetchAll()).extracting(FetchResult::ref).containsExactly("origin/b", ORIGIN);
        assertThat(remote.requests()).isEqualTo(3);
        put(there, "c");
        assertThat(exchange.fetchAll()).extracting(FetchResult::isChanged).containsExactly(false, true);
        assertThat(remote.requests()).isEqualTo(2);
        assertThat(tracking().head()).isEqualTo(there.head(MAIN));
        assertThat(here.branches().names()).containsExactly(MAIN);
        assertThat(here.resolve(ORIGIN).pail().getBytes("c")).isPresent();
    }

    @Test
    public void aPullIsOneRequestWithTheBlocksThatAreNew_SY4() {
        for (int i = 0; i < 300; i++) {
            put(there, "key/" + i);
        }
        exchange.pull(MAIN, MergeOptions.DEFAULT);
        assertThat(remote.requests()).isEqualTo(1);
        assertEqual(here, there);
        remote.blocks();
        Head before = there.head(MAIN);
        put(there, "key/77/more");
        put(there, "key/78/more");
        List<Cid> least = new ArrayList<>();
        long unused = CarExport.of(there.blocks(), there.head(MAIN).events())
                .since(before.events().get(0))
                .forEach(block -> least.add(block.cid()));
        exchange.pull(MAIN, MergeOptions.DEFAULT);
        assertThat(remote.requests()).isEqualTo(1);
        assertThat(remote.blocks()).isLessThanOrEqualTo(least.size() + least.size() / 10);
        assertEqual(here, there);

        exchange.pull(MAIN, MergeOptions.DEFAULT);
        assertThat(remote.requests()).isEqualTo(1);
        assertThat(remote.blocks()).isZero();
    }

    @Test
    public void aPushIsOneRequestWithTheBlocksThatAreNew_SY6() {
        put(here, "a");
        Pushed first = exchange.push(MAIN, PushMode.FAST_FORWARD);
        assertThat(first.branch().head()).isEqualTo(here.head(MAIN));
        assertThat(remote.requests()).isEqualTo(1);
        assertEqual(here, there);
        remote.blocks();
        put(here, "b");
        exchange.push(MAIN, PushMode.FAST_FORWARD);
        assertThat(remote.requests()).isEqualTo(1);
        // An event, the root shard and a value.
        assertThat(remote.blocks()).isEqualTo(3);
        assertEqual(here, there);
        assertThat(tracking().generation()).isEqualTo(there.snapshot(MAIN).generation());

        exchange.push(MAIN, PushMode.FAST_FORWARD);
        assertThat(there.snapshot(MAIN).generation()).isEqualTo(tracking().generation());
    }

    private void diverge() {
        put(here, "common");
        exchange.push(MAIN, PushMode.FAST_FORWARD);
        put(here, "ours");
        put(there, "theirs");
        remote.requests();
    }

    @Test
    public void aPushThatWouldDropEventsIsRefused_SY6() {
        diverge();
        Head before = there.head(MAIN);
        assertThatExceptionOfType(RemoteException.class)
                .isThrownBy(() -> exchange.push(MAIN, PushMode.FAST_FORWARD))
                .satisfies(e -> assertThat(e.hint().orElseThrow()).contains("pull"));
        assertThat(remote.requests()).isLessThanOrEqualTo(2);
        assertThat(there.head(MAIN)).isEqualTo(before);
        exchange.pull(MAIN, MergeOptions.DEFAULT);
        exchange.push(MAIN, PushMode.FAST_FORWARD);
        assertThat(remote.requests()).isLessThanOrEqualTo(3);
        assertEqual(here, there);
        assertThat(here.pail().getBytes("ours")).isPresent();
        assertThat(here.pail().getBytes("theirs")).isPresent();
    }

    @Test
    public void aForcedPushNeedsTheGenerationThatWasSeen() {
        diverge();
        assertThatExceptionOfType(RemoteException.class)
                .isThrownBy(() -> exchange.push(MAIN, PushMode.FORCE))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(RemoteException.Reason.MOVED));
        exchange.fetch(MAIN);
        exchange.push(MAIN, PushMode.FORCE);
        assertEqual(here, there);
        assertThat(there.pail().getBytes("theirs")).isEmpty();

        // Also back to an older version.
        Head older = Head.of(MerkleClock.open(here.blocks())
                .event(here.head(MAIN).events().get(0))
                .parents());
        here.move(here.snapshot(MAIN), older, "back");
        exchange.push(MAIN, PushMode.FORCE);
        assertThat(there.head(MAIN)).isEqualTo(older);
    }

    @Test
    public void onlyAPushThatConvertsChangesTheFormat_SY6() {
        put(there, "a");
        exchange.pull(MAIN, MergeOptions.DEFAULT);
        here.startHistory(
                MAIN,
                "convert",
                pail -> Pail.create(pail.blocks(), ShardFormat.v0())
                        .put("a", pail.get("a").orElseThrow()));
        for (PushMode mode : List.of(PushMode.FAST_FORWARD, PushMode.MERGE, PushMode.FORCE)) {
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> exchange.push(MAIN, mode))
                    .withMessageContaining("the shard format v1, and the version here v0")
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(RemoteException.Reason.FORMAT));
        }
        // The remote decides: other peers do not ask.
        PushRequest forced = new PushRequest(
                MAIN, here.head(MAIN), Optional.of(there.snapshot(MAIN).token()), PushMode.FORCE);
        CarExport export = CarExport.of(here.blocks(), here.head(MAIN).events());
        assertThat(remote.push(forced, export).outcome()).isEqualTo(PushReply.Outcome.OTHER_FORMAT);
        assertThat(there.pail().format().name()).isEqualTo("v1");

        exchange.push(MAIN, PushMode.CONVERT);
        assertEqual(here, there);
        assertThat(there.pail().format().name()).isEqualTo("v0");
        put(here, "b");
        exchange.push(MAIN, PushMode.FORCE);
        assertEqual(here, there);
    }

    @Test
    public void aPushToAnotherHistoryIsNamed_SY6() {
        put(here, "ours");
        put(there, "theirs");
        for (PushMode mode : List.of(PushMode.FAST_FORWARD, PushMode.MERGE)) {
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> exchange.push(MAIN, mode))
                    .withMessageContaining("another history, which began apart")
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(RemoteException.Reason.UNRELATED));
        }
        exchange.pull(MAIN, MergeOptions.DEFAULT.withUnrelated(UnrelatedHistories.MERGE_FROM_EMPTY));
        exchange.push(MAIN, PushMode.FAST_FORWARD);
        assertEqual(here, there);
    }

    /** The remote has a generation again, with another head: it was restored from a backup. */
    @Test
    public void aGenerationDoesNotNameAState_SY13() throws Exception {
        put(there, "a");
        put(there, "lost");
        exchange.pull(MAIN, MergeOptions.DEFAULT);
        try (Repository restored = Repository.inMemory();
                Remote second = open(restored)) {
            put(restored, "a");
            put(restored, "important");
            assertThat(restored.snapshot(MAIN).generation())
                    .isEqualTo(tracking().generation());
            Exchange again = Exchange.of(here, "origin", second);
            put(here, "mine");

            // A forced push does not drop a change that this peer has not fetched.
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> again.push(MAIN, PushMode.FORCE))
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(RemoteException.Reason.MOVED));
            assertThat(keys(restored.pail())).containsExactly("a", "important");
            assertThatExceptionOfType(RemoteException.class)
                    .isThrownBy(() -> again.push(MAIN, PushMode.FAST_FORWARD))
                    .withMessageContaining("lost changes")
                    .satisfies(e -> assertThat(e.reason()).isEqualTo(RemoteException.Reason.NOT_FAST_FORWARD));

            here.remotes().track(ORIGIN, new Tracking(2, true, there.head(MAIN)));
            FetchResult fetched = again.fetch(MAIN);
            assertThat(fetched.isBack()).isTrue();
            assertThat(fetched.now().head()).isEqualTo(restored.head(MAIN));
            assertThat(again.fetch(MAIN).isBack()).isFalse();
            again.pull(MAIN, MergeOptions.DEFAULT);
            again.push(MAIN, PushMode.FAST_FORWARD);
            assertEqual(here, restored);
            assertThat(keys(restored.pail())).containsExactly("a", "important", "lost", "mine");
        }
    }

    /** The remote went back, and nothing was changed there since. */
    @Test
    public void aPushSendsWhatTheRemoteLost_SY13() throws Exception {
        put(there, "a");
        put(there, "lost");
        exchange.pull(MAIN, MergeOptions.DEFAULT);
        try (Repository restored = Repository.inMemory();
                Remote second = open(restored)) {
            put(restored, "a");
            put(here, "mine");
            Pushed pushed = Exchange.of(here, "origin", second).push(MAIN, PushMode.FAST_FORWARD);
            assertThat(pushed.isBack()).isTrue();
            assertThat(pushed.isMerged()).isFalse();
            assertEqual(here, restored);
        }
    }

    @Test
    public void aRemoteTellsItsId_SY13() throws Exception {
        assertThat(remote.info().id()).isEqualTo(there.refs().repositoryId()).isPresent();
        try (Repository other = Repository.inMemory();
                Remote second = open(other)) {
            assertThat(second.info().id())
                    .isPresent()
                    .isNotEqualTo(remote.info().id());
        }
    }

    @Test
    public void aMergeByTheRemoteKeepsBothSides() {
        diverge();
        Pushed pushed = exchange.push(MAIN, PushMode.MERGE);
        assertThat(remote.requests()).isEqualTo(1);
        assertThat(pushed.isMerged()).isTrue();
        assertThat(there.pail().getBytes("ours")).isPresent();
        assertThat(there.pail().getBytes("theirs")).isPresent();
        exchange.pull(MAIN, MergeOptions.DEFAULT);
        assertEqual(here, there);
    }

    @Test
    public void aPeerWithoutARefFindsWhatBothHave_SY4() {
        for (int i = 0; i < 100; i++) {
            put(here, "common/" + i);
        }
        exchange.push(MAIN, PushMode.FAST_FORWARD);
        here.remotes().untrack(ORIGIN);
        for (int i = 0; i < 40; i++) {
            put(here, "ours/" + i);
        }
        put(there, "theirs");
        remote.requests();
        remote.blocks();
        exchange.fetch(MAIN);
        assertThat(remote.requests()).isLessThanOrEqualTo(3);
        assertThat(remote.blocks()).isLessThan(300);
        assertThat(tracking().head()).isEqualTo(there.head(MAIN));
    }

    @Test
    public void unrelatedHistoriesAreFetchedWhole_SY4() {
        put(here, "ours");
        put(there, "theirs");
        exchange.fetch(MAIN);
        assertThat(remote.requests()).isLessThanOrEqualTo(3);
        assertThat(tracking().head()).isEqualTo(there.head(MAIN));
    }

    @Test
    public void aPushThatIsSentAgainChangesNothingTwice_SY6() {
        put(here, "a");
        AtomicBoolean isLost = new AtomicBoolean(true);
        remote.afterPush(() -> {
            if (isLost.getAndSet(false)) {
                throw new StoreIOException("cannot exchange", "there", "the response was lost", null);
            }
        });
        assertThatExceptionOfType(StoreIOException.class).isThrownBy(() -> exchange.push(MAIN, PushMode.FAST_FORWARD));
        long generation = there.snapshot(MAIN).generation();
        assertThat(generation).isEqualTo(1);
        exchange.push(MAIN, PushMode.FAST_FORWARD);
        assertThat(there.snapshot(MAIN).generation()).isEqualTo(generation);

        // Also if others have pushed since.
        put(here, "b");
        isLost.set(true);
        assertThatExceptionOfType(StoreIOException.class).isThrownBy(() -> exchange.push(MAIN, PushMode.FAST_FORWARD));
        put(there, "c");
        generation = there.snapshot(MAIN).generation();
        exchange.push(MAIN, PushMode.FAST_FORWARD);
        assertThat(there.snapshot(MAIN).generation()).isEqualTo(generation);
    }

    @Test
    public void valuesAreLeftOutAndFetchedLater() throws IOException {
        put(there, "a");
        put(there, "b");
        FetchResult without = exchange.withoutValues().fetch(MAIN);
        assertThat(without.now().hasValues()).isFalse();
        Cid value = there.pail().get("a").orElseThrow();
        assertThat(here.blocks().has(value)).isFalse();
        put(there, "c");
        exchange.withoutValues().fetch(MAIN);
        assertThat(here.blocks().has(there.pail().get("c").orElseThrow())).isFalse();
        FetchResult with = exchange.fetch(MAIN);
        assertThat(with.now().hasValues()).isTrue();
        assertThat(here.blocks().has(value)).isTrue();
        assertThat(here.resolve(ORIGIN).pail().getBytes("c")).isPresent();
    }

    @Test
    public void aBranchThatIsAbsentIsMade() {
        put(here, "a");
        here.branches().create("feature/y", here.head(MAIN));
        exchange.push("feature/y", PushMode.FAST_FORWARD);
        assertThat(there.head("feature/y")).isEqualTo(here.head("feature/y"));
        assertThatExceptionOfType(RemoteException.class)
                .isThrownBy(() -> exchange.fetch("nothing"))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(RemoteException.Reason.NO_BRANCH));
    }

    /** What a fetch that is cut off has brought is not brought again. */
    @Test
    public void aFetchThatIsCutOffGoesOn_SY8() {
        int versions = 30;
        for (int i = 0; i < versions; i++) {
            put(there, "key/" + i);
        }
        exchange.fetch(MAIN);
        long all = remote.blocks();
        Random random = Randomness.random("RemoteContract.aFetchThatIsCutOffGoesOn");
        for (int run = 0; run < 20; run++) {
            try (Repository fresh = Repository.inMemory()) {
                Exchange again = Exchange.of(fresh, "origin", remote);
                long sum = 0;
                int cuts = 0;
                while (!fresh.refs().tracking(ORIGIN).map(Tracking::head).equals(Optional.of(there.head(MAIN)))) {
                    AtomicInteger left = new AtomicInteger(10 + random.nextInt(60));
                    remote.onArrival(block -> {
                        if (left.getAndDecrement() == 0) {
                            throw new StoreIOException("cannot exchange", "there", "cut off", null);
                        }
                    });
                    try {
                        again.fetch(MAIN);
                    } catch (StoreIOException e) {
                        cuts++;
                    }
                    sum += remote.blocks();
                    fresh.refs()
                            .tracking(ORIGIN)
                            .ifPresent(partial -> assertThat(Completeness.require(
                                            fresh.blocks(), partial.head().events()))
                                    .isPositive());
                }
                // Each cut costs one version at most: an event, its shards and its value.
                assertThat(sum).isLessThanOrEqualTo(all + cuts * 12L);
            }
        }
    }

    @Test
    public void aReceiverWithoutWhatItNamesGetsAll_SY7() {
        put(there, "a");
        put(there, "b");
        put(here, "ours");
        AtomicBoolean isWrong = new AtomicBoolean(true);
        remote.onFetch(request ->
                isWrong.getAndSet(false) ? request.withHave(there.head(MAIN).events()) : request);
        assertThat(exchange.fetch(MAIN).now().head()).isEqualTo(there.head(MAIN));
        assertThat(remote.requests()).isEqualTo(2);
    }

    @Test
    public void aRemoteThatLostWhatItHadGetsAll_SY7() {
        put(here, "a");
        here.remotes().track(ORIGIN, new Tracking(0, true, here.head(MAIN)));
        put(here, "b");
        exchange.push(MAIN, PushMode.FAST_FORWARD);
        assertEqual(here, there);
        assertThat(remote.requests()).isEqualTo(2);
    }

    @Test
    public void aRemoteThatLacksBlocksMovesNothing_SY7() {
        put(here, "a");
        CarExport rootOnly =
                CarExport.of(here.blocks(), here.head(MAIN).events()).without(cid -> cid.equals(here.root(MAIN)));
        PushRequest request = new PushRequest(MAIN, here.head(MAIN), Optional.empty(), PushMode.FAST_FORWARD);
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() -> remote.push(request, rootOnly))
                .satisfies(e -> assertThat(e.cid()).isEqualTo(here.root(MAIN)));
        assertThat(there.head(MAIN).isEmpty()).isTrue();
    }

    /** Replicas that change, pull and push at random have the same version in the end, and nothing is lost. */
    @Test
    public void replicasConverge() throws Exception {
        for (int run = 0; run < Randomness.times(4, 100); run++) {
            long seed = Randomness.seed("RemoteContract.replicasConverge");
            Random random = Randomness.random(seed);
            List<Repository> replicas = new ArrayList<>();
            Set<String> made = new TreeSet<>();
            for (int i = 0; i < 3; i++) {
                replicas.add(Repository.inMemory());
            }
            try (Repository middle = Repository.inMemory();
                    Remote shared = open(middle)) {
                for (int step = 0; step < 40; step++) {
                    int at = random.nextInt(replicas.size());
                    Repository replica = replicas.get(at);
                    Exchange each = Exchange.of(replica, "origin", shared);
                    switch (random.nextInt(4)) {
                        case 0, 1 -> {
                            String key = at + "/" + step;
                            put(replica, key);
                            made.add(key);
                        }
                        case 2 -> pull(each);
                        default -> tryToPush(each, replica, random.nextBoolean());
                    }
                }
                for (int round = 0; round < 2; round++) {
                    for (Repository replica : replicas) {
                        Exchange each = Exchange.of(replica, "origin", shared);
                        pull(each);
                        tryToPush(each, replica, true);
                        pull(each);
                    }
                }
                for (Repository replica : replicas) {
                    assertThat(keys(replica.pail())).isEqualTo(made);
                    assertThat(replica.root(MAIN)).isEqualTo(middle.root(MAIN));
                }
            } finally {
                replicas.forEach(Repository::close);
            }
        }
    }

    private static void pull(Exchange exchange) {
        exchange.fetch(MAIN);
        exchange.pull(MAIN, MergeOptions.DEFAULT.withUnrelated(UnrelatedHistories.MERGE_FROM_EMPTY));
    }

    private static void tryToPush(Exchange exchange, Repository replica, boolean merges) {
        if (replica.head(MAIN).isEmpty()) {
            return;
        }
        try {
            Pushed unused = exchange.push(MAIN, merges ? PushMode.MERGE : PushMode.FAST_FORWARD);
        } catch (RemoteException e) {
            assertThat(e.reason())
                    .isIn(
                            RemoteException.Reason.NOT_FAST_FORWARD,
                            RemoteException.Reason.UNRELATED,
                            RemoteException.Reason.MOVED);
        }
    }

    private static Set<String> keys(Pail pail) {
        Set<String> keys = new TreeSet<>();
        try (var entries = pail.entries()) {
            entries.forEach(entry -> keys.add(entry.key()));
        }
        return keys;
    }

    /** Of clients that push at once, each gets its changes in, and none drops those of another. */
    @Test
    public void clientsThatPushAtOnceLoseNothing_SY6() throws Exception {
        put(there, "first");
        int changes = Randomness.times(6, 60);
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int client = i;
                Callable<?> work = () -> {
                    try (Repository mine = Repository.inMemory();
                            Remote shared = open(there)) {
                        Exchange each = Exchange.of(mine, "origin", shared);
                        each.pull(MAIN, MergeOptions.DEFAULT);
                        for (int change = 0; change < changes; change++) {
                            put(mine, client + "/" + change);
                            pushUntilDone(each);
                        }
                        return "";
                    }
                };
                all.add(threads.submit(work));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(keys(there.pail())).hasSize(CLIENTS * changes + 1);
    }

    private static void pushUntilDone(Exchange exchange) {
        for (int attempt = 0; attempt < 200; attempt++) {
            try {
                Pushed unused = exchange.push(MAIN, attempt < 3 ? PushMode.FAST_FORWARD : PushMode.MERGE);
                return;
            } catch (RemoteException e) {
                exchange.pull(MAIN, MergeOptions.DEFAULT);
            }
        }
        throw new AssertionError("200 lost races");
    }
}
