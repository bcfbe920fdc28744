package dev.pail.ipld;

import java.util.Random;

/** Seeds for random tests: printed, and taken from {@code -Dpail.seed} where that is given. */
public final class Seeds {
    private Seeds() {}

    public static Random random(String test) {
        String given = System.getProperty("pail.seed", "");
        long seed = given.isEmpty() ? new Random().nextLong() : Long.parseLong(given);
        System.out.println(test + ": -Dpail.seed=" + seed);
        return new Random(seed);
    }
}
