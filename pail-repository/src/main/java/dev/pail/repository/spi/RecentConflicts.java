package dev.pail.repository.spi;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.clock.ConflictCache;
import dev.pail.clock.Head;
import dev.pail.clock.OpenConflict;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The open conflicts of the heads that were asked for last, in memory. Safe for use by several threads.
 *
 * <pre>{@code
 * ConflictCache cache = new RecentConflicts();
 * List<OpenConflict> open = MerkleClock.open(repository.blocks()).conflicts(repository.head("main"), cache);
 * }</pre>
 */
public final class RecentConflicts implements ConflictCache {
    /** The largest number of heads. */
    public static final int MOST_HEADS = 16;

    /** The largest number of open conflicts of one head that is kept. */
    public static final int MOST_OPEN = 10_000;

    /** Least recently used first. */
    @GuardedBy("this")
    private final Map<Head, List<OpenConflict>> kept = new LinkedHashMap<>(16, 0.75f, true);

    /** Keeps nothing yet. */
    public RecentConflicts() {}

    @Override
    public synchronized Optional<List<OpenConflict>> of(Head head) {
        return Optional.ofNullable(kept.get(Objects.requireNonNull(head, "head")));
    }

    @Override
    public synchronized void note(Head head, List<OpenConflict> open, int read) {
        Objects.requireNonNull(head, "head");
        if (open.size() > MOST_OPEN) {
            return;
        }
        kept.put(head, List.copyOf(open));
        if (kept.size() > MOST_HEADS) {
            kept.remove(kept.keySet().iterator().next());
        }
    }

    /** Returns what is kept, least recently used first. */
    public synchronized Map<Head, List<OpenConflict>> kept() {
        return new LinkedHashMap<>(kept);
    }
}
