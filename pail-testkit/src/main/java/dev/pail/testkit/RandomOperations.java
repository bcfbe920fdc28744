package dev.pail.testkit;

import dev.pail.KeyRange;
import dev.pail.ShardFormat;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Random formats, keys and operations. Keys share prefixes and are seldom new, so that shards split, overlap and empty. Each instance
 * takes its own alphabet, key length and number of values.
 *
 * <pre>{@code
 * Random random = Randomness.random("MyTest");
 * ShardFormat format = RandomOperations.format(random);
 * RandomOperations operations = new RandomOperations(random, format);
 * Pail next = operations.next().applyTo(Pail.create(blocks, format));
 * long count = next.count(operations.range());
 * }</pre>
 */
public final class RandomOperations {
    private static final int[] BASIC_PLANE = {
        'a', 'b', 0, 0x1f, 0x7f, 0x80, 0xe9, 0x7ff, 0x800, 0x4e2d, 0xd7ff, 0xe000, 0xff5e, 0xfffd, 0xffff
    };
    private static final int[] ASTRAL = {'a', 'b', 0xe000, 0xffff, 0x10000, 0x1f600, 0x1f601, 0x10ffff};

    private static final List<Cid> VALUES = IntStream.range(0, 1000)
            .mapToObj(i ->
                    Block.of(Cid.RAW, new byte[] {(byte) i, (byte) (i >> 8)}).cid())
            .toList();

    private final Random random;
    private final String alphabet;
    private final int longest;
    private final int values;
    private final List<String> keys = new ArrayList<>();

    /** Operations for pails of a format. Some keys may be ones that the format refuses. */
    public RandomOperations(Random random, ShardFormat format) {
        this.random = random;
        int kind = random.nextInt(format.name().equals("v0") ? 4 : 2);
        this.alphabet = switch (kind) {
            case 0 -> "ab";
            case 1 -> printable();
            case 2 -> new String(BASIC_PLANE, 0, BASIC_PLANE.length);
            default -> new String(ASTRAL, 0, ASTRAL.length);
        };
        this.longest = random.nextInt(8) == 0 ? 200 : 1 + random.nextInt(12);
        this.values = random.nextBoolean() ? 2 : VALUES.size();
    }

    private static String printable() {
        StringBuilder all = new StringBuilder();
        for (char c = 0x20; c < 0x7f; c++) {
            all.append(c);
        }
        return all.toString();
    }

    /** A random format, with small limits. */
    public static ShardFormat format(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> ShardFormat.v1(1 + random.nextInt(300));
            case 1 -> ShardFormat.v2();
            default -> ShardFormat.v0(130 + random.nextInt(600), 1 + random.nextInt(random.nextBoolean() ? 4 : 70));
        };
    }

    /** A key: an earlier one, one with an earlier prefix, or a new one. */
    public String key() {
        if (!keys.isEmpty() && random.nextInt(3) == 0) {
            return keys.get(random.nextInt(keys.size()));
        }
        StringBuilder key = new StringBuilder();
        if (!keys.isEmpty() && random.nextInt(3) == 0) {
            String other = keys.get(random.nextInt(keys.size()));
            key.append(
                    other, 0, other.offsetByCodePoints(0, random.nextInt(other.codePointCount(0, other.length()) + 1)));
        }
        int codePoints = alphabet.codePointCount(0, alphabet.length());
        for (int length = random.nextInt(longest + 1); length > 0; length--) {
            key.appendCodePoint(alphabet.codePointAt(alphabet.offsetByCodePoints(0, random.nextInt(codePoints))));
        }
        String text = key.length() > 400 ? "" : key.toString();
        keys.add(text);
        return text;
    }

    /** The next operation: a put, a delete, or now and then a batch of up to 20. */
    public MapOperation next() {
        int kind = random.nextInt(20);
        if (kind == 0) {
            List<MapOperation> operations = new ArrayList<>();
            for (int i = random.nextInt(20); i >= 0; i--) {
                operations.add(single());
            }
            return new MapOperation.Several(operations);
        }
        return single();
    }

    private MapOperation single() {
        return random.nextInt(5) < 3
                ? new MapOperation.Put(key(), VALUES.get(random.nextInt(values)))
                : new MapOperation.Delete(key());
    }

    /** A range between keys, ascending or descending. */
    public KeyRange range() {
        KeyRange range = KeyRange.all();
        if (random.nextInt(3) == 0) {
            range = range.within(key());
        }
        range = switch (random.nextInt(3)) {
            case 0 -> range;
            case 1 -> range.from(key());
            default -> range.after(key());
        };
        range = switch (random.nextInt(3)) {
            case 0 -> range;
            case 1 -> range.before(key());
            default -> range.through(key());
        };
        return random.nextBoolean() ? range : range.descending();
    }
}
