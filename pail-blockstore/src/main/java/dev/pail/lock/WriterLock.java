package dev.pail.lock;

import dev.pail.StoreIOException;
import dev.pail.StoreLockedException;
import dev.pail.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The lock that whoever writes to what is in a folder holds, among all processes and threads: the file {@code LOCK} in it (spec
 * rule REP13).
 */
public final class WriterLock {
    private static final long SHORTEST_PAUSE_MILLISECONDS = 1;
    private static final long LONGEST_PAUSE_MILLISECONDS = 20;

    /** A little more than that: whoever waits has looked at least once meanwhile. */
    private static final long WAY_MILLISECONDS = LONGEST_PAUSE_MILLISECONDS + 5;

    /** Who has held it for so long lets others have it. Letting them have it should not take long beside that. */
    public static final Duration TURN = Duration.ofMillis(500);

    private final Disk disk;
    private final Path folder;
    private final Duration patience;

    /** What others read of who holds it: always the same, since writing it costs more than the lock. */
    private volatile @Nullable String self;

    /** @param patience how long to wait for it */
    public WriterLock(Disk disk, Path folder, Duration patience) {
        this.disk = disk;
        this.folder = folder;
        this.patience = patience;
    }

    /**
     * Takes it, and waits for that where another holds it.
     *
     * @throws StoreLockedException if another writer holds it for longer than there is patience
     */
    public Disk.Lock take() {
        return take(0, pause -> {});
    }

    /**
     * Takes it, as {@link #take()} does, for whoever has waited for some time already.
     *
     * @param waited for how long, in milliseconds
     * @param paused is told of each pause that is made, in milliseconds
     */
    public Disk.Lock take(long waited, LongConsumer paused) {
        Path file = folder.resolve("LOCK");
        long pause = SHORTEST_PAUSE_MILLISECONDS;
        // By what was waited, not by the clock: that may be set meanwhile.
        Duration sum = Duration.ofMillis(waited);
        try {
            while (true) {
                Optional<Disk.Lock> lock = disk.tryLock(file, self());
                if (lock.isPresent()) {
                    return lock.get();
                }
                if (sum.compareTo(patience) >= 0) {
                    String holder = disk.holder(file);
                    throw new StoreLockedException(folder.toString(), holder.isEmpty() ? "another writer" : holder);
                }
                disk.pause(pause);
                sum = sum.plusMillis(pause);
                paused.accept(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE_MILLISECONDS);
            }
        } catch (IOException e) {
            throw new StoreIOException("cannot take the lock", file.toString(), Disk.reason(e), e);
        }
    }

    /**
     * Does something while it is held.
     *
     * @throws StoreLockedException if another writer holds it for longer than there is patience
     */
    public <T> T holding(Supplier<T> action) {
        Disk.Lock held = take();
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

    /** Lets so much time pass that others have it who wait for it. It must be free. */
    public void giveWay() {
        disk.pause(WAY_MILLISECONDS);
    }

    /** For who takes it again and again for one thing. */
    public Turns turns() {
        return new Turns();
    }

    /**
     * Holds it again and again, and leaves it free in between for as long as others need to notice: they are not in a queue, but look
     * now and then. For one thread at a time.
     */
    public final class Turns {
        private Duration held = Duration.ZERO;

        private Turns() {}

        /** Does something while it is held, as {@link WriterLock#holding(Supplier)} does. */
        public <T> T holding(Supplier<T> action) {
            if (held.compareTo(TURN) >= 0) {
                giveWay();
                held = Duration.ZERO;
            }
            return WriterLock.this.holding(() -> {
                Instant from = disk.now();
                try {
                    return action.get();
                } finally {
                    Duration time = Duration.between(from, disk.now());
                    // The clock may have been set back.
                    held = time.isNegative() ? held : held.plus(time);
                }
            });
        }
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
