package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.groups.Tuple.tuple;

import dev.pail.KeyChange;
import dev.pail.KeyRange;
import dev.pail.MissingBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.Epoch;
import dev.pail.repository.spi.RecordRefs;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.spi.RefStore;
import dev.pail.testkit.HandClock;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.disk.CrashDisk;
import dev.pail.testkit.disk.HookedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a feed of ref updates gives, and what it refuses. */
class ChangeFeedTest {
    private static final Path FOLDER = Path.of("/r");
    private static final String MAIN = Repository.MAIN;
    private static final Duration LONG = Duration.ofDays(1);
    private static final int SEQUENCES = 40;
    private static final int STEPS = 80;

    @TempDir
    Path folder;

    /** The stores of refs: each with the same blocks at each opening. */
    enum Store {
        FILES {
            @Override
            Supplier<Repository> make() {
                CrashDisk disk = new CrashDisk();
                FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES)
                        .close();
                return () -> FileRepository.open(disk, FOLDER, Duration.ZERO);
            }
        },
        COMPETING_RECORDS {
            @Override
            Supplier<Repository> make() {
                MemoryRefs.Records records = new MemoryRefs.Records();
                HandClock clock = new HandClock();
                MemoryBlocks blocks = new MemoryBlocks(clock);
                return () -> Repository.open(new RecordRefs(records, "here", clock), blocks, ShardFormat.v1());
            }
        };

