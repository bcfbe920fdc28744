package dev.pail;

import dev.pail.ipld.Cid;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The shards that only one of two versions has (spec rules X5 and X6). Both sets are ordered from the root down: a shard comes
 * before those that are only below it.
 *
 * <pre>{@code
 * Pail next = pail.put("title", value);
 * ShardChanges changes = pail.diff(next).shards();
 * List<Block> toSend = changes.added().stream().map(next.blocks()::require).toList(); // a replica of pail lacks these
 * }</pre>
 *
 * @param added the shards that only the later version has
 * @param removed the shards that only the earlier version has; the later one does not need them
 */
public record ShardChanges(Set<Cid> added, Set<Cid> removed) {
    public ShardChanges {
        added = Collections.unmodifiableSet(new LinkedHashSet<>(added));
        removed = Collections.unmodifiableSet(new LinkedHashSet<>(removed));
    }
}
