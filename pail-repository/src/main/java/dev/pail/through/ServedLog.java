package dev.pail.through;

import dev.pail.clock.Head;
import dev.pail.remote.Remote;
import dev.pail.remote.RemoteException;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.spi.RefLog;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The log of a branch of a server, read in pages that grow. Rule SY26. */
final class ServedLog implements RefLog {
    private static final int FIRST = 16;
    private static final int GROWTH = 4;

    /** The most updates that a server gives at once. */
    private static final int MOST = 1000;

    private final Remote remote;
    private final String branch;
    private final Deque<LogEntry> page = new ArrayDeque<>();
    private Head head;
    private long generation;
    private int most = FIRST;

    ServedLog(Remote remote, String branch, Head head, long generation) {
        this.remote = remote;
        this.branch = branch;
        this.head = head;
        this.generation = generation;
    }

    @Override
    public @Nullable LogEntry next() {
        if (page.isEmpty() && generation > 0) {
            page.addAll(remote.updates(branch, generation, head, most));
            most = Math.min(MOST, most * GROWTH);
        }
        LogEntry next = page.poll();
        if (next == null) {
            return null;
        }
        if (next.generation() != generation || !next.to().equals(head)) {
            throw new RemoteException(
                    RemoteException.Reason.PROTOCOL,
                    "the log of " + branch + " does not have the update of generation " + generation + ": "
                            + remote.address(),
                    "try again, as the branch may have moved meanwhile",
                    null);
        }
        generation--;
        head = next.from();
        return next;
    }

    @Override
    public void close() {
        page.clear();
    }
}
