package dev.pail.clock;

import dev.pail.BlockException;
import dev.pail.PailException;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a clock from some events back to their nearest common ancestor: the first event that every way from them to a
 * beginning leads through (spec rules M9 to M14).
 *
 * <p>Events are numbered as they are found, and read in that order. So the ways back from all events are followed at the same
 * pace, and where they meet soon, little is read, however long the history. Whether they have met is looked at each time a
 * quarter more was read. What was read beyond the common ancestor does not count, be it missing or malformed.
 */
final class Span {
    private static final int[] NO_PARENTS = {};

    /** No event. */
    private static final int NONE = -1;

    /** How many links may be followed for each event that may be read, on average. */
    private static final int LINKS_PER_EVENT = 16;

    private final Events events;
    private final int mostEvents;
    private final Map<Cid, Integer> numbers = new HashMap<>();
    private final List<Cid> cids = new ArrayList<>();

    /** The parents of each event; none, where they are not known. */
    private final List<int[]> parents = new ArrayList<>();

    /** How many of the events that were read follow each event. */
    private int[] children = new int[16];

    /** The event that led to each event first. */
    private int[] foundFrom = new int[16];

    /** The number of the event that is read next. */
    private int next;

    private long links;

    /** Why the first of the events that cannot be read cannot be read. */
    private @Nullable BlockException gap;

    private int[] heads;
    private int ancestor = NONE;

    private Span(Events events, int mostEvents, Collection<Cid> from) {
        this.events = events;
        this.mostEvents = mostEvents;
        from.forEach(cid -> number(cid, NONE));
        this.heads = IntStream.range(0, cids.size()).toArray();
    }

    /**
     * The span back to the nearest common ancestor; if there is none, all of the history.
     *
     * @throws PailException if an event that is not beyond the common ancestor cannot be read
     * @throws ClockLimitException if more events would have to be read than may
     */
    static Span toCommonAncestor(Events events, int mostEvents, Collection<Cid> from) {
        Span span = new Span(events, mostEvents, from);
        span.readToCommonAncestor();
        span.keepNewestHeads();
        span.ancestor = span.cut();
        return span;
    }

    /** The span back to the beginning. Throws as {@link #toCommonAncestor} does. */
    static Span toBeginning(Events events, int mostEvents, Collection<Cid> from) {
        Span span = new Span(events, mostEvents, from);
        while (span.next < span.cids.size()) {
            span.readNext();
        }
        span.checkGap();
        span.keepNewestHeads();
        return span;
    }

    private void readToCommonAncestor() {
        int look = 0;
        while (true) {
            boolean all = next == cids.size();
            if (all || next >= look || next == mostEvents) {
                if (cut() != NONE) {
                    return;
                }
                look = next + 1 + next / 4;
            }
            if (all) {
                checkGap();
                return;
            }
            readNext();
        }
    }

    private void checkGap() {
        if (gap != null) {
            throw gap;
        }
    }

    private void readNext() {
        if (next == mostEvents || links > (long) LINKS_PER_EVENT * mostEvents) {
            // An event that is missing keeps the ways from meeting: with it, fewer may do.
            checkGap();
            throw new ClockLimitException("more than " + mostEvents
                    + " events would have to be looked at, or more than " + LINKS_PER_EVENT + " parents of each (M15)");
        }
        int number = next++;
        Cid child = foundFrom[number] == NONE ? null : cids.get(foundFrom[number]);
        Event event;
        try {
            event = events.load(cids.get(number), child);
        } catch (BlockException e) {
            gap = gap == null ? e : gap;
            return;
        }
        int[] found = new int[event.parents().size()];
        for (int i = 0; i < found.length; i++) {
            found[i] = number(event.parents().get(i), number);
            children[found[i]]++;
        }
        links += found.length;
        parents.set(number, found);
    }

    private int number(Cid cid, int from) {
        Integer known = numbers.putIfAbsent(cid, cids.size());
        if (known != null) {
            return known;
        }
        int number = cids.size();
        if (number == children.length) {
            children = Arrays.copyOf(children, 2 * number);
            foundFrom = Arrays.copyOf(foundFrom, 2 * number);
        }
        cids.add(cid);
        parents.add(NO_PARENTS);
        foundFrom[number] = from;
        return number;
    }

