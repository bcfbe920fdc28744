package dev.pail.s3;

import dev.pail.StoreIOException;
import dev.pail.repository.model.RepositoryException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Looks at what a bucket is like before a process writes to it. Rule OS15. What is left of a repository: Rule OS16.
 *
 * @param bucket the objects of a repository
 */
record Probe(Bucket bucket) {
    private static final byte[] CONTENT = "pail\n".getBytes(StandardCharsets.US_ASCII);

    /**
     * Creates an object that is there, which the store must refuse.
     *
     * @throws RepositoryException if the store takes no notice of {@code If-None-Match}
     */
    void run() {
        boolean isFirst = bucket.create(Keys.PROBE, CONTENT);
        boolean isOverwritten = isFirst && bucket.create(Keys.PROBE, CONTENT);
        if (isOverwritten) {
            throw new RepositoryException(
                    RepositoryException.Reason.NOT_EXCLUSIVE,
                    "the store overwrites an object although If-None-Match forbids it, so writers would lose changes: "
                            + bucket.location(),
                    "use a store that supports conditional writes, as S3 of AWS does",
                    null);
        }
        if (!bucket.exists(Keys.PROBE)) {
            throw new StoreIOException(
                    "cannot use the store",
                    bucket.where(Keys.PROBE),
                    "it says that an object is there, and has none",
                    null);
        }
    }

    /** The key of an object that a repository has left here; empty, if there is none. */
    Optional<String> remains() {
        if (bucket.exists(Keys.HINT)) {
            return Optional.of(Keys.HINT);
        }
        for (String prefix : List.of(Keys.LOG, Keys.CHECKPOINTS, Keys.PACKS)) {
            List<Bucket.Listed> found = bucket.list(prefix, prefix, 1);
            if (!found.isEmpty()) {
                return Optional.of(found.get(0).key());
            }
        }
        return Optional.empty();
    }
}
