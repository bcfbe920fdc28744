package dev.pail.server.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.car.Completeness;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.PushMode;
import dev.pail.repository.GarbageCollection;
import dev.pail.repository.MemoryBlocks;
import dev.pail.repository.MemoryRefs;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.server.Served;
import dev.pail.testkit.HandClock;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.remote.CuttingProxy;
import dev.pail.unixfs.FileLayout;
import dev.pail.unixfs.UnixFs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers that end early: the process is killed, or the line stays down and a collection comes before the next run. */
@Timeout(300)
class InterruptedTransfersTest {
    private static final String MAIN = Repository.MAIN;
    private static final int EACH = 3_000_000;
    private static final int SIZE = 20_000_000;

    /** What was under way is lost with each kill: up to 1 MiB that was read together, and what the system buffers. */
    private static final int MOST_RUNS = 4 * SIZE / EACH;

    /** A pull also loses what waits in the buffers of the system for a busy process: some MB. So more passes before it is killed. */
    private static final int EACH_PULL = 10_000_000;

    private static final int PULL_SIZE = 40_000_000;
    private static final int MOST_PULLS = 4 * PULL_SIZE / EACH_PULL;

    /** A port where nothing listens. */
    private static final int NOWHERE = 1;

    private final HandClock clock = new HandClock();
    private final MemoryRefs refs = new MemoryRefs(clock);
    private final MemoryBlocks blocks = new MemoryBlocks(clock);

    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    /** The repository of a process. When it is killed, it reads and writes no more. */
    private Repository process(AtomicBoolean isKilled) {
        Object mortal = Proxy.newProxyInstance(
                RepositoryBlocks.class.getClassLoader(),
                new Class<?>[] {RepositoryBlocks.class},
                (proxy, method, given) -> {
                    if (isKilled.get()) {
                        throw new Killed();
                    }
                    try {
                        return method.invoke(blocks, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return Repository.open(refs, (RepositoryBlocks) mortal, ShardFormat.v1());
    }

    private static void fill(Repository repository, Random random, int versions) throws IOException {
        fill(repository, random, versions, SIZE);
    }

    private static void fill(Repository repository, Random random, int versions, int size) throws IOException {
        for (int version = 0; version < versions; version++) {
            byte[] bytes = new byte[size / versions];
            random.nextBytes(bytes);
            Cid value = UnixFs.write(repository.blocks(), new ByteArrayInputStream(bytes), FileLayout.V1_2025);
            String key = "key/" + version;
            repository.update(MAIN, pail -> pail.put(key, value));
        }
    }

    private static void assertWhole(Repository repository, Repository other) {
        assertThat(repository.root(MAIN)).isEqualTo(other.root(MAIN));
        assertThat(Completeness.require(
                        repository.blocks(), repository.head(MAIN).events()))
                .isPositive();
    }

    /** Each run is killed after 10 MB, also while it puts what has come. */
    @ParameterizedTest
    @ValueSource(ints = {1, 12})
    void aPullThatIsKilledEndsAfterSomeRuns_SY14(int versions) throws IOException {
        Random random = Randomness.random("InterruptedTransfersTest.aPullThatIsKilledEndsAfterSomeRuns");
        try (Served served = new Served();
                CuttingProxy proxy = new CuttingProxy(served.server.address().getPort());
                HttpRemote remote = HttpRemote.open("http://127.0.0.1:" + proxy.port(), Optional.empty())) {
            fill(served.repository, random, versions, PULL_SIZE);
            int runs = 0;
            for (boolean isDone = false; !isDone; runs++) {
                assertThat(runs).isLessThan(MOST_PULLS);
                AtomicBoolean isKilled = new AtomicBoolean();
                Repository here = process(isKilled);
                proxy.cutAfter(EACH_PULL, () -> isKilled.set(true));
                try {
                    isDone = Exchange.of(here, "origin", remote).fetch(MAIN).blocks() > 0;
                } catch (RuntimeException | Error e) {
                    assertThat(isKilled).as("%s", e).isTrue();
                }
            }
            proxy.heal();
            System.out.println("killed pull of " + versions + " versions: " + runs + " runs");
            try (Repository here = process(new AtomicBoolean())) {
                here.merge(MAIN, "origin/main", MergeOptions.DEFAULT);
                assertWhole(here, served.repository);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 12})
    void aPushThatIsKilledEndsAfterSomeRuns_SY14(int versions) throws IOException {
        Random random = Randomness.random("InterruptedTransfersTest.aPushThatIsKilledEndsAfterSomeRuns");
        try (Served served = new Served();
                CuttingProxy proxy = new CuttingProxy(served.server.address().getPort());
                HttpRemote remote = HttpRemote.open("http://127.0.0.1:" + proxy.port(), Optional.empty())) {
            fill(process(new AtomicBoolean()), random, versions);
            int runs = 0;
            for (boolean isDone = false; !isDone; runs++) {
                assertThat(runs).isLessThan(MOST_RUNS);
                AtomicBoolean isKilled = new AtomicBoolean();
                Repository here = process(isKilled);
                proxy.cutAfter(EACH, () -> isKilled.set(true));
                try {
                    isDone = !Exchange.of(here, "origin", remote)
                            .push(MAIN, PushMode.FAST_FORWARD)
                            .branch()
                            .head()
                            .isEmpty();
                } catch (RuntimeException | Error e) {
                    assertThat(isKilled).as("%s", e).isTrue();
                }
            }
            proxy.heal();
            System.out.println("killed push of " + versions + " versions: " + runs + " runs");
            assertWhole(served.repository, process(new AtomicBoolean()));
        }
    }

    /** Within the grace period, a collection between two runs leaves what arrived; after it, all comes again. */
    @Test
    void aPullContinuesAfterACollection_SY14() throws IOException {
        Random random = Randomness.random("InterruptedTransfersTest.aPullContinuesAfterACollection");
        try (Served served = new Served();
                CuttingProxy proxy = new CuttingProxy(served.server.address().getPort());
                HttpRemote remote = HttpRemote.open("http://127.0.0.1:" + proxy.port(), Optional.empty());
                Repository here = process(new AtomicBoolean())) {
            fill(served.repository, random, 2);
            AtomicInteger arrived = new AtomicInteger();
            Exchange exchange = Exchange.of(here, "origin", remote).withProgress(arrived::incrementAndGet);
            int port = served.server.address().getPort();
            proxy.cutAfter(SIZE * 2 / 3, () -> proxy.lead(NOWHERE));
            assertThatExceptionOfType(StoreIOException.class).isThrownBy(() -> exchange.fetch(MAIN));
            int first = arrived.getAndSet(0);
            assertThat(first).isGreaterThan(9);
            clock.pass(GarbageCollection.GRACE.minusHours(1));
            here.maintenance().garbageCollection().run();
            proxy.lead(port);
            proxy.cutAfter(SIZE / 6, () -> proxy.lead(NOWHERE));
            assertThatExceptionOfType(StoreIOException.class).isThrownBy(() -> exchange.fetch(MAIN));
            assertThat(arrived.getAndSet(0)).isBetween(1, 5);

            // The blocks of the first run are as young as those of the second one.
            clock.pass(GarbageCollection.GRACE.minusHours(1));
            here.maintenance().garbageCollection().run();
            proxy.lead(port);
            proxy.cutAfter(SIZE / 12, () -> proxy.lead(NOWHERE));
            assertThatExceptionOfType(StoreIOException.class).isThrownBy(() -> exchange.fetch(MAIN));
            assertThat(arrived.getAndSet(0)).isBetween(1, 3);

            // Now they are gone, but for the version that the remote-tracking ref names.
            for (int i = 0; i < 3; i++) {
                clock.pass(GarbageCollection.GRACE.plus(Duration.ofDays(1)));
                here.maintenance().garbageCollection().run();
            }
            proxy.lead(port);
            exchange.fetch(MAIN);
            assertThat(arrived.get()).isBetween(11, 20);
            here.merge(MAIN, "origin/main", MergeOptions.DEFAULT);
            assertWhole(here, served.repository);
        }
    }

    @Test
    void aPushContinuesAfterACollectionThere_SY14() throws IOException {
        Random random = Randomness.random("InterruptedTransfersTest.aPushContinuesAfterACollectionThere");
        try (Served served = new Served(process(new AtomicBoolean()));
                CuttingProxy proxy = new CuttingProxy(served.server.address().getPort());
                HttpRemote remote = HttpRemote.open("http://127.0.0.1:" + proxy.port(), Optional.empty());
                Repository here = Repository.inMemory()) {
            fill(here, random, 1);
            AtomicInteger sent = new AtomicInteger();
            Exchange exchange = Exchange.of(here, "origin", remote).withProgress(sent::incrementAndGet);
            int port = served.server.address().getPort();
            for (int run = 0; run < 2; run++) {
                proxy.lead(port);
                proxy.cutAfter(SIZE / 4, () -> proxy.lead(NOWHERE));
                assertThatExceptionOfType(StoreIOException.class)
                        .isThrownBy(() -> exchange.push(MAIN, PushMode.FAST_FORWARD));
                clock.pass(GarbageCollection.GRACE.minusHours(1));
                served.repository.maintenance().garbageCollection().run();
            }
            // What came is apart, where no collection looks.
            for (int i = 0; i < 3; i++) {
                clock.pass(GarbageCollection.GRACE.plusDays(1));
                served.repository.maintenance().garbageCollection().run();
            }
            proxy.lead(port);
            sent.set(0);
            exchange.push(MAIN, PushMode.FAST_FORWARD);
            assertThat(sent.get()).isLessThan(16);
            assertWhole(served.repository, here);
        }
    }
}
