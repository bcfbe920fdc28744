package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.Batch;
import dev.pail.BlockStore;
import dev.pail.Entry;
import dev.pail.LimitException;
import dev.pail.MalformedBlockException;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.clock.Event;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.clock.Operation;
import dev.pail.clock.ReplicatedPail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.HeadMovedException;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Registration;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import dev.pail.testkit.disk.CrashDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Branches, where they stood, and what moved them. */
class HistoryTest {
    private static final Path FOLDER = Path.of("/r");
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();
    private static final Cid OTHER_VALUE = Block.of(Cid.RAW, new byte[] {2}).cid();

    private final CrashDisk disk = new CrashDisk();
    private final Repository repository = init();

    Repository init() {
        return FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES);
    }

    /** The same repository, as another process opens it. */
    Repository another() {
        return FileRepository.open(disk, FOLDER, Duration.ZERO);
    }

    /** The repository as it is after a loss of power. */
    Repository afterLoss() {
        return FileRepository.open(disk.afterLoss(CrashDisk.Loss.ALL, new Random(1)), FOLDER, Duration.ZERO);
    }

    @AfterEach
    void close() {
        repository.close();
    }

    private Snapshot put(String key) {
        repository.update("main", pail -> pail.put(key, VALUE));
        return repository.snapshot("main");
    }

    private List<LogEntry> log(String branch) {
        try (Stream<LogEntry> log = repository.history().log(branch)) {
            return log.toList();
        }
    }

    private static List<String> keys(Pail pail) {
        try (Stream<Entry> entries = pail.entries()) {
            return entries.map(Entry::key).toList();
        }
    }

    private Event event(Head head) {
        assertThat(head.size()).isEqualTo(1);
        return MerkleClock.open(repository.blocks()).event(head.events().get(0));
    }

    @Test
    void aNewRepositoryHasNoEvents() {
        Snapshot snapshot = repository.snapshot("main");
        assertThat(snapshot.generation()).isZero();
        assertThat(snapshot.head()).isEqualTo(Head.empty());
        assertThat(snapshot.pail().format()).isEqualTo(ShardFormat.v1());
        assertThat(snapshot.root())
                .isEqualTo(Pail.create(new MemoryBlockStore(), ShardFormat.v1()).root());
        assertThat(repository.branches().names()).containsExactly("main");
        assertThat(repository.branches().current()).isEqualTo("main");
        assertThat(log("main")).isEmpty();
    }

    /** Rule M8, for a head of any origin: otherwise the next event would follow an event and one of its ancestors. */
    @Test
    void aHeadHasNoEventThatAnotherOfItFollows() {
        Head first = put("a").head();
        Head last = put("b").head();
        List<Cid> events = List.of(first.events().get(0), last.events().get(0));

        assertThat(repository.branches().create("side", Head.of(events)).head()).isEqualTo(last);
        repository.tags().create("tag", Head.of(events));
        assertThat(repository.tags().head("tag")).contains(last);
        Snapshot main = repository.snapshot("main");
        assertThat(repository.move(main, Head.of(events), "again").head()).isEqualTo(last);
        repository.update("side", pail -> pail.put("c", VALUE));
        assertThat(event(repository.snapshot("side").head()).parents()).isEqualTo(last.events());
    }

    /** The file of a larger one could be written, and never be read again. */
    @Test
    void aHeadOfTooManyEventsIsRefused() {
        Snapshot main = put("a");
        Cid root = main.root();
        List<Cid> events = new ArrayList<>();
        for (int i = 0; i <= 1100; i++) {
            Cid value =
                    Block.of(Cid.RAW, new byte[] {(byte) i, (byte) (i >> 8)}).cid();
            Event event =
                    Event.of(new Operation.Put("a", value), root, main.head().events());
            repository.blocks().put(event.block());
            events.add(event.cid());
        }
        Head many = Head.of(events);

        assertThatExceptionOfType(LimitException.class)
                .isThrownBy(() -> repository.branches().create("side", many))
                .withMessageContaining("M8");
        assertThatExceptionOfType(LimitException.class)
                .isThrownBy(() -> repository.tags().create("tag", many))
                .withMessageContaining("M8");
        assertThatExceptionOfType(LimitException.class)
                .isThrownBy(() -> repository.move(main, many, "many"))
                .withMessageContaining("M8");
        assertThat(repository.branches().names()).containsExactly("main");
        assertThat(repository.tags().names()).isEmpty();
        assertThat(repository.snapshot("main").head()).isEqualTo(main.head());
    }

    @Test
    void aLargeVersionOfAnotherFormatIsTheBeginningOfABranch() {
        repository.replace("main", "replace", empty -> {
            Batch batch = Pail.create(repository.blocks(), ShardFormat.v0()).batch();
            IntStream.range(0, 5001).forEach(i -> batch.put(String.format("größe %04d", i), VALUE));
            return batch.commit();
        });
        Snapshot snapshot = repository.snapshot("main");
        assertThat(keys(snapshot.pail())).hasSize(5001);
        Event last = event(snapshot.head());
        assertThat(last.root()).isEqualTo(snapshot.root());
        Pail first = repository.pailAt(Head.of(last.parents()));
        assertThat(first.format()).isEqualTo(ShardFormat.v0());
        assertThat(keys(first))
                .isEqualTo(keys(snapshot.pail()).stream().limit(5000).toList());
    }

    /** A version of one event and one of several, whose shards and events are here, too: the other store is then not needed any more. */
    @Test
    void aChangeMayComeFromAnotherStore() {
        List<ReplicatedPail> made = new ArrayList<>();
        MemoryBlockStore elsewhere = new MemoryBlockStore();
        for (BlockStore store : List.of(repository.blocks(), elsewhere)) {
            ReplicatedPail start =
                    ReplicatedPail.create(store, ShardFormat.v1()).put("a", VALUE);
            made.add(start.put("b", VALUE));
            made.add(start.put("c", VALUE));
        }
        ReplicatedPail one = made.get(2);
        ReplicatedPail two = one.merge(made.get(3).head());
        List<ReplicatedPail> changed = new ArrayList<>();
        for (ReplicatedPail theirs : List.of(one, two)) {
            changed.add(repository.change("main", "theirs", ours -> theirs));
            assertThat(changed).last().isEqualTo(theirs);
        }
        elsewhere.close();

        assertThat(keys(changed.get(0).put("d", VALUE).pail())).containsExactly("a", "b", "d");
        assertThat(keys(changed.get(1).put("d", VALUE).pail())).containsExactly("a", "b", "c", "d");
        assertThat(keys(repository.pail())).containsExactly("a", "b", "c");
        assertThat(keys(put("e").pail())).containsExactly("a", "b", "c", "e");
    }

    @Test
    void aVersionMayComeFromAnotherStore() {
        put("a");
        MemoryBlockStore elsewhere = new MemoryBlockStore();
        List<Pail> made = new ArrayList<>();
        for (BlockStore store : List.of(repository.blocks(), elsewhere)) {
            made.add(Pail.create(store, ShardFormat.v1()).put("b", VALUE).put("c", VALUE));
        }
        Pail theirs = made.get(1);
        Pail updated = repository.replace("main", "replace", pail -> theirs).pail();
        Snapshot created = repository.branches().create("side", theirs);

        for (Snapshot snapshot : List.of(repository.snapshot("main"), created)) {
            assertThat(elsewhere.has(snapshot.head().events().get(0))).isFalse();
            assertThat(snapshot.root()).isEqualTo(theirs.root());
        }
        Pail missing = theirs.put("d", VALUE);
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> repository.replace("main", "replace", pail -> missing))
                .withMessageContaining(missing.root().toString());
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() -> repository.branches().create("missing", missing))
                .satisfies(e -> assertThat(e.cid()).isEqualTo(missing.root()));
        elsewhere.close();
        for (Pail pail : List.of(updated, repository.pail(), created.pail(), repository.pail("side"))) {
            assertThat(keys(pail)).containsExactly("b", "c");
        }
        assertThat(keys(put("e").pail())).containsExactly("b", "c", "e");
    }

    /** There and back: the versions on the way have a format that takes their keys. */
    @ParameterizedTest
    @ValueSource(ints = {3, 12_000})
    void aVersionOfAnotherFormatFollows(int count) {
        put("a");
        put("b");
        for (String key : List.of("größe %05d", "size %05d")) {
            ShardFormat format = key.startsWith("s") ? ShardFormat.v1() : ShardFormat.v0();
            Pail updated = repository
                    .replace("main", "replace", before -> {
                        Batch batch = Pail.create(repository.blocks(), format).batch();
                        batch.put("a", before.get("a").equals(Optional.of(VALUE)) ? OTHER_VALUE : VALUE);
                        IntStream.range(0, count).forEach(i -> batch.put(String.format(key, i), VALUE));
                        return batch.commit();
                    })
                    .pail();
            assertThat(updated.format()).isEqualTo(format);
            assertThat(repository.pail().root()).isEqualTo(updated.root());
        }
        Map<String, Cid> entries = new TreeMap<>();
        MerkleClock clock = MerkleClock.open(repository.blocks());
        for (Cid cid : clock.history(repository.snapshot("main").head())) {
            Event event = clock.event(cid);
            for (Operation.Change change : event.operation().changes()) {
                if (change instanceof Operation.Put put) {
                    entries.put(put.key(), put.value());
                } else {
                    entries.remove(change.key());
                }
            }
            try (Stream<Entry> version = repository.pailAt(Head.of(cid)).entries()) {
                assertThat(version.collect(Collectors.toMap(Entry::key, Entry::value)))
                        .isEqualTo(entries);
            }
        }
        assertThat(entries).hasSize(1 + count);
    }

    /** Forty shards, each but the first with two links to the one before. It writes 160 MiB before it is refused. */
    @Test
    @Tag("stress")
    void fewShardsWithMoreKeysThanAnybodyCanGoThroughMakeNoEvents() {
        Pail bomb = bomb();
        for (Runnable use : List.<Runnable>of(
                () -> repository.branches().create("new", bomb),
                () -> repository.replace("main", "replace", empty -> bomb))) {
            assertThatExceptionOfType(MalformedBlockException.class)
                    .isThrownBy(use::run)
                    .withMessageStartingWith("malformed shard: ")
                    .withMessageContaining("X7")
                    .withMessageContaining("have 80 entries");
        }
        assertThat(repository.branches().names()).containsExactly("main");
        assertThat(log("main")).isEmpty();
    }

    /** Each of its shards is looked at once when it comes from elsewhere, and not in each of its places. */
    @Test
    void anEventMayHaveAVersionWithMoreKeysThanAnybodyCanGoThrough() {
        Pail bomb = bomb();
        Event event = Event.of(new Operation.Put("a".repeat(40), VALUE), bomb.root(), List.of());
        repository.blocks().put(event.block());
        repository.branches().create("new", Head.of(event.cid()));
        assertThat(repository.root("new")).isEqualTo(bomb.root());
    }

    private Pail bomb() {
        Block shard = shard(List.of("a", "b"), writer -> writer.link(VALUE));
        repository.blocks().put(shard);
        for (int i = 1; i < 40; i++) {
            Cid below = shard.cid();
            shard = shard(List.of("a", "b"), writer -> writer.array(1).link(below));
            repository.blocks().put(shard);
        }
        return Pail.open(repository.blocks(), shard.cid());
    }

    private static Block shard(List<String> keys, UnaryOperator<DagCborWriter> value) {
        DagCborWriter shard = new DagCborWriter().map(3).text("entries").array(keys.size());
        for (String key : keys) {
            shard = value.apply(shard.array(2).text(key));
        }
        return Block.of(
                Cid.DAG_CBOR,
                shard.text("maxSize")
                        .integer(512 * 1024)
                        .text("maxKeyLength")
                        .integer(64)
                        .toByteArray());
    }

    @Test
    void everyChangeIsAnEventAndALineOfTheLog() {
        Snapshot first = put("a");
        assertThat(event(first.head()).operation()).isEqualTo(new Operation.Put("a", VALUE));
        assertThat(event(first.head()).parents()).isEmpty();

        repository.update(
                "main",
                "several\n\t\\ \u00e9\ud83d\ude00",
                pail -> pail.put("b", VALUE)
                        .put("a", OTHER_VALUE)
                        .put("c", VALUE)
                        .delete("c"));
        Snapshot second = repository.snapshot("main");
        Event event = event(second.head());
        assertThat(event.operation())
                .isEqualTo(new Operation.Batch(
                        List.of(new Operation.Put("a", OTHER_VALUE), new Operation.Put("b", VALUE))));
        assertThat(event.parents()).isEqualTo(first.head().events());
        assertThat(event.root()).isEqualTo(second.root());

        repository.update("main", pail -> pail.delete("a"));
        List<LogEntry> log = log("main");
        assertThat(log).extracting(LogEntry::generation).containsExactly(3L, 2L, 1L);
        assertThat(log)
                .extracting(LogEntry::reason)
                .containsExactly("delete \"a\"", "several\n\t\\ \u00e9\ud83d\ude00", "put \"a\"");
        assertThat(log).extracting(LogEntry::from).containsExactly(second.head(), first.head(), Head.empty());
        assertThat(log.get(0).to()).isEqualTo(repository.snapshot("main").head());
        assertThat(log).extracting(LogEntry::time).isSortedAccordingTo((a, b) -> b.compareTo(a));
    }

    @Test
    void aChangeOfNothingIsNone() {
        Snapshot before = put("a");
        assertThat(repository
                        .update("main", pail -> pail.put("a", VALUE).delete("b"))
                        .root())
                .isEqualTo(before.root());
        assertThat(repository.snapshot("main")).isEqualTo(before);
        assertThat(repository.move(before, before.head(), "nowhere").generation())
                .isEqualTo(1);
        assertThat(log("main")).hasSize(1);
    }

    @Test
    void manyChangesAreSeveralEventsOfOneMove() {
        int count = 12_000;
        Pail changed = repository
                .update("main", pail -> {
                    var batch = pail.batch();
                    IntStream.range(0, count).forEach(i -> batch.put("key " + i, VALUE));
                    return batch.commit();
                })
                .pail();
        Snapshot snapshot = repository.snapshot("main");
        assertThat(snapshot.root()).isEqualTo(changed.root());
        assertThat(snapshot.generation()).isEqualTo(1);
        MerkleClock clock = MerkleClock.open(repository.blocks());
        List<Event> events =
                clock.history(snapshot.head()).stream().map(clock::event).toList();
        assertThat(events)
                .extracting(event -> event.operation().changes().size())
                .containsExactly(5000, 5000, 2000);
        // Each root is what the events up to there give.
        Pail replayed = Pail.create(new MemoryBlockStore(), ShardFormat.v1());
        for (Event event : events) {
            for (Operation.Change change : event.operation().changes()) {
                replayed = replayed.put(change.key(), VALUE);
            }
            assertThat(replayed.root()).isEqualTo(event.root());
        }
        assertThat(repository.resolve("@{0}").pail().root()).isEqualTo(changed.root());
    }

    @Test
    void theFunctionIsCalledAgainWithTheNewerVersion() {
        List<List<String>> seen = new ArrayList<>();
        try (Repository other = another()) {
            repository.update("main", pail -> {
                seen.add(keys(pail));
                if (seen.size() < 3) {
                    other.update("main", theirs -> theirs.put("theirs " + seen.size(), VALUE));
                }
                return pail.put("ours", VALUE);
            });
        }
        assertThat(seen).containsExactly(List.of(), List.of("theirs 1"), List.of("theirs 1", "theirs 2"));
        assertThat(keys(repository.pail())).containsExactly("ours", "theirs 1", "theirs 2");
        assertThat(repository.snapshot("main").generation()).isEqualTo(3);
    }

    /** A writer that keeps losing races takes the lock in the end; the other writers then find it taken. */
    @Test
    void whoLosesManyRacesHoldsTheLock() {
        List<String> calls = new ArrayList<>();
        try (Repository other = another()) {
            repository.update("main", pail -> {
                calls.add("call");
                try {
                    other.update("main", theirs -> theirs.put("theirs " + calls.size(), VALUE));
                } catch (dev.pail.StoreLockedException e) {
                    calls.add("locked");
                }
                return pail.put("ours", VALUE);
            });
        }
        assertThat(calls).hasSize(4).endsWith("locked");
        assertThat(repository.snapshot("main").generation()).isEqualTo(3);
        assertThat(repository.pail().get("ours")).isPresent();
    }

    @Test
    void aMoveThatLosesARaceIsRefused() {
        Snapshot before = put("a");
        put("b");
        repository.move(repository.snapshot("main"), before.head(), "back");
        // The same head again, but not the same generation.
        assertThatExceptionOfType(HeadMovedException.class)
                .isThrownBy(() -> repository.move(before, Head.empty(), "reset"))
                .satisfies(e -> {
                    assertThat(e.branch()).isEqualTo("main");
                    assertThat(e.expected()).isEqualTo(1);
                    assertThat(e.found()).isEqualTo(3);
                });
        assertThat(keys(repository.pail())).containsExactly("a");
        assertThat(log("main").get(0).reason()).isEqualTo("back");
    }

    @Test
    void aBranchGoesOnlyWhereAllEventsAre() {
        put("a");
        Snapshot snapshot = put("b");
        MemoryBlockStore elsewhere = new MemoryBlockStore();
        ReplicatedPail theirs =
                ReplicatedPail.create(elsewhere, ShardFormat.v1()).put("x", VALUE);
        Head first = theirs.head();
        theirs = theirs.put("y", VALUE);
        Head second = theirs.head();
        assertThatExceptionOfType(MissingBlockException.class)
                .isThrownBy(() -> repository.move(snapshot, second, "import"))
                .satisfies(e -> assertThat(e.cid()).isEqualTo(second.events().get(0)));
        for (Head head : List.of(second, first)) {
            Cid event = head.events().get(0);
            repository.blocks().put(elsewhere.get(event).orElseThrow());
            assertThatExceptionOfType(MissingBlockException.class)
                    .isThrownBy(() -> repository.move(snapshot, second, "import"));
            repository
                    .blocks()
                    .put(elsewhere
                            .get(MerkleClock.open(elsewhere).event(event).root())
                            .orElseThrow());
        }
        assertThat(repository.snapshot("main")).isEqualTo(snapshot);
        assertThat(keys(repository.move(snapshot, second, "import").pail())).containsExactly("x", "y");
        assertThat(keys(repository.pail())).containsExactly("x", "y");
    }

    @Test
    void branchesAreMergedByWayOfTheReplica() {
        Snapshot fork = put("a");
        repository.branches().create("other", fork.head());
        repository.update("other", pail -> pail.put("theirs", VALUE));
        put("ours");
        Head theirs = repository.snapshot("other").head();
        ReplicatedPail merged = repository.change("main", "merge other", ours -> ours.merge(theirs));

        assertThat(merged.head().size()).isEqualTo(2);
        try (Repository again = another()) {
            assertThat(again.snapshot("main").head()).isEqualTo(merged.head());
            assertThat(keys(again.pail())).containsExactly("a", "ours", "theirs");
            assertThat(again.root("main")).isEqualTo(merged.root());
        }
        assertThat(event(put("next").head()).parents()).hasSize(2);
        assertThat(repository.resolve("@{1}").head()).contains(merged.head());
    }

    @Test
    void branchesAreMadeAndSwitchedTo() {
        Snapshot start = put("a");
        assertThat(repository.branches().create("b.1", start.head()).pail().root())
                .isEqualTo(start.root());
        repository.branches().create("empty", Head.empty());
        put("b");
        assertThat(repository.branches().names()).containsExactly("b.1", "empty", "main");
        assertThat(keys(repository.pail("b.1"))).containsExactly("a");
        assertThat(keys(repository.pail("empty"))).isEmpty();
        assertThat(repository.snapshot("empty").generation()).isZero();
        repository.branches().switchTo("b.1");
        assertThat(repository.branches().current()).isEqualTo("b.1");
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> repository.branches().switchTo("nowhere"))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.NO_BRANCH));
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> repository.branches().create("empty", start.head()))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.EXISTS));
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> repository.branches().create("../x", start.head()))
                .satisfies(e -> assertThat(e.reason()).isEqualTo(RepositoryException.Reason.NAME));
    }

    @Test
    void versionsHaveManyNames() {
        Snapshot first = put("a");
        Snapshot second = put("b");
        repository.branches().create("other", first.head());
        repository.move(second, first.head(), "undo");
        String event = second.head().toString();

        for (String text : List.of(
                "@{1}", "main@{1}", event, event.substring(0, 20), second.root().toString())) {
            assertThat(repository.resolve(text)).as(text).satisfies(revision -> {
                assertThat(revision.head()).contains(second.head());
                assertThat(revision.pail().root()).isEqualTo(second.root());
            });
        }
        for (String text : List.of("main", "other", "@{0}", "@{2}", "other@{0}")) {
            assertThat(repository.resolve(text).head()).as(text).contains(first.head());
        }
        assertThat(repository.resolve("@{3}").head()).contains(Head.empty());
        Pail loose = repository.pail().put("loose", VALUE);
        assertThat(repository.resolve(loose.root().toString()).head()).isEmpty();
        assertThat(keys(repository.resolve(loose.root().toString()).pail())).containsExactly("a", "loose");
        repository.branches().switchTo("other");
        assertThat(repository.resolve("@{1}").head()).contains(Head.empty());
    }

    private void names(String text, RepositoryException.Reason reason, String... said) {
        assertThatExceptionOfType(RepositoryException.class)
                .as(text)
                .isThrownBy(() -> repository.resolve(text))
                .satisfies(e -> {
                    assertThat(e.reason()).isEqualTo(reason);
                    for (String each : said) {
                        assertThat(e).hasMessageContaining(each);
                    }
                });
    }

    @Test
    void whatNamesNoVersionOrSeveral() {
        Snapshot first = put("a");
        Snapshot second = put("b");
        names(
                "bafyrei",
                RepositoryException.Reason.AMBIGUOUS,
                first.head().toString(),
                second.head().toString());
        names("baf", RepositoryException.Reason.NAME);
        names("", RepositoryException.Reason.NAME);
        names("a b c d", RepositoryException.Reason.NAME);
        names("nothing", RepositoryException.Reason.NO_VERSION);
        names("@{3}", RepositoryException.Reason.NO_VERSION, "2 times");
        names("nothing@{1}", RepositoryException.Reason.NO_BRANCH);
        names(VALUE.toString(), RepositoryException.Reason.NO_VERSION);
        names(
                Block.of(Cid.DAG_CBOR, new byte[] {1}).cid().toString(),
                RepositoryException.Reason.NO_VERSION,
                "not in this repository");
    }

    @Test
    void listenersAreToldInOrderOfWhatIsSafe() {
        List<String> told = new ArrayList<>();
        List<Throwable> thrown = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> thrown.add(error));
        Registration bad = repository.listen(move -> {
            throw new IllegalStateException("no");
        });
        Registration good = repository.listen(move -> {
            told.add(move.branch() + " " + move.entry().generation());
            try (Repository other = afterLoss()) {
                assertThat(other.snapshot(move.branch()).head())
                        .isEqualTo(move.entry().to());
            }
            if (told.size() == 1) {
                repository.update("main", pail -> pail.put("from a listener", VALUE));
            }
        });
        put("a");
        assertThat(told).containsExactly("main 1", "main 2");
        bad.close();
        repository.branches().create("other", repository.snapshot("main").head());
        repository.update("main", pail -> pail);
        good.close();
        put("b");
        Thread.currentThread().setUncaughtExceptionHandler(null);
        assertThat(told).containsExactly("main 1", "main 2", "other 1");
        assertThat(thrown).hasSize(2).allMatch(error -> "no".equals(error.getMessage()));
    }

    @Test
    void aSnapshotStaysReadable() {
        Snapshot before = put("a");
        repository.update("main", pail -> pail.delete("a").put("b", VALUE));
        assertThat(keys(before.pail())).containsExactly("a");
        assertThatThrownBy(() -> before.pail().put("\ud800", VALUE))
                .isInstanceOf(dev.pail.KeyNotAllowedException.class);
        // Blocks that are put outside of a change are safe at once.
        Pail own = before.pail().put("c", VALUE);
        try (Repository other = afterLoss()) {
            assertThat(keys(Pail.open(other.blocks(), own.root()))).containsExactly("a", "c");
        }
    }
}
