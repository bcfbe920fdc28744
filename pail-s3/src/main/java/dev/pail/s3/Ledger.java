package dev.pail.s3;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.pail.StoreIOException;
import dev.pail.repository.RefChangedException;
import dev.pail.repository.RepositoryException;
import dev.pail.trace.Trace;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
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

    private static final int PAGE = 1000;
    private static final long MOST_CACHED_BYTES = 16 << 20;
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long LONGEST_PAUSE_MILLIS = 1000;

    private final Bucket bucket;
    private final Clock clock;
    private final Duration patience;
    private final Counters counters;
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

    Ledger(Bucket bucket, Clock clock, Duration patience, Counters counters) {
        this.bucket = bucket;
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
                now = caughtUp(opened());
            } else if (bucket.exists(Keys.log(now.number() + 1))) {
                now = caughtUp(now);
            }
            state = now;
            return now;
        }
    }

    /** The newest state that a checkpoint has. */
    private State opened() {
        long hint = hint();
        long[] numbers = numbers(Keys.CHECKPOINTS, Math.max(0, hint - 1));
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

    /** The number of a checkpoint that is there; 0, if none is known. */
    private long hint() {
        return bucket.get(Keys.HINT)
                .map(bytes -> Keys.number("", new String(bytes, StandardCharsets.US_ASCII)))
                .filter(number -> number > 0)
                .orElse(0L);
    }

    /** The numbers of all objects of a kind behind a number. */
    private long[] numbers(String prefix, long after) {
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
        long[] numbers = numbers(Keys.LOG, from.number());
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] != from.number() + 1 + i) {
                throw missing(from.number() + 1 + i);
            }
        }
        for (int i = 0; i < numbers.length; i += INTERVAL) {
            int end = Math.min(numbers.length, i + INTERVAL);
            for (Commit each : commits(numbers[i], numbers[end - 1])) {
                now = now.after(each);
            }
        }
        return now;
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

    private Commit fetched(long number) {
        Commit known = past.getIfPresent(number);
        if (known != null) {
            return known;
        }
        String key = Keys.log(number);
        Commit commit = Commit.decode(bucket.get(key).orElseThrow(() -> missing(number)), where(key));
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
        Transaction transaction = new Transaction(current());
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

    private void commit(Transaction transaction, Function<StoreIOException, RuntimeException> unknown) {
        transaction.flush(blocks -> upload(
                transaction, PackFile.make(PackFile.newName(transaction.base().number() + 1), blocks, now())));
        if (transaction.isEmpty()) {
            return;
        }
        String id = UUID.randomUUID().toString();
        Commit commit = transaction.commit(id, now());
        byte[] content = commit.encode();
        long number = transaction.base().number() + 1;
        while (!created(number, id, content, unknown)) {
            counters.races.increment();
            Commit other = commit(number);
            State unused = advanced(number, other);
            String conflict = transaction.conflict(other);
            if (conflict != null) {
                throw new RefChangedException(conflict, "commit " + number);
            }
            number++;
        }
        committed(number, commit);
    }

    /** Creates a commit, or returns false if there is another one of this number. Rule OS7. */
    private boolean created(
            long number, String id, byte[] content, Function<StoreIOException, RuntimeException> unknown) {
        Tries tries = new Tries();
        boolean isUnknown = false;
        while (true) {
            try {
                if (bucket.create(Keys.log(number), content)) {
                    return true;
                }
                isUnknown = true;
                // It may be this one: the client of the bucket sends a request again, too, if no answer comes.
                return fetched(number).id().equals(id);
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
                now = now.after(commit);
                state = now;
            }
            return now;
        }
    }

    private void committed(long number, Commit commit) {
        past.put(number, commit);
        State now = advanced(number, commit);
        if (number % INTERVAL == 0) {
            try {
                boolean unused = bucket.create(Keys.checkpoint(now.number()), now.encode());
                bucket.put(Keys.HINT, Keys.digits(now.number()).getBytes(StandardCharsets.US_ASCII));
            } catch (RuntimeException e) {
                // The change is made, so it must not fail here. The commits are there: a later checkpoint will do.
                Trace.swallowed("no checkpoint is written", e);
            }
        }
        if (number % MERGING == 0) {
            merging.run();
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
            fetches.close();
            bucket.close();
        }
    }
}
