package dev.pail.repository;

import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What blocks are needed for (Rule G1): the heads of branches and tags, and foreign files beside them that can be read as heads; and of the logs, also those of branches that were removed, the heads
 * that entries lead from and to, if they are new enough, and those of the last entry anyway, as its move may be undone by a loss of
 * power. For one collection.
 */
final class GarbageRoots {
    private final RefStore refs;
    private final Function<Head, Cid> merged;
    private final Instant heeded;
    private final Instant retained;

    /** Up to which generation the log of each branch was read. */
    private final Map<String, Long> read = new HashMap<>();

    /** The heads of several events whose versions were looked at: to find one may take long. */
    private final Set<Head> seen = new HashSet<>();

    /**
     * @param merged gives the root that follows from a head that is not one event; no event names it
     * @param heeded entries of logs from this time on count
     * @param retained what entries from this time on lead to is kept as far as it still exists
     */
    GarbageRoots(RefStore refs, Function<Head, Cid> merged, Instant heeded, Instant retained) {
        this.refs = refs;
        this.merged = merged;
        this.heeded = heeded;
        this.retained = retained;
    }

    /**
     * Adds what is needed now. Of what was added before, only what has changed is looked at.
     *
     * @param needed gets what branches and tags lead to
     * @param logged gets what entries of logs lead to that count
     * @param kept gets what other entries of logs lead to
     */
    void addTo(Reachable needed, Reachable logged, Reachable kept) {
        // Rule G5.
        // Every branch begins with it.
        needed.addRoot(merged.apply(Head.empty()));
        TreeSet<String> names = new TreeSet<>(refs.branches());
        names.addAll(refs.logs());
        List<String> logs = new ArrayList<>();
        for (String branch : names) {
            BranchState state = refs.branch(branch);
            if (state.isPresent()) {
                add(state.head(), needed);
                if (state.head().size() > 1 && seen.add(state.head())) {
                    needed.addRoot(merged.apply(state.head()));
                }
            }
            if (state.hasLog()) {
                logs.add(branch);
            }
        }
        refs.tags().forEach(tag -> refs.tag(tag).ifPresent(head -> add(head, needed)));
        // Behind all that must be there: what that reaches is not read again.
        logs.forEach(branch -> addLog(branch, logged, kept));
        // A copy of a head may be of another replica: not all of it is here, or it names something else.
        kept.addValues(refs.strayEvents());
    }

    private void addLog(String branch, Reachable logged, Reachable kept) {
        long before = read.getOrDefault(branch, 0L);
        long last = before;
        try (RefLog entries = new Refs(refs).log(branch)) {
            for (LogEntry entry = entries.next();
                    entry != null && entry.generation() > before;
                    entry = entries.next()) {
                // Rule G2.
                boolean newest = last == before;
                last = Math.max(last, entry.generation());
                boolean counts = newest || !entry.time().isBefore(heeded);
                if (counts || !entry.time().isBefore(retained)) {
                    Reachable target = counts ? logged : kept;
                    add(entry.from(), target);
                    add(entry.to(), target);
                }
            }
        }
        read.put(branch, last);
    }

    private static void add(Head head, Reachable target) {
        target.addEvents(head.events());
    }
}
