package dev.pail;

import dev.pail.bytes.CborHead;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A shard that is being changed: the shard it was opened from, if any, and what differs from that, in order. Its encoded
 * size is known after every change, before anything is encoded; encoding copies what did not change.
 *
 * <p>Not for use by several threads at once.
 */
final class Draft implements ShardLink {
    /** From so many changes on, a draft with a change for every fourth entry lets go of the shard it was opened from. */
    private static final int MANY_CHANGES = 32;

    private static final Change[] NO_CHANGES = {};

    /**
     * A key whose value differs from the base.
     *
     * @param at the entry of the base with this key; or, as {@link Shard#find} has it, where it would be
     */
    private record Change(KeyBytes key, ShardValue value, int at) {
        boolean replaces() {
            return at >= 0;
        }

        /** How many entries of the base come before. */
        int position() {
            return at >= 0 ? at : -1 - at;
        }
    }

    private final ShardFormat format;
    private final KeyBytes prefix;
    private final @Nullable ShardRef origin;
    private @Nullable Shard base;
    private Change[] changes = NO_CHANGES;
    private int changed;
    private int count;

    /** The encoded size of all entries in bytes. */
    private int entriesSize;

    private boolean overlapping;

    /** Up to which change the links were looked at for drafts. */
    private int resolved;

    private Draft(ShardFormat format, KeyBytes prefix, @Nullable ShardRef origin, @Nullable Shard base) {
        this.format = format;
        this.prefix = prefix;
        this.origin = origin;
        this.base = base;
        if (base != null) {
            count = base.count();
            entriesSize = base.starts[count] - base.starts[0];
            overlapping = base.overlapping;
        }
    }

    /** A shard without entries at this prefix. */
    static Draft empty(ShardFormat format, KeyBytes prefix) {
        return new Draft(format, prefix, null, null);
    }

    /** A shard as it is. */
    static Draft open(ShardFormat format, KeyBytes prefix, ShardRef origin, Shard base) {
        return new Draft(format, prefix, origin, base);
    }

    /** A new shard without entries, for below this one. It is not linked yet. */
    Draft child(KeyBytes shardKey) {
        return empty(format, prefix.append(shardKey));
    }

    /** What all keys in this shard start with. */
    KeyBytes prefix() {
        return prefix;
    }

    /** Whether there may be keys here that start with the key of a shard link (spec rule V0.7). */
    boolean isOverlapping() {
        return overlapping;
    }

