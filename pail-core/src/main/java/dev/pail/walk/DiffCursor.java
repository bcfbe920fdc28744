package dev.pail.walk;

import dev.pail.Entry;
import dev.pail.OperationInterruptedException;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Cid;
import dev.pail.shard.Cut;
import dev.pail.shard.KeyBytes;
import dev.pail.shard.KeyInterval;
import dev.pail.shard.Shard;
import dev.pail.shard.ShardRef;
import dev.pail.shard.ShardTree;
import dev.pail.shard.ShardValue;
import dev.pail.shard.Shards;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A place in a version that goes forward through its keys: at an entry, or before keys that can be passed over without
 * reading them. It holds one shard a level, and recurses nowhere.
 */
final class DiffCursor implements Comparable<DiffCursor> {
    private static final int ROOM = 64;

    private final Shards shards;
    private final Deque<EntryLevel> levels = new ArrayDeque<>();

    /** Null where a shard carries its prefix, and so has one place. */
    private final @Nullable RepeatBudget repeats;

    /** The key of the place. It starts with what all keys of the shard of the innermost level start with. */
    private byte[] key = new byte[ROOM];

    private int keyLength;
    private Place place = Place.END;

    /** The rest of the keys where shards overlap, for as long as there are any. */
    private @Nullable EntryWalk overlap;

    private @Nullable Entry merged;

    /** What a cursor stands before. */
    enum Place {
        /** User data under the key. */
        ENTRY,
        /** A linked shard: all longer keys that start with the key. */
        SHARD,
        /** Shards that overlap (spec rule V0.7): all keys that start with the key, itself perhaps among them. Rule X4. */
        OVERLAP,
        /** Nothing more. */
        END
    }

    DiffCursor(ShardTree tree, KeyInterval interval) {
        this.shards = tree.shards();
        this.repeats = shards.layout.isPrefixed() ? null : new RepeatBudget();
        if (!interval.isEmpty()) {
            enter(tree.root(), 0, interval.low(), interval.high());
        }
        settle();
    }

    Place place() {
        return place;
    }

    /** The key of an entry. */
    String key() {
        return Utf8.decode(key, 0, keyLength);
    }

    /** The value of an entry. */
    Cid value() {
        Entry entry = merged;
        if (entry != null) {
            return entry.value();
        }
        EntryLevel level = levels.element();
        return level.shard.data(level.entry);
    }

    /** Whether both stand before the same entry, the same linked shard or the same overlap, as far as can be seen. */
    boolean isSame(DiffCursor other) {
        if (place != other.place) {
            return false;
        }
        return switch (place) {
            case ENTRY -> value().equals(other.value());
            case SHARD -> ref().cid.equals(other.ref().cid);
            case OVERLAP -> isSameOverlap(levels.element(), other.levels.element());
            case END -> true;
        };
    }

    /** The name of the linked shard that the cursor stands before. */
    Cid shard() {
        return ref().cid;
    }

    /** Whether all keys of the linked shard that the cursor stands before are in the range. */
    boolean isShardWhole() {
        return levels.element().isShardWhole();
    }

    /** How many levels there are. */
    int depth() {
        return levels.size();
    }

    /** Notes a difference to the other version. */
    void differ() {
        if (repeats != null) {
            repeats.differ();
        }
    }

    private ShardRef ref() {
        EntryLevel level = levels.element();
        return level.shard.ref(level.entry);
    }

