package dev.pail.repository.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.OperationInterruptedException;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.MemoryRefs;
import dev.pail.repository.model.HeadUpdateUncertainException;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.Updated;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.spi.RefStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that change one branch: while one commits, the others wait in a line, and are committed together then. */
@Timeout(60)
class CombinedChangesTest {
    private static final String MAIN = "main";
    private static final Cid VALUE = value("value").cid();

    /** No function is passed by. */
    private static final Duration LONG = Duration.ofDays(1);

    private final MemoryRefs refs = new MemoryRefs();
    private final MemoryBlocks blocks = new MemoryBlocks();

    /** What to do when the store begins its update of this number, counted from 1. */
    private final List<Runnable> beginnings = new ArrayList<>(List.of(() -> {}));

    /** What to do before each move of the second update. */
    private Runnable moving = () -> {};

    private final AtomicInteger begun = new AtomicInteger();
    private final CountDownLatch firstCommits = new CountDownLatch(1);
    private final CountDownLatch firstContinues = new CountDownLatch(1);

    private final OpenStores stores = OpenStores.of(hooked(), blocks, ShardFormat.v1());

    private static Block value(String text) {
        return Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8));
    }

    private RefStore hooked() {
        return proxy(RefStore.class, refs, (name, arguments) -> {
            if (!name.equals("update")) {
                return Optional.empty();
            }
            int number = begun.incrementAndGet();
            if (number <= beginnings.size()) {
                beginnings.get(number - 1).run();
            }
            Function<RefStore.Update, Object> action = action(arguments[0]);
            return Optional.of(() -> refs.update(update -> action.apply(number == 2 ? hooked(update) : update)));
        });
    }

    private RefStore.Update hooked(RefStore.Update update) {
        return proxy(RefStore.Update.class, update, (name, arguments) -> {
            if (name.equals("move")) {
                moving.run();
            }
            return Optional.empty();
        });
    }

    @SuppressWarnings("unchecked")
    private static Function<RefStore.Update, Object> action(Object argument) {
        return (Function<RefStore.Update, Object>) argument;
    }

    private interface Hook {
        Optional<Supplier<Object>> call(String name, Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, T to, Hook hook) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Optional<Supplier<Object>> other = hook.call(method.getName(), arguments);
                    if (other.isPresent()) {
                        return other.get().get();
                    }
                    try {
                        return method.invoke(to, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private RefUpdates updates(Duration longestMaking) {
        return RefUpdates.of(stores, new ChangeLines("memory", longestMaking));
    }

    /** A change in a thread of its own. */
    private final class Writer {
        private final FutureTask<Updated> task;
        private final Thread thread;

        Writer(RefUpdates updates, String name, UnaryOperator<Pail> change) {
            VersionUpdates versions = new VersionUpdates(
                    stores,
                    updates.with(new Signature(new Note(Optional.of(name), Optional.empty()), Optional.empty())));
            task = new FutureTask<>(() -> versions.update(MAIN, name, change::apply));
            thread = new Thread(task, name);
            thread.start();
        }

        /** Returns when the thread waits for others. */
        Writer waiting() {
            while (thread.getState() != Thread.State.TIMED_WAITING && !task.isDone()) {
                Thread.onSpinWait();
            }
            assertThat(task).isNotDone();
            return this;
        }

        Updated result() throws Exception {
            try {
                return task.get();
            } catch (ExecutionException e) {
                throw (Exception) e.getCause();
            }
        }
    }

    private Writer put(RefUpdates updates, String key) {
        return new Writer(updates, key, pail -> pail.put(key, VALUE));
    }

    /** A thread whose commit waits until it is released. */
    private Writer first(RefUpdates updates) throws InterruptedException {
        beginnings.set(0, () -> {
            firstCommits.countDown();
            await(firstContinues);
        });
        Writer first = put(updates, "first");
        firstCommits.await();
        return first;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private List<LogEntry> log() {
        List<LogEntry> entries = new ArrayList<>();
        try (RefLog log = refs.log(refs.branch(MAIN))) {
            for (LogEntry entry = log.next(); entry != null; entry = log.next()) {
                entries.add(0, entry);
            }
        }
        return entries;
    }

    private List<String> reasons() {
        return log().stream().map(LogEntry::reason).toList();
    }

    @Test
    void changesThatWaitAreCommittedTogether_REP42() throws Exception {
        RefUpdates updates = updates(LONG);
        List<Long> heard = new ArrayList<>();
        updates.listen(update -> heard.add(update.entry().generation()));
        Writer first = first(updates);
        List<Writer> writers = new ArrayList<>(List.of(first));
        for (String key : List.of("a", "b", "c")) {
            writers.add(put(updates, key).waiting());
        }
        firstContinues.countDown();
        long generation = 0;
        for (Writer writer : writers) {
            Updated updated = writer.result();
            assertThat(updated.before().generation()).isEqualTo(generation);
            assertThat(updated.after().generation()).isEqualTo(++generation);
            assertThat(updated.after().pail().get(writer.thread.getName())).contains(VALUE);
            assertThat(updated.before().pail().get(writer.thread.getName())).isEmpty();
        }
        assertThat(begun).hasValue(2);
        assertThat(reasons()).containsExactly("first", "a", "b", "c");
        assertThat(log())
                .extracting(entry -> entry.note().author().orElseThrow())
                .containsExactly("first", "a", "b", "c");
        assertThat(log()).extracting(LogEntry::generation).containsExactly(1L, 2L, 3L, 4L);
        assertThat(heard).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void aFunctionThatThrowsIsAnsweredAlone_REP42() throws Exception {
        RefUpdates updates = updates(LONG);
        Block dropped = value("dropped");
        Writer first = first(updates);
        Writer before = put(updates, "a").waiting();
        Writer thrower = new Writer(updates, "thrower", pail -> {
                    pail.blocks().put(dropped);
                    throw new IllegalStateException("has a: " + pail.get("a").isPresent());
                })
                .waiting();
        Writer last = new Writer(updates, "last", pail -> {
                    pail.blocks().put(dropped);
                    throw new IllegalStateException("has b: " + pail.get("b").isPresent());
                })
                .waiting();
        firstContinues.countDown();
        assertThat(first.result().after().generation()).isEqualTo(1);
        assertThat(before.result().after().generation()).isEqualTo(2);
        assertThatThrownBy(thrower::result)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("has a: true");
        assertThatThrownBy(last::result)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("has b: false");
        assertThat(begun).hasValue(2);
        assertThat(blocks.has(dropped.cid())).isFalse();
    }

    @Test
    void aLostRaceMakesAllOfThemAgain_REP42() throws Exception {
        RefUpdates updates = updates(LONG);
        VersionUpdates other = new VersionUpdates(stores, updates(LONG));
        Writer first = first(updates);
        beginnings.add(() -> {
            Updated unused = other.update(MAIN, "other", pail -> pail.put("other", VALUE));
        });
        AtomicInteger calls = new AtomicInteger();
        List<Writer> writers = new ArrayList<>();
        for (String key : List.of("a", "b")) {
            writers.add(new Writer(updates, key, pail -> {
                        calls.incrementAndGet();
                        return pail.put(key, VALUE);
                    })
                    .waiting());
        }
        Writer condition = new Writer(updates, "condition", pail -> {
                    throw new IllegalStateException(
                            "has other: " + pail.get("other").isPresent());
                })
                .waiting();
        firstContinues.countDown();
        for (Writer writer : writers) {
            assertThat(writer.result().after().pail().get("other")).contains(VALUE);
        }
        assertThatThrownBy(condition::result).hasMessage("has other: true");
        assertThat(first.result().after().generation()).isEqualTo(1);
        assertThat(calls).hasValue(4);
        assertThat(reasons())
                .containsExactlyInAnyOrder("first", "other", "a", "b")
                .startsWith("first", "other");
    }

    @Test
    void anUnknownOutcomeIsThatOfOneChange_REP42() throws Exception {
        RefUpdates updates = updates(LONG);
        Writer first = first(updates);
        AtomicInteger moves = new AtomicInteger();
        moving = () -> {
            if (moves.incrementAndGet() == 2) {
                throw new HeadUpdateUncertainException(
                        MAIN,
                        "memory",
                        refs.branch(MAIN).head(),
                        refs.branch(MAIN).head(),
                        "no answer",
                        new Exception("no answer"));
            }
        };
        Writer durable = put(updates, "a").waiting();
        Writer uncertain = put(updates, "b").waiting();
        Writer later = put(updates, "c").waiting();
        firstContinues.countDown();
        assertThat(first.result().after().generation()).isEqualTo(1);
        Updated before = durable.result();
        assertThat(before.after().generation()).isEqualTo(2);
        assertThatThrownBy(uncertain::result).isInstanceOfSatisfying(HeadUpdateUncertainException.class, e -> {
            assertThat(e.from()).isEqualTo(before.after().head());
            assertThat(e.to()).isNotEqualTo(e.from());
        });
        assertThat(later.result().after().generation()).isEqualTo(3);
        assertThat(reasons()).containsExactly("first", "a", "c");
    }

    @Test
    void aFailureIsThatOfTheThreadThatCommits_REP42() throws Exception {
        RefUpdates updates = updates(LONG);
        Writer first = first(updates);
        beginnings.add(() -> {
            throw new StoreIOException("cannot update", "memory", "injected", null);
        });
        Writer a = put(updates, "a").waiting();
        Writer b = put(updates, "b").waiting();
        Writer last = put(updates, "c").waiting();
        firstContinues.countDown();
        assertThatThrownBy(last::result).isInstanceOf(StoreIOException.class);
        assertThat(first.result().after().generation()).isEqualTo(1);
        assertThat(a.result().after().pail().get("a")).contains(VALUE);
        assertThat(b.result().after().pail().get("b")).contains(VALUE);
        assertThat(reasons()).containsExactlyInAnyOrder("first", "a", "b");
    }

    @Test
    void anInterruptEndsOneChangeOfALine_REP34() throws Exception {
        RefUpdates updates = updates(LONG);
        Writer first = first(updates);
        Writer a = put(updates, "a").waiting();
        Writer interrupted = put(updates, "b").waiting();
        Writer last = put(updates, "c").waiting();
        interrupted.thread.interrupt();
        assertThatThrownBy(interrupted::result).isInstanceOf(OperationInterruptedException.class);
        firstContinues.countDown();
        assertThat(first.result().after().generation()).isEqualTo(1);
        assertThat(a.result().after().generation()).isEqualTo(2);
        assertThat(last.result().after().generation()).isEqualTo(3);
        assertThat(begun).hasValue(2);
    }

    /** The change of the second thread is made, and waits for that of the third. */
    @Test
    void anInterruptDoesNotEndAChangeThatIsInAGroup_REP34() throws Exception {
        RefUpdates updates = updates(LONG);
        Writer first = first(updates);
        List<Boolean> flags = new ArrayList<>();
        CountDownLatch makes = new CountDownLatch(1);
        CountDownLatch continues = new CountDownLatch(1);
        VersionUpdates versions = new VersionUpdates(stores, updates);
        FutureTask<Updated> task = new FutureTask<>(() -> {
            Updated updated = versions.update(MAIN, "a", pail -> pail.put("a", VALUE));
            flags.add(Thread.currentThread().isInterrupted());
            return updated;
        });
        Thread waiting = new Thread(task);
        waiting.start();
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        Writer last = new Writer(updates, "b", pail -> {
                    makes.countDown();
                    await(continues);
                    return pail.put("b", VALUE);
                })
                .waiting();
        firstContinues.countDown();
        makes.await();
        waiting.interrupt();
        continues.countDown();
        assertThat(task.get().after().generation()).isEqualTo(2);
        assertThat(flags).containsExactly(true);
        assertThat(last.result().after().generation()).isEqualTo(3);
        assertThat(first.result().after().generation()).isEqualTo(1);
        assertThat(begun).hasValue(2);
    }

    /** A function may even wait for other threads: then the line does not wait for it. */
    @Test
    void aSlowFunctionIsPassedBy_REP42() throws Exception {
        RefUpdates updates = updates(Duration.ofMillis(1));
        CountDownLatch others = new CountDownLatch(2);
        AtomicInteger calls = new AtomicInteger();
        CountDownLatch makes = new CountDownLatch(1);
        Writer slow = new Writer(updates, "slow", pail -> {
            calls.incrementAndGet();
            makes.countDown();
            await(others);
            return pail.put("slow", VALUE);
        });
        makes.await();
        for (String key : List.of("a", "b")) {
            assertThat(put(updates, key).result().after().pail().get(key)).contains(VALUE);
            others.countDown();
        }
        assertThat(slow.result().after().pail().get("b")).contains(VALUE);
        assertThat(calls).hasValueGreaterThan(1);
        assertThat(reasons()).containsExactly("a", "b", "slow");
    }

    @Test
    void aFunctionMayChangeItsBranch() throws Exception {
        RefUpdates updates = updates(LONG);
        VersionUpdates versions = new VersionUpdates(stores, updates);
        AtomicInteger calls = new AtomicInteger();
        Updated updated = versions.update(MAIN, "outer", pail -> {
            if (calls.incrementAndGet() == 1) {
                Updated unused = versions.update(MAIN, "inner", inner -> inner.put("inner", VALUE));
            }
            return pail.put("outer", VALUE);
        });
        assertThat(updated.after().pail().get("inner")).contains(VALUE);
        assertThat(reasons()).containsExactly("inner", "outer");
    }
}
