package dev.pail.cli;

import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How far long work has come: a line on standard error that is written over and over, and gone in the end. */
final class Progress implements AutoCloseable {
    private static final long FIRST_NANOS = 500_000_000;
    private static final long NEXT_NANOS = 100_000_000;
    private static final double NANOS = 1e9;
    private static final double MEBI = 1 << 20;

    private final @Nullable Terminal terminal;
    private final String what;
    private final @Nullable Lines lines;
    private final LongSupplier clock;
    private final long begun;
    private long due;
    private long count;

    /**
     * @param terminal where to show it, or null to show nothing
     * @param what is counted
     * @param lines that are read, or null where the work is none with lines
     * @param clock tells nanoseconds
     */
    Progress(@Nullable Terminal terminal, String what, @Nullable Lines lines, LongSupplier clock) {
        this.terminal = terminal;
        this.what = what;
        this.lines = lines;
        this.clock = clock;
        this.begun = clock.getAsLong();
        this.due = begun + FIRST_NANOS;
    }

    /** Counts from the beginning again. */
    void restart() {
        count = 0;
    }

    /** One more is done. */
    void step() {
        count++;
        if (terminal == null) {
            return;
        }
        long now = clock.getAsLong();
        if (now - due >= 0) {
            due = now + NEXT_NANOS;
            terminal.showTransient(text(now - begun));
        }
    }

    private String text(long nanos) {
        double seconds = nanos / NANOS;
        String text = String.format(Locale.ROOT, "%,d %s, %,.0f a second", count, what, count / seconds);
        if (lines == null) {
            return text;
        }
        text += String.format(Locale.ROOT, ", %.1f MiB", lines.bytes() / MEBI);
        if (lines.size() <= 0 || lines.bytes() == 0) {
            return text;
        }
        double left = seconds * Math.max(0, lines.size() - lines.bytes()) / lines.bytes();
        return text + String.format(Locale.ROOT, " of %.1f, %.0f s left", lines.size() / MEBI, Math.ceil(left));
    }

    /** Takes the line away. */
    @Override
    public void close() {
        if (terminal != null && due != begun + FIRST_NANOS) {
            terminal.showTransient("");
        }
    }
}
