package dev.pail.testkit.repository;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.Randomness;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract of a store that several processes use at once: get, put and batch are linearizable. Processes of several threads work on a
 * branch, while calls to the store fail, answers are lost, and processes are killed and started again. Extend it for each store.
 *
 * <p>An operation that throws {@link dev.pail.repository.model.HeadUpdateUncertainException}, or whose process was killed, happened or did not.
 * One that throws {@link dev.pail.StoreIOException}, {@link dev.pail.StoreLockedException} or
 * {@link dev.pail.repository.model.RefChangedException} did not. The seed decides the operations and the faults; the system decides how threads
 * take turns.
 *
 * <pre>{@code
 * class MyStoreTest extends LinearizabilityContract {
 *     protected SharedStore newStore(Random random) {
 *         CrashDisk disk = new CrashDisk();
 *         Path folder = Path.of("/r");
 *         FileRepository.init(disk, folder, ShardFormat.v1(), BlockStorage.FILES).close();
 *         return faults -> MapClient.of(FileRepository.open( // each call to the disk may fail, or be the last of its process
 *                 HookedDisk.of(disk, (call, file, made) -> faults.call(made::make, () -> new IOException("injected"))),
 *                 folder,
 *                 Duration.ofDays(1)));
 *     }
 * }
 * }</pre>
 */
public abstract class LinearizabilityContract {
    private static final int SHORT = 2_000;
    private static final int LONG = 20_000;

    /** A store that several processes use at once. */
    @FunctionalInterface
    public interface SharedStore extends AutoCloseable {
        /** Opens the store for one more process, which has some faults. */
        MapClient open(ProcessFaults faults);

        /** How often an operation calls {@link ProcessFaults}, on average. */
        default int callsOfAnOperation() {
            return 1;
        }

        /** Whether the power was lost since {@link #settle}. All processes are dead then. */
        default boolean isPowerLost() {
            return false;
        }

        /** Does what is still to happen, such as calls that arrive late. No process calls the store meanwhile. */
        default void settle() {}

        @Override
        default void close() {}
    }

    /** For subclasses. */
    protected LinearizabilityContract() {}

    /** Makes a new store with an empty branch main. */
    protected abstract SharedStore newStore(Random random) throws Exception;

    /** 2,000 operations are linearizable. */
    @Test
    public void operationsAreLinearizable() throws Exception {
        check(SHORT);
    }

    /** 20,000 operations are linearizable. */
    @Test
    @Tag("stress")
    public void manyOperationsAreLinearizable() throws Exception {
        check(LONG);
    }

    private void check(int operations) throws Exception {
        String name = getClass().getSimpleName();
        long seed = Randomness.seed(name);
        try (SharedStore store = newStore(Randomness.random(seed));
                CompetingClients clients = new CompetingClients(store, seed)) {
            CompetingClients.Report report = clients.run(operations);
            System.out.println(name + ": " + report);
            assertThat(report.kills()).isPositive();
            assertThat(report.unknowns()).isPositive();
        }
    }
}
