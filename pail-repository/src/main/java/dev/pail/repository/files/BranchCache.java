package dev.pail.repository.files;

import dev.pail.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The states of branches, each with the size and mtime of its two files. While these are the same, the branch has not moved. A move
 * appends a line to the log before it replaces the head (spec rule REP14), and no writer cuts a log off below the line that leads to
 * the head. The mtime shows what people change by hand. Safe for use by several threads.
 */
final class BranchCache {
    /** A file system may round an mtime to this. A younger file may change again and keep its mtime. */
    private static final Duration COARSE = Duration.ofSeconds(2);

    private static final int MOST = 256;

    private final Disk disk;
    private final Map<String, Files> known = new ConcurrentHashMap<>();

    /**
     * What a look at the two files of a branch shows.
     *
     * @param state what was read after the look; null before
     */
    record Files(Disk.FileStatus head, Disk.FileStatus log, BranchFiles.@Nullable State state) {
        /** Not by {@code equals}: that of a record takes 15 ms of a short command to set up. */
        private boolean looksAs(Files other) {
            return isSame(head, other.head) && isSame(log, other.log);
        }

        private static boolean isSame(Disk.FileStatus one, Disk.FileStatus other) {
            return one.isFile() == other.isFile()
                    && one.size() == other.size()
                    && one.mtime().equals(other.mtime());
        }
    }

    BranchCache(Disk disk) {
        this.disk = disk;
    }

    /** Looks at the files of a branch, the head first: a state with this log was current then. Null if one is not there. */
    @Nullable
    Files look(Path head, Path log) {
        try {
            Optional<Disk.FileStatus> first = disk.status(head);
            Optional<Disk.FileStatus> second = first.isPresent() ? disk.status(log) : Optional.empty();
            return second.isPresent() ? new Files(first.get(), second.get(), null) : null;
        } catch (IOException e) {
            // The read of the files reports this failure.
            return null;
        }
    }

    BranchFiles.@Nullable State find(String branch, Files files) {
        Files last = known.get(branch);
        return last != null && last.looksAs(files) ? last.state : null;
    }

    /**
     * Keeps a state, unless the files are too young or something torn is at the end of the log.
     *
     * @param files from before the state was read: if they changed meanwhile, no later look finds the state
     * @param state its head is that of the last line of the log
     */
    void put(Files files, BranchFiles.State state) {
        Instant old = disk.now().minus(COARSE);
        if (state.logEnd() == files.log.size()
                && state.logSize() == files.log.size()
                && files.head.mtime().isBefore(old)
                && files.log.mtime().isBefore(old)) {
            if (known.size() >= MOST) {
                known.clear();
            }
            known.put(state.name(), new Files(files.head, files.log, state));
        }
    }
}
