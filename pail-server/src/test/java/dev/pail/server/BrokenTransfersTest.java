package dev.pail.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
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
import dev.pail.repository.Tracking;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.remote.CuttingProxy;
import dev.pail.unixfs.FileLayout;
import dev.pail.unixfs.UnixFs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Transfers over a line that breaks again and again: what arrived stays, and is not sent again. */
@Timeout(300)
class BrokenTransfersTest {
    private static final String MAIN = Repository.MAIN;

    private static final int LARGEST = 1 << 20;

    /** The largest block, and 64 KiB for all else. Each cut loses the block that is under way. */
    private static final int LEAST = LARGEST + (64 << 10);

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
            Pail unused = repository.update(MAIN, pail -> pail.put(key, value));
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

    @ParameterizedTest
    @CsvSource({
        "v1, 1, 20000000",
        "v0, 1, 20000000",
        "v1, 10, 900000",
        "v0, 10, 900000",
        "v1, 300, 10000",
        "v0, 300, 10000"
    })
    void aPullEndsAfterSomeRuns_SY14(String format, int versions, int size) throws IOException {
        Random random = Randomness.random("BrokenTransfersTest.aPullEndsAfterSomeRuns");
        try (Served served = new Served(repository(format));
                CuttingProxy proxy = new CuttingProxy(served.server.address().getPort());
                HttpRemote remote = HttpRemote.open("http://127.0.0.1:" + proxy.port(), Optional.empty());
                Repository here = repository(format)) {
            long bytes = fill(served.repository, random, versions, size);
            int each = LEAST + random.nextInt(2_000_000);
            Exchange exchange = Exchange.of(here, "origin", remote);
            int runs = 1;
            for (boolean isDone = false; !isDone; runs++) {
                proxy.cutAfter(each, () -> {});
                try {
                    FetchResult fetched = exchange.fetch(MAIN);
                    assertThat(fetched.now().head()).isEqualTo(served.repository.head(MAIN));
                    isDone = true;
                } catch (StoreIOException e) {
                    assertThat(e).hasMessageContaining("stay");
                }
                assertThat((long) runs).isLessThanOrEqualTo(bytes / (each - LARGEST) + 3);
                for (Tracking tracking : here.trackings().values()) {
                    assertThat(Completeness.require(
                                    here.blocks(), tracking.head().events()))
                            .isNotNegative();
                }
            }
            here.merge(MAIN, "origin/main", dev.pail.repository.MergeOptions.DEFAULT);
            assertWhole(here, served.repository);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "v1, 1, 20000000",
        "v0, 1, 20000000",
        "v1, 10, 900000",
        "v0, 10, 900000",
        "v1, 300, 10000",
        "v0, 300, 10000"
    })
    void aPushEndsAfterSomeRuns_SY14(String format, int versions, int size) throws IOException {
        Random random = Randomness.random("BrokenTransfersTest.aPushEndsAfterSomeRuns");
        try (Served served = new Served(repository(format));
                CuttingProxy proxy = new CuttingProxy(served.server.address().getPort());
                HttpRemote remote = HttpRemote.open("http://127.0.0.1:" + proxy.port(), Optional.empty());
                Repository here = repository(format)) {
            long bytes = fill(here, random, versions, size);
            int each = LEAST + random.nextInt(2_000_000);
            Exchange exchange = Exchange.of(here, "origin", remote);
            int runs = 1;
            for (boolean isDone = false; !isDone; runs++) {
                proxy.cutAfter(each, () -> {});
                try {
                    Pushed pushed = exchange.push(MAIN, PushMode.FAST_FORWARD);
                    assertThat(pushed.branch().head()).isEqualTo(here.head(MAIN));
                    isDone = true;
                } catch (StoreIOException e) {
                    assertThat(e).hasMessageContaining("stay");
                }
                assertThat((long) runs).isLessThanOrEqualTo(bytes / (each - LARGEST) + 3);
            }
            assertWhole(served.repository, here);
        }
    }
}
