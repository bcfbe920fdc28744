package dev.pail.clock;

/**
 * What orders concurrent events: the weight of an event is the sum of the lengths of all ways to it from the heads.
 * Rule M13. What follows an event is lighter than it.
 *
 * <p>The number of ways can double with each event. Weights stop at the largest {@code long}; how far away events that heavy
 * are decides between them.
 */
final class Weights {
    private final long[] ways;
    private final long[] weight;
    private final int[] distance;

    /** @param events how many there are; they are known by their number */
    Weights(int events) {
        ways = new long[events];
        weight = new long[events];
        distance = new int[events];
    }

    /** Adds ways to an event: how many, the sum of their lengths, and the length of the longest. */
    void add(int event, long moreWays, long moreWeight, int longest) {
        ways[event] = sum(ways[event], moreWays);
        weight[event] = sum(weight[event], moreWeight);
        distance[event] = Math.max(distance[event], longest);
    }

    /** Extends all ways to an event to one of its parents. All ways to the event must be known. */
    void passOn(int event, int parent) {
        add(parent, ways[event], sum(weight[event], ways[event]), distance[event] + 1);
    }

    /** The order in which events are replayed, as far as weights tell: the heavier one first. Rule M14. */
    int compare(int a, int b) {
        int heavier = Long.compare(weight[b], weight[a]);
        return heavier == 0 && weight[a] == Long.MAX_VALUE ? Integer.compare(distance[b], distance[a]) : heavier;
    }

    private static long sum(long a, long b) {
        long sum = a + b;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
