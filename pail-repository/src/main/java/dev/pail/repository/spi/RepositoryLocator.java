package dev.pail.repository.spi;

import dev.pail.ShardFormat;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Recovered;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/**
 * A provider of repositories by URL. Optional modules implement it: {@link ServiceLoader} finds the
 * one of {@code pail-jdbc}. Safe for use by several threads.
 *
 * <pre>{@code
 * String url = "postgresql://app@db.example/store?repository=notes";
 * RepositoryLocator locator = RepositoryLocator.find(url).orElseThrow();
 * try (Repository notes = Repository.open(locator.open(url, Duration.ofSeconds(10)))) {
 *     System.out.println(notes.branches().names());
 * }
 * }</pre>
 */
public interface RepositoryLocator {
    /** Finds the provider of a URL among the modules of the program, or on its class path. */
    static Optional<RepositoryLocator> find(String url) {
        for (RepositoryLocator each : ServiceLoader.load(RepositoryLocator.class)) {
            if (each.accepts(url)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** Whether this knows the scheme of a URL. Ignores the rest of the URL. */
    boolean accepts(String url);

    /**
     * Opens the stores of a repository, which the caller closes.
     *
     * @param url holds no password
     * @param patience how long a writer waits for other writers
     * @throws IllegalArgumentException if the URL has an unknown part, or lacks a needed one; the message says which, and never has a
     *     password
     * @throws dev.pail.repository.model.RepositoryException if there is no such repository
     * @throws dev.pail.StoreIOException if the store cannot be reached
     */
    RepositoryStores open(String url, Duration patience);

    /**
     * Makes a repository with one branch, {@link dev.pail.repository.model.RefName#MAIN}, and opens its stores.
     *
     * @param needs what readers of the repository must understand; none for a repository that version 0.2.0 reads, too
     * @throws dev.pail.repository.model.RepositoryException if there is one already
     */
    RepositoryStores init(String url, ShardFormat format, Set<Need> needs, Duration patience);

    /**
     * Rebuilds the refs of a repository that has lost some of them, from the events that it stores (spec rule REF8). Nothing else may use
     * the repository meanwhile. Changes nothing if no ref is missing.
     *
     * @return what was found; empty if nothing is missing
     * @throws dev.pail.repository.model.RepositoryException if there is no such repository
     * @throws UnsupportedOperationException if its store cannot do this
     */
    default Optional<Recovered> recover(String url, Duration patience) {
        Objects.requireNonNull(url, "url");
        Objects.requireNonNull(patience, "patience");
        throw new UnsupportedOperationException("no refs can be rebuilt there");
    }
}
