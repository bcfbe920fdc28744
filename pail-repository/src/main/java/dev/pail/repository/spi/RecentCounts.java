package dev.pail.repository.spi;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.pail.EntryCounts;
import dev.pail.ipld.Cid;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The numbers of entries below the shards that were asked for last, in memory. Safe for use by several threads.
 *
 * <pre>{@code
 * EntryCounts counts = new RecentCounts();
 * counts.note(pail.root(), 1_000);
 * long entries = counts.find(pail.root()); // 1,000
 * }</pre>
 */
public final class RecentCounts implements EntryCounts {
    /** The largest number of shards: they take up to 12 MB. */
    public static final int MOST_SHARDS = 1 << 16;

    /** Least recently used first. */
    @GuardedBy("this")
    private final Map<Cid, Long> kept = new LinkedHashMap<>(16, 0.75f, true);

    /** Remembers nothing yet. */
    public RecentCounts() {}

    @Override
    public synchronized long find(Cid shard) {
        return kept.getOrDefault(Objects.requireNonNull(shard, "shard"), -1L);
    }

    @Override
    public synchronized void note(Cid shard, long entries) {
        kept.put(Objects.requireNonNull(shard, "shard"), entries);
        if (kept.size() > MOST_SHARDS) {
            kept.remove(kept.keySet().iterator().next());
        }
    }

    /** Returns the number of shards that are remembered. */
    public synchronized int size() {
        return kept.size();
    }

    /** Returns what is remembered, least recently used first. */
    public synchronized Map<Cid, Long> kept() {
        return new LinkedHashMap<>(kept);
    }
}
