package dev.pail.remote;

import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Erasure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Exchanges the records of erased blocks with a {@link Remote} (spec rules ER9 and ER10), beside an {@link Exchange} of versions. Fetch
 * records before versions: then erased blocks do not come in. Immutable. Safe for use by several threads.
 *
 * <pre>{@code
 * ErasureExchange erasures = ErasureExchange.of(repository, remote);
 * List<Erasure> fetched = erasures.fetch(); // the blocks can no longer be read here; a collection removes their bytes
 * int sent = erasures.push(); // the remote erases them at once
 * }</pre>
 */
public final class ErasureExchange {
    private final Repository repository;
    private final Remote remote;

    private ErasureExchange(Repository repository, Remote remote) {
        this.repository = repository;
        this.remote = remote;
    }

    /** Makes an exchange between a repository and a remote. */
    public static ErasureExchange of(Repository repository, Remote remote) {
        return new ErasureExchange(
                Objects.requireNonNull(repository, "repository"), Objects.requireNonNull(remote, "remote"));
    }

    /**
     * Takes the records of the remote. The bytes of newly marked blocks stay until a collection, or until
     * {@code repository.maintenance().erasing().finish()}.
     *
     * @return the records that are new here
     */
    public List<Erasure> fetch() {
        List<Erasure> received = remote.erasures();
        return received.isEmpty()
                ? List.of()
                : repository.maintenance().erasing().take(received);
    }

    /**
     * Sends the records that are new to the remote, which erases the marked blocks.
     *
     * @return how many were sent
     * @throws RemoteException if the remote refuses
     */
    public int push() {
        List<Erasure> here = repository.maintenance().erasing().records();
        if (here.isEmpty()) {
            return 0;
        }
        Map<Cid, Erasure> there = new HashMap<>();
        remote.erasures().forEach(record -> there.put(record.cid(), record.removed()));
        List<Erasure> due = here.stream()
                .filter(record -> {
                    Erasure known = there.get(record.cid());
                    return known == null
                            || (!known.equals(record.removed())
                                    && Erasure.latest(known, record).equals(record));
                })
                .toList();
        if (!due.isEmpty()) {
            remote.erase(due);
        }
        return due.size();
    }
}