        /** What opens the same repository again and again. */
        abstract Supplier<Repository> make();
    }

    private static Cid value(int number) {
        return Block.of(Cid.RAW, new byte[] {(byte) number}).cid();
    }

    private static void put(Repository repository, String key, int number) {
        repository.update(MAIN, pail -> pail.put(key, value(number)));
    }

    private static List<LogEntry> all(ChangeFeed feed) {
        List<LogEntry> entries = new ArrayList<>();
        feedTo(feed, update -> entries.add(update.entry()));
        return entries;
    }

    private static void feedTo(ChangeFeed feed, java.util.function.Consumer<ChangeFeed.Update> action) {
        for (Optional<ChangeFeed.Update> next = feed.poll(); next.isPresent(); next = feed.poll()) {
            action.accept(next.get());
        }
    }

    /** A reader that makes a map of what it gets, and is started again now and then. */
    private static final class Reader {
        private final Map<String, Cid> entries = new TreeMap<>();
        private final List<Long> generations = new ArrayList<>();
        private ChangeFeed feed;

        Reader(Repository repository) {
            feed = repository.changes(MAIN, 0);
        }

        void restart(Repository repository) {
            feed.close();
            feed = repository.changes(MAIN, feed.token());
        }

        void read() {
            feedTo(feed, update -> {
                generations.add(update.entry().generation());
                update.keys().forEach(this::apply);
            });
        }

        private void apply(KeyChange change) {
            Cid before = change.after().isPresent()
                    ? entries.put(change.key(), change.after().get())
                    : entries.remove(change.key());
            assertThat(Optional.ofNullable(before)).isEqualTo(change.before());
        }
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void givesEachUpdateOnceInOrder_REP30(Store store) {
        long seed = Randomness.seed("ChangeFeedTest");
        for (int i = 0; i < SEQUENCES; i++) {
            Random random = Randomness.random(seed + i);
            Supplier<Repository> opening = store.make();
            try (Repository writer = opening.get();
                    Repository another = opening.get()) {
                Reader reader = new Reader(another);
                for (int step = 0; step < STEPS; step++) {
                    change(writer, random);
                    if (random.nextInt(4) == 0) {
                        reader.read();
                    }
                    if (random.nextInt(10) == 0) {
                        reader.restart(random.nextBoolean() ? writer : another);
                    }
                }
                reader.read();
                Map<String, Cid> entries = new TreeMap<>();
                writer.pail().entries().forEach(entry -> entries.put(entry.key(), entry.value()));
                assertThat(reader.entries).isEqualTo(entries);
                long last = writer.snapshot(MAIN).generation();
                assertThat(reader.generations)
                        .containsExactlyElementsOf(
                                Stream.iterate(1L, n -> n + 1).limit(last).toList());
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("sequence " + i + " of seed " + seed, e);
            }
        }
    }

    private static void change(Repository repository, Random random) {
        try {
            switch (random.nextInt(8)) {
                case 0 -> repository.undo(repository.snapshot(MAIN), 1 + random.nextInt(3));
                case 1 -> repository.redo(repository.snapshot(MAIN), 1);
                case 2 ->
                    repository.merge(
                            MAIN, "draft", MergeOptions.DEFAULT.withUnrelated(UnrelatedHistories.MERGE_FROM_EMPTY));
                case 3 -> {
                    if (repository.branches().contains("draft")) {
                        repository.update("draft", pail -> pail.put("draft", value(random.nextInt(100))));
                    } else {
                        repository.branches().create("draft", repository.head(MAIN));
                    }
                }
                case 4 -> repository.update(MAIN, pail -> pail.delete("k" + random.nextInt(9)));
                default -> put(repository, "k" + random.nextInt(9), random.nextInt(100));
            }
        } catch (RepositoryException e) {
            assertThat(e.reason())
                    .isIn(RepositoryException.Reason.NOTHING_TO_UNDO, RepositoryException.Reason.NO_VERSION);
        }
    }

    /** A reader that is far behind reads the log back in pages, and more is written meanwhile. */
    @ParameterizedTest
    @EnumSource(Store.class)
    void givesAThousandUpdatesThatAreDue_REP30(Store store) {
        try (Repository repository = store.make().get()) {
            for (int i = 0; i < 1000; i++) {
                put(repository, "k", i % 2);
            }
            for (long from : List.of(0L, 1L, 127L, 128L, 129L, 255L, 256L, 600L, 999L, 1000L)) {
                try (ChangeFeed feed = repository.changes(MAIN, from)) {
                    put(repository, "k" + from, 1);
                    List<LogEntry> expected =
                            new ArrayList<>(repository.history().log(MAIN).toList());
                    java.util.Collections.reverse(expected);
                    assertThat(all(feed)).isEqualTo(expected.subList((int) from, expected.size()));
                    assertThat(repository.changes(MAIN).token()).isEqualTo(feed.token());
                }
            }
        }
    }

    @Test
    void readsAVersionOnlyForADiff() {
        CrashDisk disk = new CrashDisk();
        FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES).close();
        AtomicBoolean isRead = new AtomicBoolean();
        Disk watched = HookedDisk.telling(disk, (call, file) -> {
            if (file.toString().contains("blocks")) {
                isRead.set(true);
            }
        });
        try (Repository writer = FileRepository.open(disk, FOLDER, Duration.ZERO);
                Repository repository = FileRepository.open(watched, FOLDER, Duration.ZERO)) {
            put(writer, "a/1", 1);
            put(writer, "b/1", 1);
            ChangeFeed feed = repository.changes(MAIN, 0);
            isRead.set(false);
            ChangeFeed.Update first = feed.poll().orElseThrow();
            ChangeFeed.Update second = feed.poll().orElseThrow();
            assertThat(isRead).isFalse();
            assertThat(first.keys(KeyRange.prefix("b"))).isEmpty();
            assertThat(second.keys(KeyRange.prefix("b")))
                    .containsExactly(new KeyChange("b/1", Optional.empty(), Optional.of(value(1))));
            assertThat(isRead).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void theRemovalOfABranchEndsAFeed_REP30(Store store) {
        try (Repository repository = store.make().get()) {
            repository.branches().create("b", Head.empty());
            ChangeFeed feed = repository.changes("b");
            repository.update("b", pail -> pail.put("a", value(1)));
            repository.branches().remove("b");
            assertThat(feed.poll())
                    .hasValueSatisfying(update -> assertThat(update.keys()).hasSize(1));
            String token = feed.token();
            for (int i = 0; i < 2; i++) {
                assertGone("branch b was removed: ", "log(\"b\")", feed::poll);
                assertGone("branch b was removed: ", "log(\"b\")", () -> feed.next(LONG));
            }
            assertGone("branch b was removed: ", "log(\"b\")", () -> repository.changes("b"));
            assertGone("branch b was removed: ", "log(\"b\")", () -> repository.changes("b", token));
            assertGone("branch b was removed: ", "log(\"b\")", () -> repository.changes("b", 2));
            assertThat(feed.token()).isEqualTo(token);

            // The new branch may be the old one while it is being removed.
            repository.branches().create("b", Head.empty());
            assertThat(all(feed)).isEmpty();
            assertThat(all(repository.changes("b", token))).isEmpty();
            repository.update("b", pail -> pail.put("b", value(1)));
            assertThat(all(feed))
                    .extracting(LogEntry::generation, entry -> entry.to().isEmpty())
                    .containsExactly(tuple(2L, true), tuple(3L, false));
            assertThat(all(repository.changes("b", 0))).hasSize(3);
        }
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void aFeedOfARenamedBranchEndsWithItsNewName_REP30(Store store) {
        try (Repository repository = store.make().get()) {
            repository.branches().create("b", Head.empty());
            repository.update("b", pail -> pail.put("a", value(1)));
            ChangeFeed feed = repository.changes("b");
            repository.branches().rename("b", "c");
            assertGone("branch b was renamed to c: ", "changes(\"c\")", feed::poll);
            assertGone("branch b was renamed to c: ", "changes(\"c\")", () -> repository.changes("b"));
            assertThat(all(repository.changes("c", 0))).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void theRemovalOfABranchWithoutEventsEndsAFeed_REP30(Store store) {
        try (Repository repository = store.make().get()) {
            repository.branches().create("b", Head.empty());
            repository.update("b", pail -> pail.put("a", value(1)));
            ChangeFeed feed = repository.changes("b");
            repository.undo(repository.snapshot("b"), 1);
            repository.branches().remove("b");
            assertThat(feed.poll())
                    .hasValueSatisfying(update -> assertThat(update.keys()).hasSize(1));
            assertGone("branch b was removed: ", "log(\"b\")", feed::poll);
        }
    }

    /** A reader looks between the steps of a removal in files: the log has it, and the branch is still there. */
    @Test
    void aRemovalUnderWayIsNoUpdate_REP30() throws IOException {
        CrashDisk disk = new CrashDisk();
        FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES).close();
        Repository reader = FileRepository.open(disk, FOLDER, Duration.ZERO);
        List<Optional<ChangeFeed.Update>> seen = new ArrayList<>();
        reader.branches().create("b", Head.empty());
        reader.update("b", pail -> pail.put("a", value(1)));
        ChangeFeed feed = reader.changes("b");
        Disk hooked = HookedDisk.telling(disk, (call, file) -> {
            if (call.equals("delete") && file.endsWith("heads/b")) {
                assertThat(reader.head("b").isEmpty()).isTrue();
                seen.add(feed.poll());
            }
        });
        try (Repository writer = FileRepository.open(hooked, FOLDER, Duration.ZERO)) {
            writer.branches().remove("b");
        }
        assertThat(seen).containsExactly(Optional.empty());
        assertGone("branch b was removed: ", "log(\"b\")", feed::poll);
        reader.close();
    }

    @Test
    void theRemovalOfABranchWithoutEventsWakesAReaderOfFiles() throws Exception {
        CrashDisk disk = new CrashDisk();
        FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES).close();
        try (Repository reader = FileRepository.open(disk, FOLDER, Duration.ZERO);
                Repository writer = FileRepository.open(disk, FOLDER, Duration.ZERO)) {
            writer.branches().create("b", Head.empty());
            try (RefStore.Watch watch = reader.refs().watch("b")) {
                assertThat(watch.await(Duration.ZERO)).isFalse();
                writer.branches().remove("b");
                assertThat(watch.await(Duration.ZERO)).isTrue();
            }
        }
    }

    private static void assertGone(
            String message, String hint, org.assertj.core.api.ThrowableAssert.ThrowingCallable action) {
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(action)
                .withMessageStartingWith(message)
                .satisfies(e -> {
                    assertThat(e.reason()).isEqualTo(RepositoryException.Reason.NO_BRANCH);
                    assertThat(e.hint().orElseThrow()).endsWith(hint);
                });
    }

    /** The log has a line of an update whose head was not replaced. */
    @Test
    void anUpdateThatDidNotHappenIsNotGiven_REP30() throws IOException {
        CrashDisk disk = new CrashDisk();
        FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES).close();
        Repository reader = FileRepository.open(disk, FOLDER, Duration.ZERO);
        ChangeFeed feed = reader.changes(MAIN, 0);
        for (int i = 1; i <= 300; i++) {
            AtomicBoolean fails = new AtomicBoolean(i % 3 == 0);
            Disk failing = HookedDisk.telling(disk, (call, file) -> {
                if (call.equals("rename") && file.toString().contains("heads") && fails.getAndSet(false)) {
                    throw new IOException("no");
                }
            });
            int number = i;
            try (Repository writer = FileRepository.open(failing, FOLDER, Duration.ZERO)) {
                put(writer, "k", number);
            } catch (dev.pail.StoreIOException e) {
                assertThat(number % 3).isZero();
            }
            if (i % 7 == 0) {
                all(feed);
            }
        }
        assertThat(all(reader.changes(MAIN, 0)))
                .extracting(LogEntry::generation)
                .containsExactlyElementsOf(
                        Stream.iterate(1L, n -> n + 1).limit(200).toList());
        assertThat(feed.token()).startsWith("196-");
        assertThat(all(feed)).hasSize(4);
        for (LogEntry entry : all(reader.changes(MAIN, 100))) {
            try (RefLog log = reader.refs().log(MAIN, entry.to(), entry.generation())) {
                assertThat(log.next()).isEqualTo(entry);
                assertThat(log.stream()).hasSize((int) entry.generation() - 1);
            }
        }
        reader.close();
    }

    private static RepositoryException refused(RepositoryException.Reason reason, Runnable action) {
        RepositoryException[] thrown = new RepositoryException[1];
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(action::run)
                .satisfies(e -> {
                    assertThat(e.reason()).isEqualTo(reason);
                    assertThat(e.getMessage().lines()).hasSize(1);
                    thrown[0] = e;
                });
        return thrown[0];
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void refusesATokenThatDoesNotFit_REP29(Store store) {
        try (Repository repository = store.make().get()) {
            for (int i = 1; i <= 3; i++) {
                put(repository, "k", i);
            }
            String token = repository.changes(MAIN).token();
            assertThat(token).matches("3-[0-9a-f]{16}");
            for (String bad : List.of("", "3", "3-", "x", token + "0", token.substring(1), "03" + token.substring(1))) {
                RepositoryException e = refused(RepositoryException.Reason.TOKEN, () -> repository.changes(MAIN, bad));
                assertThat(e.code()).isEqualTo("bad-token");
                assertThat(e).hasMessageStartingWith("not a token of a change feed: \"");
            }
            for (int generation = 0; generation <= 2; generation++) {
                String other = generation + token.substring(1);
                assertThat(refused(RepositoryException.Reason.TOKEN, () -> repository.changes(MAIN, other)))
                        .hasMessageContaining("main has no update " + other + ", but " + generation + "-");
            }
            assertThat(refused(
                            RepositoryException.Reason.TOKEN, () -> repository.changes(MAIN, "4" + token.substring(1))))
                    .hasMessageContaining("its last one is " + token);
            assertThat(refused(RepositoryException.Reason.TOKEN, () -> repository.changes(MAIN, 4)))
                    .hasMessageContaining("main has no update 4: its last one is " + token);
            repository.branches().create("same", repository.head(MAIN));
            refused(RepositoryException.Reason.TOKEN, () -> repository.changes("same", token));
            refused(RepositoryException.Reason.NO_BRANCH, () -> repository.changes("none", token));
            refused(RepositoryException.Reason.NO_BRANCH, () -> repository.changes("none"));
            assertThatIllegalArgumentException().isThrownBy(() -> repository.changes(MAIN, -1));
            assertThat(all(repository.changes(MAIN, token))).isEmpty();
        }
    }

    /** The token is the same wherever the same update was made. */
    @Test
    void aTokenIsOfBranchGenerationAndHead_REP29() {
        try (Repository repository = Repository.inMemory()) {
            assertThat(repository.changes(MAIN).token()).isEqualTo("0-6403203dd5a0867e");
            put(repository, "k", 1);
            assertThat(repository.changes(MAIN).token()).isEqualTo("1-196a9ac2e2665159");
        }
    }

    /** The update that a reader was given is undone by a loss of power, and another one takes its generation. */
    @Test
    void refusesToGoOnBehindAnUpdateThatWasUndone_REP29() {
        CrashDisk disk = new CrashDisk();
        Supplier<Repository> opening = () -> FileRepository.open(disk, FOLDER, Duration.ZERO);
        FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES).close();
        try (Repository repository = opening.get()) {
            put(repository, "k", 1);
        }
        CrashDisk before = disk.afterLoss(CrashDisk.Loss.NOTHING, new Random(1));
        ChangeFeed feed;
        try (Repository repository = opening.get()) {
            feed = repository.changes(MAIN);
            put(repository, "k", 2);
            assertThat(feed.poll()).isPresent();
        }
        try (Repository restored = FileRepository.open(before, FOLDER, Duration.ZERO)) {
            refused(RepositoryException.Reason.TOKEN, () -> restored.changes(MAIN, feed.token()));
            put(restored, "k", 3);
            refused(RepositoryException.Reason.TOKEN, () -> restored.changes(MAIN, feed.token()));
            put(restored, "k", 4);
            refused(RepositoryException.Reason.TOKEN, () -> restored.changes(MAIN, feed.token()));
            assertThat(all(restored.changes(MAIN, 2))).hasSize(1);
        }
    }

    private static void collect(Repository repository, HandClock clock) {
        for (int i = 0; i < 2; i++) {
            repository
                    .maintenance()
                    .garbageCollection()
                    .withRetention(Duration.ofDays(2))
                    .withGrace(Duration.ofHours(1))
                    .run();
            clock.pass(Duration.ofHours(2));
        }
    }

    /** Versions that the branch was moved away from are gone, those before and after are not. */
    @Test
    void refusesATokenThatIsTooOld_REP30() {
        HandClock clock = new HandClock();
        try (Repository repository =
                Repository.open(new MemoryRefs(clock), new MemoryBlocks(clock), ShardFormat.v1())) {
            List<String> tokens =
                    new ArrayList<>(List.of(repository.changes(MAIN).token()));
            ChangeFeed late = repository.changes(MAIN);
            for (int day = 1; day <= 10; day++) {
                clock.pass(Duration.ofDays(1));
                if (day == 5) {
                    // Back to update 2: the versions of updates 3 and 4 are of no history.
                    repository.undo(repository.snapshot(MAIN), 2);
                } else {
                    put(repository, "k", day);
                }
                tokens.add(repository.changes(MAIN).token());
            }
            List<ChangeFeed.Update> given = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                given.add(late.poll().orElseThrow());
            }
            collect(repository, clock);

            for (String old : tokens.subList(2, 5)) {
                RepositoryException e =
                        refused(RepositoryException.Reason.EXPIRED, () -> repository.changes(MAIN, old));
                assertThat(e.code()).isEqualTo("token-expired");
                assertThat(e)
                        .hasMessageStartingWith("what update " + (1 + tokens.indexOf(old)) + " of main changed is gone")
                        .hasMessageContaining("has kept log entries since 2026-01-09T02:00:00Z only");
            }
            assertThat(given.get(0).keys()).hasSize(1);
            refused(RepositoryException.Reason.EXPIRED, () -> given.get(2).keys());
            refused(
                    RepositoryException.Reason.EXPIRED,
                    () -> late.poll().orElseThrow().keys());
            for (int from : List.of(5, 6, 10)) {
                try (ChangeFeed feed = repository.changes(MAIN, tokens.get(from))) {
                    feedTo(feed, update -> assertThat(update.keys()).hasSize(1));
                    assertThat(feed.token()).isEqualTo(tokens.get(10));
                }
            }
            ChangeFeed feed = repository.changes(MAIN, 0);
            assertThat(feed.poll().orElseThrow().keys()).hasSize(1);
            assertThat(feed.poll().orElseThrow().keys()).hasSize(1);
            refused(
                    RepositoryException.Reason.EXPIRED,
                    () -> feed.poll().orElseThrow().keys());
        }
    }

    /** A block below the root is missing: the stream says so when it comes there. */
    @Test
    void refusesAnOldUpdateWithoutAShard_REP30() {
        HandClock clock = new HandClock();
        MemoryRefs refs = new MemoryRefs(clock);
        OddBlocks blocks = new OddBlocks();
        Repository repository = Repository.open(refs, blocks, ShardFormat.v1());
        repository.update(
                MAIN, pail -> pail.put("a", value(1)).put("ka", value(1)).put("kb", value(2)));
        Cid shard = repository.pail().traverse("kb").get(1).cid();
        List<KeyChange> all =
                repository.changes(MAIN, 0).poll().orElseThrow().keys().toList();
        assertThat(all).hasSize(3);
        blocks.missing.add(shard);

        Repository without = Repository.open(refs, blocks, ShardFormat.v1());
        ChangeFeed.Update damaged = without.changes(MAIN, 0).poll().orElseThrow();
        List<KeyChange> seen = new ArrayList<>();
        Runnable reading = () -> damaged.keys().forEach(seen::add);
        assertThatExceptionOfType(MissingBlockException.class).isThrownBy(reading::run);
        collected(refs, clock.instant());
        assertThatExceptionOfType(MissingBlockException.class).isThrownBy(reading::run);
        collected(refs, clock.instant().plusNanos(1));
        assertThat(refused(RepositoryException.Reason.EXPIRED, reading)).hasMessageContaining(shard.toString());
        assertThat(seen).isEqualTo(List.of(all.get(0), all.get(0), all.get(0)));
        assertThatExceptionOfType(MissingBlockException.class)
                .as("of an action is no matter of the feed")
                .isThrownBy(() -> damaged.keys().forEach(change -> {
                    throw new MissingBlockException(shard);
                }));
        refs.close();
    }

    private static void collected(RefStore refs, Instant keptSince) {
        Epoch before = refs.epoch();
        refs.update(update -> {
            update.epoch(before, new Epoch(before.number() + 2, keptSince));
            return null;
        });
    }

    /** What an old update is of is no matter if its blocks are there. */
    @Test
    void anOldUpdateOfTheHistoryStays_REP30() {
        HandClock clock = new HandClock();
        try (Repository repository =
                Repository.open(new MemoryRefs(clock), new MemoryBlocks(clock), ShardFormat.v1())) {
            put(repository, "k", 1);
            put(repository, "k", 2);
            repository.undo(repository.snapshot(MAIN), 1);
            put(repository, "k", 3);
            put(repository, "k", 4);
            clock.pass(Duration.ofDays(400));
            collect(repository, clock);
            assertThat(repository.refs().epoch().logsKeptSince())
                    .isAfter(repository
                            .history()
                            .log(MAIN)
                            .findFirst()
                            .orElseThrow()
                            .time());
            ChangeFeed feed = repository.changes(MAIN, 4);
            assertThat(feed.poll().orElseThrow().keys()).hasSize(1);
            refused(RepositoryException.Reason.EXPIRED, () -> repository.changes(MAIN, 1));
        }
    }

    private static CompletableFuture<Optional<ChangeFeed.Update>> waiting(ChangeFeed feed) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<Optional<ChangeFeed.Update>> next = new CompletableFuture<>();
        Thread reader = new Thread(() -> {
            begun.countDown();
            try {
                next.complete(feed.next());
            } catch (Exception e) {
                next.completeExceptionally(e);
            }
        });
        reader.start();
        begun.await();
        return next;
    }

    @Test
    void aWaitingReaderGetsTheNextUpdate() throws Exception {
        FileRepository.init(folder.resolve("r"), ShardFormat.v1()).close();
        try (Repository writer = FileRepository.open(folder.resolve("r"));
                Repository reader = FileRepository.open(folder.resolve("r"));
                ChangeFeed feed = reader.changes(MAIN)) {
            for (int i = 1; i <= 20; i++) {
                CompletableFuture<Optional<ChangeFeed.Update>> next = waiting(feed);
                put(writer, "k", i);
                assertThat(next.get().orElseThrow().entry().generation()).isEqualTo(i);
            }
            assertThat(feed.next(Duration.ofMillis(1))).isEmpty();
        }
    }

    /** Nothing but the move can end this wait. */
    @Test
    void aMoveByAnotherInstanceWakesAReaderOfFiles() throws Exception {
        FileRepository.init(folder.resolve("r"), ShardFormat.v1()).close();
        try (Repository writer = FileRepository.open(folder.resolve("r"));
                Repository reader = FileRepository.open(folder.resolve("r"));
                RefStore.Watch watch = reader.refs().watch(MAIN)) {
            put(writer, "k", 1);
            watch.await(LONG);
            assertThat(reader.head(MAIN)).isEqualTo(writer.head(MAIN));
        }
    }

    @Test
    void aMoveWakesAReaderInMemory() throws Exception {
        try (Repository repository = Repository.inMemory();
                RefStore.Watch watch = repository.refs().watch(MAIN)) {
            for (int i = 0; i < 3; i++) {
                put(repository, "k", i);
                put(repository, "k", i + 5);
                watch.await(LONG);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    void closeEndsAWait(Store store) throws Exception {
        try (Repository repository = store.make().get()) {
            for (int i = 0; i < 50; i++) {
                ChangeFeed feed = repository.changes(MAIN);
                CompletableFuture<Optional<ChangeFeed.Update>> next = waiting(feed);
                feed.close();
                assertThat(next.get()).isEmpty();
                feed.close();
                assertThat(feed.poll()).isEmpty();
                assertThat(feed.next()).isEmpty();
            }
        }
    }

    @Test
    void closeEndsAWaitForFiles() throws Exception {
        try (Repository repository = FileRepository.init(folder.resolve("r"), ShardFormat.v1())) {
            for (int i = 0; i < 50; i++) {
                ChangeFeed feed = repository.changes(MAIN);
                CompletableFuture<Optional<ChangeFeed.Update>> next = waiting(feed);
                feed.close();
                assertThat(next.get()).isEmpty();
            }
        }
    }

    /** What a reader could not read, it gets later: the feed stays where it is. */
    @Test
    void aReadThatFailsLosesNothing() {
        CrashDisk disk = new CrashDisk();
        FileRepository.init(disk, FOLDER, ShardFormat.v1(), BlockStorage.FILES).close();
        AtomicBoolean fails = new AtomicBoolean();
        Random random = Randomness.random("ChangeFeedTest");
        Disk failing = HookedDisk.telling(disk, (call, file) -> {
            if (fails.get() && file.toString().contains("logs") && random.nextInt(20) == 0) {
                throw new IOException("no");
            }
        });
        try (Repository writer = FileRepository.open(disk, FOLDER, Duration.ZERO);
                Repository repository = FileRepository.open(failing, FOLDER, Duration.ZERO)) {
            ChangeFeed feed = repository.changes(MAIN);
            for (int i = 0; i < 700; i++) {
                put(writer, "k", i % 2);
            }
            fails.set(true);
            List<Long> given = new ArrayList<>();
            while (given.size() < 700) {
                try {
                    feedTo(feed, update -> given.add(update.entry().generation()));
                } catch (dev.pail.StoreIOException e) {
                    assertThat(e).hasMessageContaining("log");
                }
            }
            assertThat(given)
                    .containsExactlyElementsOf(
                            Stream.iterate(1L, n -> n + 1).limit(700).toList());
        }
    }

    @Test
    void pailsOfAnUpdateAreThoseOfItsHeads() {
        try (Repository repository = Repository.inMemory()) {
            put(repository, "a", 1);
            ChangeFeed feed = repository.changes(MAIN);
            Pail before = repository.pail();
            Pail after = repository
                    .update(MAIN, "swap", pail -> pail.delete("a").put("b", value(2)))
                    .pail();
            ChangeFeed.Update update = feed.poll().orElseThrow();
            assertThat(update.keys()).isEqualTo(before.diff(after).keys().toList());
            assertThat(update.entry().reason()).isEqualTo("swap");
            assertThat(update.token()).isEqualTo(feed.token());
            assertThat(feed.branch()).isEqualTo(MAIN);
            assertThat(update).hasToString(update.entry().toString());
        }
    }
}
