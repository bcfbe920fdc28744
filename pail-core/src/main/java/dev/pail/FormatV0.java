package dev.pail;

import dev.pail.bytes.Utf8;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.keys.KeyCodec;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One shard until it is over {@code maxSize}, then split by longest common prefix; spec rules V0.1 to V0.7. */
final class FormatV0 extends ShardFormat {
    static final int DEFAULT_MAX_SIZE = 512 * 1024;
    static final int DEFAULT_MAX_KEY_LENGTH = 64;

    /** Bounds of the configuration. Rule V0.1. */
    private static final int LEAST_MAX_SIZE = 64;

    private static final int MOST_MAX_SIZE = 8 << 20;
    private static final int MOST_MAX_KEY_LENGTH = 4096;

    /** A key may make so many shards at most. */
    private static final int MAX_PIECES = 10_000;

    private final int maxSize;
    private final int maxKeyLength;
    private final byte[] head;
    private final byte[] tail;

    FormatV0(int maxSize, int maxKeyLength) {
        this.maxSize = inRange("maxSize", maxSize, LEAST_MAX_SIZE, MOST_MAX_SIZE);
        this.maxKeyLength = inRange("maxKeyLength", maxKeyLength, 1, MOST_MAX_KEY_LENGTH);
        byte[] empty = new DagCborWriter()
                .map(3)
                .text("entries")
                .array(0)
                .text("maxSize")
                .integer(maxSize)
                .text("maxKeyLength")
                .integer(maxKeyLength)
                .toByteArray();
        // One byte for the map, one for the head of the text, the text.
        int array = 2 + "entries".length();
        this.head = Arrays.copyOf(empty, array);
        this.tail = Arrays.copyOfRange(empty, array + 1, empty.length);
    }

    @Override
    public String name() {
        return "v0";
    }

    @Override
    public Map<String, Integer> configuration() {
        Map<String, Integer> configuration = new LinkedHashMap<>();
        configuration.put("maxSize", maxSize);
        configuration.put("maxKeyLength", maxKeyLength);
        return configuration;
    }

    @Override
    ShardFormat with(Map<String, Integer> configuration) {
        return new FormatV0(
                Objects.requireNonNull(configuration.get("maxSize")),
                Objects.requireNonNull(configuration.get("maxKeyLength")));
    }

    @Override
    @Nullable
    Integer version() {
        return null;
    }

    @Override
    public KeyCodec keyCodec() {
        return KeyCodec.separatedHex('\0');
    }

    @Override
    KeyBytes key(String key) {
        return KeyBytes.of(key);
    }

    @Override
    boolean isPrefixed() {
        return false;
    }

    @Override
    boolean isByKeysAlone() {
        return false;
    }

    @Override
    byte[] head(KeyBytes prefix) {
        return head;
    }

    @Override
    byte[] tail(KeyBytes prefix) {
        return tail;
    }

    @Override
    @Nullable
    String brokenRule(KeyBytes prefix, @Nullable KeyBytes last, KeyBytes shardKey, boolean linked) {
        return pieceLength(shardKey) < shardKey.length()
                ? "a key within a shard has at most " + maxKeyLength + " characters (V0.2)"
                : null;
    }

    @Override
    void place(Draft shard, KeyBytes shardKey, Cid data) {
        int length = pieceLength(shardKey);
        KeyBytes piece = length == shardKey.length() ? shardKey : shardKey.head(length);
        ShardValue value = shard.get(piece);
        if (length == shardKey.length()) {
            if (Objects.equals(data, value.data())) {
                // A shard of somebody else that is over maxSize stays as it is, too.
                return;
            }
            shard.set(piece, value.withData(data));
        } else {
            shard.set(piece, value.withShard(chain(shard, shardKey, length, data)));
            KeyBytes above = shard.above(piece);
            if (above != null && above.startsWith(piece)) {
                shard.overlap();
            }
        }
        if (shard.size() > maxSize) {
            fit(shard, piece, shardKey);
        }
    }

