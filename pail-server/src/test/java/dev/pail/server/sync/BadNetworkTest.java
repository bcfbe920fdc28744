package dev.pail.server.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.PailException;
import dev.pail.car.Completeness;
import dev.pail.clock.UnrelatedHistories;
import dev.pail.remote.Exchange;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.PushMode;
import dev.pail.remote.Pushed;
import dev.pail.remote.RemoteException;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.MergeResult;
import dev.pail.server.Served;
import dev.pail.testkit.Randomness;
import dev.pail.testkit.remote.CuttingProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Replicas behind a network that ends connections at any byte: nothing is lost, nothing is made twice, and in the end all are equal. */
class BadNetworkTest {
    private static final String MAIN = Repository.MAIN;
    private static final int REPLICAS = 3;
    private static final int ATTEMPTS = 60;
    private static final MergeOptions PULL = MergeOptions.DEFAULT.withUnrelated(UnrelatedHistories.MERGE_FROM_EMPTY);

    @Test
    void connectionsEndAtAnyByte_SY8() throws Exception {
        long seed = Randomness.seed("BadNetworkTest.connectionsEndAtAnyByte");
        int cut = 0;
        for (int run = 0; run < Randomness.times(4, 400); run++) {
            cut += run(Randomness.random(seed + run));
        }
        assertThat(cut).isPositive();
    }

    private static int run(Random random) throws Exception {
        int cut = 0;
        Set<String> made = new TreeSet<>();
        List<Repository> replicas = new ArrayList<>();
        try (Served served = new Served();
                CuttingProxy proxy = new CuttingProxy(served.server.address().getPort())) {
            HttpRemote remote = HttpRemote.open("http://127.0.0.1:" + proxy.port(), Optional.empty())
                    .withPatience(Duration.ofSeconds(20));
            for (int i = 0; i < REPLICAS; i++) {
                replicas.add(Repository.inMemory());
            }
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                int at = random.nextInt(REPLICAS);
                Repository replica = replicas.get(at);
                String key = at + "/" + attempt;
                replica.update(MAIN, pail -> pail.putBytes(key, key.getBytes(StandardCharsets.UTF_8)));
                made.add(key);
                if (random.nextInt(4) > 0) {
                    proxy.cutAfter(random.nextInt(6000), () -> {});
                }
                cut += exchange(Exchange.of(replica, "origin", remote), random) ? 0 : 1;
                proxy.heal();
                for (Repository each : replicas) {
                    each.remotes()
                            .refs()
                            .values()
                            .forEach(tracking -> assertThat(Completeness.require(
                                            each.blocks(), tracking.head().events()))
                                    .isNotNegative());
                }
            }
            // A client may still keep connections that ended after their last answer: a request on one of them fails.
            for (Repository replica : replicas) {
                boolean unused = exchange(Exchange.of(replica, "origin", remote), random);
            }
            for (int round = 0; round < 2; round++) {
                for (Repository replica : replicas) {
                    Exchange exchange = Exchange.of(replica, "origin", remote);
                    MergeResult pulled = exchange.pull(MAIN, PULL);
                    Pushed pushed = exchange.push(MAIN, PushMode.MERGE);
                    assertThat(pushed.branch().head().isEmpty())
                            .as("%s", pulled)
                            .isFalse();
                }
            }
            for (Repository replica : replicas) {
                assertThat(replica.root(MAIN)).isEqualTo(served.repository.root(MAIN));
                Set<String> keys = new TreeSet<>();
                try (var entries = replica.pail().entries()) {
                    entries.forEach(entry -> keys.add(entry.key()));
                }
                assertThat(keys).isEqualTo(made);
            }
            return cut;
        } finally {
            replicas.forEach(Repository::close);
        }
    }

    /** Returns whether it came to its end. */
    private static boolean exchange(Exchange exchange, Random random) {
        try {
            if (random.nextBoolean()) {
                MergeResult unused = exchange.pull(MAIN, PULL);
            }
            Pushed unused = exchange.push(MAIN, random.nextBoolean() ? PushMode.MERGE : PushMode.FAST_FORWARD);
            return true;
        } catch (RemoteException e) {
            return true;
        } catch (PailException e) {
            assertThat(e.code()).isIn("io", "malformed-car");
            return false;
        }
    }
}
