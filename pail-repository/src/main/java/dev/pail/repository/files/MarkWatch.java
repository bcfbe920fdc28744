package dev.pail.repository.files;

import dev.pail.disk.Disk;
import dev.pail.repository.spi.RefStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A watch over a branch: it waits for a notice of the file system or, without notices, for a second. Then it compares the mark of the
 * branch, which costs much less than reading the head.
 */
final class MarkWatch implements RefStore.Watch {
    private static final Duration POLL = Duration.ofSeconds(1);

    /** How long to wait for a notice that will come: should it not, a reader gets the update then. */
    private static final Duration LONG = Duration.ofSeconds(30);

    private final BranchFiles branches;
    private final String branch;
    private final Optional<Disk.Watch> names;
    private final RefStore.Watch time;

    /** Null if it could not be read. */
    private @Nullable String mark;

    /** @param time what waits, if there is no notice */
    MarkWatch(BranchFiles branches, String branch, RefStore.Watch time) {
        this.branches = branches;
        this.branch = branch;
        this.names = branches.watch();
        this.time = time;
        this.mark = read();
    }

    private @Nullable String read() {
        try {
            return branches.mark(branch);
        } catch (IOException e) {
            // Who reads the branch gets it.
            return null;
        }
    }

    @Override
    public boolean await(Duration atMost) throws InterruptedException {
        if (names.isPresent()) {
            Duration longest = names.get().isComplete() ? LONG : POLL;
            names.get().await(atMost.compareTo(longest) < 0 ? atMost : longest);
        } else {
            time.await(atMost);
        }
        String before = mark;
        mark = read();
        return mark == null || !mark.equals(before);
    }

    @Override
    public void close() {
        names.ifPresent(Disk.Watch::close);
        time.close();
    }
}
