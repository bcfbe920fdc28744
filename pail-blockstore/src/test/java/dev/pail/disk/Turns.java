package dev.pail.disk;

import java.util.Random;
import java.util.function.LongFunction;

/** What several who take turns do at random on a simulated disk, while the power may be lost at any of its changes. */
public interface Turns {
    CrashDisk disk();

    Random random();

    /** Does something, as one of them. */
    void step();

    /** Checks what each of them reads. */
    void check();

    /** Checks what may be left, if the power is lost now. */
    void loseThePower();

    /**
     * Makes workloads, and goes through them.
     *
     * @param first the seed of the first; each other has the next one
     * @param seldom at one of so many changes the power is lost
     */
    static void run(long first, int workloads, int steps, int seldom, LongFunction<? extends Turns> made) {
        for (long seed = first; seed < first + workloads; seed++) {
            Turns turns = made.apply(seed);
            try {
                turns.disk().onChange(() -> {
                    if (turns.random().nextInt(seldom) == 0) {
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
