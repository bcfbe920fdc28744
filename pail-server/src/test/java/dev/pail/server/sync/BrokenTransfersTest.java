package dev.pail.server.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.car.Completeness;
import dev.pail.ipld.Cid;
import dev.pail.remote.Exchange;
import dev.pail.remote.FetchResult;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.PushMode;
import dev.pail.remote.Pushed;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Tracking;
import dev.pail.server.Served;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.remote.CuttingProxy;
import dev.pail.unixfs.FileLayout;
import dev.pail.unixfs.UnixFs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Transfers over a line that breaks again and again: what arrived stays, and is not sent again. */
@Timeout(300)
class BrokenTransfersTest {
    private static final String MAIN = Repository.MAIN;

    private static final int LARGEST = 1 << 20;

    /** The largest block, and 64 KiB for all else. */
    private static final int LEAST = LARGEST + (64 << 10);

    /** The most bytes of a connection. */
    private static final int MOST = LEAST + 2_000_000;

    private static Repository repository(String format) {
        ShardFormat shards = format.equals("v0") ? ShardFormat.v0() : ShardFormat.v1();
        return Repository.open(new dev.pail.repository.MemoryRefs(), new dev.pail.repository.MemoryBlocks(), shards);
    }

    private static long fill(Repository repository, Random random, int versions, int size) throws IOException {
        long sum = 0;
        for (int version = 0; version < versions; version++) {
            byte[] bytes = new byte[size / 2 + random.nextInt(size)];
            random.nextBytes(bytes);
            Cid value = UnixFs.write(repository.blocks(), new ByteArrayInputStream(bytes), FileLayout.V1_2025);
            String key = "key/" + random.nextInt(1000);
            repository.update(MAIN, pail -> pail.put(key, value));
            sum += bytes.length;
        }
        return sum;
    }

    private static void assertWhole(Repository repository, Repository other) throws IOException {
        assertThat(repository.root(MAIN)).isEqualTo(other.root(MAIN));
        assertThat(Completeness.require(
                        repository.blocks(), repository.head(MAIN).events()))
                .isPositive();
    }

    /** How many bytes pass before a cut. */
    private static LongSupplier cuts(String how, Random random) {
        int each = LEAST + random.nextInt(2_000_000);
        return how.equals("even") ? () -> each : () -> LEAST + random.nextInt(2_000_000);
    }

