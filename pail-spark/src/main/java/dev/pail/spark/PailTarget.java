package dev.pail.spark;

import dev.pail.StoreIOException;
import dev.pail.repository.Repository;
import dev.pail.repository.model.RepositoryException;
import java.io.Serializable;

/**
 * A repository that the driver and every executor can open. Spark sends the target to the executors by Java serialization, so it must hold
 * nothing but serializable settings.
 *
 * <pre>{@code
 * PailTarget folder = PailTarget.at("/mnt/shared/catalogue.pail");
 * PailTarget database = PailTarget.at("postgresql://app@db.example/store?repository=catalogue");
 * PailTarget own = () -> FileRepository.open(Path.of("/mnt/shared/catalogue.pail"), Duration.ofHours(1));
 * }</pre>
 */
@FunctionalInterface
public interface PailTarget extends Serializable {
    /**
     * Opens the repository, which the caller closes. Each task opens it once, also at the same time in one process.
     *
     * @throws RepositoryException if there is no such repository
     * @throws StoreIOException if it cannot be reached
     */
    Repository open();

    /**
     * Returns the repository in a folder, or at a URL that a {@link dev.pail.repository.spi.RepositoryLocator} on the class path knows. A
     * writer waits up to ten minutes for other writers.
     *
     * @param place a folder that all machines share, such as {@code /mnt/shared/catalogue.pail}, or a URL without a password
     * @throws IllegalArgumentException from {@link #open}, if no locator knows the scheme of the URL, or the URL is malformed
     */
    static PailTarget at(String place) {
        return new LocatedTarget(place);
    }
}
