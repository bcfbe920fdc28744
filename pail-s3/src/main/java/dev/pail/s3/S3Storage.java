package dev.pail.s3;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.ShardFormat;
import dev.pail.StoreIOException;
import dev.pail.locate.FormatLine;
import dev.pail.repository.Repository;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Recovered;
import dev.pail.repository.model.RefName;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.RecordRefs;
import dev.pail.repository.spi.RepositoryBlocks;
import dev.pail.repository.spi.RepositoryStores;
import dev.pail.trace.Trace;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Repositories in a bucket of S3, or of a store with its interface that creates objects with {@code If-None-Match}, which processes on
 * several machines can use at the same time. A change writes two objects: a pack with its blocks, and a commit. Writers do not wait for each
 * other: a change that another one was faster than is made again. (Spec: {@code spec/s3.md}.)
 *
 * <p>If no answer comes to a commit, its writer finds out whether it happened. Only if the bucket cannot be asked for as long as there is
 * patience, {@link dev.pail.repository.model.HeadUpdateUncertainException}.
 *
 * <p>Immutable. Safe for use by several threads.
 *
 * <pre>{@code
 * S3Storage storage = S3Storage.of(client, "my-bucket");
 * try (Repository notes = storage.has("notes") ? storage.open("notes") : storage.init("notes", ShardFormat.v1())) {
 *     Updated next = notes.update("main", before -> before.put("title", value));
 * }
 * }</pre>
 */
@CheckReturnValue
public final class S3Storage {
    /** How long a writer tries to reach the bucket, and waits for others of its process, unless something else is said. */
    public static final Duration PATIENCE = Duration.ofSeconds(10);

    /** How many bytes of blocks a repository caches, unless something else is said. */
    public static final long CACHE = 64 << 20;

    private final Function<String, Bucket> buckets;
    private final Clock clock;
    private final Duration patience;
    private final long cacheBytes;
    private final S3Counters counters;

    private S3Storage(
            Function<String, Bucket> buckets, Clock clock, Duration patience, long cacheBytes, S3Counters counters) {
        this.buckets = buckets;
        this.clock = clock;
        this.patience = patience;
        this.cacheBytes = cacheBytes;
        this.counters = counters;
    }

    /**
     * Repositories in a bucket.
     *
     * @param client stays the caller's. It should send requests again that fail, as it does by default, and verify no checksums that the
     *     store does not have
     */
    public static S3Storage of(S3Client client, String bucket) {
        Objects.requireNonNull(client, "client");
        Objects.requireNonNull(bucket, "bucket");
        return of(prefix -> new S3Bucket(client, () -> {}, bucket, prefix), Clock.systemUTC(), new S3Counters());
    }

    /** Repositories in buckets that a function makes of prefixes. */
    static S3Storage of(Function<String, Bucket> buckets, Clock clock, S3Counters counters) {
        return new S3Storage(buckets, clock, PATIENCE, CACHE, counters);
    }

    /**
     * This with another patience.
     *
     * @throws IllegalArgumentException if it is shorter than 10 milliseconds, or longer than a day
     */
    public S3Storage withPatience(Duration time) {
        if (time.compareTo(Duration.ofMillis(10)) < 0 || time.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("the patience is 10 milliseconds to a day, not " + time);
        }
        return new S3Storage(buckets, clock, time, cacheBytes, counters);
    }

    /**
     * This with another size of the cache of each repository.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public S3Storage withCache(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a cache has 0 or more bytes, not " + bytes);
        }
        return new S3Storage(buckets, clock, patience, bytes, counters);
    }

    /** What was done so far by all repositories that this storage, and those made of it with other settings, have opened. */
    public S3Statistics statistics() {
        return counters.now();
    }

    /** The objects of a repository (OS1). */
    private Bucket bucket(String name) {
        return new CountedBucket(buckets.apply(name.isEmpty() ? "" : name + "/"), counters);
    }

    /**
     * Makes a repository with one branch, {@link Repository#MAIN}.
     *
     * @param name the prefix of its objects, by the rules of names of branches; empty for the bucket as a whole
     * @throws RepositoryException if there is one of this name, or it cannot be a name
     * @throws dev.pail.StoreIOException if the bucket refuses it, or cannot be reached
     */
    public Repository init(String name, ShardFormat format) {
        return init(name, format, Set.of(Need.EVENTS));
    }

    /**
     * As {@link #init(String, ShardFormat)}, with other needs.
     *
     * @param needs what readers of the repository must understand; none for a repository that version 0.2.0 reads, too
     */
    public Repository init(String name, ShardFormat format, Set<Need> needs) {
        return Repository.open(initStores(name, new FormatLine(format, needs)));
    }

