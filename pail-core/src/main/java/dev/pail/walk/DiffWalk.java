package dev.pail.walk;

import dev.pail.KeyChange;
import dev.pail.ipld.Cid;
import dev.pail.shard.KeyInterval;
import dev.pail.shard.ShardTree;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A walk through two versions in the order of their keys that finds the keys whose values differ. It moves the cursor that is
 * behind. If both cursors are before the same shard, it skips the shard unread. So the layout of keys in shards makes no
 * difference to the result. Rule X3.
 */
public final class DiffWalk extends Walk<KeyChange> {
    private final DiffCursor before;
    private final DiffCursor after;

    /** Null where a shard carries its prefix, and so has one place. */
    private final @Nullable EqualShards equal;

    /** Null where any number of changes is given. */
    private final @Nullable ChangeBudget bound;

    public DiffWalk(ShardTree before, ShardTree after, KeyInterval interval, @Nullable ChangeBudget bound) {
        this.before = new DiffCursor(before, interval);
        this.after = new DiffCursor(after, interval);
        boolean isPrefixed =
                before.shards().layout.isPrefixed() || after.shards().layout.isPrefixed();
        this.equal = isPrefixed ? null : new EqualShards();
        this.bound = bound;
    }

    @Override
    @Nullable
    KeyChange advance() {
        KeyChange change = null;
        while (change == null) {
            int order = before.compareTo(after);
            if (order != 0) {
                change = passOne(order < 0 ? before : after);
            } else if (before.place() == DiffCursor.Place.END) {
                return null;
            } else if (!before.passEqualEntries(after)) {
                change = passBoth();
            }
            if (change != null) {
                differ(change.key());
            }
            if (equal != null) {
                equal.at(before.depth(), after.depth());
            }
        }
        return change;
    }

    private void differ(String key) {
        before.differ();
        after.differ();
        if (equal != null) {
            equal.differ();
        }
        if (bound != null) {
            bound.add(key);
        }
    }

    /** Moves the cursor that is behind. The other version has no such entry, or has it in another shard. Rule X1. */
    private @Nullable KeyChange passOne(DiffCursor behind) {
        if (behind.place() != DiffCursor.Place.ENTRY) {
            behind.open();
            return null;
        }
        Optional<Cid> value = Optional.of(behind.value());
        KeyChange change = behind == before
                ? new KeyChange(behind.key(), value, Optional.empty())
                : new KeyChange(behind.key(), Optional.empty(), value);
        behind.pass();
        return change;
    }

    /** Moves both cursors, which are at the same key. */
    private @Nullable KeyChange passBoth() {
        boolean shards = before.place() == DiffCursor.Place.SHARD;
        boolean same =
                before.isSame(after) || (shards && equal != null && equal.areEqual(before.shard(), after.shard()));
        boolean entries = before.place() == DiffCursor.Place.ENTRY && after.place() == DiffCursor.Place.ENTRY;
        if (!same && !entries) {
            // What is equal within the range need not be equal where the shards stand in another place.
            if (shards && equal != null && before.isShardWhole() && after.isShardWhole()) {
                equal.enter(before.shard(), before.depth(), after.shard(), after.depth());
            }
            open(before);
            open(after);
            return null;
        }
        KeyChange change =
                same ? null : new KeyChange(before.key(), Optional.of(before.value()), Optional.of(after.value()));
        before.pass();
        after.pass();
        return change;
    }

    private static void open(DiffCursor cursor) {
        if (cursor.place() != DiffCursor.Place.ENTRY) {
            cursor.open();
        }
    }
}
