package dev.pail.shard;

import dev.pail.KeyNotAllowedException;
import dev.pail.bytes.CborHead;
import dev.pail.ipld.DagCborWriter;
import dev.pail.keys.KeyCodec;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The layout of version 1: the configuration and their prefix in all shards. Version 2 differs in that only the root carries the
 * configuration, and in nothing else; spec rules V1.1 to V1.3 and V2.1.
 */
public final class LayoutV1 extends Layout {
    public static final int DEFAULT_MAX_KEY_SIZE = 4096;

    private static final int MOST_MAX_KEY_SIZE = 4096;
    private static final byte[] NOTHING = {};

    private static final byte MAP_OF_TWO = (byte) 0xa2;
    private static final byte MAP_OF_FIVE = (byte) 0xa5;

    /** A map; the key of its first pair, a text of six bytes. */
    private static final byte[] PREFIX = {MAP_OF_TWO, 0x66, 'p', 'r', 'e', 'f', 'i', 'x'};

    /** The key of the second pair, a text of seven bytes. */
    private static final byte[] ENTRIES = {0x67, 'e', 'n', 't', 'r', 'i', 'e', 's'};

    private final int version;
    private final int maxKeySize;
    private final byte[] configuration;

    public LayoutV1(int version, int maxKeySize) {
        this.version = version;
        this.maxKeySize = inRange("maxKeySize", maxKeySize, 1, MOST_MAX_KEY_SIZE);
        byte[] map = new DagCborWriter()
                .map(3)
                .text("version")
                .integer(version)
                .text("keyChars")
                .text("ascii")
                .text("maxKeySize")
                .integer(maxKeySize)
                .toByteArray();
        this.configuration = Arrays.copyOfRange(map, 1, map.length);
    }

    @Override
    public String name() {
        return "v" + version;
    }

    @Override
    public Map<String, Integer> configuration() {
        return Map.of("maxKeySize", maxKeySize);
    }

    @Override
    Layout with(Map<String, Integer> configuration) {
        return new LayoutV1(version, Objects.requireNonNull(configuration.get("maxKeySize")));
    }

    @Override
    Integer version() {
        return version;
    }

    @Override
    public KeyCodec keyCodec() {
        return KeyCodec.separatedHex('!');
    }

    @Override
    public KeyBytes key(String key) {
        for (int i = 0; i < key.length(); i++) {
            if (!isPrintable(key.charAt(i))) {
                throw new KeyNotAllowedException(
                        key, "a character that is not printable ASCII, at index " + i + " (V1.1)");
            }
        }
        if (key.length() > maxKeySize) {
            throw new KeyNotAllowedException(
                    key, key.length() + " bytes, over maxKeySize, " + maxKeySize + " bytes (V1.1)");
        }
        return KeyBytes.of(key);
    }

    /** Whether a key may have this character. Rule V1.1. */
    private static boolean isPrintable(int c) {
        return c >= 0x20 && c <= 0x7e;
    }

    /** Whether a shard carries the configuration: in version 2 only the root does. Rule V2.1. */
    private boolean isConfigured(KeyBytes prefix) {
        return version == 1 || prefix.isEmpty();
    }

    @Override
    public boolean isPrefixed() {
        return true;
    }

    @Override
    public byte[] header(KeyBytes prefix) {
        int lengthSize = CborHead.length(prefix.length());
        byte[] header = new byte[PREFIX.length + lengthSize + prefix.length() + ENTRIES.length];
        System.arraycopy(PREFIX, 0, header, 0, PREFIX.length);
        int at = CborHead.write(header, PREFIX.length, CborHead.TEXT, prefix.length());
        System.arraycopy(prefix.array, prefix.from, header, at, prefix.length());
        System.arraycopy(ENTRIES, 0, header, at + prefix.length(), ENTRIES.length);
        header[0] = isConfigured(prefix) ? MAP_OF_FIVE : MAP_OF_TWO;
        return header;
    }

    @Override
    public byte[] trailer(KeyBytes prefix) {
        return isConfigured(prefix) ? configuration : NOTHING;
    }

    @Override
    @Nullable
    String brokenRule(KeyBytes prefix, @Nullable KeyBytes last, KeyBytes shardKey, boolean linked) {
        for (int i = shardKey.from; i < shardKey.to; i++) {
            if (!isPrintable(shardKey.array[i])) {
                return "keys are printable ASCII (V1.1)";
            }
        }
        if (prefix.length() + shardKey.length() > maxKeySize) {
            return "a key has at most " + maxKeySize + " bytes (V1.1)";
        }
        // Rule V1.2.
        if (linked && shardKey.length() != 1) {
            return "a shard link stands under one character (V1.2)";
        }
        // Rule V1.3.
        if (last != null && !last.isEmpty() && last.first() == shardKey.first()) {
            return "no two keys of a shard start with the same character (V1.3)";
        }
        return null;
    }
}
