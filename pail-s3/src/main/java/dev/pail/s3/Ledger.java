package dev.pail.s3;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.StoreIOException;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.RepositoryException;
import dev.pail.trace.Trace;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The log of a repository: numbered commits, each an object that is created once. The state after the newest one is what the
 * repository is. An update reads a state and creates the next commit; if another writer was faster, it goes behind that one, unless they
 * conflict (rule OS5). Safe for use by several threads; each has an update of its own.
 */
final class Ledger implements AutoCloseable {
    /** How many commits there are from one look at whether packs should be merged to the next. */
    private static final int MERGING = 16;

    /** How many looks for newer commits there are from one check that the newest is still there to the next. */
    private static final int LOOKS = 16;

    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long LONGEST_PAUSE_MILLIS = 1000;

    private final Bucket bucket;
    private final Clock clock;
    private final Duration patience;
    private final S3Counters counters;
    private final Fetches fetches = new Fetches();
    private final Commits commits;

    @SuppressWarnings("ThreadLocalUsage") // A thread may be in updates of several repositories.
    private final ThreadLocal<@Nullable Transaction> own = new ThreadLocal<>();

    private final Object refreshing = new Object();
    private volatile @Nullable State state;
    private volatile boolean closed;
    private volatile Runnable merging = () -> {};

    private final Mark mark;

    /** How often it was looked for newer commits. */
    @GuardedBy("refreshing")
    private long looks;

    /** The newest commit of this process that the hint does not have yet; 0, if there is none. */
    private volatile long unmarked;

    private volatile boolean isProbed;

    /** Whether a hint is known to be there. */
    private volatile boolean hasHint;

    Ledger(Bucket bucket, Clock clock, Duration patience, S3Counters counters) {
        this.bucket = bucket;
        this.commits = new Commits(bucket, fetches);
        this.mark = new Mark(bucket);
        this.clock = clock;
        this.patience = patience;
        this.counters = counters;
    }

    Bucket bucket() {
        return bucket;
    }

    Fetches fetches() {
        return fetches;
    }

    Commits commits() {
        return commits;
    }

    String location() {
        return bucket.location();
    }

    Instant now() {
        return clock.instant();
    }

    /** Says what merges packs now and then, after a commit. It must not fail. */
    void onMerging(Runnable action) {
        merging = action;
    }

    /** The update of this thread; null, if none is under way. */
    @Nullable
    Transaction transaction() {
        return own.get();
    }

    /** The state as this process knows it, which may be an old one. */
    State known() {
        State known = state;
        return known != null ? known : current();
    }

    /** The state after the newest commit. Rule OS4. */
    State current() {
        checkOpen();
        synchronized (refreshing) {
            State now = state;
            if (now == null) {
                now = firstRead();
            } else if (isFollowed(now)) {
                now = commits.caughtUp(now);
            }
            state = now;
            return now;
        }
    }

    /** The state after the newest commit, which is still there. */
    private State currentForWriter() {
        synchronized (refreshing) {
            State now = current();
            commits.checkThere(now.number());
            looks = 0;
            return now;
        }
    }

    /** Reads packs by a state that no commit has. For a recovery. */
    void assume(State left) {
        synchronized (refreshing) {
            state = left;
        }
    }

    Mark.Hint hint() {
        return mark.hint();
    }

    /** Creates a commit that begins anew, with its checkpoint and the hint. (OS13). */
    void begin(long number, Commit commit) {
        probe();
        State begun = new State(number - 1, new TreeMap<>(), new TreeMap<>()).after(commit);
        if (!created(number, commit, e -> e)) {
            throw new RefChangedException(location(), "another recovery is under way");
        }
        boolean unused = bucket.create(Keys.checkpoint(number), begun.encode());
        mark.write(number);
    }

