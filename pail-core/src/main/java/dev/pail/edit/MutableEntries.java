package dev.pail.edit;

import dev.pail.bytes.CborHead;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardEncoder;
import dev.pail.shard.ShardValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a {@link MutableShard} as they are now: its changes, and what they leave of the shard that it was opened from, its base,
 * if there is one. Part of a mutable shard, like {@link SortedChanges}, for the same reason.
 *
 * <p>Not for use by several threads at once.
 */
abstract class MutableEntries extends SortedChanges {
    /** From this number of changes on, a mutable shard with a change for every fourth entry drops its base. */
    private static final int MANY_CHANGES = 32;

    private @Nullable Shard base;
    private int count;

    /** The encoded size of all entries in bytes. */
    private int entriesSize;

    /** The key that was looked for last, and what was found: the place of its change, and its entry of the base. */
    private @Nullable KeyBytes sought;

    private int soughtChange;
    private int soughtEntry;

    MutableEntries(@Nullable Shard base) {
        this.base = base;
        if (base != null) {
            count = base.count();
            entriesSize = base.starts[count] - base.starts[0];
        }
    }

    /** Drops all entries from memory. */
    final void dropEntries() {
        base = null;
        sought = null;
        dropChanges();
    }

    /** What the changes are to; null where every entry is one. */
    final @Nullable Shard base() {
        return base;
    }

    private Shard requireBase() {
        return Objects.requireNonNull(base, "base");
    }

    final int count() {
        return count;
    }

    final boolean isEmpty() {
        return count == 0;
    }

    /** The size of the encoded array of entries in bytes. */
    final int arraySize() {
        return CborHead.length(count) + entriesSize;
    }

    final ShardValue get(KeyBytes key) {
        seek(key);
        return soughtChange >= 0
                ? change(soughtChange).value()
                : soughtEntry >= 0 ? requireBase().value(soughtEntry) : ShardValue.NOTHING;
    }

    /** Gives a key a value; with the value of nothing, it is no key of the shard any more. */
    final void set(KeyBytes key, ShardValue value) {
        ShardValue old = get(key);
        if (value.equals(old)) {
            return;
        }
        account(key, old, -1);
        account(key, value, 1);
        if (soughtChange < 0) {
            insert(-1 - soughtChange, new Change(key, value, soughtEntry));
        } else if (value.isNothing() && soughtEntry < 0) {
            remove(soughtChange, 1);
        } else {
            setChange(soughtChange, value);
        }
    }

    private void account(KeyBytes key, ShardValue value, int sign) {
        if (!value.isNothing()) {
            count += sign;
            entriesSize += sign * ShardEncoder.size(key, value);
        }
    }

    /** Finds a key. That it is still known where the same key was asked for last saves most searches. */
    private void seek(KeyBytes key) {
        if (!isSought(key)) {
            soughtChange = placeOf(key);
            soughtEntry = soughtChange >= 0 ? change(soughtChange).at : base == null ? -1 : base.find(key);
            sought = key;
        }
    }

    @SuppressWarnings("ReferenceEquality") // An equal key that is another object just costs a search.
    private boolean isSought(KeyBytes key) {
        return key == sought;
    }

    /** Inserts a change. If its key is the one that was looked for last, it counts as found. */
    private void insert(int at, Change change) {
        int place = insertChange(at, change);
        if (isSought(change.key)) {
            soughtChange = place;
        } else {
            sought = null;
        }
        Shard shard = base;
        if (shard != null && changed() > MANY_CHANGES && changed() > shard.count() / 4) {
            letGoOfBase();
        }
    }

    /** Makes an entry of the base a change: the nearest before a key that has no change. */
    final void insertBefore(KeyBytes key, Change entry) {
        seek(key);
        insert(-1 - soughtChange, entry);
    }

    private void remove(int from, int count) {
        removeChanges(from, count);
        sought = null;
    }

