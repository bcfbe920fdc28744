package dev.pail.repository;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.ipld.Cid;
import dev.pail.repository.collect.CollectionPlace;
import dev.pail.repository.collect.Epochs;
import dev.pail.repository.collect.Marking;
import dev.pail.repository.collect.NewestVersions;
import dev.pail.repository.collect.Steps;
import dev.pail.repository.collect.Sweeping;
import dev.pail.repository.model.Collected;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.spi.Epoch;
import dev.pail.repository.spi.RefStore;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.trace.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * The garbage collector of a repository (spec rules G1 to G16): {@link Maintenance#garbageCollection}. An unreachable block goes to the
 * trash after the grace period. If it is still unreachable after another grace period in the trash, it is deleted.
 *
 * <p>The roots are the heads of branches and tags, and the heads of log entries within the retention. The collector keeps all blocks that
 * they reach: the whole history, and the values that are in the repository, with the blocks below them.
 *
 * <p>Other processes may read and write meanwhile. Marking takes most of the time, and needs no lock. The collector takes the lock for
 * each turn of the sweep, and first marks what was published since. {@link dev.pail.repository.update.ConnectivityCheck} says why that is enough. A reader of a
 * version that no root reaches has the grace period twice: before its blocks go to the trash, and in the trash, from where a read
 * restores them.
 *
 * <p>Immutable. Safe for use by several threads.
 *
 * <pre>{@code
 * GarbageCollection collection = repository.maintenance().garbageCollection()
 *         .withRetention(Duration.ofDays(30)) // what log entries of the last 30 days lead to stays
 *         .withGrace(Duration.ofDays(7)); // and what was put in the last 7 days
 * Collected collected = collection.run();
 * }</pre>
 */
@CheckReturnValue
public final class GarbageCollection {
    /** The default retention: how long the collector keeps the heads in logs. */
    public static final Duration RETENTION = Duration.ofDays(90);

    /** The default grace period. */
    public static final Duration GRACE = Duration.ofDays(14);

    /** The shortest grace period: an hour. */
    public static final Duration LEAST_GRACE = Duration.ofHours(1);

    private final CollectionPlace place;
    private final Duration retention;
    private final Duration grace;
    private final Runnable progress;

    private GarbageCollection(CollectionPlace place, Duration retention, Duration grace, Runnable progress) {
        this.place = place;
        this.retention = retention;
        this.grace = grace;
        this.progress = progress;
    }

    static GarbageCollection of(CollectionPlace place) {
        return new GarbageCollection(place, RETENTION, GRACE, () -> {});
    }

    /**
     * Returns this with another retention, for which the heads in logs are kept. The last move of each branch is always kept.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public GarbageCollection withRetention(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("a retention is not negative: " + time);
        }
        return new GarbageCollection(place, time, grace, progress);
    }

    /**
     * Returns this with another grace period.
     *
     * @throws IllegalArgumentException if it is shorter than {@link #LEAST_GRACE}
     */
    public GarbageCollection withGrace(Duration time) {
        if (time.compareTo(LEAST_GRACE) < 0) {
            throw new IllegalArgumentException("the grace period is at least " + LEAST_GRACE + ", not " + time);
        }
        return withAnyGrace(time);
    }

    /** For tests: writers rely on no grace period, only readers do. */
    GarbageCollection withAnyGrace(Duration time) {
        return new GarbageCollection(place, retention, time, progress);
    }

    /** Returns this with a callback after each block that is read and each portion that is swept. It may change the repository. */
    public GarbageCollection withProgress(Runnable step) {
        return new GarbageCollection(place, retention, grace, Objects.requireNonNull(step, "step"));
    }

    /**
     * Runs the collection.
     *
     * @throws RepositoryException if the ref store is not {@linkplain RefStore#isExclusive exclusive}. Then nothing was changed
     * @throws RepositoryException if a block that a branch or a tag needs is missing or corrupt, or a file of the repository is damaged.
     *     Then the collection has removed nothing, or removes nothing more
     * @throws StoreLockedException if a writer holds the lock for longer than the patience. What was collected until then stays
     *     collected, and no report has it; the next run does the rest
     * @throws StoreIOException if reading or moving a block failed. No needed block was removed
     */
    @CanIgnoreReturnValue
    public Collected run() {
        // Rule G19.
        if (!place.refs().isExclusive()) {
            throw new RepositoryException(
                    RepositoryException.Reason.NOT_EXCLUSIVE,
                    "no block is taken away, as the ref store lets writers change refs during a collection: "
                            + place.refs().location(),
                    "collect where the repository is, or use a ref store that holds a lock during an update, and says isExclusive()",
                    null);
        }
        place.refs().checkWritable();
        Trace.Span span = Trace.collection(place.refs().location());
        try {
            return collected(Mode.RUN);
        } finally {
            span.close();
        }
    }

    /**
     * Computes what {@link #run} would do now, but writes nothing. It uses the clock of this machine, and {@link #run} that of the file
     * system. Throws the same exceptions.
     */
    public Collected dryRun() {
        return collected(Mode.DRY_RUN);
    }

    private enum Mode {
        RUN,
        DRY_RUN
    }

    private Collected collected(Mode mode) {
        boolean really = mode == Mode.RUN;
        // Rule G20.
        place.refs().checkWhole();
        if (really) {
            // Fails if this process may not write, even if there is nothing to delete. Rule ER6.
            List<Cid> unused = new Erasing(place, Note.NONE).finish();
        }
        Instant retained = before(now(), retention);
        if (really && place.refs().epoch().equals(Epoch.UNKNOWN)) {
            place.refs().update(this::replaceEpoch);
        }
        Instant last = Epochs.logsKeptSince(place.refs().epoch(), now());
        // An earlier collection was free to delete what older entries lead to.
        Instant keptSince = last.isAfter(retained) ? last : retained;
        Steps steps = new Steps(place.refs().location(), progress);
        Marking marking = new Marking(place, keptSince, retained, steps);
        // Asking the clock of the file system writes a file.
        Instant now = really ? place.blocks().clock() : now();
        SweepRule rule = new SweepRule(marking::isKept, before(now, grace));
        marking.mark();
        Sweeping sweeping = new Sweeping(place, rule, keptSince, marking, steps);
        Collected collected = collected(really ? sweeping.run() : sweeping.preview(), marking);
        if (really) {
            // Behind the sweep, which may have made space.
            NewestVersions.cluster(place);
        }
        return collected;
    }

    private static Collected collected(Swept swept, Marking marking) {
        return new Collected(
                amount(swept.kept()),
                amount(swept.moved()),
                amount(swept.waiting()),
                amount(swept.deleted()),
                amount(swept.restored()),
                marking.lost(),
                marking.unfollowed());
    }

    private static Collected.Amount amount(Swept.Sum sum) {
        return new Collected.Amount(sum.blocks(), sum.bytes());
    }

    /** Replaces an epoch that cannot be read, as if a collection had just ended. Rule G17. */
    private Epoch replaceEpoch(RefStore.Update update) {
        Epoch next = Epochs.ended(Epoch.UNKNOWN, now());
        update.epoch(Epoch.UNKNOWN, next);
        return next;
    }

    /** The time so long before another, or the first that there is. */
    private static Instant before(Instant time, Duration longBefore) {
        return Duration.between(Instant.MIN, time).compareTo(longBefore) < 0 ? Instant.MIN : time.minus(longBefore);
    }

    private Instant now() {
        return place.refs().now();
    }
}
