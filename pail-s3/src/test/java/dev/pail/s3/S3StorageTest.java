package dev.pail.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.CorruptBlockException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.car.CarReader;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HeadUpdateUncertainException;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.VerifyOptions;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.s3.FaultyBucket.Fault;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.sweep.SweptBlocks;
import dev.pail.testkit.HandClock;
import dev.pail.testkit.Randomness;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What is in the bucket, what requests are sent, and what is said when some of it fails. */
class S3StorageTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();
    private static final int MANY = Randomness.times(1_000, 10_000);

    private final HandClock clock = new HandClock();
    private final MemoryBucket memory = new MemoryBucket(clock);
    private final S3Counters counters = new S3Counters();
    private final FaultyBucket objects = new FaultyBucket(memory.below("r/"));
    private final S3Storage storage =
            S3Storage.of(prefix -> objects, clock, counters).withPatience(Duration.ofMillis(200));

    private static Pail put(Repository repository, String key) {
        return repository.update("main", pail -> pail.put(key, VALUE)).pail();
    }

    private List<String> keys(String prefix) {
        return memory.below("r/").list(prefix, prefix, 100_000).stream()
                .map(Bucket.Listed::key)
                .toList();
    }

    private void damage(String key) {
        byte[] bytes = memory.below("r/").get(key).orElseThrow();
        bytes[bytes.length / 2] ^= 1;
        memory.below("r/").put(key, bytes);
    }

    @Test
    void objectsHaveTheirKeys_OS1_OS2_OS3() {
        try (Repository repository = storage.init("r", ShardFormat.v1())) {
            Pail unused = put(repository, "a");
        }
        assertThat(new String(memory.below("r/").get("repository").orElseThrow(), StandardCharsets.UTF_8))
                .startsWith("pail 1\nv1");
        // The first has the shard of an empty map, which the head of an empty branch leads to.
        assertThat(keys("log/")).containsExactly("log/00000000000000000001", "log/00000000000000000002");
        List<String> packs = keys("packs/");
        assertThat(packs).hasSize(2).last().asString().matches("packs/0{19}2-[0-9a-f]{32}\\.car");

        Commit commit = Commit.decode(memory.below("r/").get(Keys.log(2)).orElseThrow(), "commit");
        assertThat(commit.records()).extracting(Commit.Written::name).containsExactly("branch/main");
        Pack pack = commit.added().get(0);
        byte[] bytes = memory.below("r/").get(packs.get(1)).orElseThrow();
        assertThat(pack.size()).isEqualTo(bytes.length);
        assertThat(pack.stamp()).isEqualTo(clock.instant());
        List<Block> read = new ArrayList<>();
        try (CarReader reader = CarReader.of(new ByteArrayInputStream(bytes), "pack")) {
            assertThat(reader.header().version()).isEqualTo(2);
            reader.forEach(section -> read.add(section.block()));
        }
        assertThat(read).hasSize((int) pack.blocks());
        PackIndex index = PackFile.index(pack, Arrays.copyOfRange(bytes, (int) pack.index(), (int) pack.size()));
        assertThat(index.inOrder())
                .extracting(PackIndex.Entry::raw)
                .containsExactlyElementsOf(
                        read.stream().map(block -> block.cid().raw()).toList());
    }

    @Test
    void aRepositoryIsMadeOnceAndOpenedByItsName_OS1() {
        storage.init("r", ShardFormat.v1()).close();
        assertThat(storage.has("r")).isTrue();
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> storage.init("r", ShardFormat.v1()))
                .withMessageContaining("there is a repository already: s3://memory/r");
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> TestBucket.inMemory(clock).open())
                .withMessageContaining("no repository: s3://memory/");
        memory.below("r/").put("repository", "pail 2\nv1\n".getBytes(StandardCharsets.UTF_8));
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> storage.open("r"))
                .withMessageContaining("not a repository that is known here");
    }

    private String description() {
        return new String(memory.below("r/").get("repository").orElseThrow(), StandardCharsets.UTF_8);
    }

    private Set<Need> needs() {
        try (Repository repository = storage.open("r")) {
            return repository.refs().needs();
        }
    }

    @Test
    void aPlainRepositoryStaysPlainUntilItsOwnerDescribesEvents_OS18_DE11() {
        String id;
        try (Repository repository = storage.init("r", ShardFormat.v1(), Set.of())) {
            id = repository.refs().repositoryId().orElseThrow();
            assertThat(description()).isEqualTo("pail 1\nv1 maxKeySize=4096\nid " + id + "\n");
            assertThat(needs()).isEmpty();
            repository.refs().describeEvents();
            repository.refs().describeEvents();
            assertThat(repository.refs().needs()).containsExactly(Need.EVENTS);
        }
        assertThat(description()).isEqualTo("pail 1\nv1 maxKeySize=4096 needs=events\nid " + id + "\n");
        assertThat(needs()).containsExactly(Need.EVENTS);
    }

    @Test
    void aNewRepositoryIsOneOfDescribedEvents_OS18_DE11() {
        storage.init("r", ShardFormat.v1()).close();
        assertThat(description()).startsWith("pail 1\nv1 maxKeySize=4096 needs=events\nid ");
        assertThat(needs()).containsExactly(Need.EVENTS);
    }

    @Test
    void anUnknownNeedIsRefusedByItsName_OS18_DE12() {
        memory.below("r/")
                .put("repository", "pail 1\nv1 maxKeySize=4096 needs=trees\n".getBytes(StandardCharsets.UTF_8));
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> storage.open("r"))
                .withMessageContaining("needs \"trees\", which this version does not know");
    }

    @Test
    void twoWritersMakeOneDescription_OS18() {
        byte[] before = "pail 1\nv1 maxKeySize=4096\n".getBytes(StandardCharsets.UTF_8);
        byte[] after = "pail 1\nv1 maxKeySize=4096 needs=events\n".getBytes(StandardCharsets.UTF_8);
        Bucket bucket = TestBucket.newest().objects();
        bucket.put("repository", before);
        assertThat(bucket.replace("repository", before, after)).isTrue();
        assertThat(bucket.replace("repository", before, new byte[] {1})).isFalse();
        assertThat(bucket.get("repository"))
                .hasValueSatisfying(now -> assertThat(now).isEqualTo(after));
    }

    @Test
    void eachRepositoryHasARandomId_OS1() {
        String id;
        try (Repository repository = storage.init("r", ShardFormat.v1())) {
            id = repository.refs().repositoryId().orElseThrow();
        }
        try (Repository again = storage.open("r")) {
            assertThat(again.refs().repositoryId()).contains(id);
        }
        byte[] older = "pail 1\nv1 maxKeySize=4096\n".getBytes(StandardCharsets.UTF_8);
        memory.below("r/").put("repository", older);
        try (Repository again = storage.open("r")) {
            assertThat(again.refs().repositoryId()).isEmpty();
        }
        for (String wrong :
                List.of("id \n", "id 1-2-3-4-5\n", id + "\n", "id " + id, "id " + id + "\nid " + id + "\n")) {
            String text = new String(older, StandardCharsets.UTF_8) + wrong;
            memory.below("r/").put("repository", text.getBytes(StandardCharsets.UTF_8));
            assertThatExceptionOfType(RepositoryException.class).isThrownBy(() -> storage.open("r"));
        }
    }

    @Test
    void aChangeWritesTwoObjectsAndAWarmReadNone_OS6() {
        try (Repository repository = storage.init("r", ShardFormat.v1())) {
            Pail unused = put(repository, "first");
            S3Statistics before = storage.statistics();
            for (int i = 0; i < 10; i++) {
                unused = put(repository, "k" + i);
            }
            S3Statistics after = storage.statistics();
            assertThat(after.writes() - before.writes()).isEqualTo(20);
            assertThat(after.lists()).isEqualTo(before.lists());
            assertThat(after.reads() - before.reads()).isLessThanOrEqualTo(40);

            Pail pail = repository.pail();
            assertThat(pail.entries()).hasSize(11);
            S3Statistics warm = storage.statistics();
            assertThat(pail.entries()).hasSize(11);
            assertThat(pail.get("first")).contains(VALUE);
            assertThat(storage.statistics()).isEqualTo(warm);
        }
    }

    /** Also: checkpoints are written, and packs are merged, so that a reader has little to read. */
    @Test
    void aColdOpenOfManyChangesTakesFewRequests_OS4_OS8() {
        try (Repository repository = storage.init("r", ShardFormat.v1())) {
            S3Statistics before = storage.statistics();
            for (int i = 0; i < MANY; i++) {
                String key = "k" + i % 1000;
                Cid value = Block.of(Cid.RAW, Integer.toString(i).getBytes(StandardCharsets.US_ASCII))
                        .cid();
                repository.update("main", pail -> pail.put(key, value));
            }
            long writes = storage.statistics().writes() - before.writes();
            assertThat(writes).isLessThan(MANY * 22L / 10);
        }
        assertThat(keys("checkpoints/")).hasSizeGreaterThanOrEqualTo(MANY / Commits.INTERVAL);
        S3Statistics before = storage.statistics();
        try (Repository repository = storage.open("r")) {
            assertThat(repository.pail().get("k7")).isPresent();
            assertThat(repository.snapshot("main").generation()).isEqualTo(MANY);
        }
        S3Statistics after = storage.statistics();
        long requests = after.reads() + after.lists() - before.reads() - before.lists();
        System.out.println("S3StorageTest: " + requests + " requests to open " + MANY + " changes");
        assertThat(requests).isLessThanOrEqualTo(200);

        try (Repository repository = storage.open("r");
                RefLog log = repository.refs().log(repository.refs().branch("main"))) {
            List<LogEntry> entries = log.stream().toList();
            assertThat(entries).hasSize(MANY);
            assertThat(entries.get(MANY - 1).generation()).isEqualTo(1);
            assertThat(storage.statistics().reads() - after.reads()).isLessThan(MANY * 11L / 10);
        }
    }

    @Test
    void noAnswerToACommitIsLookedUp_OS7() {
        try (Repository repository = storage.init("r", ShardFormat.v1())) {
            Pail first = put(repository, "first");
            assertThat(first.entries()).hasSize(1);
            for (Fault fault : List.of(Fault.NO_ANSWER, Fault.NOT_SENT)) {
                for (String kind : List.of("log/", "packs/")) {
                    Fault[] next = {fault};
                    objects.writes(key -> {
                        Fault now = key.startsWith(kind) ? next[0] : Fault.NONE;
                        next[0] = key.startsWith(kind) ? Fault.NONE : next[0];
                        return now;
                    });
                    // What was done is not done again.
                    int[] calls = {0};
                    repository.update("main", pail -> {
                        calls[0]++;
                        return pail.put(fault + " " + kind, VALUE);
                    });
                    assertThat(calls[0]).as("%s of %s", fault, kind).isEqualTo(1);
                }
            }
            objects.writes(key -> Fault.NONE);
            assertThat(repository.pail().entries()).hasSize(5);
            assertThat(repository.snapshot("main").generation()).isEqualTo(5);
            assertThat(storage.statistics().unknowns()).isEqualTo(2);
        }
    }

    @Test
    void whatStaysUnknownIsSaidAndIsWholeOrNot_OS7() {
        try (Repository repository = storage.init("r", ShardFormat.v1())) {
            Pail unused = put(repository, "first");
            for (Fault fault : List.of(Fault.NO_ANSWER, Fault.NOT_SENT)) {
                long generation = repository.snapshot("main").generation();
                boolean[] isLost = {false};
                objects.writes(key -> {
                    isLost[0] |= key.startsWith("log/");
                    return key.startsWith("log/") ? fault : Fault.NONE;
                });
                objects.reads(key -> isLost[0] ? Fault.NOT_SENT : Fault.NONE);
                assertThatExceptionOfType(HeadUpdateUncertainException.class)
                        .isThrownBy(() -> put(repository, fault.name()));
                objects.writes(key -> Fault.NONE);
                objects.reads(key -> Fault.NONE);
                assertThat(repository.snapshot("main").generation())
                        .isEqualTo(generation + (fault == Fault.NO_ANSWER ? 1 : 0));
            }
        }
    }

    /** A reader looks for newer commits before it says that something is not there. */
    @Test
    void whatAnotherProcessHasPutIsFound_OS4() {
        storage.init("r", ShardFormat.v1()).close();
        try (Repository reader = storage.open("r");
                Repository writer = storage.open("r")) {
            for (int i = 0; i < 3; i++) {
                Block block = Block.of(Cid.RAW, new byte[] {2, (byte) i});
                assertThat(reader.blocks().has(block.cid())).isFalse();
                writer.blocks().put(block);
                assertThat(
                                i == 0
                                        ? reader.blocks().has(block.cid())
                                        : reader.blocks().get(block.cid()).isPresent())
                        .isTrue();
            }
            Pail unused = put(writer, "a");
            assertThat(reader.pail().get("a")).contains(VALUE);
        }
    }

    @Test
    void aRefusedWriteChangesNothing_OS6() {
        try (Repository repository = storage.init("r", ShardFormat.v1())) {
            Pail before = put(repository, "a");
            for (String kind : List.of("log/", "packs/")) {
                objects.writes(key -> key.startsWith(kind) ? Fault.REFUSED : Fault.NONE);
                assertThatExceptionOfType(StoreIOException.class)
                        .isThrownBy(() -> put(repository, "b"))
                        .withMessageContaining("503 SlowDown");
                objects.writes(key -> Fault.NONE);
                assertThat(repository.root("main")).isEqualTo(before.root());
            }
            Pail unused = put(repository, "b");
            assertThat(storage.statistics().unknowns()).isZero();
        }
    }

    @Test
    void anAnswerThatIsCutShortOrWrongOnceIsReadAgain_OS3() {
        try (Repository repository = storage.init("r", ShardFormat.v1())) {
            Pail unused = put(repository, "a");
        }
        for (Function<byte[], byte[]> wrong :
                List.<Function<byte[], byte[]>>of(bytes -> Arrays.copyOf(bytes, bytes.length / 2), bytes -> {
                    bytes[bytes.length / 2] ^= 1;
                    return bytes;
                })) {
            try (Repository repository = storage.open("r")) {
                Cid root = repository.root("main");
                int[] left = {1};
                objects.answers(bytes -> left[0]-- > 0 ? wrong.apply(bytes) : bytes);
                assertThat(Pail.open(repository.blocks(), root).get("a")).contains(VALUE);
                objects.answers(bytes -> bytes);
            }
        }
    }

    /** Where the bytes of a block begin in a pack. */
    private static int indexOf(byte[] pack, Cid block) {
        byte[] name = block.toBytes();
        for (int at = 0; ; at++) {
            if (Arrays.equals(pack, at, at + name.length, name, 0, name.length)) {
                return at + name.length;
            }
        }
    }

    @Test
    void damageIsNamed_OS2_OS3() {
        Cid root;
        try (Repository repository = storage.init("r", ShardFormat.v1())) {
            Pail unused = put(repository, "a");
            root = repository.root("main");
        }
        String pack = keys("packs/").get(1);
        byte[] whole = memory.below("r/").get(pack).orElseThrow();
        memory.below("r/").put(pack, Arrays.copyOf(whole, whole.length - 3));
        try (Repository repository = storage.open("r")) {
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> repository.blocks().get(root))
                    .withMessageContainingAll("the index of a pack is damaged", pack);
        }
        byte[] wrong = whole.clone();
        wrong[indexOf(whole, root)] ^= 1;
        memory.below("r/").put(pack, wrong);
        try (Repository repository = storage.open("r")) {
            assertThatExceptionOfType(CorruptBlockException.class)
                    .isThrownBy(() -> repository.blocks().get(root));
            assertThat(repository.verify(VerifyOptions.DEFAULT).problems()).isNotEmpty();
        }
        memory.below("r/").delete(pack);
        try (Repository repository = storage.open("r")) {
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> repository.blocks().get(root))
                    .withMessageContainingAll("a pack is missing", pack);
        }
        memory.below("r/").put(pack, whole);
        damage(Keys.log(2));
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> {
                    try (Repository repository = storage.open("r")) {
                        Cid unused = repository.root("main");
                    }
                })
                .withMessageContainingAll("a damaged object", Keys.log(2));
    }

    @Test
    void aMissingCommitIsNamed_OS4() {
        try (Repository repository = storage.init("r", ShardFormat.v1())) {
            for (int i = 0; i < 3; i++) {
                Pail unused = put(repository, "k" + i);
            }
        }
        memory.below("r/").delete(Keys.log(2));
        try (Repository repository = storage.open("r")) {
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(() -> repository.root("main"))
                    .withMessageContainingAll("commit 2 is missing", Keys.log(2));
        }
    }

    private void put(String key, String text) {
        memory.below("r/").put(key, text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void checkpointsProveNothing_OS4() {
        int count = 3 * Commits.INTERVAL + 5;
        try (Repository repository = storage.init("r", ShardFormat.v1())) {
            for (int i = 0; i < count; i++) {
                Pail unused = put(repository, "k" + i);
            }
        }
        List<Runnable> changes = List.of(
                () -> put("hint", Keys.digits(0)),
                () -> put("hint", Keys.digits(1)),
                () -> put("hint", Keys.digits(Commits.INTERVAL)),
                () -> damage(keys("checkpoints/").get(2)),
                () -> memory.below("r/").delete(keys("checkpoints/").get(1)),
                () -> keys("checkpoints/").forEach(memory.below("r/")::delete));
        for (Runnable change : changes) {
            change.run();
            try (Repository repository = storage.open("r")) {
                assertThat(repository.snapshot("main").generation()).isEqualTo(count);
                assertThat(repository.pail().entries()).hasSize(count);
            }
        }
    }

    /** A writer sleeps between its pack and its commit, for longer than a collector keeps leftovers. */
    @Test
    void aLeftoverThatIsForgottenIsNotNamedLater_OS5_OS9() {
        try (Repository repository = storage.init("r", ShardFormat.v1())) {
            Pail unused = put(repository, "a");
            boolean[] isOnce = {true};
            objects.writes(key -> {
                if (key.startsWith("log/") && isOnce[0]) {
                    isOnce[0] = false;
                    clock.pass(Duration.ofDays(30));
                    try (Repository other = S3Storage.of(prefix -> memory.below("r/"), clock, new S3Counters())
                            .open("r")) {
                        assertThat(other.maintenance()
                                        .garbageCollection()
                                        .run()
                                        .deleted()
                                        .blocks())
                                .isEqualTo(1);
                    }
                    clock.pass(Duration.ofDays(30));
                }
                return Fault.NONE;
            });
            unused = put(repository, "b");
            assertThat(isOnce[0]).isFalse();
        }
        try (Repository repository = storage.open("r")) {
            assertThat(repository.pail().entries()).hasSize(2);
            assertThat(repository.verify(VerifyOptions.DEFAULT).problems()).isEmpty();
            for (String pack : keys("packs/")) {
                assertThat(memory.below("r/").get(pack)).isPresent();
            }
        }
    }

    /** Compare-and-sets of a branch from many threads, with lost answers: each that is acknowledged is in the log, once. */
    @Test
    void noCompareAndSetIsLost_OS5_OS7() throws Exception {
        Random random = Randomness.random(Randomness.seed("S3StorageTest"));
        storage.init("r", ShardFormat.v1()).close();
        objects.writes(key -> {
            synchronized (random) {
                int drawn = random.nextInt(30);
                return drawn == 0 ? Fault.NO_ANSWER : drawn == 1 ? Fault.NOT_SENT : Fault.NONE;
            }
        });
        int each = Randomness.times(125, 625);
        List<Thread> threads = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            String name = "t" + i + "/";
            Thread thread = new Thread(() -> {
                try (Repository own =
                        storage.withPatience(Duration.ofMinutes(1)).open("r")) {
                    for (int number = 0; number < each; number++) {
                        Pail unused = put(own, name + number);
                    }
                } catch (Throwable e) {
                    synchronized (failures) {
                        failures.add(e);
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
        objects.writes(key -> Fault.NONE);
        try (Repository repository = storage.open("r")) {
            BranchState state = repository.refs().branch("main");
            assertThat(state.generation()).isEqualTo(8L * each);
            assertThat(repository.pail().entries()).hasSize(8 * each);
        }
        assertThat(storage.statistics().races()).isPositive();
    }

    @Test
    void aCondemnedPackIsCopiedFromAndDeleted_OS9() {
        Instant begun = clock.instant();
        try (Repository repository = storage.init("r", ShardFormat.v1())) {
            for (int i = 0; i < 20; i++) {
                Pail unused = put(repository, "k" + i);
            }
            repository.branches().create("other", repository.snapshot("main").head());
            Set<String> before = Set.copyOf(keys("packs/"));
            for (int times = 0; times < 4; times++) {
                clock.pass(Duration.ofDays(120));
                repository.maintenance().garbageCollection().run();
            }
            assertThat(keys("packs/")).isNotEmpty();
            assertThat(repository.pail().entries()).hasSize(20);
            assertThat(repository.verify(VerifyOptions.DEFAULT).problems()).isEmpty();
            assertThat(before).isNotEmpty();
            assertThat(clock.instant()).isAfter(begun);
        }
    }

    /** Whichever pack a collection is about to read, another one deletes it then. */
    @Test
    void aPackThatAnotherCollectionDeletesIsNotMissing_OS9() {
        for (BiFunction<SweptBlocks.Portion, SweepRule, Swept> looking :
                List.<BiFunction<SweptBlocks.Portion, SweepRule, Swept>>of(
                        SweptBlocks.Portion::sweep, SweptBlocks.Portion::preview)) {
            int read = 0;
            boolean isRead = true;
            while (isRead) {
                isRead = readsBesideACollection(read, looking);
                read += isRead ? 1 : 0;
            }
            assertThat(read).isGreaterThan(1);
        }
    }

    /** Returns whether a pack was read after some that were read before. */
    private boolean readsBesideACollection(int before, BiFunction<SweptBlocks.Portion, SweepRule, Swept> looking) {
        MemoryBucket both = new MemoryBucket(clock);
        FaultyBucket mine = new FaultyBucket(both.below("r/"));
        S3Storage others = S3Storage.of(both::below, clock, new S3Counters());
        others.init("r", ShardFormat.v1()).close();
        try (RepositoryBlocks blocks = others.blocks("r");
                RepositoryBlocks here =
                        S3Storage.of(prefix -> mine, clock, new S3Counters()).blocks("r")) {
            for (byte i = 0; i < 3; i++) {
                blocks.putAll(List.of(Block.of(Cid.RAW, new byte[] {i})));
            }
            clock.pass(Duration.ofHours(2));
            collect(blocks, SweptBlocks.Portion::sweep);
            clock.pass(Duration.ofHours(2));
            AtomicInteger left = new AtomicInteger(before);
            mine.reads(key -> {
                if (key.startsWith("packs/") && left.getAndDecrement() == 0) {
                    collect(blocks, SweptBlocks.Portion::sweep);
                    assertThat(both.below("r/").list("packs/", "packs/", 10)).isEmpty();
                }
                return Fault.NONE;
            });
            collect(here, looking);
            return left.get() < 0;
        }
    }

    /** As if nothing was needed. */
    private void collect(RepositoryBlocks blocks, BiFunction<SweptBlocks.Portion, SweepRule, Swept> looking) {
        SweepRule rule = new SweepRule(cid -> false, clock.instant().minus(Duration.ofHours(1)));
        blocks.swept().portions().forEachRemaining(portion -> {
            Swept unused = looking.apply(portion, rule);
        });
    }
}