    /** Makes every entry a change, so that what was removed is not passed over again and again. */
    private void letGoOfBase() {
        Change[] all = new Change[count + 1];
        int n = 0;
        for (MutableEntriesCursor cursor = cursor(); cursor.advance(); ) {
            all[n++] = new Change(cursor.key(), cursor.value(), -1);
        }
        replaceChanges(all, n);
        base = null;
        sought = null;
    }

    /** Takes entries, in order, where there are none. */
    final void fill(List<Change> entries) {
        entries.forEach(entry -> account(entry.key, entry.value(), 1));
        replaceChanges(entries.toArray(Change[]::new), entries.size());
        sought = null;
    }

    /** Moves the entries whose keys start with a prefix, but are longer, to others, where there are none. There they do without it. */
    final void moveUnder(KeyBytes start, MutableEntries target) {
        List<KeyBytes> moved = new ArrayList<>();
        for (MutableEntriesCursor cursor = after(start);
                cursor.advance() && cursor.key().startsWith(start); ) {
            moved.add(cursor.key());
            target.append(cursor.key().without(start.length()), cursor.value());
        }
        if (base != null && moved.size() > MANY_CHANGES) {
            letGoOfBase();
        }
        remove(moved);
    }

    private void append(KeyBytes key, ShardValue value) {
        account(key, value, 1);
        insert(changesEnd(), new Change(key, value, -1));
    }

    /** Removes keys that stand next to each other. */
    private void remove(List<KeyBytes> keys) {
        if (base == null && !keys.isEmpty()) {
            int from = placeOf(keys.get(0));
            int place = from;
            for (KeyBytes key : keys) {
                account(key, change(place).value(), -1);
                place = nextChange(place);
            }
            remove(from, keys.size());
            return;
        }
        for (int i = keys.size() - 1; i >= 0; i--) {
            set(keys.get(i), ShardValue.NOTHING);
        }
    }

    /** A cursor before the first entry. */
    final MutableEntriesCursor cursor() {
        return new MutableEntriesCursor(this, base, 0, 0);
    }

    /** A cursor before the first entry with a greater key. */
    final MutableEntriesCursor after(KeyBytes key) {
        seek(key);
        return new MutableEntriesCursor(
                this,
                base,
                soughtChange >= 0 ? nextChange(soughtChange) : changeFrom(-1 - soughtChange),
                soughtEntry >= 0 ? soughtEntry + 1 : -1 - soughtEntry);
    }

    /** The least key. There must be one. */
    final KeyBytes first() {
        MutableEntriesCursor cursor = cursor();
        if (!cursor.advance()) {
            throw new IllegalStateException("an empty shard has no first key");
        }
        return cursor.key();
    }

    /** The least of the greater keys. */
    final @Nullable KeyBytes above(KeyBytes key) {
        MutableEntriesCursor cursor = after(key);
        return cursor.advance() ? cursor.key() : null;
    }

    /** The greatest of the lesser keys. */
    final @Nullable KeyBytes below(KeyBytes key) {
        int change = changeBelow(key);
        if (change >= 0) {
            return change(change).key;
        }
        int entry = -2 - change;
        return entry < 0 ? null : requireBase().key(entry);
    }

    /**
     * The place of the change that the greatest of the lesser keys has; or, where that is an entry of the base, {@code -2 - entry}, and
     * where there is none, -1.
     */
    final int changeBelow(KeyBytes key) {
        seek(key);
        int change = changeBefore(soughtChange >= 0 ? soughtChange : -1 - soughtChange);
        if (base == null) {
            return change;
        }
        int entry = (soughtEntry >= 0 ? soughtEntry : -1 - soughtEntry) - 1;
        for (; change >= 0; change = changeBefore(change)) {
            Change last = change(change);
            if (last.replaces() ? last.at < entry : last.position() <= entry) {
                break;
            }
            entry -= last.replaces() ? 1 : 0;
            if (!last.isNothing()) {
                return change;
            }
        }
        return -2 - entry;
    }
}
