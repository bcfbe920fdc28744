package dev.pail.table;

import java.util.Random;

/** Seeds for random tests: printed, and taken from {@code -Dpail.seed} where that is given. */
final class Randomness {
    private Randomness() {}

    static long seed(String test) {
        String given = System.getProperty("pail.seed", "");
        long seed = given.isEmpty() ? new Random().nextLong() : Long.parseLong(given);
        System.out.println(test + ": -Dpail.seed=" + seed);
        return seed;
    }

    /** How much to do: the first number for each push, the second in the nightly profile. */
    static int times(int shortForm, int nightly) {
        return "nightly".equals(System.getProperty("pail.stress")) ? nightly : shortForm;
    }
}
