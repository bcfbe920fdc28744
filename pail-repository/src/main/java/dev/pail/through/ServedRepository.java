package dev.pail.through;

import dev.pail.BlockStore;
import dev.pail.remote.Remote;
import dev.pail.repository.Repository;
import dev.pail.repository.spi.RepositoryStores;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;

/**
 * Repositories that a server has, read and changed from here without a clone. A block is fetched when it is read, with those that are read
 * next, and kept in a cache in a folder. A change is pushed.
 *
 * <p>What the server says of its branches is believed: at which events they stand, and the root of the version. Everything below that root
 * is compared with its CID.
 *
 * <p>A state of the branches counts as current for a second. A change of more than 64 MiB of new blocks needs a clone. Remotes and
 * the current branch stay with the server.
 *
 * <pre>{@code
 * try (Repository served = ServedRepository.open(HttpRemote.open("https://pail.example.org", Optional.of(token)), folder)) {
 *     Optional<Cid> title = served.pail().get("title"); // two requests
 *     Updated updated = served.update("main", before -> before.putBytes("title", new byte[] {1}));
 * }
 * }</pre>
 */
public final class ServedRepository {
    private ServedRepository() {}

    /**
     * Opens the repository of a remote. Closing it closes the remote.
     *
     * @param cache the folder of the cache, which is made when it is needed. Each address has a folder of its own in it, of at most about
     *     512 MiB; several processes may use it. If it cannot be used, blocks are fetched again
     * @throws dev.pail.StoreIOException if the remote cannot be reached
     * @throws dev.pail.remote.RemoteException if it refuses
     */
    public static Repository open(Remote remote, Path cache) {
        Objects.requireNonNull(cache, "cache");
        return Repository.open(stores(remote, Optional.of(cache)));
    }

    /** As {@link #open(Remote, Path)}, with a cache in memory alone, of at most 64 MiB. */
    public static Repository open(Remote remote) {
        return Repository.open(stores(remote, Optional.empty()));
    }

    /** As {@link #open(Remote, Path)}, without the facade. */
    static RepositoryStores stores(Remote remote, Optional<Path> cache) {
        RemoteReads reads = RemoteReads.of(remote);
        BlockStore fetched = cache.<BlockStore>map(
                        folder -> BlockCache.in(folder.resolve(BlockCache.name(remote.address()))))
                .orElseGet(BlockCache::inMemory);
        ServedBlocks blocks = new ServedBlocks(reads, fetched);
        ServedRefs refs = new ServedRefs(reads, blocks, Clock.systemUTC());
        return new RepositoryStores(refs, blocks, refs.state().info().format());
    }
}
