package dev.pail.shard;

import dev.pail.bytes.Utf8;
import dev.pail.ipld.DagCborWriter;
import dev.pail.keys.KeyCodec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The layout of version 0: the configuration in every shard, and no prefix; spec rules V0.1 and V0.2. */
public final class LayoutV0 extends Layout {
    public static final int DEFAULT_MAX_SIZE = 512 * 1024;
    public static final int DEFAULT_MAX_KEY_LENGTH = 64;

    /** Bounds of the configuration. Rule V0.1. */
    private static final int LEAST_MAX_SIZE = 64;

    private static final int MOST_MAX_SIZE = 8 << 20;
    private static final int MOST_MAX_KEY_LENGTH = 4096;

    private final int maxSize;
    private final int maxKeyLength;
    private final byte[] header;
    private final byte[] trailer;

    public LayoutV0(int maxSize, int maxKeyLength) {
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
        this.header = Arrays.copyOf(empty, array);
        this.trailer = Arrays.copyOfRange(empty, array + 1, empty.length);
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
    Layout with(Map<String, Integer> configuration) {
        return new LayoutV0(
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
    public KeyBytes key(String key) {
        return KeyBytes.of(key);
    }

    @Override
    public boolean isPrefixed() {
        return false;
    }

    @Override
    public byte[] header(KeyBytes prefix) {
        return header;
    }

    @Override
    public byte[] trailer(KeyBytes prefix) {
        return trailer;
    }

    @Override
    @Nullable
    String brokenRule(KeyBytes prefix, @Nullable KeyBytes last, KeyBytes shardKey, boolean linked) {
        return pieceLength(shardKey) < shardKey.length()
                ? "a key within a shard has at most " + maxKeyLength + " characters (V0.2)"
                : null;
    }

    /** The largest size of a shard in bytes. */
    public int maxSize() {
        return maxSize;
    }

    /** How many bytes of a key fit into one shard key: never a part of a code point, and never none. Rule V0.2. */
    public int pieceLength(KeyBytes key) {
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
}
