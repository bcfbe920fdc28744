package dev.pail.repository.collect;

import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.refs.Refs;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.spi.RefStore;
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
 * What blocks are needed for (Rule G1): the heads of branches, tags and remote-tracking refs, and foreign files beside them that can be read as heads; and of the logs, also those of branches that were removed, the heads
 * that entries lead from and to, if they are new enough, and those of the last entry anyway, as its move may be undone by a loss of
 * power. For one collection.
 */
public final class GarbageRoots {
    private final RefStore refs;
    private final Function<Head, Cid> merged;
    private final Instant keptSince;
    private final Instant retained;

    /** The last generation that was read of the log of each branch. */
    private final Map<String, Long> read = new HashMap<>();

    /** The heads of several events whose roots were computed: that may take long. */
    private final Set<Head> seen = new HashSet<>();

    /**
     * @param merged computes the root of a head that is not one event; no event names that root
     * @param keptSince log entries from this time on are roots
     * @param retained blocks that log entries from this time on lead to are kept if they still exist
     */
    public GarbageRoots(RefStore refs, Function<Head, Cid> merged, Instant keptSince, Instant retained) {
        this.refs = refs;
        this.merged = merged;
        this.keptSince = keptSince;
        this.retained = retained;
    }

    /**
     * Adds the present roots. Reads only what has changed since the last call.
     *
     * @param needed gets the heads of branches and tags
     * @param logged gets the heads of log entries that are roots
     * @param kept gets the heads of other log entries in the retention
     */
    public void addTo(Reachable needed, Reachable logged, Reachable kept) {
        // Rule G5.
        // Every branch begins with the empty version.
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
        refs.trackings().forEach(name -> refs.tracking(name).ifPresent(tracking -> add(tracking.head(), needed)));
        // After the refs: blocks that they reach are not read again.
        logs.forEach(branch -> addLog(branch, logged, kept));
        // A copy of a head may come from another replica: some of its blocks may be absent.
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
                boolean counts = newest || !entry.time().isBefore(keptSince);
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
