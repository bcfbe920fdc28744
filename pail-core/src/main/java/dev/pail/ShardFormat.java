package dev.pail;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.CheckReturnValue;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.MalformedDataException;
import dev.pail.keys.KeyCodec;
import dev.pail.unsafe.UnsafeBlocks;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a pail is laid out and written: the header of its shards, which keys it takes, and where an entry goes. A pail has
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
public abstract sealed class ShardFormat permits FormatV0, FormatV1 {
    private static final int MOST_FIELDS = 5;

    ShardFormat() {}

    /** The format of the specification: one shard until it is too large, then split by longest common prefix. */
    public static ShardFormat v0() {
        return v0(FormatV0.DEFAULT_MAX_SIZE, FormatV0.DEFAULT_MAX_KEY_LENGTH);
    }

    /**
     * {@link #v0()} with its configuration.
     *
     * @param maxSize the largest size of an encoded shard in bytes, from 64 to 8 MiB; 524,288 by default
     * @param maxKeyLength the largest length of a key within a shard in UTF-16 code units, from 1 to 4,096; 64 by default
     * @throws IllegalArgumentException if one is out of range
     */
    public static ShardFormat v0(int maxSize, int maxKeyLength) {
        return new FormatV0(maxSize, maxKeyLength);
    }

    /** The deterministic format: a shard for each character that keys have in common. Keys are printable ASCII. */
    public static ShardFormat v1() {
        return v1(FormatV1.DEFAULT_MAX_KEY_SIZE);
    }

    /**
     * {@link #v1()} with its configuration.
     *
     * @param maxKeySize the largest size of a key in bytes, from 1 to 4,096; 4,096 by default
     * @throws IllegalArgumentException if it is out of range
     */
    public static ShardFormat v1(int maxKeySize) {
        return new FormatV1(1, maxKeySize);
    }

    /** As {@link #v1()}, but only the root shard carries the configuration. */
    public static ShardFormat v2() {
        return v2(FormatV1.DEFAULT_MAX_KEY_SIZE);
    }

    /**
     * {@link #v2()} with its configuration.
     *
     * @param maxKeySize the largest size of a key in bytes, from 1 to 4,096; 4,096 by default
     * @throws IllegalArgumentException if it is out of range
     */
    public static ShardFormat v2(int maxKeySize) {
        return new FormatV1(2, maxKeySize);
    }

    /**
     * The format of this name, as {@link #v0()}, {@link #v1()} and {@link #v2()} have it.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static ShardFormat named(String name) {
        return switch (name) {
            case "v0" -> v0();
            case "v1" -> v1();
            case "v2" -> v2();
            default -> throw new IllegalArgumentException("format \"" + name + "\" is not known");
        };
    }

    /**
     * The format of this name and configuration.
     *
     * @param configuration just what {@link #configuration()} has for this format
     * @throws IllegalArgumentException if there is no such format, a setting is missing or none of its, or one is out of range
     */
    public static ShardFormat of(String name, Map<String, Integer> configuration) {
        Set<String> given = configuration.keySet();
        ShardFormat format = named(name);
        Set<String> settings = format.configuration().keySet();
        if (!given.equals(settings)) {
            throw new IllegalArgumentException("format " + name + " has " + settings + ", and not " + given);
        }
        return format.with(configuration);
    }

    /** This format with another configuration, which has the same settings. */
    abstract ShardFormat with(Map<String, Integer> configuration);

    /** What root shards have for {@code version}; null if that is nothing. */
    abstract @Nullable Integer version();

    /** {@code v0}, {@code v1} or {@code v2}. */
    public abstract String name();

    /** What is configured, by the names that the specification has for it. In its order. */
    public abstract Map<String, Integer> configuration();

    /**
     * How namespaces are written where nothing else is asked for (Rule N10): {@link KeyCodec#separatedHex},
     * which promises everything, with U+0000 in v0, and in v1 and v2, whose keys are printable ASCII, with {@code !}.
     */
    public abstract KeyCodec keyCodec();

