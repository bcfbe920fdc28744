package dev.pail.cli.terminal;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far long work has come: a line on standard error that is written over and over, and gone in the end. A thread of its own writes it
 * while no step comes. For any thread.
 */
public final class Progress implements AutoCloseable {
    private static final long FIRST_NANOS = 500_000_000;
    private static final long NEXT_NANOS = 100_000_000;

    /** The remaining time is shown after one part in this many: if steps come in portions, the first ones are late. */
    private static final int LEAST_PART = 100;

    private static final double NANOS = 1e9;
    private static final double MEBI = 1 << 20;

    private final @Nullable Terminal terminal;
    private final String what;
    private final @Nullable LongSupplier bytes;
    private final long size;
    private final long begun;
    private long due;
    private long count;
    private boolean isShown;
    private boolean isPaused;
    private boolean isClosed;

    /**
     * @param terminal where to show it, or null to show nothing
     * @param what is counted
     * @param bytes how many were read or written; null, if that says nothing
     * @param size how many there will be, or -1 where that is not known
     */
    public Progress(@Nullable Terminal terminal, String what, @Nullable LongSupplier bytes, long size) {
        this.terminal = terminal;
        this.what = what;
        this.bytes = bytes;
        this.size = size;
        this.begun = terminal == null ? 0 : terminal.nanos();
        this.due = begun + FIRST_NANOS;
    }

    /** Shows it even while no step comes, from now until it is closed, if the terminal is that of the process. Returns this. */
    public Progress shownWithoutSteps() {
        if (terminal != null && terminal.mayEnd()) {
            Thread ticker = new Thread(this::tickUntilClosed, "progress");
            ticker.setDaemon(true);
            ticker.start();
        }
        return this;
    }

    private synchronized void tickUntilClosed() {
        while (!isClosed) {
            tick();
            try {
                wait(TimeUnit.NANOSECONDS.toMillis(FIRST_NANOS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Counts from the beginning again. */
    public synchronized void restart() {
        count = 0;
    }

    /** One more is done. */
    public synchronized void step() {
        count++;
        isPaused = false;
        tick();
    }

    /** Shows the line, if it is time to. */
    synchronized void tick() {
        if (terminal == null || isPaused || terminal.isTyped()) {
            return;
        }
        long now = terminal.nanos();
        if (now - due >= 0) {
            due = now + NEXT_NANOS;
            terminal.showTransient(text(now - begun));
            isShown = true;
        }
    }

    private String text(long nanos) {
        double seconds = nanos / NANOS;
        String text = count == 0
                ? String.format(Locale.ROOT, "%s, %,.0f s", what, seconds)
                : String.format(Locale.ROOT, "%,d %s, %,.0f a second", count, what, count / seconds);
        if (bytes == null) {
            return text;
        }
        long done = bytes.getAsLong();
        text += String.format(Locale.ROOT, ", %.1f MiB", done / MEBI);
        if (size <= 0 || done == 0 || done < size / LEAST_PART) {
            return text;
        }
        double left = seconds * Math.max(0, size - done) / done;
        return text + String.format(Locale.ROOT, " of %.1f, %.0f s left", size / MEBI, Math.ceil(left));
    }

    /** Takes the line away, until the next step: something else is to be printed. */
    public synchronized void hide() {
        isPaused = true;
        if (terminal != null && isShown) {
            terminal.showTransient("");
            isShown = false;
        }
    }

    @Override
    public synchronized void close() {
        hide();
        isClosed = true;
        notifyAll();
    }
}
