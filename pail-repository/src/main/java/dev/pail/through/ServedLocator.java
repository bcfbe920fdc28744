package dev.pail.through;

import dev.pail.ShardFormat;
import dev.pail.remote.HttpRemote;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Recovered;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.RepositoryLocator;
import dev.pail.repository.spi.RepositoryStores;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Opens the repositories of servers by URLs that begin with {@code http://} or {@code https://}, as {@link ServedRepository} does. The token
 * for the server is that of the environment variable {@code PAIL_TOKEN}; the cache is the folder {@code pail} of {@code XDG_CACHE_HOME},
 * else of {@code ~/.cache}. Immutable.
 *
 * <pre>{@code
 * Repository served = Repository.open(new ServedLocator().open("https://pail.example.org", Duration.ofSeconds(10)));
 * }</pre>
 */
public final class ServedLocator implements RepositoryLocator {
    /** For {@link java.util.ServiceLoader}. */
    public ServedLocator() {}

    @Override
    public boolean accepts(String url) {
        return HttpRemote.isAddress(url);
    }

    @Override
    public RepositoryStores open(String url, Duration patience) {
        Objects.requireNonNull(patience, "patience");
        Optional<String> token =
                Optional.ofNullable(System.getenv("PAIL_TOKEN")).filter(text -> !text.isEmpty());
        return ServedRepository.stores(
                HttpRemote.open(url, token), cache(System.getenv("XDG_CACHE_HOME"), System.getenv("HOME")));
    }

    /** The folder of the cache of a user, if there is one. */
    private static Optional<Path> cache(@Nullable String caches, @Nullable String home) {
        if (caches != null && !caches.isEmpty()) {
            return Optional.of(Path.of(caches, "pail"));
        }
        return home == null || home.isEmpty() ? Optional.empty() : Optional.of(Path.of(home, ".cache", "pail"));
    }

    @Override
    public RepositoryStores init(String url, ShardFormat format, Set<Need> needs, Duration patience) {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(format, "format");
        Objects.requireNonNull(needs, "needs");
        Objects.requireNonNull(patience, "patience");
        throw new IllegalArgumentException("a repository is made where it is, not through its server: " + url);
    }

    @Override
    public Optional<Recovered> recover(String url, Duration patience) {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(patience, "patience");
        throw new RepositoryException(
                RepositoryException.Reason.NOT_EXCLUSIVE,
                "refs are rebuilt where the repository is, not through its server: " + url,
                "rebuild them there",
                null);
    }
}