    /** How many bytes of a key fit into one shard key: never a part of a code point, and never none. Rule V0.2. */
    private int pieceLength(KeyBytes key) {
        if (key.length() <= maxKeyLength) {
            return key.length();
        }
        int units = 0;
        int end = key.from;
        while (end < key.to) {
            int next = Utf8.next(key.array, end);
            units += next - end == 4 ? 2 : 1;
            if (units > maxKeyLength && end > key.from) {
                break;
            }
            end = next;
        }
        return end - key.from;
    }

    /** The shards for the rest of a key that is too long for one, each with one entry. Rule V0.3. */
    private Draft chain(Draft parent, KeyBytes shardKey, int from, Cid data) {
        Draft top = Draft.empty(this, shardKey.path(from));
        Draft shard = top;
        KeyBytes rest = shardKey.without(from);
        for (int pieces = 2; ; pieces++) {
            int length = pieceLength(rest);
            KeyBytes piece = rest.head(length);
            boolean last = length == rest.length();
            Draft next = Draft.empty(this, rest.path(length));
            shard.set(piece, last ? ShardValue.NOTHING.withData(data) : ShardValue.NOTHING.withShard(next));
            if (shard.size() > maxSize) {
                throw limit(parent, shardKey, "a shard of one entry is over maxSize, " + maxSize + " bytes");
            }
            if (last) {
                return top;
            }
            if (pieces == MAX_PIECES) {
                throw limit(parent, shardKey, "a key makes at most " + MAX_PIECES + " shards");
            }
            shard = next;
            rest = rest.without(length);
        }
    }

    /**
     * Splits a shard, and what is split off it, until each is within {@code maxSize}. Rule V0.4.
     *
     * @param inserted what the shard has of the key that was put
     * @param shardKey all that the shard and those below it have of that
     */
    private void fit(Draft draft, KeyBytes inserted, KeyBytes shardKey) {
        record Work(Draft shard, KeyBytes base) {}
        Deque<Work> due = new ArrayDeque<>();
        due.push(new Work(draft, inserted));
        while (!due.isEmpty()) {
            Draft shard = due.peek().shard();
            KeyBytes base = due.pop().base();
            while (shard.size() > maxSize) {
                KeyBytes common = longestCommonPrefix(shard, base);
                if (common == null) {
                    throw limit(draft, shardKey, "no keys to split off a shard over maxSize, " + maxSize + " bytes");
                }
                Draft child = shard.split(common);
                boolean moved = base.length() > common.length() && base.startsWith(common);
                due.push(new Work(child, moved ? base.without(common.length()) : child.first()));
                base = common;
            }
        }
    }

    /**
     * The longest prefix that the base has in common with another key, shorter than the base itself. Where there is none,
     * that of the next key, and so on, once round. Rule V0.5.
     */
    private static @Nullable KeyBytes longestCommonPrefix(Draft shard, KeyBytes start) {
        KeyBytes base = start;
        KeyBytes below = shard.below(start);
        KeyBytes barren = KeyBytes.EMPTY;
        DraftCursor next = shard.after(start);
        while (true) {
            KeyBytes above = next.advance() ? next.key() : null;
            // No other key has more in common with the base than its neighbours in the order.
            int common = Math.max(
                    below == null ? 0 : base.commonLength(below), above == null ? 0 : base.commonLength(above));
            KeyBytes longest = base.head(base.wholeCodePoints(Math.max(0, Math.min(common, base.length() - 1))));
            KeyBytes prefix = longest;
            while (!prefix.isEmpty()
                    && shard.isOverlapping()
                    && shard.get(prefix).shard() != null) {
                // Among overlaps, the prefix can be the key of a link, whose shard is no place to move more keys to.
                prefix = prefix.head(prefix.wholeCodePoints(prefix.length() - 1));
                prefix = prefix.equals(barren) ? KeyBytes.EMPTY : prefix;
            }
            if (!prefix.isEmpty()) {
                return prefix;
            }
            barren = longest;
            below = above == null ? null : base;
            if (above == null) {
                next = shard.cursor();
                next.advance();
                above = next.key();
            }
            base = above;
            if (base.equals(start)) {
                return null;
            }
        }
    }

    /** The refusal of a put for which there is no room. Rule V0.6. */
    private static ShardLimitException limit(Draft shard, KeyBytes shardKey, String limit) {
        return new ShardLimitException(shard.prefix().append(shardKey).toString(), limit + " (V0.6)");
    }
}