    private static boolean isSameOverlap(EntryLevel one, EntryLevel two) {
        int count = one.stopOf(one.entry) - one.entry;
        if (count != two.stopOf(two.entry) - two.entry) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (!isSameEntry(one.shard, one.entry + i, two.shard, two.entry + i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSameEntry(Shard one, int entry, Shard two, int other) {
        ShardValue value = one.value(entry);
        ShardValue otherValue = two.value(other);
        return one.key(entry).equals(two.key(other))
                && Objects.equals(value.data(), otherValue.data())
                && Objects.equals(cid(value), cid(otherValue));
    }

    private static @Nullable Cid cid(ShardValue value) {
        return value.shard() instanceof ShardRef ref ? ref.cid : null;
    }

    /** Goes past what the cursor stands before. */
    void pass() {
        if (overlap == null) {
            EntryLevel level = levels.element();
            if (place == Place.ENTRY) {
                level.half = true;
            } else {
                goTo(level, place == Place.SHARD ? level.entry + 1 : level.stopOf(level.entry));
            }
        }
        settle();
    }

    /** Goes to the first of the keys that the cursor stands before, where it is no entry yet. */
    void open() {
        EntryLevel level = levels.element();
        int entry = level.entry;
        if (place == Place.SHARD) {
            Cut low = level.within(level.low);
            Cut high = level.within(level.high);
            goTo(level, entry + 1);
            enter(level.shard.ref(entry), keyLength, low, high);
        } else {
            int stop = level.stopOf(entry);
            goTo(level, stop);
            overlap = EntryWalk.of(shards, repeats, Arrays.copyOf(key, level.prefixLength), level.only(entry, stop));
        }
        settle();
    }

    /**
     * Where both stand at the same key in shards with the same prefix, goes past entries that are the same, byte for byte. The
     * last one of them may be left.
     *
     * @return whether there were any
     */
    boolean passEqualEntries(DiffCursor other) {
        if (!isAmongSeparateEntries() || !other.isAmongSeparateEntries()) {
            return false;
        }
        EntryLevel one = levels.element();
        EntryLevel two = other.levels.element();
        if (one.prefixLength != two.prefixLength) {
            return false;
        }
        int equal = equalEntries(one.shard, one.entry, two.shard, two.entry);
        if (equal == 0) {
            return false;
        }
        goTo(one, one.entry + equal);
        goTo(two, two.entry + equal);
        settle();
        other.settle();
        return true;
    }

    /** Whether what an entry stands for does not depend on other entries of its shard. */
    private boolean isAmongSeparateEntries() {
        EntryLevel level = levels.peek();
        return level != null && overlap == null && !level.shard.overlapping;
    }

    /** How many entries are the same from these on, which have the same key; the last one that is does not count. */
    private static int equalEntries(Shard one, int entry, Shard two, int other) {
        int from = one.keyStart(entry);
        int otherFrom = two.keyStart(other);
        int difference = Arrays.mismatch(one.bytes, from, one.bytes.length, two.bytes, otherFrom, two.bytes.length);
        // The key of an entry starts in both at the same place, if all before is the same; then so are the entries
        // before.
        int end = difference < 0 ? one.bytes.length : from + difference;
        int low = entry;
        int high = one.count() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (one.keyStart(middle) <= end) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low - entry;
    }

    private void enter(ShardRef ref, int prefixLength, @Nullable Cut low, @Nullable Cut high) {
        OperationInterruptedException.check("a comparison of two versions");
        Shard shard = shards.load(ref, new KeyBytes(key, 0, prefixLength));
        if (repeats != null) {
            repeats.enter(ref.cid, shard);
        }
        levels.push(new EntryLevel(shard, null, prefixLength, low, high, Direction.ASCENDING));
    }

    private static void goTo(EntryLevel level, int entry) {
        level.entry = entry;
        level.half = false;
    }

    /** Finds what the cursor stands before. */
    private void settle() {
        if (overlap != null && overlap.tryAdvance(entry -> merged = entry)) {
            KeyBytes bytes =
                    KeyBytes.of(Objects.requireNonNull(merged, "merged").key());
            setKey(0, bytes.array, bytes.from, bytes.to);
            place = Place.ENTRY;
            return;
        }
        overlap = null;
        merged = null;
        place = Place.END;
        for (EntryLevel level = levels.peek(); level != null && place == Place.END; level = levels.peek()) {
            if (level.isOver()) {
                levels.pop();
            } else {
                settle(level);
            }
        }
    }

    private void settle(EntryLevel level) {
        Shard shard = level.shard;
        int entry = level.entry;
        if (!level.half && shard.overlapping && level.stopOf(entry) - entry > 1) {
            place = Place.OVERLAP;
        } else if (!level.half && level.isDataInRange()) {
            place = Place.ENTRY;
        } else if (level.isShardInRange()) {
            level.half = true;
            place = Place.SHARD;
        } else {
            goTo(level, entry + 1);
            return;
        }
        setKey(level.prefixLength, shard.bytes, shard.keyStart(entry), shard.keyEnd(entry));
    }

    /** Puts bytes behind the first of the key. */
    private void setKey(int at, byte[] bytes, int from, int to) {
        keyLength = at + to - from;
        if (keyLength > key.length) {
            key = Arrays.copyOf(key, keyLength + keyLength / 4 + ROOM);
        }
        System.arraycopy(bytes, from, key, at, to - from);
    }

    /** Orders by the first key that may follow: a linked shard has longer keys than its own, and nothing follows the end. Rule X2. */
    @Override
    public int compareTo(DiffCursor other) {
        if (place == Place.END || other.place == Place.END) {
            return Boolean.compare(place == Place.END, other.place == Place.END);
        }
        int order = Utf8.compare(key, 0, keyLength, other.key, 0, other.keyLength);
        return order != 0 ? order : Boolean.compare(place == Place.SHARD, other.place == Place.SHARD);
    }
}