    @ParameterizedTest
    @CsvSource({
        "v1, 1, 20000000, even",
        "v0, 1, 20000000, random",
        "v1, 10, 900000, random",
        "v0, 10, 900000, even",
        "v1, 300, 10000, even",
        "v0, 300, 10000, random"
    })
    void aPullEndsAfterSomeRuns_SY14_SY16(String format, int versions, int size, String how) throws IOException {
        Random random = Randomness.random("BrokenTransfersTest.aPullEndsAfterSomeRuns");
        try (Served served = new Served(repository(format));
                CuttingProxy proxy = new CuttingProxy(served.server.address().getPort());
                HttpRemote remote = HttpRemote.open("http://127.0.0.1:" + proxy.port(), Optional.empty());
                Repository here = repository(format)) {
            long bytes = fill(served.repository, random, versions, size);
            Exchange exchange = Exchange.of(here, "origin", remote);
            proxy.cutEach(cuts(how, random));
            int runs = 0;
            for (boolean isDone = false; !isDone; runs++) {
                assertThat((long) runs).isLessThanOrEqualTo(bytes / MOST + 3);
                try {
                    FetchResult fetched = exchange.fetch(MAIN);
                    assertThat(fetched.now().head()).isEqualTo(served.repository.head(MAIN));
                    assertThat(fetched.blocks()).isPositive();
                    isDone = true;
                } catch (StoreIOException e) {
                    assertThat(e).hasMessageContaining("stay");
                }
                for (Tracking tracking : here.remotes().refs().values()) {
                    assertThat(Completeness.require(
                                    here.blocks(), tracking.head().events()))
                            .isNotNegative();
                }
            }
            System.out.println("pull " + format + " " + versions + " x " + size + " " + how + ": " + runs + " runs, "
                    + proxy.cuts() + " cuts, " + bytes + " bytes");
            here.merge(MAIN, "origin/main", dev.pail.repository.model.MergeOptions.DEFAULT);
            assertWhole(here, served.repository);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "v1, 1, 20000000, random",
        "v0, 1, 20000000, even",
        "v1, 10, 900000, even",
        "v0, 10, 900000, random",
        "v1, 300, 10000, random",
        "v0, 300, 10000, even"
    })
    void aPushEndsAfterSomeRuns_SY14_SY16(String format, int versions, int size, String how) throws IOException {
        Random random = Randomness.random("BrokenTransfersTest.aPushEndsAfterSomeRuns");
        try (Served served = new Served(repository(format));
                CuttingProxy proxy = new CuttingProxy(served.server.address().getPort());
                HttpRemote remote = HttpRemote.open("http://127.0.0.1:" + proxy.port(), Optional.empty());
                Repository here = repository(format)) {
            long bytes = fill(here, random, versions, size);
            Exchange exchange = Exchange.of(here, "origin", remote);
            proxy.cutEach(cuts(how, random));
            int runs = 0;
            for (boolean isDone = false; !isDone; runs++) {
                assertThat((long) runs).isLessThanOrEqualTo(bytes / MOST + 3);
                try {
                    Pushed pushed = exchange.push(MAIN, PushMode.FAST_FORWARD);
                    assertThat(pushed.branch().head()).isEqualTo(here.head(MAIN));
                    isDone = true;
                } catch (StoreIOException e) {
                    assertThat(e).hasMessageContaining("stay");
                }
            }
            System.out.println("push " + format + " " + versions + " x " + size + " " + how + ": " + runs + " runs, "
                    + proxy.cuts() + " cuts, " + bytes + " bytes");
            assertWhole(served.repository, here);
        }
    }

    /** Each connection carries a fifth of a block. */
    @Test
    void aPullGetsABlockInParts_SY16_GW28() throws IOException {
        Random random = Randomness.random("BrokenTransfersTest.aPullGetsABlockInParts");
        try (Served served = new Served(repository("v1"));
                CuttingProxy proxy = new CuttingProxy(served.server.address().getPort());
                HttpRemote remote = HttpRemote.open("http://127.0.0.1:" + proxy.port(), Optional.empty());
                Repository here = repository("v1")) {
            fill(served.repository, random, 3, 3_000_000);
            proxy.cutEach(() -> LARGEST / 5);
            FetchResult fetched = Exchange.of(here, "origin", remote).fetch(MAIN);
            assertThat(fetched.now().head()).isEqualTo(served.repository.head(MAIN));
            System.out.println("parts: " + proxy.cuts() + " cuts");
            here.merge(MAIN, "origin/main", dev.pail.repository.model.MergeOptions.DEFAULT);
            assertWhole(here, served.repository);
        }
    }

    @Test
    void aBlockThatNoConnectionCarriesIsNamed_SY16() throws IOException {
        Random random = Randomness.random("BrokenTransfersTest.aBlockThatNoConnectionCarriesIsNamed");
        try (Served served = new Served(repository("v1"));
                CuttingProxy proxy = new CuttingProxy(served.server.address().getPort());
                HttpRemote remote = HttpRemote.open("http://127.0.0.1:" + proxy.port(), Optional.empty());
                Repository here = repository("v1")) {
            fill(here, random, 1, 5_000_000);
            Exchange exchange = Exchange.of(here, "origin", remote);
            proxy.cutEach(() -> LARGEST / 2);
            assertThatExceptionOfType(StoreIOException.class)
                    .isThrownBy(() -> exchange.push(MAIN, PushMode.FAST_FORWARD))
                    .withMessageMatching(".*the transfer broke off: http.*stay there, and the next push continues with "
                            + "the block [a-z0-9]+ of " + LARGEST + " bytes, which a connection has to carry whole");
            proxy.heal();
            exchange.push(MAIN, PushMode.FAST_FORWARD);
            assertWhole(served.repository, here);
        }
    }
}
