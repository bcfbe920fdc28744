package dev.pail;

import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.keys.KeyCodec;
import dev.pail.shard.Layout;
import dev.pail.shard.LayoutV0;
import dev.pail.shard.LayoutV1;
import java.util.Map;
import java.util.Objects;

/**
 * The layout of a pail: the header of its shards, the keys that it takes, and the place of an entry. A pail has
 * one format with one configuration for all its shards (spec rule S1).
 *
 * <p>Immutable, equal by name and configuration.
 *
 * <pre>{@code
 * Pail created = Pail.create(blocks, ShardFormat.v1(1000)); // keys of at most 1000 characters
 * ShardFormat format = Pail.open(blocks, created.root()).format(); // read from the root: v1{maxKeySize=1000}
 * format.checkKey("photos/1.jpg"); // throws KeyNotAllowedException for a key that it does not take
 * }</pre>
 */
@CheckReturnValue
public final class ShardFormat {
    private final Layout layout;

    ShardFormat(Layout layout) {
        this.layout = layout;
    }

    /** The format of the specification: one shard until it is too large, then split by longest common prefix. */
    public static ShardFormat v0() {
        return v0(LayoutV0.DEFAULT_MAX_SIZE, LayoutV0.DEFAULT_MAX_KEY_LENGTH);
    }

    /**
     * {@link #v0()} with its configuration.
     *
     * @param maxSize the largest size of an encoded shard in bytes, from 64 to 8 MiB; 524,288 by default
     * @param maxKeyLength the largest length of a key within a shard in UTF-16 code units, from 1 to 4,096; 64 by default
     * @throws IllegalArgumentException if one is out of range
     */
    public static ShardFormat v0(int maxSize, int maxKeyLength) {
        return new ShardFormat(new LayoutV0(maxSize, maxKeyLength));
    }

    /** The deterministic format: a shard for each character that keys have in common. Keys are printable ASCII. */
    public static ShardFormat v1() {
        return v1(LayoutV1.DEFAULT_MAX_KEY_SIZE);
    }

    /**
     * {@link #v1()} with its configuration.
     *
     * @param maxKeySize the largest size of a key in bytes, from 1 to 4,096; 4,096 by default
     * @throws IllegalArgumentException if it is out of range
     */
    public static ShardFormat v1(int maxKeySize) {
        return new ShardFormat(new LayoutV1(1, maxKeySize));
    }

    /** As {@link #v1()}, but only the root shard carries the configuration. */
    public static ShardFormat v2() {
        return v2(LayoutV1.DEFAULT_MAX_KEY_SIZE);
    }

    /**
     * {@link #v2()} with its configuration.
     *
     * @param maxKeySize the largest size of a key in bytes, from 1 to 4,096; 4,096 by default
     * @throws IllegalArgumentException if it is out of range
     */
    public static ShardFormat v2(int maxKeySize) {
        return new ShardFormat(new LayoutV1(2, maxKeySize));
    }

    /**
     * Returns the format of a name, with the configuration of {@link #v0()}, {@link #v1()} or {@link #v2()}.
     *
     * @throws IllegalArgumentException if there is no such format
     */
    public static ShardFormat named(String name) {
        return new ShardFormat(Layout.named(Objects.requireNonNull(name, "name")));
    }

    /**
     * Returns the format of a name and configuration.
     *
     * @param configuration exactly the settings that {@link #configuration()} has for this format
     * @throws IllegalArgumentException if there is no such format, or a setting is missing, unknown or out of range
     */
    public static ShardFormat of(String name, Map<String, Integer> configuration) {
        Objects.requireNonNull(name, "name");
        return new ShardFormat(Layout.of(name, Objects.requireNonNull(configuration, "configuration")));
    }

    Layout layout() {
        return layout;
    }

    /** {@code v0}, {@code v1} or {@code v2}. */
    public String name() {
        return layout.name();
    }

    /** Returns the settings, by the names and in the order of the specification. */
    public Map<String, Integer> configuration() {
        return layout.configuration();
    }

    /**
     * Returns the default codec for namespaces (Rule N10): {@link KeyCodec#separatedHex}, which has every property. The separator is
     * U+0000 in v0, and {@code !} in v1 and v2, whose keys are printable ASCII.
     */
    public KeyCodec keyCodec() {
        return layout.keyCodec();
    }

    /**
     * Checks that a pail of this format can hold a key.
     *
     * @throws KeyNotAllowedException if it cannot
     */
    public void checkKey(String key) {
        layout.key(key);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ShardFormat format && layout.equals(format.layout);
    }

    @Override
    public int hashCode() {
        return layout.hashCode();
    }

    /** The name and the configuration. */
    @Override
    public String toString() {
        return layout.toString();
    }
}
