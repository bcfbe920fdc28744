package dev.pail.shard;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.pail.KeyNotAllowedException;
import dev.pail.MalformedBlockException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.MalformedDataException;
import dev.pail.keys.KeyCodec;
import dev.pail.unsafe.UnsafeBlocks;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How shards of one format are written: what stands around their entries, and which keys they may have (spec rules S1 to S9). Where an
 * entry goes is not its business.
 *
 * <p>Immutable, equal by name and configuration.
 */
public abstract sealed class Layout permits LayoutV0, LayoutV1 {
    private static final int MOST_FIELDS = 5;

    Layout() {}

    /**
     * The layout of this name, with the configuration that is the default.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Layout named(String name) {
        for (Layout layout : all()) {
            if (layout.name().equals(name)) {
                return layout;
            }
        }
        throw new IllegalArgumentException("format \"" + name + "\" is not known");
    }

    /**
     * The layout of this name and configuration.
     *
     * @throws IllegalArgumentException if there is none, a setting is missing or none of its, or one is out of range
     */
    public static Layout of(String name, Map<String, Integer> configuration) {
        Set<String> given = configuration.keySet();
        Layout layout = named(name);
        Set<String> settings = layout.configuration().keySet();
        if (!given.equals(settings)) {
            throw new IllegalArgumentException("format " + name + " has " + settings + ", and not " + given);
        }
        return layout.with(configuration);
    }

    /** All there are, with the configurations that are the defaults. */
    private static List<Layout> all() {
        return List.of(
                new LayoutV0(LayoutV0.DEFAULT_MAX_SIZE, LayoutV0.DEFAULT_MAX_KEY_LENGTH),
                new LayoutV1(1, LayoutV1.DEFAULT_MAX_KEY_SIZE),
                new LayoutV1(2, LayoutV1.DEFAULT_MAX_KEY_SIZE));
    }

    /** This layout with another configuration, which has the same settings. */
    abstract Layout with(Map<String, Integer> configuration);

    /** What root shards have for {@code version}; null if that is nothing. */
    abstract @Nullable Integer version();

    /** {@code v0}, {@code v1} or {@code v2}. */
    public abstract String name();

    /** What is configured, by the names that the specification has for it. In its order. */
    public abstract Map<String, Integer> configuration();

    /** How namespaces are written where nothing else is asked for. */
    public abstract KeyCodec keyCodec();

    /**
     * A key that a pail of this format can hold.
     *
     * @throws KeyNotAllowedException if it cannot
     */
    @CanIgnoreReturnValue
    public abstract KeyBytes key(String key);

    /** The bytes of a shard before its array of entries. */
    public abstract byte[] header(KeyBytes prefix);

    /** The bytes of a shard behind its entries. */
    public abstract byte[] trailer(KeyBytes prefix);

    /**
     * Checks the key of an entry of a shard that was read. That it is in order is checked elsewhere.
     *
     * @param last the key of the entry before
     * @param linked whether the entry links to a shard
     * @return the rule that the key breaks
     */
    abstract @Nullable String brokenRule(KeyBytes prefix, @Nullable KeyBytes last, KeyBytes shardKey, boolean linked);

    /** Whether shards carry their prefix, so that no shard can stand in two places. */
    public abstract boolean isPrefixed();

    /** The one place that finds out what format a root shard has. Rule S2. */
    public static Layout detect(Block root) {
        Cid cid = root.cid();
        Map<String, Integer> numbers = numbers(root);
        Integer version = numbers.remove("version");
        for (Layout layout : all()) {
            if (Objects.equals(version, layout.version())
                    && numbers.keySet().equals(layout.configuration().keySet())) {
                try {
                    return layout.with(numbers);
                } catch (IllegalArgumentException e) {
                    throw MalformedBlockException.ofShard(cid, 0, e.getMessage() + " (S2)");
                }
            }
        }
        throw MalformedBlockException.ofShard(cid, 0, "a root shard has the configuration of a known format (S2)");
    }

    /**
     * Returns the format in its default configuration whose root shards begin and end as a block does, if there is one. If the block can be
     * decoded as a shard of it, {@link #detect} gives the same, but has to pass over all entries.
     */
    public static @Nullable Layout likely(Block root) {
        byte[] bytes = UnsafeBlocks.bytes(root);
        for (Layout layout : all()) {
            byte[] header = layout.header(KeyBytes.EMPTY);
            byte[] trailer = layout.trailer(KeyBytes.EMPTY);
            int end = bytes.length - trailer.length;
            if (end >= header.length
                    && Arrays.equals(bytes, 0, header.length, header, 0, header.length)
                    && Arrays.equals(bytes, end, bytes.length, trailer, 0, trailer.length)) {
                return layout;
            }
        }
        return null;
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
                    // The decoder of the shard checks what is inside.
                    reader.pass();
                }
            }
            reader.end();
        } catch (MalformedDataException e) {
            throw MalformedBlockException.ofShard(root.cid(), e.offset(), e.rule());
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
        return other instanceof Layout layout
                && name().equals(layout.name())
                && configuration().equals(layout.configuration());
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
