package dev.pail.s3;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.pail.repository.model.RepositoryException;
import dev.pail.trace.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the commits and checkpoints of a log, and caches commits, which never change. Which commit is the newest one, its caller knows.
 * Safe for use by several threads.
 */
final class Commits {
    /** How many commits there are from one checkpoint to the next. */
    static final int INTERVAL = 64;

    private static final int PAGE = 1000;
    private static final long MOST_CACHED_BYTES = 16 << 20;

    private final Bucket bucket;
    private final Fetches fetches;

    private final Cache<Long, Commit> past = Caffeine.newBuilder()
            .maximumWeight(MOST_CACHED_BYTES)
            .executor(Runnable::run)
            .weigher((Long number, Commit commit) -> commit.weight())
            .build();

    private volatile Window window = new Window(0, List.of());

    /** How the object of the commit begins that was checked or created last. */
    private volatile @Nullable Witness witness;

    Commits(Bucket bucket, Fetches fetches) {
        this.bucket = bucket;
        this.fetches = fetches;
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

    /**
     * The newest state that a checkpoint has, or that of no commit.
     *
     * @param hint the number of a commit that exists, of the newest ones; 0 or less, if none is known
     */
    State checkpoint(long hint) {
        long[] numbers = numbers(Keys.CHECKPOINTS, Math.max(0, hint - hint % INTERVAL - 1));
        if (numbers.length == 0 && hint > 0) {
            numbers = numbers(Keys.CHECKPOINTS, 0);
        }
        for (int i = numbers.length - 1; i >= 0; i--) {
            long number = numbers[i];
            String key = Keys.checkpoint(number);
            try {
                Optional<State> found = bucket.get(key).map(bytes -> State.decode(bytes, bucket.where(key)));
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

    /** The state after all commits that follow. */
    State caughtUp(State from) {
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
            for (Commit each : range(numbers[i], numbers[end - 1])) {
                now = followed(now, each);
            }
        }
        return now;
    }

    /** The state after one more commit. */
    State followed(State before, Commit commit) {
        try {
            return before.after(commit);
        } catch (State.CommitException e) {
            throw Frame.damaged(
                    "a damaged object: " + bucket.where(Keys.log(e.number())) + ": " + e.getMessage(), null);
        }
    }

    /** Checks that all commits are there, from the oldest one that counts to this one. */
    void checkAll(long newest) {
        long[] all = numbers(Keys.LOG, 0);
        long next = firstNeeded(0, all);
        for (long number : all) {
            if (number > next) {
                throw missing(next);
            }
            next += number == next ? 1 : 0;
        }
        if (next <= newest) {
            throw missing(next);
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

    /** Checks that a commit that this process knows is still there. If it is not, the bucket was restored. Rule OS14. */
    void checkThere(long number) {
        if (number == 0) {
            return;
        }
        String key = Keys.log(number);
        Witness known = witness;
        Optional<byte[]> found = bucket.get(key, 0, Witness.LENGTH);
        boolean isOther = known != null
                && known.number == number
                && found.isPresent()
                && !Arrays.equals(known.begin, found.get());
        if (found.isEmpty() || isOther) {
            throw RepositoryException.damaged(
                    "the repository went back: commit " + number + ", which this process knows, is "
                            + (found.isEmpty() ? "gone: " : "another one: ") + bucket.where(key),
                    "end this program; if the bucket was restored, open the repository again",
                    null);
        }
        witness = new Witness(number, found.get());
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

    private RepositoryException missing(long number) {
        return Frame.damaged("commit " + number + " is missing: " + bucket.where(Keys.log(number)), null);
    }

    private List<Commit> range(long first, long last) {
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
        Commit commit = Commit.decode(bucket.get(key).orElseThrow(() -> missing(number)), number, bucket.where(key));
        past.put(number, commit);
        return commit;
    }

    /** A commit of the past. Fetches more of them together if they are asked for one after the other. */
    Commit commit(long number) {
        Window last = window;
        Commit known = last.find(number);
        if (known == null) {
            known = past.getIfPresent(number);
        }
        if (known == null) {
            boolean isNext = number < last.first && last.first - number <= INTERVAL;
            long first = isNext ? Math.max(1, number - INTERVAL + 1) : number;
            Window next = new Window(first, range(first, number));
            window = next;
            known = Objects.requireNonNull(next.find(number));
        }
        return known;
    }

    /** Caches a commit that this process has created, as the newest one. */
    void created(long number, Commit commit) {
        past.put(number, commit);
        witness = new Witness(number, Arrays.copyOf(commit.encode(), Witness.LENGTH));
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
}
