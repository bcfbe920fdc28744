package dev.pail.testkit;

import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Seeds for random tests. A test prints its seed; {@code -Dpail.seed=SEED} runs it again with the same one.
 *
 * <pre>{@code
 * Random random = Randomness.random("MyTest"); // prints: MyTest: -Dpail.seed=...
 * for (int i = 0; i < Randomness.times(100, 10_000); i++) {
 *     Assertions.assertTrue(random.nextInt(6) < 6);
 * }
 * }</pre>
 */
public final class Randomness {
    private Randomness() {}

    /** Prints a seed for a test, and returns it. */
    public static long seed(String test) {
        String given = System.getProperty("pail.seed", "");
        long seed = given.isEmpty() ? new Random().nextLong() : Long.parseLong(given);
        System.out.println(test + ": -Dpail.seed=" + seed);
        return seed;
    }

    /**
     * A generator for one of many runs, whose seeds are a number and those that follow it. The first numbers of {@link Random} are much
     * alike for such seeds, so that all runs would choose the same format, for example.
     */
    public static Random random(long seed) {
        return new Random(new SplittableRandom(seed).nextLong());
    }

    /** A generator with a seed that is printed. */
    public static Random random(String test) {
        return new Random(seed(test));
    }

    /**
     * Runs a schedule many times, each with a generator of its own. A failure names the schedule and the seed.
     *
     * @param test its name, with which the seed is printed
     */
    public static void schedules(String test, int times, Consumer<Random> schedule) {
        long seed = seed(test);
        for (int i = 0; i < times; i++) {
            try {
                schedule.accept(random(seed + i));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("schedule " + i + " of -Dpail.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    /** How often to try: the first number, or with {@code -Dpail.stress=nightly} the second. */
    public static int times(int shortForm, int nightly) {
        return "nightly".equals(System.getProperty("pail.stress")) ? nightly : shortForm;
    }
}