    RepositoryStores initStores(String name, FormatLine line) {
        if (!name.isEmpty()) {
            RefName.check("a repository", name);
        }
        Description description = Description.newest(line);
        return opened(name, bucket -> {
            new Probe(bucket).remains().ifPresent(key -> refuseRemains(bucket, key));
            if (!made(bucket, description.encode())) {
                throw new RepositoryException(
                        RepositoryException.Reason.EXISTS,
                        "there is a repository already: " + bucket.location(),
                        "open it, or choose another name",
                        null);
            }
            return description;
        });
    }

    /** A repository without its first object is no empty place. (OS16). */
    private static void refuseRemains(Bucket bucket, String key) {
        if (!bucket.exists(Keys.REPOSITORY)) {
            throw remains(bucket, key);
        }
    }

    private static RepositoryException remains(Bucket bucket, String key) {
        return RepositoryException.damaged(
                "the object " + Keys.REPOSITORY + " is missing, and there are others of a repository, such as " + key
                        + ": " + bucket.location(),
                "restore the object, whose lines are the first version and the format, such as pail 1 and v1 maxKeySize=4096;"
                        + " or choose another name",
                null);
    }

    private static boolean made(Bucket bucket, byte[] content) {
        try {
            new Probe(bucket).run();
            return bucket.create(Keys.REPOSITORY, content);
        } catch (Bucket.UnansweredException e) {
            throw e.failure();
        }
    }

    /**
     * Opens a repository.
     *
     * @throws RepositoryException if there is none of this name
     * @throws dev.pail.StoreIOException if the bucket refuses it, or cannot be reached
     */
    public Repository open(String name) {
        return Repository.open(stores(name));
    }

    RepositoryStores stores(String name) {
        return opened(name, bucket -> found(name, bucket));
    }

    private static Description found(String name, Bucket bucket) {
        return description(name, bucket)
                .orElseThrow(() -> new Probe(bucket)
                        .remains()
                        .map(key -> remains(bucket, key))
                        .orElseGet(() -> new RepositoryException(
                                RepositoryException.Reason.NO_REPOSITORY,
                                "no repository: " + bucket.location(),
                                "make one with init",
                                null)));
    }

    /**
     * Rebuilds the refs of a repository whose log has lost commits, from the events in its packs. Nothing else may use the repository
     * meanwhile.
     *
     * @return what was found; empty if no commit is missing, and then nothing is changed
     * @throws RepositoryException if there is none of this name
     * @throws StoreIOException if the bucket refuses it, or cannot be reached
     */
    public Optional<Recovered> recover(String name) {
        try (Bucket bucket = bucket(name)) {
            Description unused = found(name, bucket);
            try (Ledger whole = new Ledger(bucket, clock, patience, counters)) {
                whole.checkWhole();
                return Optional.empty();
            } catch (RepositoryException e) {
                Trace.swallowed("the log is not whole", e);
            }
        }
        try (Ledger ledger = new Ledger(bucket(name), clock, patience, counters)) {
            return Optional.of(new S3Recovery(ledger).run());
        }
    }

    /** Whether there is a repository of this name. */
    public boolean has(String name) {
        try (Bucket bucket = bucket(name)) {
            return description(name, bucket).isPresent();
        }
    }

    private static Optional<Description> description(String name, Bucket bucket) {
        if (!name.isEmpty() && !RefName.isValid(name)) {
            return Optional.empty();
        }
        return bucket.get(Keys.REPOSITORY).map(bytes -> Description.decode(bytes, bucket.where(Keys.REPOSITORY)));
    }

    /** The blocks of a repository, for tests. */
    RepositoryBlocks blocks(String name) {
        return opened(name, (ledger, found) -> new S3Blocks(ledger, cacheBytes), bucket -> found(name, bucket));
    }

    private RepositoryStores opened(String name, Function<Bucket, Description> finding) {
        return opened(name, this::stores, finding);
    }

    private <T> T opened(
            String name, BiFunction<Ledger, Description, T> opening, Function<Bucket, Description> finding) {
        Bucket bucket = bucket(name);
        try {
            Description found = finding.apply(bucket);
            return opening.apply(new Ledger(bucket, clock, patience, counters), found);
        } catch (RuntimeException | Error e) {
            bucket.close();
            throw e;
        }
    }

    private RepositoryStores stores(Ledger ledger, Description found) {
        return new RepositoryStores(
                new RecordRefs(new S3Records(ledger, found), ledger.location(), clock, patience),
                new S3Blocks(ledger, cacheBytes),
                found.line().format());
    }
}
