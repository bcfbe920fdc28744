package dev.pail.clock;

import dev.pail.BlockException;
import dev.pail.LimitException;
import dev.pail.PailException;
import dev.pail.ipld.Cid;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.RandomAccess;
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
    private static final int NONE = EventNumbers.NONE;

    /** How many links may be followed for each event that may be read, on average. */
    private static final int LINKS_PER_EVENT = 16;

    private final Events events;
    private final int mostEvents;
    private final EventNumbers numbers = new EventNumbers();

    /** The parents of all events that were read, in the order of these. */
    private int[] parents = new int[16];

    /** Where the parents of each event that was read begin, and those of the next one. */
    private int[] parentsFrom = new int[17];

    /** How many of the events that were read follow each event. */
    private int[] children = new int[16];

    /** The event that led to each event first. */
    private int[] foundFrom = new int[16];

    /** The number of the event that is read next. */
    private int next;

    private int links;

    /** Why the first of the events that cannot be read cannot be read. */
    private @Nullable BlockException gap;

    private int[] heads;
    private int ancestor = NONE;

    private Span(Events events, int mostEvents, Collection<Cid> from) {
        this.events = events;
        this.mostEvents = mostEvents;
        from.forEach(cid -> number(cid, NONE));
        this.heads = IntStream.range(0, numbers.size()).toArray();
    }

    /**
     * The span back to the nearest common ancestor; if there is none, all of the history.
     *
     * @throws PailException if an event that is not beyond the common ancestor cannot be read
     * @throws LimitException if more events would have to be read than may
     */
    static Span toCommonAncestor(Events events, int mostEvents, Collection<Cid> from) {
        Span span = ofAll(events, mostEvents, from);
        span.keepNewestHeads();
        span.ancestor = span.cut();
        return span;
    }

    /**
     * The span of some events, back to where the ways from all of them meet. One of the events may follow another. Throws as {@link
     * #toCommonAncestor} does.
     */
    static Span ofAll(Events events, int mostEvents, Collection<Cid> from) {
        Span span = new Span(events, mostEvents, from);
        span.readToCommonAncestor();
        span.ancestor = span.cut();
        return span;
    }

    /** The span back to the beginning. Throws as {@link #toCommonAncestor} does. */
    static Span toBeginning(Events events, int mostEvents, Collection<Cid> from) {
        Span span = new Span(events, mostEvents, from);
        while (span.next < span.numbers.size()) {
            span.readNext();
        }
        span.checkGap();
        span.keepNewestHeads();
        return span;
    }

    private void readToCommonAncestor() {
        int look = 0;
        while (true) {
            boolean all = next == numbers.size();
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
            throw LimitException.ofClock("more than " + mostEvents + " events lie between the two sides, or more than "
                    + LINKS_PER_EVENT + " parents for each (M15)");
        }
        int number = next++;
        Cid child = foundFrom[number] == NONE ? null : numbers.cid(foundFrom[number]);
        parentsFrom[next] = links;
        Event event;
        try {
            event = events.load(numbers.cid(number), child);
        } catch (BlockException e) {
            gap = gap == null ? e : gap;
            return;
        }
        for (Cid parent : event.parents()) {
            int found = number(parent, number);
            children[found]++;
            if (links == parents.length) {
                parents = Arrays.copyOf(parents, EventNumbers.more(links));
            }
            parents[links++] = found;
        }
        parentsFrom[next] = links;
    }

    /** Where the parents of an event begin. They end where those of the next one begin. */
    private int parentsFrom(int number) {
        return parentsFrom[Math.min(number, next)];
    }

    private int number(Cid cid, int from) {
        int known = numbers.size();
        int number = numbers.add(cid);
        if (number == known) {
            if (number == children.length) {
                int more = EventNumbers.more(number);
                children = Arrays.copyOf(children, more);
                foundFrom = Arrays.copyOf(foundFrom, more);
                parentsFrom = Arrays.copyOf(parentsFrom, more + 1);
            }
            foundFrom[number] = from;
        }
        return number;
    }

    /**
     * The dominator: the first event that every known path from the heads leads through. Passes events children first. A link is open
     * if it leads from a passed event to one that is not passed yet. If all open links lead to one event, that is the dominator. An
     * event whose parents are unknown, or that has none, leaves a link open for good. Rule M11.
     */
    private int cut() {
        int[] left = linksTo();
        int[] ready = new int[numbers.size()];
        int readyCount = firstReady(left, ready);
        int open = heads.length;
        int[] into = linksTo();
        while (readyCount > 0) {
            int number = ready[--readyCount];
            if (readyCount == 0 && open == into[number]) {
                return number;
            }
            int from = parentsFrom(number);
            int to = parentsFrom(number + 1);
            if (from == to) {
                return NONE;
            }
            open += to - from - into[number];
            for (int i = from; i < to; i++) {
                if (--left[parents[i]] == 0) {
                    ready[readyCount++] = parents[i];
                }
            }
        }
        return NONE;
    }

    /** How many links lead to each event, counting a head as linked to from outside. */
    private int[] linksTo() {
        int[] links = Arrays.copyOf(children, numbers.size());
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
        return Head.of(Arrays.stream(heads).mapToObj(numbers::cid).toList());
    }

    /** The nearest common ancestor, if there is one. */
    @Nullable
    Cid ancestor() {
        return ancestor == NONE ? null : numbers.cid(ancestor);
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
                for (int at = parentsFrom(i); at < parentsFrom(i + 1); at++) {
                    followed[parents[at]] = true;
                }
            }
        }
        return Head.of(IntStream.range(0, both.length)
                .filter(i -> both[i] && !followed[i])
                .mapToObj(numbers::cid)
                .toList());
    }

    /** The events that a head holds and another does not, parents first. The span was made from all events of these heads. */
    List<Cid> since(Head head, Head other) {
        boolean[] held = heldBy(head);
        boolean[] known = heldBy(other);
        int[] order = childrenFirst();
        return IntStream.range(0, order.length)
                .map(i -> order[order.length - 1 - i])
                .filter(number -> held[number] && !known[number])
                .mapToObj(numbers::cid)
                .toList();
    }

    /** Of the events down to the common ancestor, those that a head holds. */
    private boolean[] heldBy(Head head) {
        boolean[] held = new boolean[numbers.size()];
        head.events().forEach(cid -> held[numbers.of(cid)] = true);
        for (int number : childrenFirst()) {
            if (held[number]) {
                for (int at = parentsFrom(number); at < parentsFrom(number + 1); at++) {
                    held[parents[at]] = true;
                }
            }
        }
        return held;
    }

    /** The events without the common ancestor, in the order in which they are replayed. Rule M12. */
    List<Cid> replay() {
        if (heads.length == 1 && heads[0] == ancestor) {
            return List.of();
        }
        int[] order = childrenFirst();
        Weights weights = new Weights(numbers.size());
        for (int head : heads) {
            weights.add(head, 1, 0, 0);
        }
        for (int number : order) {
            for (int i = parentsFrom(number); i < parentsFrom(number + 1); i++) {
                weights.passOn(number, parents[i]);
            }
        }
        Comparator<Integer> heavierFirst = weights::compare;
        int[] replayed = Arrays.stream(order)
                .boxed()
                .sorted(heavierFirst.thenComparing(numbers::compareTexts))
                .mapToInt(number -> number)
                .toArray();
        return new CidsOf(numbers, replayed);
    }

    /** The CIDs of some events, each made when it is asked for. */
    private static final class CidsOf extends AbstractList<Cid> implements RandomAccess {
        private final EventNumbers numbers;
        private final int[] events;

        CidsOf(EventNumbers numbers, int[] events) {
            this.numbers = numbers;
            this.events = events;
        }

        @Override
        public Cid get(int index) {
            return numbers.cid(events[index]);
        }

        @Override
        public int size() {
            return events.length;
        }
    }

    /** The number of an event is below this. */
    int size() {
        return numbers.size();
    }

    Cid cid(int number) {
        return numbers.cid(number);
    }

    /** The parents of an event, as numbers. Those of the common ancestor may be unknown. */
    IntStream parentsOf(int number) {
        return Arrays.stream(parents, parentsFrom(number), parentsFrom(number + 1));
    }

    /** The events without the common ancestor and what is beyond it, each behind all that follow it. */
    int[] childrenFirst() {
        int[] left = linksTo();
        int[] order = new int[numbers.size()];
        int count = firstReady(left, order);
        int passed = 0;
        int kept = 0;
        int[] result = new int[numbers.size()];
        while (passed < count) {
            int number = order[passed++];
            if (number == ancestor) {
                continue;
            }
            result[kept++] = number;
            for (int i = parentsFrom(number); i < parentsFrom(number + 1); i++) {
                if (--left[parents[i]] == 0) {
                    order[count++] = parents[i];
                }
            }
        }
        return Arrays.copyOf(result, kept);
    }
}
