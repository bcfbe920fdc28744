package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.HeadUpdateUncertainException;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.Epoch;
import dev.pail.repository.spi.RecordRefs;
import dev.pail.repository.spi.RefRecords;
import dev.pail.repository.spi.RefStore;
import dev.pail.testkit.HandClock;
import dev.pail.testkit.Randomness;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Refs over numbered records: outcomes that are unknown, and records that are damaged. */
class RecordRefsTest {
    private static final Head ONE = head(1);
    private static final Head TWO = head(2);

    private final MemoryRefs.Records records = new MemoryRefs.Records();
    private final HandClock clock = new HandClock();
    private final RefStore refs = new RecordRefs(records, "here", clock);

    private static Head head(int number) {
        return Head.of(Block.of(Cid.DAG_CBOR, new byte[] {(byte) number}).cid());
    }

    private static LogEntry move(RefStore refs, Head next) {
        BranchState state = refs.branch("main");
        return refs.update(update -> update.move(state, next, "move", refs.epoch()));
    }

    /** The same records, but a test says what creating one does. */
    private RefStore with(BooleanSupplier before, BooleanSupplier isCreated) {
        return new RecordRefs(
                new RefRecords() {
                    @Override
                    public Optional<Map.Entry<Long, byte[]>> newest(String name) {
                        return records.newest(name);
                    }

                    @Override
                    public Optional<byte[]> read(String name, long number) {
                        return records.read(name, number);
                    }

                    @Override
                    public boolean create(String name, long number, byte[] content) {
                        return before.getAsBoolean()
                                && records.create(name, number, content)
                                && isCreated.getAsBoolean();
                    }

                    @Override
                    public List<String> names(String prefix) {
                        return records.names(prefix);
                    }
                },
                "here",
                clock);
    }

    private static boolean fail() {
        throw new StoreIOException("cannot create a record", "here", "the connection was lost", null);
    }

    @Test
    void aRecordThatWasMadeAlthoughItsAnswerWasLostIsWon_REF5() {
        int[] answers = {0};
        LogEntry entry = move(with(() -> true, () -> answers[0]++ > 0 || fail()), ONE);
        assertThat(answers[0]).isEqualTo(1);
        assertThat(refs.branch("main").head()).isEqualTo(ONE);
        assertThat(refs.log(refs.branch("main")).stream()).containsExactly(entry);
    }

    /** In a store with transactions, an update reads the state at its start, while another thread of the process reads newer records. */
    @Test
    void anUpdateMayReadAnOlderRecordThanOtherThreads_REF7() throws Exception {
        AtomicReference<Thread> inUpdate = new AtomicReference<>();
        AtomicReference<Object> atStart = new AtomicReference<>();
        RefRecords transactional =
                HookedRefs.proxy(RefRecords.class, (proxy, method, arguments) -> switch (method.getName()) {
                    case "newest" ->
                        Thread.currentThread().equals(inUpdate.get())
                                ? atStart.get()
                                : method.invoke(records, arguments);
                    case "atOnce" -> {
                        atStart.set(records.newest("branch/main"));
                        inUpdate.set(Thread.currentThread());
                        try {
                            yield ((Supplier<?>) arguments[0]).get();
                        } finally {
                            inUpdate.set(null);
                        }
                    }
                    default -> method.invoke(records, arguments);
                });
        RefStore exclusive = new RecordRefs(transactional, "here", clock, new ReentrantLock());
        move(refs, ONE);
        ExecutorService reader = Executors.newSingleThreadExecutor();
        try {
            Head read = exclusive.update(update -> {
                move(refs, TWO);
                CompletableFuture<Head> newer = CompletableFuture.supplyAsync(
                        () -> exclusive.branch("main").head(), reader);
                assertThat(newer.join()).isEqualTo(TWO);
                return exclusive.branch("main").head();
            });
            assertThat(read).isEqualTo(ONE);
            assertThat(exclusive.branch("main").head()).isEqualTo(TWO);
        } finally {
            reader.shutdownNow();
        }
        // What was read before an update is still known in it.
        RefStore restored = new RecordRefs(transactional, "here", clock, new ReentrantLock());
        assertThat(restored.branch("main").generation()).isEqualTo(2);
        assertThatExceptionOfType(RepositoryException.class)
                .isThrownBy(() -> restored.update(update -> {
                    atStart.set(Optional.empty());
                    return restored.branch("main");
                }))
                .withMessageContaining("went back");
    }

    /** As where a client of the store repeats a request by itself. */
    @Test
    void aRecordThatIsThereAndIsOursIsWon_REF5() {
        LogEntry entry = move(with(() -> true, () -> false), ONE);
        assertThat(refs.log(refs.branch("main")).stream()).containsExactly(entry);
    }

    @Test
    void aRequestThatWasLostIsRepeated_REF5() {
        int[] requests = {0};
        move(with(() -> requests[0]++ == 2 || fail(), () -> true), ONE);
        assertThat(requests[0]).isEqualTo(3);
        assertThat(refs.branch("main").generation()).isEqualTo(1);
    }

