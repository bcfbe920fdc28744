package dev.pail.repository;

import dev.pail.Pail;
import dev.pail.clock.Head;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.update.OpenStores;
import dev.pail.repository.update.RefUpdates;
import dev.pail.repository.update.RepositoryCore;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The work on a repository that changes no version: collecting garbage, erasing values, and recovering branches. Safe for use by several
 * threads.
 *
 * <pre>{@code
 * Collected collected = repository.maintenance().garbageCollection().run();
 * }</pre>
 */
public final class Maintenance {
    private final OpenStores stores;
    private final RefUpdates updates;

    Maintenance(RepositoryCore core) {
        this.stores = core.stores();
        this.updates = core.updates();
    }

    /** Returns a garbage collection with a retention of 90 days and a grace period of 14 days. */
    public GarbageCollection garbageCollection() {
        return GarbageCollection.of(stores.place());
    }

    /** Returns what erases values for good, and the records of erased blocks. */
    public Erasing erasing() {
        return new Erasing(stores.place(), updates.note());
    }

    /**
     * Recovers a branch whose head or log is damaged or missing, or whose head is not in its log (spec rule REP20). The branch can then
     * be read and moved. If both are readable, the head stays, and the log gets an entry for it.
     *
     * @return the damage; empty if there was none
     * @throws RepositoryException if there is no such branch, or the end of the log cannot be read
     */
    public Optional<RepositoryException> recover(String branch) {
        return updates.recover(branch);
    }

    /**
     * Returns the time from which on the versions of all log entries are complete. A collection may have removed blocks of older ones.
     * {@link Instant#MIN} if no collection has removed any.
     *
     * @throws RepositoryException if the file with this time is damaged. Everything else works; the next collection replaces the file
     */
    public Instant logsKeptSince() {
        return stores.store().wholeEpoch().logsKeptSince();
    }

    /** Returns the bytes that the store can still take; empty if this is not known. */
    public OptionalLong usableBytes() {
        return stores.stored().usableBytes();
    }

    /**
     * Computes the version of a head from its events. {@link Repository#pailAt} may read the root of several events from a file
     * in the folder {@code derived}; this method replaces that file.
     */
    public Pail recompute(Head head) {
        return stores.snapshots().made(head).pail();
    }
}