    /** Notes that there may be keys here that start with the key of a shard link. */
    void overlap() {
        overlapping = true;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** The size of the encoded shard in bytes. */
    int size() {
        return format.head(prefix).length + CborHead.length(count) + entriesSize + format.tail(prefix).length;
    }

    ShardValue get(KeyBytes key) {
        int i = indexOf(key);
        if (i >= 0) {
            return changes[i].value;
        }
        int entry = base == null ? -1 : base.find(key);
        return base == null || entry < 0 ? ShardValue.NOTHING : base.value(entry);
    }

    /** Gives a key a value; with the value of nothing, it is no key of the shard any more. */
    void set(KeyBytes key, ShardValue value) {
        int i = indexOf(key);
        int at = i >= 0 ? changes[i].at : base == null ? -1 : base.find(key);
        ShardValue old = i >= 0 ? changes[i].value : base == null || at < 0 ? ShardValue.NOTHING : base.value(at);
        if (value.equals(old)) {
            return;
        }
        account(key, old, -1);
        account(key, value, 1);
        if (value.isNothing() && at < 0) {
            removeChanges(i, i + 1);
        } else if (i >= 0) {
            changes[i] = new Change(key, value, at);
        } else {
            insert(-1 - i, new Change(key, value, at));
        }
    }

    private void account(KeyBytes key, ShardValue value, int sign) {
        if (!value.isNothing()) {
            count += sign;
            entriesSize += sign * encodedSize(key, value);
        }
    }

    private static int encodedSize(KeyBytes key, ShardValue value) {
        int size = 1 + CborHead.length(key.length()) + key.length();
        if (value.shard() != null) {
            size += 1 + ShardRef.ENCODED_LENGTH;
        }
        Cid data = value.data();
        return data == null ? size : size + 2 + CborHead.length(data.byteLength() + 1L) + 1 + data.byteLength();
    }

    /** The change of a key; or, where there is none, {@code -1 - n} if n changes have lesser keys. */
    private int indexOf(KeyBytes key) {
        int low = 0;
        int high = changed - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = changes[middle].key.compareTo(key);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1 - low;
    }

    private void insert(int i, Change change) {
        if (changed == changes.length) {
            changes = Arrays.copyOf(changes, Math.max(4, 2 * changed));
        }
        System.arraycopy(changes, i, changes, i + 1, changed - i);
        changes[i] = change;
        changed++;
        if (base != null && changed > MANY_CHANGES && changed > base.count() / 4) {
            letGoOfBase();
        }
    }

    private void removeChanges(int from, int to) {
        System.arraycopy(changes, to, changes, from, changed - to);
        Arrays.fill(changes, changed - (to - from), changed, null);
        changed -= to - from;
    }

    /** Makes every entry a change, so that what was removed is not passed over again and again. */
    private void letGoOfBase() {
        Change[] all = new Change[count + 1];
        int n = 0;
        for (Cursor cursor = new Cursor(0, 0); cursor.advance(); ) {
            all[n++] = new Change(cursor.key(), cursor.value(), -1);
        }
        changes = all;
        changed = n;
        base = null;
    }

    /** Goes through the entries as they are now, in order. */
    private final class Cursor {
        private int nextChange;
        private int nextEntry;

        /** Where the cursor stands: on this change, or else on the entry of the base before {@code nextEntry}. */
        private @Nullable Change change;

        Cursor(int nextChange, int nextEntry) {
            this.nextChange = nextChange;
            this.nextEntry = nextEntry;
        }

        boolean advance() {
            int entries = base == null ? 0 : base.count();
            while (nextChange < changed && (nextEntry == entries || changes[nextChange].position() == nextEntry)) {
                Change next = changes[nextChange++];
                nextEntry += next.replaces() ? 1 : 0;
                if (!next.value.isNothing()) {
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
            return change != null ? change.value : requireBase().value(nextEntry - 1);
        }
    }

    private Shard requireBase() {
        return Objects.requireNonNull(base);
    }

    /** A cursor before the first entry with a greater key. */
    private Cursor after(KeyBytes key) {
        int i = indexOf(key);
        int entry = base == null ? -1 : base.find(key);
        return new Cursor(i >= 0 ? i + 1 : -1 - i, entry >= 0 ? entry + 1 : -1 - entry);
    }

    /** The least key. There must be one. */
    KeyBytes first() {
        Cursor cursor = new Cursor(0, 0);
        if (!cursor.advance()) {
            throw new IllegalStateException("an empty shard has no first key");
        }
        return cursor.key();
    }

    /** The least of the greater keys. */
    @Nullable
    KeyBytes above(KeyBytes key) {
        Cursor cursor = after(key);
        return cursor.advance() ? cursor.key() : null;
    }

    /** The greatest of the lesser keys. */
    @Nullable
    KeyBytes below(KeyBytes key) {
        int i = indexOf(key);
        int at = base == null ? -1 : base.find(key);
        int change = (i >= 0 ? i : -1 - i) - 1;
        int entry = (at >= 0 ? at : -1 - at) - 1;
        for (; change >= 0; change--) {
            Change last = changes[change];
            if (last.replaces() ? last.at < entry : last.position() <= entry) {
                break;
            }
            entry -= last.replaces() ? 1 : 0;
            if (!last.value.isNothing()) {
                return last.key;
            }
        }
        return entry < 0 ? null : requireBase().key(entry);
    }

    /**
     * The key of the shortest shard link that is a proper prefix of a key and has more than so many bytes. There is at most
     * one such link, but for an overlapping shard.
     */
    @Nullable
    KeyBytes linkTowards(KeyBytes key, int longerThan) {
        if (overlapping) {
            return linkAmongOverlaps(key, longerThan);
        }
        KeyBytes below = longerThan > 0 || !get(key).isNothing() ? null : below(key);
        return below != null && key.startsWith(below) && get(below).shard() != null ? below : null;
    }

    private @Nullable KeyBytes linkAmongOverlaps(KeyBytes key, int longerThan) {
        int length = longerThan;
        while (length < key.length()) {
            length = key.nextCodePoint(length);
            KeyBytes head = key.head(length);
            if (length < key.length() && get(head).shard() != null) {
                return head;
            }
            KeyBytes above = above(head);
            if (above == null || !above.startsWith(head)) {
                return null;
            }
        }
        return null;
    }

    /** Moves the entries whose keys start with a prefix, but are longer, to a new shard under it. */
    Draft split(KeyBytes common) {
        Draft child = child(common);
        child.overlapping = overlapping;
        List<KeyBytes> moved = new ArrayList<>();
        for (Cursor cursor = after(common); cursor.advance() && cursor.key().startsWith(common); ) {
            moved.add(cursor.key());
            child.append(cursor.key().without(common.length()), cursor.value());
        }
        if (base != null && moved.size() > MANY_CHANGES) {
            letGoOfBase();
        }
        for (int i = moved.size() - 1; i >= 0; i--) {
            set(moved.get(i), ShardValue.NOTHING);
        }
        set(common, get(common).withShard(child));
        return child;
    }

    private void append(KeyBytes key, ShardValue value) {
        account(key, value, 1);
        insert(changed, new Change(key, value, -1));
    }

    /** The next linked shard that has no CID yet. Before another is asked for, {@link #resolve} must be called for it. */
    @Nullable
    Draft nextUnresolved() {
        for (; resolved < changed; resolved++) {
            if (changes[resolved].value.shard() instanceof Draft draft) {
                return draft;
            }
        }
        return null;
    }

    /** Says what the draft from {@link #nextUnresolved} became. */
    void resolve(ShardRef ref) {
        Change change = changes[resolved];
        changes[resolved] = new Change(change.key, change.value.withShard(ref), change.at);
    }

    /** The shard that this was opened from, if it is that still. All linked shards must be resolved. */
    @Nullable
    ShardRef unchanged() {
        if (base == null) {
            return null;
        }
        int kept = 0;
        for (int i = 0; i < changed; i++) {
            if (!isAsInBase(changes[i])) {
                changes[kept++] = changes[i];
            }
        }
        changed = kept;
        return kept == 0 ? origin : null;
    }

    private boolean isAsInBase(Change change) {
        if (!change.replaces()) {
            return false;
        }
        ShardValue old = requireBase().value(change.at);
        return Objects.equals(old.data(), change.value.data())
                && Objects.equals(cid(old.shard()), cid(change.value.shard()));
    }

    private static @Nullable Cid cid(@Nullable ShardLink link) {
        return link == null ? null : ((ShardRef) link).cid;
    }

    /** The shard. All linked shards must be resolved. */
    Shard encode() {
        boolean linked = base != null && base.isLinked();
        for (int i = 0; i < changed && !linked; i++) {
            linked = changes[i].value.shard() != null;
        }
        ShardEncoder encoder = new ShardEncoder(format.head(prefix), count, size(), linked);
        int next = 0;
        for (int i = 0; i < changed; i++) {
            Change change = changes[i];
            if (base != null) {
                encoder.copy(base, next, change.position());
                next = change.position() + (change.replaces() ? 1 : 0);
            }
            if (!change.value.isNothing()) {
                encoder.write(change.key, change.value);
            }
        }
        if (base != null) {
            encoder.copy(base, next, base.count());
        }
        return encoder.finish(format.tail(prefix), overlapping);
    }
}
