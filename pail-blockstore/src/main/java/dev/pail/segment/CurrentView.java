package dev.pail.segment;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.disk.Disk;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The view that is read from now: as the writer of this process shows it, or as it was found when last was looked for what other
 * processes have written. For use by several threads at once; reading it takes no lock.
 */
final class CurrentView {
    private final Disk disk;
    private final Catalog catalog;

    private volatile View view = View.NONE;

    /** Whether nobody writes but the writer that shows its views here, so that nothing new can be found. */
    private volatile boolean alone;

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

    @SuppressWarnings("ReferenceEquality") // Views change as a whole.
    boolean differs(View seen) {
        return view != seen;
    }

    /** Shows other segments from now on: what the writer has changed. */
    void show(View next) {
        view = next;
    }

    /** Looks a last time for what others have written: from now on, only this process writes. */
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
        view = ViewLoader.load(disk, catalog, before);
        before.closeFilesNotIn(view);
    }

    interface Check {
        boolean test() throws IOException;
    }

    /**
     * From now on only this process writes, if others have written nothing since it did, which is what it returns. Meanwhile nobody takes in
     * what others wrote: it may have been cut off again when that is looked for.
     */
    synchronized boolean ownAgain(Check untouched) throws IOException {
        alone = untouched.test();
        return alone;
    }

    /** From now on others may write. */
    synchronized void share() {
        alone = false;
    }

    /** The segments, after looking for them if that was not done. */
    View found() throws IOException {
        if (!alone && view.segments().isEmpty()) {
            refresh(view);
        }
        return view;
    }

    /** Looks for what other processes have written, and says whether there is anything. */
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

    /** Looks what other processes have written and removed. */
    synchronized void renew() {
        if (!alone && !view.segments().isEmpty()) {
            try {
                load();
            } catch (IOException e) {
                throw catalog.failure("cannot look for blocks", e);
            }
        }
    }

    /** Closes the files, and opens none any more. */
    synchronized void close() throws IOException {
        closed = true;
        view.closeFilesNotIn(View.NONE);
    }
}
