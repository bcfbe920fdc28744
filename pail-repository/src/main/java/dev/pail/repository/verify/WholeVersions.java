package dev.pail.repository.verify;

import dev.pail.BlockException;
import dev.pail.PailException;
import dev.pail.Verification;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.VerifyReport;
import dev.pail.repository.spi.BranchState;
import dev.pail.repository.spi.RefLog;
import dev.pail.repository.update.OpenStores;
import dev.pail.trace.Trace;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Finds the newest version of a branch that has all its shards and events. For one thread. */
final class WholeVersions {
    /** The most ref updates that a search goes back. */
    private static final int MOST = 1000;

    private final OpenStores stores;

    /** Events that are there, with all that they follow. */
    private final Set<Cid> whole = new HashSet<>();

    WholeVersions(OpenStores stores) {
        this.stores = stores;
    }

    /** The way back to it; none, if the branch is there already, there is no such version, or its log cannot be read. */
    Optional<VerifyReport.WayBack> of(String branch) {
        try {
            BranchState state = stores.refs().branch(branch);
            if (isWhole(state.head())) {
                return Optional.empty();
            }
            try (RefLog log = stores.refs().store().log(state)) {
                for (int back = 1; back <= MOST; back++) {
                    LogEntry entry = log.next();
                    if (entry == null) {
                        break;
                    }
                    if (isWhole(entry.from())) {
                        return Optional.of(new VerifyReport.WayBack(branch, back, entry.from()));
                    }
                }
            }
            return Optional.empty();
        } catch (PailException e) {
            // What is damaged is a problem of its own, and without it there is no way back.
            Trace.swallowed("cannot look for the newest whole version of a branch", e);
            return Optional.empty();
        }
    }

    private boolean isWhole(Head head) {
        try {
            Set<Cid> seen = new HashSet<>();
            Deque<Cid> due = new ArrayDeque<>(head.events());
            for (Cid cid = due.poll(); cid != null; cid = due.poll()) {
                if (!whole.contains(cid) && seen.add(cid)) {
                    due.addAll(stores.histories().event(cid).parents());
                }
            }
            whole.addAll(seen);
            Cid root = head.size() == 1
                    ? stores.histories().event(head.events().get(0)).root()
                    : stores.snapshots().pail(head).root();
            return Verification.of(stores.blocks(), root).problems().stream().noneMatch(Verification.Problem::isShard);
        } catch (BlockException e) {
            return false;
        }
    }
}