    /**
     * The first event that all ways from the heads lead through, as far as they are known. Events are passed children first;
     * at each, so many links are open as lead from events that were passed to others. If all of them lead to one event, there is
     * no way around it. An event whose parents are not known, or that has none, leaves a link open for good.
     */
    private int cut() {
        int[] left = linksTo();
        int[] ready = new int[cids.size()];
        int readyCount = firstReady(left, ready);
        int open = heads.length;
        int[] into = linksTo();
        while (readyCount > 0) {
            int number = ready[--readyCount];
            if (readyCount == 0 && open == into[number]) {
                return number;
            }
            int[] up = parents.get(number);
            if (up.length == 0) {
                return NONE;
            }
            open += up.length - into[number];
            for (int parent : up) {
                if (--left[parent] == 0) {
                    ready[readyCount++] = parent;
                }
            }
        }
        return NONE;
    }

    /** How many links lead to each event, counting a head as linked to from outside. */
    private int[] linksTo() {
        int[] links = Arrays.copyOf(children, cids.size());
        for (int head : heads) {
            links[head]++;
        }
        return links;
    }

    /** Passes the links from outside, and gives how many events are ready then. */
    private int firstReady(int[] left, int[] ready) {
        int count = 0;
        for (int head : heads) {
            if (--left[head] == 0) {
                ready[count++] = head;
            }
        }
        return count;
    }

    /**
     * Leaves only the heads that no other event follows. All that could follow one was read: an event beyond the common
     * ancestor is no head, as the way from outside to it would go around the common ancestor.
     */
    private void keepNewestHeads() {
        heads = Arrays.stream(heads).filter(head -> children[head] == 0).toArray();
    }

    /** Those of the events that the span was made from which none of the others follows. */
    Head head() {
        return Head.of(Arrays.stream(heads).mapToObj(cids::get).toList());
    }

    /** The nearest common ancestor, if there is one. */
    @Nullable
    Cid ancestor() {
        return ancestor == NONE ? null : cids.get(ancestor);
    }

    /** The newest of the events that two heads both hold. The span was made from these heads, and neither holds all of the other. */
    Head common(Head head, Head other) {
        boolean[] held = heldBy(head);
        boolean[] both = heldBy(other);
        for (int i = 0; i < both.length; i++) {
            both[i] &= held[i];
        }
        boolean[] followed = new boolean[both.length];
        for (int i = 0; i < both.length; i++) {
            if (both[i] && i != ancestor) {
                for (int parent : parents.get(i)) {
                    followed[parent] = true;
                }
            }
        }
        return Head.of(IntStream.range(0, both.length)
                .filter(i -> both[i] && !followed[i])
                .mapToObj(cids::get)
                .toList());
    }

    /** Of the events down to the common ancestor, those that a head holds. */
    private boolean[] heldBy(Head head) {
        boolean[] held = new boolean[cids.size()];
        head.events().forEach(cid -> held[Objects.requireNonNull(numbers.get(cid))] = true);
        for (int number : childrenFirst()) {
            if (held[number]) {
                for (int parent : parents.get(number)) {
                    held[parent] = true;
                }
            }
        }
        return held;
    }

    /** The events without the common ancestor, in the order in which they are replayed. */
    List<Cid> replay() {
        if (heads.length == 1 && heads[0] == ancestor) {
            return List.of();
        }
        int[] order = childrenFirst();
        Weights weights = new Weights(cids.size());
        for (int head : heads) {
            weights.add(head, 1, 0, 0);
        }
        for (int number : order) {
            for (int parent : parents.get(number)) {
                weights.passOn(number, parent);
            }
        }
        String[] texts = new String[cids.size()];
        for (int number : order) {
            texts[number] = cids.get(number).toString();
        }
        Comparator<Integer> heavierFirst = weights::compare;
        return Arrays.stream(order)
                .boxed()
                .sorted(heavierFirst.thenComparing(number -> texts[number]))
                .map(cids::get)
                .toList();
    }

    /** The events without the common ancestor and what is beyond it, each behind all that follow it. */
    private int[] childrenFirst() {
        int[] left = linksTo();
        int[] order = new int[cids.size()];
        int count = firstReady(left, order);
        int passed = 0;
        int kept = 0;
        int[] result = new int[cids.size()];
        while (passed < count) {
            int number = order[passed++];
            if (number == ancestor) {
                continue;
            }
            result[kept++] = number;
            for (int parent : parents.get(number)) {
                if (--left[parent] == 0) {
                    order[count++] = parent;
                }
            }
        }
        return Arrays.copyOf(result, kept);
    }
}
