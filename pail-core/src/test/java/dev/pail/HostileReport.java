package dev.pail;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What became of one hostile input. It travels as a line of text from the process that found out.
 *
 * @param verdict {@code accepted}, or the first error
 * @param reads how often a block was asked for
 * @param allocated bytes
 * @param blocks the number of blocks of the input
 * @param size of the input in bytes
 * @param steps what was tried, and how that went
 */
record HostileReport(String name, String verdict, long reads, long allocated, int blocks, long size, String steps) {
    private static final String MARK = "hostile";

    String line() {
        return String.join(
                "\t",
                MARK,
                name,
                verdict,
                Long.toString(reads),
                Long.toString(allocated),
                Integer.toString(blocks),
                Long.toString(size),
                steps);
    }

    static boolean isLine(String line) {
        return line.startsWith(MARK + '\t');
    }

    static HostileReport parse(String line) {
        String[] parts = line.split("\t", -1);
        return new HostileReport(
                parts[1],
                parts[2],
                Long.parseLong(parts[3]),
                Long.parseLong(parts[4]),
                Integer.parseInt(parts[5]),
                Long.parseLong(parts[6]),
                parts[7]);
    }

    /** The report on an input that the process did not survive, or did not come to an end with. */
    static HostileReport killed(String name, String how) {
        String verdict = HostileSteps.FOUL + how.replaceAll("\\s+", "_");
        return new HostileReport(name, verdict, 0, 0, 0, 0, "all=" + verdict);
    }

    /** The outcome of each step, in their order. */
    Map<String, String> outcomes() {
        Map<String, String> outcomes = new LinkedHashMap<>();
        for (String step : steps.split(" ", -1)) {
            int sign = step.indexOf('=');
            outcomes.put(step.substring(0, sign), step.substring(sign + 1));
        }
        return outcomes;
    }
}
