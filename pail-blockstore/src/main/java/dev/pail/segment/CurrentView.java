package dev.pail.segment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.disk.Disk;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The view that readers use now: the one that the writer of this process last showed, or the one that a reader last loaded to see what
 * other processes have written. For use by several threads at once; {@link #get} takes no lock.
 *
 * <p>Loading and the change between shared and alone take the monitor of this object. Only {@link #show} writes the view without it: the
 * writer calls it while {@code alone} is true, and then no thread loads. A thread that holds the writer's lock may take this monitor, but
 * a thread that holds this monitor never takes the writer's lock.
 */
final class CurrentView {
    private final Disk disk;
    private final Catalog catalog;

    /** Written under the monitor, or by {@link #show}; read without. */
    private volatile View view = View.NONE;

    /** Whether only the writer of this process writes, so that a load can find nothing new. Written under the monitor, read without. */
    private volatile boolean alone;

    /** Whether {@link #refresh} has loaded a view before. */
    @GuardedBy("this")
    private boolean loaded;

    @GuardedBy("this")
    private boolean closed;

    CurrentView(Disk disk, Catalog catalog) {
        this.disk = disk;
        this.catalog = catalog;
    }

    View get() {
        return view;
    }

    @SuppressWarnings("ReferenceEquality") // A changed view is another object.
    boolean differs(View seen) {
        return view != seen;
    }

    /** Shows the view that the writer has made. */
    void show(View next) {
        view = next;
    }

    /** Loads what other processes have written. From now on, only this process writes. */
    synchronized View own() throws IOException {
        load();
        alone = true;
        return view;
    }

    private synchronized void load() throws IOException {
        if (closed) {
            throw new IOException("closed");
        }
        View before = view;
        View.Tail tail = before.tail();
        long end = tail == null ? 0 : tail.end;
        try {
            view = ViewLoader.load(disk, catalog, before);
        } catch (IOException | RuntimeException | Error e) {
            // A reader that looked into the tail before this load added to it must look again.
            if (tail != null && tail.end != end) {
                view = new View(before.segments(), tail, before.lost(), before.last());
            }
            throw e;
        }
        before.closeFilesNotIn(view);
    }

    interface Check {
        boolean test() throws IOException;
    }

    /**
     * Tests whether other processes have written nothing since this one did. If so, from now on only this process writes, and nothing
     * needs to be loaded. The monitor keeps readers from loading during the test what the writer would cut off.
     */
    synchronized boolean ownAgain(Check untouched) throws IOException {
        alone = untouched.test();
        return alone;
    }

    /** From now on other processes may write. */
    synchronized void share() {
        alone = false;
    }

    /** The view, loaded if none was loaded before. */
    View found() throws IOException {
        if (!alone && view.segments().isEmpty()) {
            refresh(view);
        }
        return view;
    }

    /** Loads what other processes have written, and says whether there is anything that the seen view lacks. */
    synchronized boolean refresh(View seen) throws IOException {
        if (alone) {
            return differs(seen);
        }
        View now = view;
        if (differs(seen)) {
            return true;
        }
        View.Tail tail = now.tail();
        if (loaded && tail != null && !tail.file.isWritten(tail.end) && catalog.isOpen(tail)) {
            return false;
        }
        List<View.Extent> before = now.extents();
        load();
        loaded = true;
        return isAnother(tail, view.tail()) || !view.extents().equals(before);
    }

    @SuppressWarnings("ReferenceEquality") // Another one may be as long.
    private static boolean isAnother(View.@Nullable Tail before, View.@Nullable Tail now) {
        return before != now;
    }

    /** Loads what other processes have written and removed. */
    synchronized void renew() {
        if (!alone && !view.segments().isEmpty()) {
            try {
                load();
            } catch (IOException e) {
                throw catalog.failure("cannot look for blocks", e);
            }
        }
    }

    /** Closes the files. Later loads fail. */
    synchronized void close() throws IOException {
        closed = true;
        view.closeFilesNotIn(View.NONE);
    }
}
