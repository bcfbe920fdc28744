package dev.pail.clock.proof;

import dev.pail.BlockStore;
import dev.pail.LimitException;
import dev.pail.MissingBlockException;
import dev.pail.clock.Description;
import dev.pail.clock.Event;
import dev.pail.clock.HistoryTree;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Looks for the fewest steps from an event to one that it follows. For one use. Rule PF17. */
final class StepSearch {
    /** Bytes of the heap for each event that is looked at. */
    private static final int HEAP_PER_EVENT = 512;

    /** Fewer events are never allowed. */
    private static final int LEAST_EVENTS = 1 << 18;

    /** After this number of wrong trees, no tree is used: each costs a walk of the history. */
    private static final int MOST_WRONG = 16;

    private final MerkleClock clock;
    private final Cid from;
    private final Cid target;
    private final long most = Math.max(Runtime.getRuntime().maxMemory() / HEAP_PER_EVENT, LEAST_EVENTS);

    /** Events whose trees are not those of the events before them. */
    private final Set<Cid> wrong = new HashSet<>();

    /** How each event was reached first: so with the fewest steps. */
    private final Map<Cid, Hop> reached = new HashMap<>();

    private final Deque<Cid> due = new ArrayDeque<>();

    private record Hop(Cid from, boolean isJump) {}

    StepSearch(BlockStore blocks, Cid from, Cid target) {
        this.clock = MerkleClock.open(blocks);
        this.from = from;
        this.target = target;
    }

    /** The steps; empty if there are none. */
    Optional<List<Steps.Step>> steps() {
        while (isReached()) {
            List<Steps.Step> steps = backwards();
            if (steps != null) {
                return Optional.of(steps);
            }
        }
        return Optional.empty();
    }

    /** Whether the target is reached, breadth first. */
    private boolean isReached() {
        reached.clear();
        due.clear();
        due.add(from);
        Set<Cid> jumped = new HashSet<>();
        for (Cid at = due.poll(); at != null && !reached.containsKey(target); at = due.poll()) {
            Event event = clock.event(at);
            Hop step = new Hop(at, false);
            event.parents().forEach(parent -> reach(parent, step));
            if (tree(event).isPresent()) {
                jump(event, jumped);
            }
        }
        return reached.containsKey(target);
    }

    /** Reaches the events in the tree of an event, up to those that an earlier tree has. */
    private void jump(Event event, Set<Cid> jumped) {
        Hop jump = new Hop(event.cid(), true);
        Event at = event;
        while (!at.parents().isEmpty() && !reached.containsKey(target)) {
            Cid parent = at.parents().get(0);
            if (!jumped.add(parent)) {
                return;
            }
            reach(parent, jump);
            at = clock.event(parent);
        }
    }

    private void reach(Cid event, Hop by) {
        if (reached.putIfAbsent(event, by) == null) {
            if (reached.size() > most) {
                throw LimitException.ofClock("a proof looks at " + most + " events at most with this heap (M15)");
            }
            due.add(event);
        }
    }

    private Optional<Description.Tree> tree(Event event) {
        return wrong.size() >= MOST_WRONG || wrong.contains(event.cid())
                ? Optional.empty()
                : event.description().flatMap(Description::tree);
    }

    /** The steps that have reached the target; null if a tree among them is wrong. */
    private @Nullable List<Steps.Step> backwards() {
        List<Steps.Step> steps = new ArrayList<>();
        Cid at = target;
        while (!at.equals(from)) {
            Hop hop = Objects.requireNonNull(reached.get(at));
            Steps.Step step = hop.isJump ? path(clock.event(hop.from), at) : Steps.Step.toParent(at);
            if (step == null) {
                wrong.add(hop.from);
                return null;
            }
            steps.add(step);
            at = hop.from;
        }
        Collections.reverse(steps);
        return steps;
    }

    /** The path to an event in the tree of another; null if that is not the tree of the events before. */
    private Steps.@Nullable Step path(Event event, Cid to) {
        List<Cid> before = new ArrayList<>();
        try {
            for (Event at = event; !at.parents().isEmpty(); ) {
                Cid parent = at.parents().get(0);
                before.add(parent);
                at = clock.event(parent);
            }
        } catch (MissingBlockException e) {
            // Without all events before, the claim of the event cannot be checked.
            return null;
        }
        Collections.reverse(before);
        Description.Tree claim = tree(event).orElseThrow();
        if (!claim.equals(Description.Tree.of(HistoryTree.of(before)))) {
            return null;
        }
        int index = before.indexOf(to);
        return new Steps.Step(to, index, HistoryTree.path(before, index));
    }
}