    /** Reads the log for the first time, and compares its end with that of the mark. (OS11). */
    private State firstRead() {
        Mark.Hint hint = mark.hint();
        State now = commits.caughtUp(commits.checkpoint(hint.number()));
        if (hint.isMalformed()) {
            throw lost("the object " + Keys.HINT + " has no number", now.number());
        }
        hasHint = !hint.isAbsent();
        if (hint.number() > now.number()) {
            throw lost("the hint has number " + hint.number(), now.number());
        }
        if (hint.isAbsent() && now.number() > 0 && commit(now.number()).number().isPresent()) {
            throw lost("the object " + Keys.HINT + " is missing", now.number());
        }
        OptionalLong known = mark.packAfter(now.number());
        if (known.isPresent()) {
            // Other writers may have been fast.
            now = commits.caughtUp(now);
            if (known.getAsLong() > now.number()) {
                throw lost("there are packs for commit " + (known.getAsLong() + 1), now.number());
            }
        }
        return now;
    }

    /** Whether there is a commit behind the newest that is known. */
    @GuardedBy("refreshing")
    private boolean isFollowed(State now) {
        if (++looks % LOOKS == 0) {
            commits.checkThere(now.number());
        }
        return bucket.exists(Keys.log(now.number() + 1));
    }

    /** Checks that no other process knows of newer commits that are gone. */
    private void checkMark() {
        long number = mark.hint().number();
        if (number > known().number()) {
            State now = current();
            if (number > now.number()) {
                throw lost("the hint has number " + number, now.number());
            }
        }
    }

    /** Checks that all commits are there, the oldest ones included. (OS11). */
    void checkWhole() {
        checkOpen();
        synchronized (refreshing) {
            State now = firstRead();
            commits.checkAll(now.number());
        }
    }

    private RepositoryException lost(String sign, long newest) {
        return RepositoryException.damaged(
                "commits are missing: the log ends with commit " + newest + ", but " + sign + ": " + location(),
                Hint.of(
                        "restore the objects below " + Keys.LOG + ", or rebuild the refs with: ",
                        Hint.Action.REBUILD,
                        ""),
                null);
    }

    /** A commit of the past. Fetches more of them together if they are asked for one after the other. */
    Commit commit(long number) {
        checkOpen();
        return commits.commit(number);
    }

    /**
     * Does all of some work, or nothing of it.
     *
     * @param unknown gives what to throw if it stays unknown which
     * @throws RefChangedException if nothing was done, as another writer was faster
     */
    <T> T inTransaction(Supplier<T> work, Function<StoreIOException, RuntimeException> unknown) {
        Transaction transaction = new Transaction(currentForWriter());
        own.set(transaction);
        T result;
        try {
            result = work.get();
        } finally {
            own.remove();
        }
        commit(transaction, unknown);
        transaction.runAfterwards();
        return result;
    }

    /** Uploads a pack, which belongs to a commit that follows (OS6). */
    void upload(Transaction transaction, PackFile.Made made) {
        Tries tries = new Tries();
        while (true) {
            try {
                if (!bucket.create(Keys.pack(made.pack().name()), made.bytes())) {
                    // An attempt before, to which no answer came.
                    counters.retries.increment();
                    if (!isUploaded(made)) {
                        throw Frame.damaged(
                                "another pack has this name: "
                                        + bucket.where(Keys.pack(made.pack().name())),
                                null);
                    }
                }
                transaction.add(made.pack());
                return;
            } catch (Bucket.UnansweredException e) {
                if (!tries.again()) {
                    throw e.failure();
                }
            }
        }
    }

    /** Deletes an object that no commit names any more. */
    void delete(String key) {
        Tries tries = new Tries();
        while (true) {
            try {
                bucket.delete(key);
                return;
            } catch (StoreIOException e) {
                if (S3Bucket.isForbidden(e) || !tries.again()) {
                    throw e;
                }
            }
        }
    }

    private void commit(Transaction transaction, Function<StoreIOException, RuntimeException> unknown) {
        transaction.flush(blocks -> upload(
                transaction, PackFile.make(PackFile.newName(transaction.base().number() + 1), blocks, now())));
        if (transaction.isEmpty()) {
            return;
        }
        String attempt = Commit.newAttempt();
        Instant at = now();
        long number = transaction.base().number() + 1;
        probe();
        ensureHint(number - 1);
        if (number % MERGING == 0) {
            checkMark();
        }
        while (!created(number, transaction.commit(Commit.id(number, attempt), at), unknown)) {
            counters.races.increment();
            Commit other = commit(number);
            State unused = advanced(number, other);
            String conflict = transaction.conflict(other);
            if (conflict != null) {
                throw new RefChangedException(conflict, "commit " + number);
            }
            number++;
        }
        committed(number, transaction.commit(Commit.id(number, attempt), at));
    }

