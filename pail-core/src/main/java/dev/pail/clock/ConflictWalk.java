package dev.pail.clock;

import dev.pail.LimitException;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The open conflicts of a head (spec rules M22 to M24). Goes down from common ancestor to common ancestor, to a head whose conflicts are
 * known or to the beginning, and up again.
 *
 * <p>On the way up, the open conflicts of an event are those of its parents, without the keys that it changes. Between two common ancestors,
 * all events follow the lower one, so {@link ConcurrentChanges} finds the conflicts there without looking below it.
 */
final class ConflictWalk {
    private final MerkleClock clock;
    private final int most;
    private final ConflictCache cache;

    /** The events that were passed, from the head down. */
    private final EventNumbers passed = new EventNumbers();

    /** The events between common ancestors, from the head down. */
    private final List<Window> windows = new ArrayList<>();

    /**
     * The events of a head of several, down to their common ancestor, which is not among them.
     *
     * @param from the first of them among those that were passed
     * @param to the one after the last
     * @param found the conflicts between them
     */
    private record Window(Head head, Head ancestor, int from, int to, List<OpenConflict> found) {}

    /** @param most how many events may be read */
    ConflictWalk(MerkleClock clock, int most, ConflictCache cache) {
        this.clock = clock;
        this.most = most;
        this.cache = cache;
    }

    /** In the order of keys. */
    List<OpenConflict> of(Head head) {
        Optional<List<OpenConflict>> known = cache.of(head);
        if (known.isPresent()) {
            return known.get();
        }
        TreeMap<String, OpenConflict> open = new TreeMap<>();
        down(head).forEach(conflict -> open.put(conflict.key(), conflict));
        up(open);
        List<OpenConflict> result = List.copyOf(open.values());
        cache.note(head, result, passed.size());
        return result;
    }

    /** Goes down to a head whose conflicts are known, and returns these. */
    private List<OpenConflict> down(Head head) {
        Head at = head;
        while (!at.isEmpty()) {
            Optional<List<OpenConflict>> known = cache.of(at);
            if (known.isPresent()) {
                return known.get();
            }
            if (passed.size() >= most) {
                throw LimitException.ofClock("more than " + most + " events decide which conflicts are open (M15)");
            }
            at = at.size() == 1 ? below(at.events().get(0)) : below(at);
        }
        return List.of();
    }

    private Head below(Cid event) {
        passed.add(event);
        return Head.of(clock.event(event).parents());
    }

    private Head below(Head head) {
        Span span = clock.span(head, Head.empty());
        ConcurrentChanges changes = new ConcurrentChanges(clock, span);
        int from = passed.size();
        for (int number : span.childrenFirst()) {
            passed.add(span.cid(number));
        }
        Head ancestor =
                Stream.ofNullable(span.ancestor()).map(Head::of).findFirst().orElse(Head.empty());
        windows.add(new Window(
                head, ancestor, from, passed.size(), changes.differing().toList()));
        return ancestor;
    }

    /** Goes up again. The conflicts are those of where the walk ended, and are then those of the head. */
    private void up(Map<String, OpenConflict> open) {
        int at = passed.size();
        for (int i = windows.size() - 1; i >= 0; i--) {
            Window window = windows.get(i);
            settle(open, at, window.to());
            if (i == 0) {
                // The next merge often has the same common ancestor.
                cache.note(window.ancestor(), List.copyOf(open.values()), passed.size() - window.to());
            }
            settle(open, window.to(), window.from());
            window.found().forEach(conflict -> open.put(conflict.key(), conflict));
            at = window.from();
        }
        settle(open, at, 0);
    }

    /** Removes the keys that events change, which follow where the walk is. */
    private void settle(Map<String, OpenConflict> open, int from, int to) {
        for (int number = from - 1; number >= to && !open.isEmpty(); number--) {
            clock.event(passed.cid(number)).operation().changes().forEach(change -> open.remove(change.key()));
        }
    }
}
