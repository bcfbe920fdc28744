package dev.pail.cli.terminal;

import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How far long work has come: a line on standard error that is written over and over, and gone in the end. */
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

    /** Counts from the beginning again. */
    public void restart() {
        count = 0;
    }

    /** One more is done. */
    public void step() {
        count++;
        if (terminal == null) {
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
        String text = String.format(Locale.ROOT, "%,d %s, %,.0f a second", count, what, count / seconds);
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
    public void hide() {
        if (terminal != null && isShown) {
            terminal.showTransient("");
            isShown = false;
        }
    }

    @Override
    public void close() {
        hide();
    }
}
