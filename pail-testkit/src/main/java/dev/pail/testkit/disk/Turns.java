package dev.pail.testkit.disk;

import dev.pail.testkit.Randomness;
import java.util.Random;
import java.util.function.LongFunction;

/**
 * A random workload of several programs that take turns on a simulated disk. Power may be lost at any change of the disk.
 *
 * <pre>{@code
 * class PutTurns extends Turns {
 *     PutTurns(long seed) {
 *         super(seed);
 *     }
 *     protected void step() {
 *         Block block = Block.of(Cid.RAW, new byte[] {(byte) random.nextInt()});
 *         DirectoryBlockStore.open(disk, Path.of("/store")).put(block);
 *     }
 *     protected void check() {}
 *     protected void loseThePower() {
 *         DirectoryBlockStore.open(left(disk), Path.of("/store")).has(value); // or check what must hold now
 *     }
 * }
 * Turns.run(7, 10, 50, 20, PutTurns::new); // ten workloads of 50 steps; power is lost at one of 20 changes
 * }</pre>
 */
public abstract class Turns {
    private static final CrashDisk.Loss[] LOSSES = CrashDisk.Loss.values();

    public final CrashDisk disk = new CrashDisk();
    public final Random random;

    protected Turns(long seed) {
        random = Randomness.random(seed);
    }

    /** Does something, as one of them. */
    protected abstract void step();

    /** Checks what each of them reads. */
    protected abstract void check();

    /** Checks what may be left, if the power is lost now. */
    protected abstract void loseThePower();

    /** What may be left of a disk in one of the ways in which power is lost. */
    protected CrashDisk left(CrashDisk of) {
        return of.afterLoss(LOSSES[random.nextInt(LOSSES.length)], random);
    }

    /**
     * Makes workloads, and runs them.
     *
     * @param first the seed of the first workload; each further one has the next seed
     * @param seldom power is lost at one of this many changes
     */
    public static void run(long first, int workloads, int steps, int seldom, LongFunction<? extends Turns> made) {
        for (long seed = first; seed < first + workloads; seed++) {
            Turns turns = made.apply(seed);
            try {
                turns.disk.onChange(() -> {
                    if (turns.random.nextInt(seldom) == 0) {
                        turns.loseThePower();
                    }
                });
                for (int i = 0; i < steps; i++) {
                    turns.step();
                    turns.check();
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("workload " + seed, e);
            }
        }
    }
}
