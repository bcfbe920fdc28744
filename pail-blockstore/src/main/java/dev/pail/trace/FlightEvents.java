package dev.pail.trace;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;

/**
 * The events for Flight Recorder. Java takes a tenth of a second to load the first of them, so they are made only while there is a
 * recording.
 */
@SuppressWarnings("UnusedVariable") // Flight Recorder reads the fields.
final class FlightEvents {
    private static final boolean IS_HERE = isHere();

    private FlightEvents() {}

    /** A Java runtime may come without Flight Recorder. */
    private static boolean isHere() {
        try {
            Class.forName("jdk.jfr.FlightRecorder");
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Whether Flight Recorder was started in this process. */
    static boolean isOn() {
        return IS_HERE && FlightRecorder.isInitialized();
    }

    static Trace.Span sync(Path file) {
        Sync event = new Sync();
        event.file = file.toString();
        return begun(event);
    }

    static Trace.Span lockWait(Path file) {
        LockWait event = new LockWait();
        event.file = file.toString();
        return begun(event);
    }

    static Trace.Span collection(String location) {
        Collection event = new Collection();
        event.location = location;
        return begun(event);
    }

    private static Trace.Span begun(Event event) {
        event.begin();
        return event::commit;
    }

    /** A file or folder was synced. */
    @Name("dev.pail.Sync")
    @Label("Sync")
    @Category("Pail")
    private static final class Sync extends Event {
        @Label("File")
        String file = "";
    }

    /** A writer waited for the lock. */
    @Name("dev.pail.LockWait")
    @Label("Lock wait")
    @Category("Pail")
    private static final class LockWait extends Event {
        @Label("File")
        String file = "";
    }

    /** Garbage was collected. */
    @Name("dev.pail.Collection")
    @Label("Garbage collection")
    @Category("Pail")
    private static final class Collection extends Event {
        @Label("Location")
        String location = "";
    }
}
