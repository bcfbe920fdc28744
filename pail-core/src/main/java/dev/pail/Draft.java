package dev.pail;

import dev.pail.bytes.CborHead;
import dev.pail.ipld.Cid;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A shard that is being changed: the shard it was opened from, if any, and what differs from that, in order. Its encoded
 * size is known after every change, before anything is encoded; encoding copies what did not change.
 *
 * <p>Not for use by several threads at once.
 */
final class Draft extends SortedChanges implements ShardLink {
    /** From so many changes on, a draft with a change for every fourth entry lets go of the shard it was opened from. */
    private static final int MANY_CHANGES = 32;

    private final ShardFormat format;
    private final KeyBytes prefix;
    private final @Nullable ShardRef origin;
    private @Nullable Shard base;
    private int count;

    /** The encoded size of all entries in bytes. */
    private int entriesSize;

    private boolean overlapping;

    /** The key that was looked for last, and what was found: its change, and its entry of the base. */
    private @Nullable KeyBytes sought;

    private int soughtChange;
    private int soughtEntry;

    private @Nullable ShardRef result;

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
        seek(key);
        return soughtChange >= 0
                ? change(soughtChange).value
                : soughtEntry >= 0 ? requireBase().value(soughtEntry) : ShardValue.NOTHING;
    }

    /** Gives a key a value; with the value of nothing, it is no key of the shard any more. */
    void set(KeyBytes key, ShardValue value) {
        ShardValue old = get(key);
        if (value.equals(old)) {
            return;
        }
        account(key, old, -1);
        account(key, value, 1);
        if (soughtChange < 0) {
            insert(-1 - soughtChange, new Change(key, value, soughtEntry));
        } else if (value.isNothing() && soughtEntry < 0) {
            remove(soughtChange, soughtChange + 1);
        } else {
            change(soughtChange).value = value;
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

    /** Finds a key. That it is still known where the same key was asked for last saves most searches. */
    private void seek(KeyBytes key) {
        if (!isSought(key)) {
            soughtChange = indexOf(key);
            soughtEntry = soughtChange >= 0 ? change(soughtChange).at : base == null ? -1 : base.find(key);
            sought = key;
        }
    }

    @SuppressWarnings("ReferenceEquality") // An equal key that is another object just costs a search.
    private boolean isSought(KeyBytes key) {
        return key == sought;
    }

    /** Inserts a change. If its key is the one that was looked for last, it counts as found. */
    private void insert(int i, Change change) {
        insertChange(i, change);
        if (isSought(change.key)) {
            soughtChange = i;
        } else {
            sought = null;
        }
        Shard shard = base;
        if (shard != null && changed() > MANY_CHANGES && changed() > shard.count() / 4) {
            letGoOfBase();
        }
    }

    private void remove(int from, int to) {
        removeChanges(from, to);
        sought = null;
    }

    /** Makes every entry a change, so that what was removed is not passed over again and again. */
    private void letGoOfBase() {
        Change[] all = new Change[count + 1];
        int n = 0;
        for (Cursor cursor = cursor(); cursor.advance(); ) {
            all[n++] = new Change(cursor.key(), cursor.value(), -1);
        }
        replaceChanges(all, n);
        base = null;
        sought = null;
    }

    /** Goes through the entries as they are now, in order. */
    final class Cursor {
        private int nextChange;
        private int nextEntry;

        /** Where the cursor stands: on this change, or else on the entry of the base before {@code nextEntry}. */
        private @Nullable Change change;

        private Cursor(int nextChange, int nextEntry) {
            this.nextChange = nextChange;
            this.nextEntry = nextEntry;
        }

        /** Goes to the next entry, or behind the last one, and says whether it stands on one. */
        boolean advance() {
            int entries = base == null ? 0 : base.count();
            while (nextChange < changed()
                    && (nextEntry == entries || change(nextChange).position() == nextEntry)) {
                Change next = change(nextChange++);
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

    /** A cursor before the first entry. */
    Cursor cursor() {
        return new Cursor(0, 0);
    }

    /** A cursor before the first entry with a greater key. */
    Cursor after(KeyBytes key) {
        seek(key);
        return new Cursor(
                soughtChange >= 0 ? soughtChange + 1 : -1 - soughtChange,
                soughtEntry >= 0 ? soughtEntry + 1 : -1 - soughtEntry);
    }

    /** The least key. There must be one. */
    KeyBytes first() {
        Cursor cursor = cursor();
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
        int change = changeBelow(key);
        if (change >= 0) {
            return change(change).key;
        }
        int entry = -2 - change;
        return entry < 0 ? null : requireBase().key(entry);
    }

    /**
     * The change that the greatest of the lesser keys has; or, where that is an entry of the base, {@code -2 - entry}, and
     * where there is none, -1.
     */
    private int changeBelow(KeyBytes key) {
        seek(key);
        int change = (soughtChange >= 0 ? soughtChange : -1 - soughtChange) - 1;
        int entry = (soughtEntry >= 0 ? soughtEntry : -1 - soughtEntry) - 1;
        for (; change >= 0; change--) {
            Change last = change(change);
            if (last.replaces() ? last.at < entry : last.position() <= entry) {
                break;
            }
            entry -= last.replaces() ? 1 : 0;
            if (!last.value.isNothing()) {
                return change;
            }
        }
        return -2 - entry;
    }

    /**
     * The shard to go on to for a key, where there is just one: where shards do not overlap. It is opened, if it was not.
     */
    @Nullable
    Draft towards(KeyBytes key, Shards shards) {
        if (changed() == 1 && base == null && change(0).value.shard() instanceof Draft only) {
            // Most shards of long common fronts: there is nothing to search.
            KeyBytes link = change(0).key;
            return link.length() < key.length() && key.startsWith(link) ? only : null;
        }
        if (!get(key).isNothing()) {
            return null;
        }
        int below = changeBelow(key);
        if (below >= 0) {
            Change change = change(below);
            return change.value.shard() != null && key.startsWith(change.key) ? linked(change, key, shards) : null;
        }
        int entry = -2 - below;
        Shard shard = base;
        if (shard == null
                || entry < 0
                || !shard.hasShard(entry)
                || !shard.isKeyPrefix(entry, key.array, key.from, key.to)) {
            return null;
        }
        Change change = new Change(shard.key(entry), shard.value(entry), entry);
        Draft linked = linked(change, key, shards);
        insert(-1 - soughtChange, change);
        return linked;
    }

    /** The shard that a change has a link to. It is opened, if it was not. */
    private Draft linked(Change change, KeyBytes key, Shards shards) {
        if (change.value.shard() instanceof ShardRef) {
            change.value = opened(change.value, key.path(change.key.length()), shards);
        }
        return (Draft) Objects.requireNonNull(change.value.shard());
    }

    /** The shard that a key links to. It is opened, if it was not. */
    Draft linked(KeyBytes link, KeyBytes path, Shards shards) {
        ShardValue value = get(link);
        if (value.shard() instanceof ShardRef) {
            value = opened(value, path, shards);
            set(link, value);
        }
        return (Draft) Objects.requireNonNull(value.shard());
    }

    private ShardValue opened(ShardValue value, KeyBytes path, Shards shards) {
        ShardRef ref = (ShardRef) Objects.requireNonNull(value.shard());
        return value.withShard(open(format, path, ref, shards.load(ref, path)));
    }

    /**
     * The keys of all links that are proper prefixes of a key, the shortest last.
     *
     * @param cost is told how many keys were looked at
     */
    List<KeyBytes> linksTowards(KeyBytes key, IntConsumer cost) {
        List<KeyBytes> links = new ArrayList<>();
        int looks = 1;
        for (KeyBytes below = below(key); below != null; looks++) {
            int shared = key.wholeCodePoints(key.commonLength(below));
            if (shared < below.length()) {
                // Between the two are no keys that the key starts with, unless what they have in common is one.
                KeyBytes head = key.head(shared);
                below = get(head).isNothing() ? below(head) : head;
                continue;
            }
            if (get(below).shard() != null) {
                links.add(below);
            }
            below = below(below);
        }
        cost.accept(looks);
        return links;
    }

    /** Moves the entries whose keys start with a prefix, but are longer, to a new shard under it. */
    Draft split(KeyBytes start) {
        Draft child = empty(format, prefix.append(start));
        child.overlapping = overlapping;
        List<KeyBytes> moved = new ArrayList<>();
        for (Cursor cursor = after(start); cursor.advance() && cursor.key().startsWith(start); ) {
            moved.add(cursor.key());
            child.append(cursor.key().without(start.length()), cursor.value());
        }
        if (base != null && moved.size() > MANY_CHANGES) {
            letGoOfBase();
        }
        remove(moved);
        set(start, get(start).withShard(child));
        return child;
    }

    /** Removes keys that stand next to each other. */
    private void remove(List<KeyBytes> keys) {
        if (base == null && !keys.isEmpty()) {
            int from = indexOf(keys.get(0));
            for (int i = from; i < from + keys.size(); i++) {
                account(change(i).key, change(i).value, -1);
            }
            remove(from, from + keys.size());
            return;
        }
        for (int i = keys.size() - 1; i >= 0; i--) {
            set(keys.get(i), ShardValue.NOTHING);
        }
    }

    private void append(KeyBytes key, ShardValue value) {
        account(key, value, 1);
        insert(changed(), new Change(key, value, -1));
    }

    /** Takes entries, in order, into a shard that has none. */
    void fill(List<Change> entries) {
        entries.forEach(entry -> account(entry.key, entry.value, 1));
        replaceChanges(entries.toArray(Change[]::new), entries.size());
        sought = null;
    }

    /** Adds the linked shards that are drafts. */
    void addLinked(List<Draft> drafts) {
        for (int i = 0; i < changed(); i++) {
            if (change(i).value.shard() instanceof Draft draft) {
                drafts.add(draft);
            }
        }
    }

    /**
     * Ends the draft: the linked shards that are drafts must have ended before.
     *
     * @param sha256 a fresh digest
     * @return what was made; or null, if the shard is the one that the draft was opened from
     */
    Shards.@Nullable Made end(MessageDigest sha256) {
        for (int i = 0; i < changed(); i++) {
            Change change = change(i);
            if (change.value.shard() instanceof Draft draft) {
                change.value = change.value.withShard(draft.result());
            }
        }
        if (isUnchanged()) {
            result = origin;
            return null;
        }
        Shards.Made made = encode(sha256);
        result = made.ref();
        if (origin != null) {
            // Most readers go on with the new version: let the cache part with this one first.
            origin.used = false;
        }
        return made;
    }

    /** What a draft that has ended became. */
    ShardRef result() {
        return Objects.requireNonNull(result);
    }

    private boolean isUnchanged() {
        if (base == null) {
            return false;
        }
        removeChangesIf(this::isAsInBase);
        return changed() == 0;
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

    private Shards.Made encode(MessageDigest sha256) {
        Shard from = base;
        if (from != null && isPatch(from)) {
            return patch(from, sha256);
        }
        boolean linked = from != null && from.isLinked();
        for (int i = 0; i < changed() && !linked; i++) {
            linked = change(i).value.shard() != null;
        }
        byte[] head = format.head(prefix);
        byte[] tail = format.tail(prefix);
        int size = head.length + CborHead.length(count) + entriesSize + tail.length;
        ShardEncoder encoder = new ShardEncoder(head, count, size, tail.length, linked);
        int next = 0;
        for (int i = 0; i < changed(); i++) {
            Change change = change(i);
            if (from != null) {
                encoder.copy(from, next, change.position());
                next = change.position() + (change.replaces() ? 1 : 0);
            }
            if (!change.value.isNothing()) {
                encoder.write(change.key, change.value);
            }
        }
        if (from != null) {
            encoder.copy(from, next, from.count());
        }
        return encoder.finish(tail, overlapping, Midstates.NONE, 0, origin, sha256);
    }

    /** Whether all that differs is values, each of the size that it had. */
    private boolean isPatch(Shard from) {
        if (count != from.count() || overlapping != from.overlapping) {
            return false;
        }
        for (int i = 0; i < changed(); i++) {
            Change change = change(i);
            if (!change.replaces()
                    || change.value.isNothing()
                    || encodedSize(change.key, change.value) != from.starts[change.at + 1] - from.starts[change.at]
                    || (change.value.shard() != null) != from.hasShard(change.at)) {
                return false;
            }
        }
        return true;
    }

    private Shards.Made patch(Shard from, MessageDigest sha256) {
        ShardEncoder encoder = new ShardEncoder(from);
        for (int i = 0; i < changed(); i++) {
            encoder.replace(change(i).at, from.keyEnd(change(i).at), change(i).value);
        }
        return encoder.finish(
                format.tail(prefix), overlapping, from.midstates, from.starts[change(0).at], origin, sha256);
    }
}
