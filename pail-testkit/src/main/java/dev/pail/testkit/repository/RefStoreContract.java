package dev.pail.testkit.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.Tracking;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.Epoch;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.spi.RefStore;
import dev.pail.sign.HeadNote;
import dev.pail.sign.SignedHead;
import dev.pail.sign.SigningKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link RefStore} as tests. Extend it for each store; the number in a test's name is the rule of the contract that the
 * test checks.
 *
 * <pre>{@code
 * class MyRefsTest extends RefStoreContract {
 *     protected RefStore newRefs() {
 *         return new MemoryRefs(); // the store to test, without refs
 *     }
 * }
 * }</pre>
 */
public abstract class RefStoreContract {
    private static final int THREADS = 4;

    private RefStore refs;

    /** Tests of the store that {@link #newRefs} gives. */
    protected RefStoreContract() {}

    /** A store with the branch main, which has no events. */
    protected abstract RefStore newRefs() throws Exception;

    /** Opens a new store for each test. */
    @BeforeEach
    public void open() throws Exception {
        refs = newRefs();
    }

    /** Closes the store. */
    @AfterEach
    public void close() {
        refs.close();
    }

    /** A head of one event; each number gives another one. */
    protected static Head head(int number) {
        return Head.of(Block.of(Cid.DAG_CBOR, new byte[] {(byte) number, (byte) (number >> 8)})
                .cid());
    }

    private LogEntry move(String branch, int to) {
        BranchState state = refs.branch(branch);
        return refs.update(update -> update.move(state, head(to), "to " + to, refs.epoch()));
    }

    private List<LogEntry> log(String branch) {
        try (RefLog log = refs.log(refs.branch(branch))) {
            return log.stream().toList();
        }
    }

    @Test
    public void c1_c2_aMoveIsSeenWhole() {
        Instant before = refs.now();
        LogEntry entry = move("main", 1);
        BranchState state = refs.branch("main");

        assertThat(state.head()).isEqualTo(head(1));
        assertThat(state.generation()).isEqualTo(1).isEqualTo(entry.generation());
        assertThat(entry.from()).isEqualTo(Head.empty());
        assertThat(entry.to()).isEqualTo(head(1));
        assertThat(entry.reason()).isEqualTo("to 1");
        assertThat(entry.time()).isBetween(before.minusSeconds(1), refs.now().plusSeconds(1));
        assertThat(log("main")).containsExactly(entry);
        assertThat(state.isPresent()).isTrue();
        assertThat(state.hasLog()).isTrue();
    }

    @Test
    public void c2_aNoteIsKeptWithItsMove() {
        Note note = Note.of("Jörg", "why\nand how");
        BranchState state = refs.branch("main");
        LogEntry entry = refs.update(update -> update.move(state, head(1), "noted", note, refs.epoch()));
        move("main", 2);

        assertThat(entry.note()).isEqualTo(note);
        assertThat(log("main")).extracting(LogEntry::note).containsExactly(Note.NONE, note);
    }

    @Test
    public void c3_anOldStateIsRefusedAndChangesNothing() {
        BranchState old = refs.branch("main");
        move("main", 1);
        List<LogEntry> before = log("main");

        assertChanged(update -> update.move(old, head(2), "lost", refs.epoch()));
        assertChanged(update -> {
            update.confirm(old);
            return null;
        });
        BranchState other = refs.branch("other");
        move("other", 1);
        assertChanged(update -> {
            update.create(other, refs.epoch());
            return null;
        });
        BranchState moved = refs.branch("other");
        move("other", 2);
        assertChanged(update -> {
            update.remove(moved, entry -> {});
            return null;
        });
        assertThat(refs.branch("main").head()).isEqualTo(head(1));
        assertThat(refs.branch("other").head()).isEqualTo(head(2));
        assertThat(log("main")).isEqualTo(before);
    }

    private <T> void assertChanged(java.util.function.Function<RefStore.Update, T> action) {
        assertThatExceptionOfType(RefChangedException.class).isThrownBy(() -> refs.update(action));
    }

    @Test
    public void c3_aTagIsComparedToo() {
        refs.update(update -> {
            update.tag("one", Optional.empty(), Optional.of(head(1)), refs.epoch());
            return null;
        });
        assertThat(refs.tag("one")).contains(head(1));
        assertThat(refs.tags()).containsExactly("one");
        assertChanged(update -> {
            update.tag("one", Optional.empty(), Optional.of(head(2)), refs.epoch());
            return null;
        });
        assertThat(refs.tag("one")).contains(head(1));
        refs.update(update -> {
            update.tag("one", Optional.of(head(1)), Optional.empty(), refs.epoch());
            return null;
        });
        assertThat(refs.tag("one")).isEmpty();
        assertThat(refs.tags()).isEmpty();
    }

