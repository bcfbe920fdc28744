package dev.pail.testkit.disk;

import dev.pail.testkit.Randomness;
import java.util.Random;
import java.util.function.LongFunction;

/**
 * What several who take turns do at random on a simulated disk, while the power may be lost at any of its changes.
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
 *         DirectoryBlockStore.open(left(disk), Path.of("/store")).has(value); // or whatever must hold now
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
     * Makes workloads, and goes through them.
     *
     * @param first the seed of the first; each other has the next one
     * @param seldom at one of so many changes the power is lost
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
