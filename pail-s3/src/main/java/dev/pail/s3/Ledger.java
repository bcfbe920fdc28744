package dev.pail.s3;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.StoreIOException;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.RepositoryException;
import dev.pail.trace.Trace;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The log of a repository: numbered commits, each an object that is created once. The state after the newest one is what the
 * repository is. An update reads a state and creates the next commit; if another writer was faster, it goes behind that one, unless they
 * conflict (rule OS5). Safe for use by several threads; each has an update of its own.
 */
final class Ledger implements AutoCloseable {
    /** How many commits there are from one checkpoint to the next. */
    static final int INTERVAL = 64;

    /** How many commits there are from one look at whether packs should be merged to the next. */
    private static final int MERGING = 16;

    /** How many looks for newer commits there are from one check that the newest is still there to the next. */
    private static final int LOOKS = 16;

    private static final int PAGE = 1000;
    private static final long MOST_CACHED_BYTES = 16 << 20;
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long LONGEST_PAUSE_MILLIS = 1000;

    private final Bucket bucket;
    private final Clock clock;
    private final Duration patience;
    private final S3Counters counters;
    private final Fetches fetches = new Fetches();

    /** Commits of the past: those never change. */
    private final Cache<Long, Commit> past = Caffeine.newBuilder()
            .maximumWeight(MOST_CACHED_BYTES)
            .executor(Runnable::run)
            .weigher((Long number, Commit commit) -> commit.weight())
            .build();

    @SuppressWarnings("ThreadLocalUsage") // A thread may be in updates of several repositories.
    private final ThreadLocal<@Nullable Transaction> own = new ThreadLocal<>();

    private final Object refreshing = new Object();
    private volatile @Nullable State state;
    private volatile boolean closed;
    private volatile Runnable merging = () -> {};

    private volatile Window window = new Window(0, List.of());

    private final Mark mark;