    @Test
    public void c3_aRemoteTrackingRefIsComparedToo() {
        Tracking first = new Tracking(3, true, head(1));
        Tracking second = new Tracking(4, false, Head.empty());
        track(Optional.empty(), Optional.of(first));
        assertThat(refs.tracking("origin/feature/x")).contains(first);
        assertThat(refs.trackings()).containsExactly("origin/feature/x");

        for (Optional<Tracking> wrong : List.of(Optional.<Tracking>empty(), Optional.of(second))) {
            assertThatExceptionOfType(RefChangedException.class).isThrownBy(() -> track(wrong, Optional.of(second)));
        }
        assertThat(refs.tracking("origin/feature/x")).contains(first);

        track(Optional.of(first), Optional.of(second));
        assertThat(refs.tracking("origin/feature/x")).contains(second);
        track(Optional.of(second), Optional.empty());
        assertThat(refs.tracking("origin/feature/x")).isEmpty();
        assertThat(refs.trackings()).isEmpty();
        track(Optional.empty(), Optional.of(first));
        assertThat(refs.tracking("origin/feature/x")).contains(first);
        assertThat(refs.branches()).containsExactly("main");
    }

    private void track(Optional<Tracking> expected, Optional<Tracking> next) {
        String unused = refs.update(update -> {
            update.tracking("origin/feature/x", expected, next, refs.epoch());
            return "";
        });
    }

    @Test
    public void c3_signedHeadsAreComparedToo() {
        SigningKey key = SigningKey.generate("example.com/ann");
        HeadNote first =
                HeadNote.parse(new SignedHead("main", 1, head(9).events().get(0), head(1)).sign(key));
        HeadNote second =
                HeadNote.parse(new SignedHead("main", 2, head(9).events().get(0), head(2)).sign(key));
        assertThat(refs.notedNames()).isEmpty();
        assertThat(refs.headNotes("main")).isEmpty();
        keepNotes(List.of(), List.of(first));
        assertThat(refs.headNotes("main")).containsExactly(first);
        assertThatExceptionOfType(RefChangedException.class).isThrownBy(() -> keepNotes(List.of(), List.of(second)));
        assertThat(refs.headNotes("main")).containsExactly(first);
        keepNotes(List.of(first), List.of(second));
        assertThat(refs.headNotes("main")).containsExactly(second);
        assertThat(refs.headNotes("other")).isEmpty();
        assertThat(refs.notedNames()).containsExactly("main");
    }

    private void keepNotes(List<HeadNote> expected, List<HeadNote> next) {
        String unused = refs.update(update -> {
            update.headNotes("main", expected, next);
            return "";
        });
    }

    @Test
    public void c4_c9_anOldEpochIsRefused() {
        Epoch old = refs.epoch();
        Epoch next = new Epoch(old.number() + 1, Instant.EPOCH);
        refs.update(update -> {
            update.epoch(old, next);
            return null;
        });
        assertThat(refs.epoch()).isEqualTo(next);
        assertThat(next.isUnderWay()).isTrue();
        BranchState main = refs.branch("main");
        BranchState absent = refs.branch("absent");

        assertChanged(update -> update.move(main, head(1), "late", old));
        assertChanged(update -> {
            update.create(absent, old);
            return null;
        });
        assertChanged(update -> {
            update.tag("t", Optional.empty(), Optional.of(head(1)), old);
            return null;
        });
        assertChanged(update -> {
            update.epoch(old, next);
            return null;
        });
        assertThat(refs.branch("main").head().isEmpty()).isTrue();
        assertThat(refs.branches()).containsExactly("main");
        assertThat(refs.tags()).isEmpty();
    }

    @Test
    public void c7_aRemovedBranchKeepsItsLog() {
        move("a", 1);
        List<LogEntry> moved = new ArrayList<>();
        refs.update(update -> {
            update.remove(refs.branch("a"), moved::add);
            return null;
        });
        assertThat(refs.branches()).containsExactly("main");
        assertThat(refs.logs()).contains("a");
        assertThat(moved)
                .singleElement()
                .satisfies(entry -> assertThat(entry.to().isEmpty()).isTrue());
        BranchState removed = refs.branch("a");
        assertThat(removed.isPresent()).isFalse();
        assertThat(removed.hasLog()).isTrue();

        LogEntry again = move("a", 2);
        assertThat(again.generation()).isEqualTo(3);
        assertThat(log("a").stream().map(LogEntry::generation)).containsExactly(3L, 2L, 1L);
    }

    @Test
    public void c8_aLogLeadsFromAHeadToItsBeginning() {
        for (int i = 1; i <= 50; i++) {
            move("main", i);
        }
        List<LogEntry> all = log("main");
        assertThat(all).hasSize(50);
        for (int i = 0; i < 49; i++) {
            assertThat(all.get(i).from()).isEqualTo(all.get(i + 1).to());
        }
        try (RefLog earlier = refs.log("main", head(20), 20)) {
            assertThat(earlier.stream()).isEqualTo(all.subList(30, 50));
        }
    }

