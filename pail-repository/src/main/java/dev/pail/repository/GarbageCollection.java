package dev.pail.repository;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.BlockException;
import dev.pail.OperationInterruptedException;
import dev.pail.PailException;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.ipld.Cid;
import dev.pail.repository.collect.CollectionPlace;
import dev.pail.repository.collect.GarbageRoots;
import dev.pail.repository.collect.Reachable;
import dev.pail.repository.collect.SeenBlocks;
import dev.pail.repository.history.Histories;
import dev.pail.repository.model.Collected;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.refs.Refs;
import dev.pail.repository.spi.Epoch;
import dev.pail.repository.spi.RefStore;
import dev.pail.sweep.SweepRule;
import dev.pail.sweep.Swept;
import dev.pail.sweep.SweptBlocks;
import dev.pail.trace.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

    /** How often a turn is taken again, after another writer was faster. */
    private static final int MOST_RACES = 1000;

    /** How many portions are looked at, before what is due of them is taken away. */
    private static final int MOST_DUE = 64;

    /** How much longer than a turn the lock is held at most, where reading the roots takes long. */
    private static final Duration LONGER = Duration.ofSeconds(2);

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
                    "use a ref store that holds a lock during an update, and says isExclusive(); dryRun() works with any",
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
        Instant last = place.refs().epoch().logsKeptSince(now());
        // An earlier collection was free to delete what older entries lead to.
        Instant keptSince = last.isAfter(retained) ? last : retained;
        SeenBlocks seen = new SeenBlocks(place.blocks());
        Histories histories = new Histories(seen, place.format());
        GarbageRoots roots =
                new GarbageRoots(place.refs(), head -> histories.pail(head).root(), keptSince, retained);
        Steps steps = new Steps(place.refs().location(), progress);
        Reachable needed = new Reachable(seen::get, steps::step);
        List<BlockException> lost = new ArrayList<>();
        Reachable logged = needed.partial(e -> note(e, lost, steps));
        // A block that these lead to may have been deleted.
        Reachable kept = logged.partial(steps::rethrow);
        Runnable mark = () -> mark(roots, needed, logged, kept, steps);
        // Asking the clock of the file system writes a file.
        Instant now = really ? place.blocks().clock() : now();
        SweepRule rule = new SweepRule(
                cid -> needed.contains(cid) || logged.contains(cid) || kept.contains(cid), before(now, grace));
        mark.run();
        Swept sum = Swept.NOTHING;
        Sweep sweep = new Sweep(rule, keptSince, mark, place.refs().turns());
        Deque<SweptBlocks.Portion> due = new ArrayDeque<>();
        for (Iterator<SweptBlocks.Portion> portions = place.blocks().portions(); portions.hasNext(); ) {
            steps.step();
            SweptBlocks.Portion portion = portions.next();
            Swept found = portion.preview(rule);
            if (really && found.isChange()) {
                due.add(portion);
            } else {
                sum = sum.plus(found);
            }
            while (due.size() == MOST_DUE || (!due.isEmpty() && !portions.hasNext())) {
                sum = sum.plus(steps.later(() -> turn(sweep, due)));
            }
        }
        return collected(sum, lost, needed.unfollowed());
    }

    private static Collected collected(Swept swept, List<BlockException> lost, long unfollowed) {
        return new Collected(
                amount(swept.kept()),
                amount(swept.moved()),
                amount(swept.waiting()),
                amount(swept.deleted()),
                amount(swept.restored()),
                lost,
                unfollowed);
    }

    private static Collected.Amount amount(Swept.Sum sum) {
        return new Collected.Amount(sum.blocks(), sum.bytes());
    }

    /**
     * What all turns of a sweep share.
     *
     * @param keptSince log entries from this time on are roots
     * @param mark adds the roots of the present to what the rule keeps
     */
    private record Sweep(SweepRule rule, Instant keptSince, Runnable mark, RefStore.Turns turns) {}

    /** Sweeps portions for one turn; again, if a store whose writers do not wait says that one was faster. */
    private Swept turn(Sweep sweep, Deque<SweptBlocks.Portion> due) {
        return Refs.again(MOST_RACES, () -> {
            Deque<SweptBlocks.Portion> left = new ArrayDeque<>(due);
            Swept swept = sweep.turns.holding(update -> sweep(update, sweep, left));
            due.clear();
            due.addAll(left);
            return swept;
        });
    }

    /** Sweeps portions for one turn. The caller holds the lock. Rule G12. */
    private Swept sweep(RefStore.Update update, Sweep sweep, Deque<SweptBlocks.Portion> due) {
        Instant begun = now();
        sweep.mark.run();
        // With many heads, marking alone may take longer than a turn. The clock may be set meanwhile.
        Instant marked = now();
        Duration marking = Duration.between(begun, marked);
        Duration most = marking.compareTo(LONGER) < 0 ? marking : LONGER;
        Epoch last = place.refs().epoch();
        Epoch underWay = last.begun(sweep.keptSince, now());
        update.epoch(last, underWay);
        // On a full disk the store may have kept only that the epoch is unknown.
        Epoch noted = place.refs().epoch();
        Swept sum = Swept.NOTHING;
        do {
            sum = sum.plus(due.remove().sweep(sweep.rule));
        } while (!due.isEmpty() && (!sweep.turns.isOver() || isSince(marked, most)));
        update.epoch(noted, underWay.ended(now()));
        return sum;
    }

    /** Replaces an epoch that cannot be read, as if a collection had just ended. Rule G17. */
    private Epoch replaceEpoch(RefStore.Update update) {
        Epoch next = Epoch.UNKNOWN.ended(now());
        update.epoch(Epoch.UNKNOWN, next);
        return next;
    }

    /** Reports steps to the progress listener, and ends the collection if the thread is interrupted. For one thread at a time. */
    private static final class Steps {
        private final String what;
        private final Runnable progress;
        private boolean isLater;
        private long untold;
        private @Nullable BlockException thrown;

        Steps(String location, Runnable progress) {
            this.what = "a collection of " + location;
            this.progress = progress;
        }

        void step() {
            if (isLater) {
                untold++;
            } else {
                tell();
            }
        }

        private void tell() {
            OperationInterruptedException.check(what);
            try {
                progress.run();
            } catch (BlockException e) {
                thrown = e;
                throw e;
            }
        }

        /** Whether an exception came from the progress listener, and so says nothing of the blocks here. */
        @SuppressWarnings("ReferenceEquality") // Another one may say the same.
        boolean hasThrown(BlockException e) {
            return e == thrown;
        }

        /** Throws an exception again if it came from the progress listener. */
        void rethrow(BlockException e) {
            if (hasThrown(e)) {
                throw e;
            }
        }

        /** Runs an action that holds the lock, and reports its steps afterwards: the listener may take the lock, too. */
        <T> T later(Supplier<T> action) {
            isLater = true;
            T result = action.get();
            isLater = false;
            for (; untold > 0; untold--) {
                tell();
            }
            return result;
        }
    }

    /** The time so long before another, or the first that there is. */
    private static Instant before(Instant time, Duration longBefore) {
        return Duration.between(Instant.MIN, time).compareTo(longBefore) < 0 ? Instant.MIN : time.minus(longBefore);
    }

    private Instant now() {
        return place.refs().now();
    }

    /** Whether a time is less than so long ago; not where the clock was set back. */
    private boolean isSince(Instant time, Duration most) {
        Duration since = Duration.between(time, now());
        return !since.isNegative() && since.compareTo(most) < 0;
    }

    private static void note(BlockException e, List<BlockException> lost, Steps steps) {
        steps.rethrow(e);
        if (lost.size() < Collected.MOST_LOST) {
            lost.add(e);
        }
    }

    private static void mark(GarbageRoots roots, Reachable needed, Reachable logged, Reachable kept, Steps steps) {
        try {
            roots.addTo(needed, logged, kept);
        } catch (BlockException e) {
            throw steps.hasThrown(e) ? e : refused(e);
        }
    }

    /** The refusal to take anything away. Rule G11. */
    private static RepositoryException refused(PailException cause) {
        return RepositoryException.damaged(
                "no block is taken away while one is missing or damaged that is needed: " + cause.getMessage(),
                Hint.of("see what is affected with: ", Hint.Action.VERIFY, ""),
                cause);
    }
}