    /**
     * Checks that a pail of this format can hold a key.
     *
     * @throws KeyNotAllowedException if it cannot
     */
    public final void checkKey(String key) {
        key(key);
    }

    /**
     * A key that a pail of this format can hold.
     *
     * @throws KeyNotAllowedException if it cannot
     */
    @CanIgnoreReturnValue
    abstract KeyBytes key(String key);

    /** The bytes of a shard before the head of its array of entries. */
    abstract byte[] head(KeyBytes prefix);

    /** The bytes of a shard behind its entries. */
    abstract byte[] tail(KeyBytes prefix);

    /**
     * Checks the key of an entry of a shard that was read. That it is in order is checked elsewhere.
     *
     * @param last the key of the entry before
     * @param linked whether the entry links to a shard
     * @return the rule that the key breaks
     */
    abstract @Nullable String brokenRule(KeyBytes prefix, @Nullable KeyBytes last, KeyBytes shardKey, boolean linked);

    /** Whether shards carry their prefix, so that no shard can stand in two places. */
    abstract boolean isPrefixed();

    /** Whether nothing but the keys decides where puts go, as it does in version 1 (spec rules V1.2 to V1.4). */
    abstract boolean isByKeysAlone();

    /**
     * Puts user data into the shard that traversal ended in. A shard link beside it stays. Rule P1.
     *
     * @param shardKey the rest of the key there. No link of the shard is a proper prefix of it
     * @throws ShardLimitException if there is no room
     */
    abstract void place(Draft shard, KeyBytes shardKey, Cid data);

    /** The one place that finds out what format a root shard has. Rule S2. */
    static ShardFormat detect(Block root) {
        Cid cid = root.cid();
        Map<String, Integer> numbers = numbers(root);
        Integer version = numbers.remove("version");
        for (ShardFormat format : List.of(v0(), v1(), v2())) {
            if (Objects.equals(version, format.version())
                    && numbers.keySet().equals(format.configuration().keySet())) {
                try {
                    return format.with(numbers);
                } catch (IllegalArgumentException e) {
                    throw new MalformedShardException(cid, 0, e.getMessage() + " (S2)");
                }
            }
        }
        throw new MalformedShardException(cid, 0, "a root shard has the configuration of a known format (S2)");
    }

    /** The integers in the map that a block is, those out of range as -1. */
    private static Map<String, Integer> numbers(Block root) {
        Map<String, Integer> numbers = new TreeMap<>();
        try {
            DagCborReader reader = new DagCborReader(UnsafeBlocks.bytes(root));
            int pairs = reader.readMap();
            if (pairs > MOST_FIELDS) {
                throw new MalformedDataException(0, "a shard has at most " + MOST_FIELDS + " fields (S2)");
            }
            for (; pairs > 0; pairs--) {
                String name = reader.readText();
                if (reader.peek() == DagCborReader.Kind.INTEGER) {
                    BigInteger number = reader.readInteger();
                    numbers.put(name, number.bitLength() < Integer.SIZE ? number.intValue() : -1);
                } else {
                    reader.skip();
                }
            }
            reader.end();
        } catch (MalformedDataException e) {
            throw new MalformedShardException(root.cid(), e.offset(), e.rule());
        }
        return numbers;
    }

    /** Checks a configured number. */
    static int inRange(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is from " + least + " to " + most + ", not " + value);
        }
        return value;
    }

    @Override
    public final boolean equals(Object other) {
        return other instanceof ShardFormat format
                && name().equals(format.name())
                && configuration().equals(format.configuration());
    }

    @Override
    public final int hashCode() {
        return name().hashCode() * 31 + configuration().hashCode();
    }

    /** The name and the configuration. */
    @Override
    public final String toString() {
        return name() + configuration();
    }
}