    @Test
    void anotherWriterOfTheSameNumberWins_REF5() {
        int[] requests = {0};
        RefStore losing = with(
                () -> {
                    if (requests[0]++ == 0) {
                        move(refs, TWO);
                        fail();
                    }
                    return true;
                },
                () -> true);
        assertThatExceptionOfType(RefChangedException.class).isThrownBy(() -> move(losing, ONE));
        assertThat(refs.branch("main").head()).isEqualTo(TWO);
    }

    @Test
    void whatStaysUnknownIsSaid_REF5() {
        RefStore failing = with(RecordRefsTest::fail, () -> true);
        assertThatExceptionOfType(HeadUpdateUncertainException.class)
                .isThrownBy(() -> move(failing, ONE))
                .matches(e -> e.branch().equals("main") && e.to().equals(ONE));
        assertThatExceptionOfType(StoreIOException.class)
                .isThrownBy(() -> failing.update(update -> {
                    update.tag("t", Optional.empty(), Optional.of(ONE), refs.epoch());
                    return "tag";
                }));
        assertThat(refs.branch("main").head()).isEqualTo(Head.empty());
        assertThat(refs.tags()).isEmpty();
    }

    @Test
    void recordsAreThoseOfTheRules_REF2_REF3() {
        BranchState main = refs.branch("main");
        refs.update(update -> update.move(main, ONE, "r\ud800", Note.of("Ann", null), refs.epoch()));
        String hex = HexFormat.of().formatHex(records.read("branch/main", 1).orElseThrow());
        String cid = HexFormat.of().formatHex(ONE.events().get(0).toBytes());
        assertThat(hex.substring(0, 4)).isEqualTo("8550");
        assertThat(hex.substring(36))
                .isEqualTo("01" + "f5" + "81d82a582500" + cid // generation, present, head
                        + "86" + "1a6955b900" + "00" // the update: seconds and nanoseconds
                        + "6472efbfbd" + "80" // the reason, from
                        + "63416e6e" + "f6"); // author, message
    }

    @Test
    void theCurrentBranchAndTheEpochAreRecords_REF4() {
        assertThat(refs.current()).isEqualTo("main");
        assertThat(refs.branch("main").head()).isEqualTo(Head.empty());
        String unused = refs.update(update -> {
            update.current("b");
            update.epoch(refs.epoch(), new Epoch(1, Instant.parse("2026-01-01T00:00:00Z")));
            return "written";
        });
        assertThat(HexFormat.of().formatHex(records.read("current", 1).orElseThrow()))
                .matches("8250[0-9a-f]{32}6162");
        assertThat(HexFormat.of().formatHex(records.read("epoch", 1).orElseThrow()))
                .matches("8450[0-9a-f]{32}011a6955b90000");
        assertThat(refs.current()).isEqualTo("b");
        assertThat(refs.epoch()).isEqualTo(new Epoch(1, Instant.parse("2026-01-01T00:00:00Z")));
    }

    /** Any bytes of a record are read, or are damage. */
    @Test
    void damagedRecordsAreSaid_REF1() {
        Random random = Randomness.random("RecordRefsTest");
        move(refs, Head.of(List.of(ONE.events().get(0), TWO.events().get(0))));
        byte[] good = records.read("branch/main", 1).orElseThrow();
        int damaged = 0;
        for (int i = 0; i < 5000; i++) {
            byte[] bad = Arrays.copyOf(good, random.nextInt(4) == 0 ? random.nextInt(good.length) : good.length);
            for (int flips = random.nextInt(4); flips >= 0 && bad.length > 0; flips--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
            }
            String name = "b" + i;
            assertThat(records.create("branch/" + name, 1, bad)).isTrue();
            try {
                assertThat(refs.branch(name).hasLog()).isTrue();
            } catch (RepositoryException e) {
                assertThat(e).hasMessageStartingWith("damaged record 1 of \"branch/" + name + "\": here: ");
                assertThat(e.reason()).isEqualTo(RepositoryException.Reason.DAMAGED);
                damaged++;
            }
        }
        assertThat(damaged).isBetween(1000, 4999);
        assertThat(refs.branches()).as("also damaged ones").hasSizeGreaterThan(damaged);
        records.create("branch/large", 1, new byte[RefRecords.MAX_SIZE + 1]);
        assertThatExceptionOfType(RepositoryException.class).isThrownBy(() -> refs.branch("large"));
    }

    @Test
    void aDamagedTagIsRemoved() {
        records.create("tag/t", 1, new byte[] {1});
        assertThat(refs.tags()).containsExactly("t");
        refs.update(update -> {
            update.removeTag("t");
            return "removed";
        });
        assertThat(refs.tags()).isEmpty();
    }

    @Test
    void aDamagedEpochIsReplacedByTheNextCollection_G17() {
        RefStore locked = new RecordRefs(records, "here", clock, new ReentrantLock());
        records.create("epoch", 1, new byte[] {1});
        assertThat(locked.epoch()).isEqualTo(Epoch.UNKNOWN);
        assertThatExceptionOfType(RepositoryException.class).isThrownBy(locked::wholeEpoch);
        try (Repository repository = Repository.open(locked, new MemoryBlocks(clock), ShardFormat.v1())) {
            repository.maintenance().garbageCollection().run();
            assertThat(locked.wholeEpoch().isUnderWay()).isFalse();
        }
    }
}
