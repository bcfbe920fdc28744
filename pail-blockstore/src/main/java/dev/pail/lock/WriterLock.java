package dev.pail.lock;

import dev.pail.OperationInterruptedException;
import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.disk.Disk;
import dev.pail.trace.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The lock that a writer to a folder holds, among all processes and threads: the file {@code LOCK} in it. Rule REP13.
 */
public final class WriterLock {
    private static final Pattern PROCESS = Pattern.compile("process ([0-9]{1,18}),");
    private static final long SHORTEST_PAUSE_MILLISECONDS = 1;
    private static final long LONGEST_PAUSE_MILLISECONDS = 10;

    /** Longer than the poll interval, so every waiter polls at least once. */
    private static final long WAY_MILLISECONDS = LONGEST_PAUSE_MILLISECONDS + 3;

    /** After this time, a holder pauses for other writers. The pause must be short in comparison. */
    private static final Duration TURN = Duration.ofMillis(500);

    private final Disk disk;
    private final Path folder;
    private final Duration patience;

    /** The text by which other processes know the holder. It never changes, since writing it costs more than the lock. */
    private volatile @Nullable String self;

    /** @param patience how long to wait for it */
    public WriterLock(Disk disk, Path folder, Duration patience) {
        this.disk = disk;
        this.folder = folder;
        this.patience = patience;
    }

    /**
     * Takes the lock. If another writer holds it, waits.
     *
     * @throws StoreLockedException if another writer holds the lock for longer than the patience
     */
    Disk.Lock take() {
        return take(0, pause -> {});
    }

    private Disk.Lock take(long waited, LongConsumer paused) {
        Path file = folder.resolve("LOCK");
        long pause = SHORTEST_PAUSE_MILLISECONDS;
        // By what was waited, not by the clock: that may be set meanwhile.
        Duration sum = Duration.ofMillis(waited);
        Trace.Span waiting = Trace.Span.NONE;
        try {
            while (true) {
                Optional<Disk.Lock> lock = disk.tryLock(file, self());
                if (lock.isPresent()) {
                    return lock.get();
                }
                OperationInterruptedException.check("a wait for another writer of " + folder);
                waiting = waiting == Trace.Span.NONE ? Trace.lockWait(file) : waiting;
                if (sum.compareTo(patience) >= 0) {
                    throw new StoreLockedException(folder.toString(), holder(disk.holder(file)));
                }
                disk.pause(pause);
                sum = sum.plusMillis(pause);
                paused.accept(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE_MILLISECONDS);
            }
        } catch (IOException e) {
            throw new StoreIOException("cannot take the lock", file.toString(), e);
        } finally {
            waiting.close();
        }
    }

    /**
     * Does something while it is held.
     *
     * @throws StoreLockedException if another writer holds it for longer than there is patience
     */
    public <T> T holding(Supplier<T> action) {
        return holding(take(), action);
    }

    private static <T> T holding(Disk.Lock held, Supplier<T> action) {
        try {
            return action.get();
        } finally {
            held.close();
        }
    }

    /** Does something while it is held, as {@link #holding(Supplier)} does. */
    public void holding(Runnable action) {
        holding(() -> {
            action.run();
            return action;
        });
    }

    /** For those who take it again and again. */
    public Turns turns() {
        return new Turns();
    }

    /**
     * Takes the lock again and again, and now and then leaves it free for longer than the poll interval: waiting writers are not in a
     * queue but poll. For one thread at a time.
     */
    public final class Turns {
        /** How long the lock had been held since the last such pause, when it was last released. */
        private Duration before = Duration.ZERO;

        /** When the lock was taken; null if it is not held. */
        private @Nullable Instant from;

        private Turns() {}

        /**
         * Takes the lock. If another writer holds it, waits.
         *
         * @param waited how long this has already waited for the lock, in milliseconds
         * @param paused receives the length of each pause, in milliseconds
         * @throws StoreLockedException if another writer holds the lock for longer than the patience
         */
        public Disk.Lock take(long waited, LongConsumer paused) {
            if (isOver()) {
                disk.pause(WAY_MILLISECONDS);
                before = Duration.ZERO;
            }
            Disk.Lock lock = WriterLock.this.take(waited, paused);
            try {
                from = disk.now();
                return () -> release(lock);
            } catch (RuntimeException | Error e) {
                lock.close();
                throw e;
            }
        }

        private void release(Disk.Lock lock) {
            try {
                before = time();
            } finally {
                from = null;
                lock.close();
            }
        }

        /** Whether others should have it now. */
        public boolean isOver() {
            return time().compareTo(TURN) >= 0;
        }

        private Duration time() {
            Instant since = from;
            if (since == null) {
                return before;
            }
            Instant now = disk.now();
            if (now.isBefore(since)) {
                // The clock was set back.
                from = now;
                return before;
            }
            return before.plus(Duration.between(since, now));
        }

        /** Does something while it is held, as {@link WriterLock#holding(Supplier)} does. */
        public <T> T holding(Supplier<T> action) {
            return WriterLock.holding(take(0, pause -> {}), action);
        }
    }

    /** Who holds it, by what the file says. That may be left from a process that has ended: the next holder writes it a little later. */
    private static String holder(String content) {
        Matcher process = PROCESS.matcher(content);
        boolean hasEnded = process.lookingAt()
                && ProcessHandle.of(Long.parseLong(process.group(1))).isEmpty();
        return content.isEmpty() || hasEnded ? "another writer" : content;
    }

    private String self() {
        String known = self;
        if (known == null) {
            known = "process " + ProcessHandle.current().pid() + ", which writes since " + disk.now();
            self = known;
        }
        return known;
    }
}