    /** How the object of the newest commit begins; null, if it was not read since. */
    private volatile @Nullable Witness witness;

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
                now = caughtUp(now);
            }
            state = now;
            return now;
        }
    }

    /** The state after the newest commit, which is still there. */
    private State currentForWriter() {
        synchronized (refreshing) {
            State now = current();
            checkWitness(now);
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

    /** The newest state that a checkpoint has, or that of no commit. */
    State checkpoint() {
        return opened(0);
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
        State now = caughtUp(opened(hint.number()));
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
            now = caughtUp(now);
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
            checkWitness(now);
        }
        return bucket.exists(Keys.log(now.number() + 1));
    }

    /** Checks that the newest commit that is known is still there. If it is not, the bucket was restored. Rule OS14. */
    private void checkWitness(State now) {
        if (now.number() == 0) {
            return;
        }
        String newest = Keys.log(now.number());
        Witness known = witness;
        Optional<byte[]> found = bucket.get(newest, 0, Witness.LENGTH);
        boolean isOther = known != null
                && known.number == now.number()
                && found.isPresent()
                && !Arrays.equals(known.begin, found.get());
        if (found.isEmpty() || isOther) {
            throw RepositoryException.damaged(
                    "the repository went back: commit " + now.number() + ", which this process knows, is "
                            + (found.isEmpty() ? "gone: " : "another one: ") + where(newest),
                    "end this program; if the bucket was restored, open the repository again",
                    null);
        }
        witness = new Witness(now.number(), found.get());
    }

    /**
     * How the object of a commit begins: with its CID.
     *
     * @param number of the commit
     */
    @SuppressWarnings("ArrayRecordComponent") // Compared by content where it is used.
    private record Witness(long number, byte[] begin) {
        private static final int LENGTH = 36;
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
            long[] all = numbers(Keys.LOG, 0);
            long next = firstNeeded(0, all);
            for (long number : all) {
                if (number > next) {
                    throw missing(next);
                }
                next += number == next ? 1 : 0;
            }
            if (next <= now.number()) {
                throw missing(next);
            }
        }
    }

    /** The number of the commit from which on all must be there: the next one, or the last behind a gap that begins anew. (OS13). */
    private long firstNeeded(long after, long[] numbers) {
        for (int i = numbers.length - 1; i >= 0; i--) {
            boolean isBehindGap = numbers[i] != (i == 0 ? after : numbers[i - 1]) + 1;
            if (isBehindGap && fetched(numbers[i]).isRecovery()) {
                return numbers[i];
            }
        }
        return after + 1;
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

    /** The newest state that a checkpoint has. */
    private State opened(long hint) {
        long[] numbers = numbers(Keys.CHECKPOINTS, Math.max(0, hint - hint % INTERVAL - 1));
        if (numbers.length == 0 && hint > 0) {
            numbers = numbers(Keys.CHECKPOINTS, 0);
        }
        for (int i = numbers.length - 1; i >= 0; i--) {
            long number = numbers[i];
            String key = Keys.checkpoint(number);
            try {
                Optional<State> found = bucket.get(key).map(bytes -> State.decode(bytes, where(key)));
                if (found.isPresent() && found.get().number() == number) {
                    return found.get();
                }
            } catch (RepositoryException e) {
                // All commits are there, too, so an older one will do.
                Trace.swallowed("a checkpoint is left out", e);
            }
        }
        return State.EMPTY;
    }

    /** The numbers of all objects of a kind behind a number. */
    long[] numbers(String prefix, long after) {
        LongStream.Builder numbers = LongStream.builder();
        String last = prefix + Keys.digits(after);
        while (true) {
            List<Bucket.Listed> page = bucket.list(prefix, last, PAGE);
            for (Bucket.Listed each : page) {
                long number = Keys.number(prefix, each.key());
                if (number > 0) {
                    numbers.add(number);
                }
                last = each.key();
            }
            if (page.size() < PAGE) {
                return numbers.build().toArray();
            }
        }
    }

    /** The state after all commits that follow. */
    private State caughtUp(State from) {
        State now = from;
        long[] all = numbers(Keys.LOG, from.number());
        long first = firstNeeded(from.number(), all);
        if (first > from.number() + 1) {
            // What was before does not count.
            now = new State(first - 1, new TreeMap<>(), new TreeMap<>());
        }
        long[] numbers = LongStream.of(all).filter(number -> number >= first).toArray();
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] != first + i) {
                throw missing(first + i);
            }
        }
        for (int i = 0; i < numbers.length; i += INTERVAL) {
            int end = Math.min(numbers.length, i + INTERVAL);
            for (Commit each : commits(numbers[i], numbers[end - 1])) {
                now = followed(now, each);
            }
        }
        return now;
    }

    private State followed(State before, Commit commit) {
        try {
            return before.after(commit);
        } catch (State.CommitException e) {
            throw Frame.damaged("a damaged object: " + where(Keys.log(e.number())) + ": " + e.getMessage(), null);
        }
    }

    private RepositoryException missing(long number) {
        return Frame.damaged("commit " + number + " is missing: " + where(Keys.log(number)), null);
    }

    private String where(String key) {
        return bucket.location() + "/" + key;
    }

    private List<Commit> commits(long first, long last) {
        List<Supplier<Commit>> requests = new ArrayList<>();
        for (long number = first; number <= last; number++) {
            long each = number;
            requests.add(() -> fetched(each));
        }
        return fetches.all(requests);
    }

    Commit fetched(long number) {
        Commit known = past.getIfPresent(number);
        if (known != null) {
            return known;
        }
        String key = Keys.log(number);
        Commit commit = Commit.decode(bucket.get(key).orElseThrow(() -> missing(number)), number, where(key));
        past.put(number, commit);
        return commit;
    }

    /** A commit of the past. Fetches more of them together if they are asked for one after the other. */
    Commit commit(long number) {
        checkOpen();
        Window last = window;
        Commit known = last.find(number);
        if (known == null) {
            known = past.getIfPresent(number);
        }
        if (known == null) {
            boolean isNext = number < last.first && last.first - number <= INTERVAL;
            long first = isNext ? Math.max(1, number - INTERVAL + 1) : number;
            Window next = new Window(first, commits(first, number));
            window = next;
            known = Objects.requireNonNull(next.find(number));
        }
        return known;
    }

    /**
     * The commits that were fetched together last: a reader of a log then asks for older ones.
     *
     * @param first the number of the first of them
     */
    private record Window(long first, List<Commit> commits) {
        @Nullable
        Commit find(long number) {
            return number < first || number >= first + commits.size() ? null : commits.get((int) (number - first));
        }
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
                                        + where(Keys.pack(made.pack().name())),
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
                        "cannot create an object", where(key), "the store says that it is there, and has none", null));
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
                return fetched(number).id().equals(commit.id());
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
                now = followed(now, commit);
                state = now;
            }
            return now;
        }
    }

    private void committed(long number, Commit commit) {
        past.put(number, commit);
        State now = advanced(number, commit);
        witness = new Witness(number, Arrays.copyOf(commit.encode(), Witness.LENGTH));
        unmarked = now.number();
        if (number % INTERVAL == 0) {
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
