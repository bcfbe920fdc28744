package dev.pail.edit;

import dev.pail.shard.KeyBytes;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Goes through the entries of a mutable shard as they are now, in order: those of its base, and its changes. The mutable shard must stay as it is. */
final class MutableEntriesCursor {
    private final SortedChanges changes;
    private final @Nullable Shard base;
    private int nextChange;
    private int nextEntry;

    /** Where the cursor stands: on this change, or else on the entry of the base before {@code nextEntry}. */
    private @Nullable Change change;

    /**
     * A cursor before an entry.
     *
     * @param nextChange the place of the change behind it
     * @param nextEntry how many entries of the base have lesser keys
     */
    MutableEntriesCursor(SortedChanges changes, @Nullable Shard base, int nextChange, int nextEntry) {
        this.changes = changes;
        this.base = base;
        this.nextChange = nextChange;
        this.nextEntry = nextEntry;
    }

    /** Goes to the next entry, or behind the last one, and says whether it stands on one. */
    boolean advance() {
        int entries = base == null ? 0 : base.count();
        while (nextChange < changes.changesEnd()
                && (nextEntry == entries || changes.change(nextChange).position() == nextEntry)) {
            Change next = changes.change(nextChange);
            nextChange = changes.nextChange(nextChange);
            nextEntry += next.replaces() ? 1 : 0;
            if (!next.isNothing()) {
                change = next;
                return true;
            }
        }
        change = null;
        return nextEntry++ < entries;
    }

    KeyBytes key() {
        return change != null ? change.key : requireBase().key(nextEntry - 1);
    }

    ShardValue value() {
        return change != null ? change.value() : requireBase().value(nextEntry - 1);
    }

    private Shard requireBase() {
        return Objects.requireNonNull(base, "base");
    }
}