    @Test
    public void c13_nothingAfterClose() {
        BranchState main = refs.branch("main");
        refs.close();
        refs.close();
        List<Runnable> calls = List.of(
                () -> refs.branches(),
                () -> refs.logs(),
                () -> refs.branch("main"),
                () -> refs.log(main),
                () -> refs.tags(),
                () -> refs.tag("none"),
                () -> refs.current(),
                () -> refs.epoch(),
                () -> refs.wholeEpoch(),
                () -> refs.isDurable(main),
                () -> refs.checkWritable(),
                () -> refs.update(update -> update.move(main, head(1), "after close", Epoch.NONE)),
                () -> refs.turns().holding(update -> update.move(main, head(1), "after close", Epoch.NONE)));
        for (int i = 0; i < calls.size(); i++) {
            Runnable call = calls.get(i);
            assertThatThrownBy(call::run)
                    .as("call %d", i)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
    }

    @Test
    public void c10_whatWasNeverMadeIsAbsent() {
        assertThat(refs.branch("none").isPresent()).isFalse();
        assertThat(refs.branch("none").hasLog()).isFalse();
        assertThat(refs.branch("none").generation()).isZero();
        assertThat(refs.tag("none")).isEmpty();
        for (String name : List.of("c", "a", "b")) {
            refs.update(update -> {
                update.create(refs.branch(name), refs.epoch());
                return null;
            });
        }
        assertThat(refs.branches()).containsExactly("a", "b", "c", "main");
        assertThat(refs.branch("a").isPresent()).isTrue();
    }

    private static <T> List<T> run(List<Callable<T>> writers) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> each : pool.invokeAll(writers)) {
                results.add(each.get());
            }
            return results;
        } finally {
            pool.shutdown();
        }
    }

    @Test
    public void c8_aLogLeadsBackFromEachOlderHead() {
        int moves = 300;
        List<LogEntry> entries = new ArrayList<>();
        for (int i = 1; i <= moves; i++) {
            entries.add(move("main", i));
        }
        for (int i = 1; i <= moves; i += 7) {
            List<LogEntry> before = new ArrayList<>(entries.subList(0, i));
            Collections.reverse(before);
            try (RefLog log = refs.log("main", head(i), i)) {
                assertThat(log.stream()).containsExactlyElementsOf(before);
            }
        }
    }

    @Test
    public void c14_aWatchThatIsClosedEndsAWait() throws Exception {
        for (int i = 0; i < 50; i++) {
            RefStore.Watch watch = refs.watch("main");
            Callable<Boolean> reader = () -> {
                watch.await(Duration.ofDays(1));
                return true;
            };
            Callable<Boolean> closer = () -> {
                watch.close();
                return true;
            };
            assertThat(run(List.of(reader, closer))).containsOnly(true);
            watch.close();
            watch.await(Duration.ofDays(1));
        }
    }

    @Test
    public void c14_aWatchWaitsNoLongerThanAsked() throws Exception {
        try (RefStore.Watch watch = refs.watch("main")) {
            watch.await(Duration.ofNanos(1));
            watch.await(Duration.ZERO);
        }
    }

    @Test
    public void c1_theCurrentBranchIsTheOneThatWasChosen() {
        assertThat(refs.current()).isEqualTo("main");
        move("other", 1);
        refs.update(update -> {
            update.current("other");
            return null;
        });
        assertThat(refs.current()).isEqualTo("other");
    }

    /** A second writer stays outside while an update is under way; without a lock it need not. */
    @Test
    public void c12_anExclusiveStoreHasOneUpdateAtATime() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        List<Callable<Integer>> writers = Collections.nCopies(
                THREADS,
                () -> refs.update(update -> {
                    int most = 0;
                    for (int i = 0; i < 1000; i++) {
                        most = Math.max(most, inside.incrementAndGet());
                        // Takes as long as any update does.
                        assertThat(refs.branch("main").isPresent()).isTrue();
                        inside.decrementAndGet();
                    }
                    return most;
                }));
        for (int most : run(writers)) {
            assertThat(most == 1 || !refs.isExclusive())
                    .as("%d updates at a time", most)
                    .isTrue();
        }
    }

    /** Of writers that compete each update wins once, and none is lost. */
    @Test
    public void c2_c11_noneOfCompetingMovesIsLost() throws Exception {
        int moves = 100;
        List<Callable<Integer>> writers = Collections.nCopies(THREADS, () -> {
            int lost = 0;
            for (int i = 0; i < moves; ) {
                BranchState state = refs.branch("main");
                try {
                    refs.update(update -> update.move(state, head((int) state.generation() + 1), "race", refs.epoch()));
                    i++;
                } catch (RefChangedException e) {
                    lost++;
                }
            }
            return lost;
        });
        assertThat(run(writers)).hasSize(THREADS);
        assertThat(log("main").stream().map(LogEntry::generation))
                .containsExactlyElementsOf(LongStream.rangeClosed(1, (long) THREADS * moves)
                        .mapToObj(i -> (long) THREADS * moves + 1 - i)
                        .toList());
    }
}
