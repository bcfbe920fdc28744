package dev.pail.trace;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Tells of what no result and no exception tells of. The system logger {@code dev.pail} gets a line at WARNING for each failure that
 * does not reach the caller, and a line at DEBUG for each sync, each wait for a lock, and each garbage collection. Flight Recorder gets
 * an event for each of these three, if a recording was started. Safe for use by several threads.
 *
 * <p>Java takes some 20 milliseconds to find its logger. A program that starts for each command sets the system property
 * {@code dev.pail.log} to {@code off}: then no logger is looked for.
 */
public final class Trace {
    private static final boolean OFF = "off".equals(System.getProperty("dev.pail.log"));

    /** Is loaded when the first line is written. */
    private static final class Loaded {
        private static final System.Logger LOGGER = System.getLogger("dev.pail");
    }

    private Trace() {}

    /** Work that takes time. It ends with {@link #close}. */
    public interface Span extends AutoCloseable {
        /** For work that is not traced. */
        Span NONE = () -> {};

        @Override
        void close();
    }

    /**
     * Records a failure that the caller does not see, because the operation continued in another way.
     *
     * @param what what could not be done, on which file or block, and what was done instead
     */
    public static void swallowed(String what, Throwable cause) {
        if (!OFF) {
            Loaded.LOGGER.log(System.Logger.Level.WARNING, what, cause);
        }
    }

    /** A file or folder is about to be synced. */
    public static Span sync(Path file) {
        return span(FlightEvents.isOn() ? FlightEvents.sync(file) : Span.NONE, "synced", file);
    }

    /** Another writer holds the lock of a folder. */
    public static Span lockWait(Path file) {
        return span(FlightEvents.isOn() ? FlightEvents.lockWait(file) : Span.NONE, "waited for the lock", file);
    }

    /**
     * Garbage is about to be collected.
     *
     * @param location where, as the ref store says it
     */
    public static Span collection(String location) {
        return span(
                FlightEvents.isOn() ? FlightEvents.collection(location) : Span.NONE, "collected garbage in", location);
    }

    private static Span span(Span recorded, String did, Object where) {
        if (OFF || !Loaded.LOGGER.isLoggable(System.Logger.Level.DEBUG)) {
            return recorded;
        }
        long begun = System.nanoTime();
        return () -> {
            recorded.close();
            long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
            Loaded.LOGGER.log(System.Logger.Level.DEBUG, () -> did + " " + where + ", " + micros + " µs");
        };
    }
}
