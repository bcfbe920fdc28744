package dev.pail.cli;

import dev.pail.BlockException;
import dev.pail.PailException;
import dev.pail.Verification;
import dev.pail.clock.Head;
import dev.pail.clock.MerkleClock;
import dev.pail.ipld.Cid;
import dev.pail.repository.LogEntry;
import dev.pail.repository.Repository;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Finds the newest version of a branch of which no shard and no event is lost. */
final class WayBack {
    /** How many ref updates are looked at. */
    private static final int MOST = 1000;

    private final Repository repository;
    private final MerkleClock clock;

    /** Events that are there, with all that they follow. */
    private final Set<Cid> whole = new HashSet<>();

    WayBack(Repository repository) {
        this.repository = repository;
        this.clock = MerkleClock.open(repository.blocks());
    }

    /** The command that takes a branch there; none, if it is there already, or there is no such version. */
    Optional<String> of(String branch) {
        try (Stream<LogEntry> log = repository.log(branch)) {
            if (isWhole(repository.head(branch))) {
                return Optional.empty();
            }
            Iterator<LogEntry> entries = log.iterator();
            for (int back = 1; back <= MOST && entries.hasNext(); back++) {
                if (isWhole(entries.next().from())) {
                    return Optional.of("pail reset @{" + back + "} -b " + branch);
                }
            }
            return Optional.empty();
        } catch (PailException e) {
            // Its files are damaged, which was told.
            return Optional.empty();
        }
    }

    private boolean isWhole(Head head) {
        try {
            Set<Cid> seen = new HashSet<>();
            Deque<Cid> due = new ArrayDeque<>(head.events());
            for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
                if (!whole.contains(cid) && seen.add(cid)) {
                    due.addAll(clock.event(cid).parents());
                }
            }
            whole.addAll(seen);
            Cid root = head.size() == 1
                    ? clock.event(head.events().get(0)).root()
                    : repository.pailAt(head).root();
            return Verification.of(repository.blocks(), root).problems().stream()
                    .noneMatch(Verification.Problem::isShard);
        } catch (BlockException e) {
            return false;
        }
    }
}
