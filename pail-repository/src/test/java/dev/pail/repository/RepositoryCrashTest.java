package dev.pail.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.Randomness;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Whenever the power is lost, what was acknowledged is there, complete, or what was under way instead. */
class RepositoryCrashTest {
    private static final int CHANGES = 10;

    @Test
    void thePowerIsLostBeforeEachCall() {
        long seed = Randomness.seed("RepositoryCrashTest");
        int workloads = Randomness.times(4, 2000);
        AtomicLong recoveries = new AtomicLong();
        AtomicLong writes = new AtomicLong();
        LongStream.range(seed, seed + workloads).parallel().forEach(each -> {
            CrashWorkload workload = new CrashWorkload(each);
            try {
                recoveries.addAndGet(workload.run(CHANGES));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("workload " + each, e);
            }
            writes.addAndGet(workload.writes());
        });
        assertThat(recoveries.get()).isGreaterThan(2500L * workloads);
        assertThat(writes.get()).isPositive();
    }
}