    /** Checks once in a process that the store refuses to create an object that is there. */
    void probe() {
        Tries tries = new Tries();
        while (!isProbed) {
            try {
                new Probe(bucket).run();
                isProbed = true;
            } catch (Bucket.UnansweredException e) {
                if (!tries.again()) {
                    throw e.failure();
                }
            }
        }
    }

    /** Makes a hint before the first commit of a process, as each later reader expects one. */
    private void ensureHint(long number) {
        Tries tries = new Tries();
        while (!hasHint) {
            try {
                mark.ensure(number);
                hasHint = true;
            } catch (Bucket.UnansweredException e) {
                if (!tries.again()) {
                    throw e.failure();
                }
            }
        }
    }

    /** Whether an object has the size of a pack that a request may have created before. */
    private boolean isUploaded(PackFile.Made made) {
        String key = Keys.pack(made.pack().name());
        long size = bucket.size(key)
                .orElseThrow(() -> new StoreIOException(
                        "cannot create an object",
                        bucket.where(key),
                        "the store says that it is there, and has none",
                        null));
        return size == made.bytes().length;
    }

    /** Creates a commit, or returns false if there is another one of this number. Rule OS7. */
    private boolean created(long number, Commit commit, Function<StoreIOException, RuntimeException> unknown) {
        byte[] content = commit.encode();
        Tries tries = new Tries();
        boolean isUnknown = false;
        while (true) {
            try {
                if (bucket.create(Keys.log(number), content)) {
                    return true;
                }
                isUnknown = true;
                // It may be this one: the client of the bucket sends a request again, too, if no answer comes.
                return commits.fetched(number).id().equals(commit.id());
            } catch (Bucket.UnansweredException e) {
                isUnknown = true;
                counters.unknowns.increment();
                if (!tries.again()) {
                    throw unknown.apply(e.failure());
                }
            } catch (StoreIOException e) {
                if (!isUnknown) {
                    throw e;
                }
                if (!tries.again()) {
                    throw unknown.apply(e);
                }
            }
        }
    }

    /** The state that is known, with a commit if that is the next one. */
    private State advanced(long number, Commit commit) {
        synchronized (refreshing) {
            State now = known();
            if (now.number() == number - 1) {
                now = commits.followed(now, commit);
                state = now;
            }
            return now;
        }
    }

    private void committed(long number, Commit commit) {
        State now = advanced(number, commit);
        commits.created(number, commit);
        unmarked = now.number();
        if (number % Commits.INTERVAL == 0) {
            try {
                boolean unused = bucket.create(Keys.checkpoint(now.number()), now.encode());
            } catch (RuntimeException e) {
                // The change is made, so it must not fail here. The commits are there: a later checkpoint will do.
                Trace.swallowed("no checkpoint is written", e);
            }
        }
        if (number % MERGING == 0) {
            advanceMark();
            merging.run();
        }
    }

    /** Writes the hint if commits were made since. */
    private void advanceMark() {
        long number = unmarked;
        if (number > 0) {
            mark.advance(number);
            unmarked = 0;
        }
    }

    /** The attempts of one request, for as long as there is patience. */
    private final class Tries {
        private final long begun = System.nanoTime();
        private long pause = FIRST_PAUSE_MILLIS;

        /** Waits before the next attempt; returns false, if there is to be none. */
        boolean again() {
            if (closed || System.nanoTime() - begun >= patience.toNanos()) {
                return false;
            }
            counters.retries.increment();
            try {
                Thread.sleep(pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            pause = Math.min(LONGEST_PAUSE_MILLIS, pause * 2);
            return true;
        }
    }

    void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the repository is closed: " + location());
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            advanceMark();
            fetches.close();
            bucket.close();
        }
    }
}
