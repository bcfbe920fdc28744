package dev.pail.cli;

import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Replays histories here and with the npm packages, and compares the root after each change. */
final class InteropComparison {
    private final InteropReplay replay;
    private final InteropDefects defects;

    /** How often what came of a change: equal roots, equal refusals, a defect by its number. */
    private final Map<String, Integer> counts = new TreeMap<>();

    InteropComparison(InteropReplay replay) {
        this.replay = replay;
        this.defects = new InteropDefects(replay);
    }

    Map<String, Integer> counts() {
        return counts;
    }

    /** Returns where a history differs for no reason that is known, and a shortest part of it that still does. */
    Optional<String> difference(InteropHistory history) {
        Optional<String> difference = run(history, counts);
        return difference.map(found -> {
            InteropHistory shortest =
                    shortest(history, part -> run(part, new TreeMap<>()).isPresent());
            return found + "\nshortest: " + shortest + "\n"
                    + run(shortest, new TreeMap<>()).orElse("");
        });
    }

    /** A change that shows a defect is passed over on both sides, so that the rest of the history can still be compared. */
    private Optional<String> run(InteropHistory history, Map<String, Integer> tally) {
        Pail pail = Pail.create(new MemoryBlockStore(), history.format());
        Map<String, Cid> model = new TreeMap<>();
        if (!replay.create(history.format()).equals(InteropOutcome.root(pail.root()))) {
            return Optional.of("empty pails differ: " + history.format());
        }
        for (InteropHistory.Change change : history.changes()) {
            InteropOutcome theirs = replay.apply(history.format(), pail.root(), change);
            InteropOutcome ours = InteropOutcome.of(pail, change);
            if (!theirs.equals(ours)) {
                Optional<String> defect = defects.of(pail, change, theirs).filter(found -> isPossible(history, found));
                if (defect.isEmpty()) {
                    return Optional.of(change + "\nours: " + ours + "\ntheirs: " + theirs);
                }
                tally.merge(defect.get(), 1, Integer::sum);
            } else if (ours.root().isPresent()) {
                tally.merge("equal roots", 1, Integer::sum);
                pail = Pail.open(pail.blocks(), ours.root().get());
                change.applyTo(model);
            } else {
                tally.merge("both refuse: " + ours.refusal(), 1, Integer::sum);
            }
        }
        return differentEntries(pail, model);
    }

    /** A tame history can overfill shards, but lose nothing. */
    private static boolean isPossible(InteropHistory history, String defect) {
        return !history.tame() || defect.equals("D14");
    }

    private Optional<String> differentEntries(Pail pail, Map<String, Cid> model) {
        List<Entry> expected = model.entrySet().stream()
                .map(entry -> new Entry(entry.getKey(), entry.getValue()))
                .toList();
        if (!pail.entries().toList().equals(expected)) {
            return Optional.of("our entries are not what was put");
        }
        return replay.look(pail.format(), pail.root()).entries().equals(expected)
                ? Optional.empty()
                : Optional.of("their entries of " + pail.root() + " are not what was put");
    }

    /** Without every change, and every put of a batch, that can go. */
    private static InteropHistory shortest(InteropHistory history, Predicate<InteropHistory> differs) {
        InteropHistory shortest = history.with(shortest(history.changes(), rest -> differs.test(history.with(rest))));
        for (int i = 0; i < shortest.changes().size(); i++) {
            if (shortest.changes().get(i) instanceof InteropHistory.Several several) {
                InteropHistory whole = shortest;
                int at = i;
                shortest =
                        replaced(whole, at, shortest(several.puts(), rest -> differs.test(replaced(whole, at, rest))));
            }
        }
        return shortest;
    }

    private static InteropHistory replaced(InteropHistory history, int at, List<InteropHistory.Put> puts) {
        List<InteropHistory.Change> changes = new ArrayList<>(history.changes());
        changes.set(at, new InteropHistory.Several(puts));
        return history.with(changes);
    }

    private static <T> List<T> shortest(List<T> whole, Predicate<List<T>> differs) {
        List<T> shortest = whole;
        for (int length = (whole.size() + 1) / 2; length > 0; length /= 2) {
            for (int from = 0; from + length <= shortest.size(); ) {
                List<T> rest = new ArrayList<>(shortest);
                rest.subList(from, from + length).clear();
                if (differs.test(rest)) {
                    shortest = rest;
                } else {
                    from += length;
                }
            }
        }
        return shortest;
    }
}
