package dev.pail.repository;

import dev.pail.MissingBlockException;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Tracking;
import dev.pail.repository.spi.RefStore;
import dev.pail.repository.update.RefUpdates;
import dev.pail.repository.update.RepositoryCore;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The remote-tracking refs of a repository, such as {@code origin/main}: the heads of remote branches at the last exchange. Safe for use
 * by several threads.
 *
 * <pre>{@code
 * repository.remotes().refs().forEach((name, tracking) -> System.out.println(name + " " + tracking.head()));
 * }</pre>
 */
public final class RemoteRefs {
    private final RefStore store;
    private final RefUpdates updates;

    RemoteRefs(RepositoryCore core) {
        this.store = core.stores().store();
        this.updates = core.updates();
    }

    /** Returns all of them, by name. */
    public SortedMap<String, Tracking> refs() {
        SortedMap<String, Tracking> all = new TreeMap<>();
        store.trackings().forEach(name -> store.tracking(name).ifPresent(tracking -> all.put(name, tracking)));
        return all;
    }

    /**
     * Updates the remote-tracking ref of a remote branch.
     *
     * @param name of the remote-tracking ref, for which {@link Tracking#isName} must hold
     * @param next its new value; the head has the same conditions as for {@link Repository#move}
     * @return the stored value, without events that another event of the head follows
     * @throws dev.pail.repository.model.RepositoryException if it is no such name
     * @throws MissingBlockException if an event or a shard is missing. Nothing has changed
     */
    public Tracking track(String name, Tracking next) {
        return updates.track(Objects.requireNonNull(name, "name"), Objects.requireNonNull(next, "next"));
    }

    /**
     * Updates a remote-tracking ref of the remote that promises the blocks of this part. Nothing of the head need be here (spec rule REP40).
     *
     * @param name of the remote-tracking ref
     * @param next its new value, as the remote told it
     * @return the value
     * @throws RepositoryException if this is no part, or that of another remote
     */
    public Tracking trackPromised(String name, Tracking next) {
        Objects.requireNonNull(next, "next");
        store.checkWritable();
        Tracking.checkName(Objects.requireNonNull(name, "name"));
        return store.update(update -> {
            if (store.part().filter(part -> part.promises(name)).isEmpty()) {
                throw new RepositoryException(
                        RepositoryException.Reason.NAME,
                        "no remote promises what is not here of " + name,
                        "fetch it whole",
                        null);
            }
            update.tracking(name, store.tracking(name), Optional.of(next), store.epoch());
            return next;
        });
    }

    /** Removes a remote-tracking ref. The next collection removes the blocks that only this ref reached. */
    public void untrack(String name) {
        updates.untrack(Objects.requireNonNull(name, "name"));
    }
}
