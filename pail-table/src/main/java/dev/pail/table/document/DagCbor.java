package dev.pail.table.document;

import dev.pail.bytes.CborHead;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Documents in dag-cbor. */
public final class DagCbor {
    private static final String LINK = "/";
    private static final String BYTES = "bytes";

    /** As many as a list has room for that does not know how long it gets. */
    private static final int FEW = 10;

    /** How deep items are nested that {@link #end} knows: it calls itself. */
    public static final int MAX_PLAIN_DEPTH = 16;

    /** The bits of the first byte of an item that tell of its argument. */
    private static final int INFORMATION = 31;

    /** From here on, these bits tell how long the argument is. */
    private static final int LONG = 24;

    /** Stands for an argument of eight bytes. */
    private static final int LONGEST = 27;

    private static final int FALSE = 20;
    private static final int NULL = 22;

    private static final Map<String, Object> NO_BYTES = new InBase64(new byte[0]);

    /** Bytes as dag-json has them: made where they are asked for, as the bytes themselves take less memory. */
    private static final class InBase64 extends AbstractMap<String, Object> {
        private final byte[] bytes;

        InBase64(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public Set<Map.Entry<String, Object>> entrySet() {
            String text = Base64.getEncoder().withoutPadding().encodeToString(bytes);
            return Set.of(Map.entry(LINK, Map.of(BYTES, text)));
        }
    }

    private DagCbor() {}

    /**
     * Whether dag-cbor has a form for a value, from which the value can be read back. Rule D2.
     *
     * @param depth how deep lists and maps may be nested
     */
    public static boolean holds(Object tree, int depth) {
        if (Values.isScalar(tree)) {
            return tree instanceof Number ? tree instanceof Long || tree instanceof Double : Values.isWellFormed(tree);
        }
        if (depth == 0) {
            return false;
        }
        if (tree instanceof List<?> list) {
            for (Object item : list) {
                if (!holds(item, depth - 1)) {
                    return false;
                }
            }
            return true;
        }
        for (Map.Entry<?, ?> field : ((Map<?, ?>) tree).entrySet()) {
            if (!holds(field.getValue(), depth - 1)) {
                return false;
            }
        }
        return true;
    }

    public static byte[] encode(Object tree) {
        DagCborWriter writer = new DagCborWriter();
        write(writer, tree);
        return writer.toByteArray();
    }

    private static void write(DagCborWriter writer, Object tree) {
        if (tree instanceof String text) {
            writer.text(text);
        } else if (tree instanceof Long number) {
            writer.integer(number);
        } else if (tree instanceof Map<?, ?> map) {
            writer.map(map.size());
            for (Map.Entry<?, ?> field : map.entrySet()) {
                writer.text((String) field.getKey());
                write(writer, field.getValue());
            }
        } else if (tree instanceof List<?> list) {
            writer.array(list.size());
            list.forEach(item -> write(writer, item));
        } else if (tree instanceof Double number) {
            writer.number(number);
        } else if (tree instanceof Boolean truth) {
            writer.bool(truth);
        } else {
            writer.nothing();
        }
    }

    /** @throws MalformedDataException if the bytes are not dag-cbor */
    public static Object decode(byte[] bytes) {
        DagCborReader reader = new DagCborReader(bytes);
        Object tree = read(bytes, reader);
        reader.end();
        return tree;
    }

    /**
     * Whether bytes are sure to be dag-cbor, and a map: then {@link #find} reads its values. Else {@link #decode} has to tell. This does not
     * know links, byte strings, integers beyond a long, keys of more than 23 bytes, and items nested deeper than 16.
     */
    public static boolean isPlainMap(byte[] bytes) {
        return bytes.length > 0
                && major(bytes, 0) == CborHead.MAP
                && end(bytes, 0, bytes.length, MAX_PLAIN_DEPTH) == bytes.length;
    }

    /** The end of the item that starts at an index, or -1 if it is not plain. */
    private static int end(byte[] bytes, int from, int to, int depth) {
        if (from >= to) {
            return -1;
        }
        int initial = bytes[from] & 0xff;
        int major = initial >> 5;
        int length = argumentLength(initial);
        int at = from + 1 + length;
        if (length < 0 || at > to) {
            return -1;
        }
        long argument = argument(bytes, from, length);
        if (major == CborHead.SIMPLE) {
            boolean isKnown =
                    length == 0 ? argument >= FALSE && argument <= NULL : length == Long.BYTES && isNumber(argument);
            return isKnown ? at : -1;
        }
        if (CborHead.length(argument) != length + 1) {
            return -1;
        }
        switch (major) {
            case CborHead.UNSIGNED, CborHead.NEGATIVE -> {
                return argument < 0 ? -1 : at;
            }
            case CborHead.TEXT -> {
                return argument < 0 || argument > to - at ? -1 : endOfText(bytes, at, at + (int) argument);
            }
            case CborHead.ARRAY -> {
                if (argument < 0 || argument > to - at || depth == 0) {
                    return -1;
                }
                for (int items = (int) argument; items > 0 && at >= 0; items--) {
                    at = end(bytes, at, to, depth - 1);
                }
                return at;
            }
            case CborHead.MAP -> {
                return argument < 0 || argument > (to - at) / 2 || depth == 0
                        ? -1
                        : endOfPairs(bytes, at, to, depth - 1, (int) argument);
            }
            default -> {
                return -1;
            }
        }
    }

    private static int endOfPairs(byte[] bytes, int from, int to, int depth, int pairs) {
        int at = from;
        int lastFrom = 0;
        int lastTo = -1;
        for (int left = pairs; left > 0; left--) {
            if (at >= to || major(bytes, at) != CborHead.TEXT || (bytes[at] & INFORMATION) >= LONG) {
                return -1;
            }
            int keyFrom = at + 1;
            int keyTo = keyFrom + (bytes[at] & INFORMATION);
            if (keyTo > to || endOfText(bytes, keyFrom, keyTo) < 0) {
                return -1;
            }
            int longer = keyTo - keyFrom - (lastTo - lastFrom);
            if (longer < 0
                    || (longer == 0 && Arrays.compareUnsigned(bytes, lastFrom, lastTo, bytes, keyFrom, keyTo) >= 0)) {
                return -1;
            }
            lastFrom = keyFrom;
            lastTo = keyTo;
            at = end(bytes, keyTo, to, depth);
            if (at < 0) {
                return -1;
            }
        }
        return at;
    }

    /** The end of a text, or -1 if it is not UTF-8. */
    private static int endOfText(byte[] bytes, int from, int to) {
        return Utf8.firstMalformed(bytes, from, to) < 0 ? to : -1;
    }

    private static boolean isNumber(long bits) {
        return Double.isFinite(Double.longBitsToDouble(bits)) && bits != Long.MIN_VALUE;
    }

    private static int major(byte[] bytes, int at) {
        return (bytes[at] & 0xff) >> 5;
    }

    /** How many bytes behind the first one an argument has, or -1 if the length is not known. */
    private static int argumentLength(int initial) {
        int information = initial & INFORMATION;
        return information < LONG ? 0 : information < 28 ? 1 << (information - LONG) : -1;
    }

    private static long argument(byte[] bytes, int at, int length) {
        if (length == 0) {
            return bytes[at] & INFORMATION;
        }
        long argument = 0;
        for (int i = 1; i <= length; i++) {
            argument = (argument << 8) | (bytes[at + i] & 0xff);
        }
        return argument;
    }

    /**
     * What is at a path in the tree of some bytes, found without the tree; null if nothing is.
     *
     * @param bytes those of a plain map
     * @param path names in UTF-8
     */
    public static @Nullable Object find(byte[] bytes, byte[][] path) {
        int at = 0;
        for (int i = 0; i < path.length; i++) {
            at = major(bytes, at) == CborHead.MAP ? value(bytes, at, path[i]) : -1;
            if (at < 0) {
                return null;
            }
        }
        return item(bytes, at);
    }

    /** Where the value of a key of a map starts, or -1 if the map does not have the key. */
    private static int value(byte[] bytes, int map, byte[] key) {
        int length = argumentLength(bytes[map]);
        int at = map + 1 + length;
        for (long left = argument(bytes, map, length); left > 0; left--) {
            int from = at + 1;
            int keyLength = bytes[at] & INFORMATION;
            at = from + keyLength;
            if (keyLength >= key.length) {
                if (keyLength > key.length) {
                    return -1;
                }
                if (Arrays.equals(bytes, from, at, key, 0, key.length)) {
                    return at;
                }
            }
            at = behind(bytes, at);
        }
        return -1;
    }

    /** The end of a plain item. */
    private static int behind(byte[] bytes, int from) {
        int at = from;
        for (long left = 1; left > 0; left--) {
            int length = argumentLength(bytes[at]);
            long argument = argument(bytes, at, length);
            int major = major(bytes, at);
            at += 1 + length;
            if (major == CborHead.TEXT) {
                at += (int) argument;
            } else if (major == CborHead.ARRAY) {
                left += argument;
            } else if (major == CborHead.MAP) {
                left += 2 * argument;
            }
        }
        return at;
    }

    /** The tree of a plain item. */
    private static Object item(byte[] bytes, int at) {
        int length = argumentLength(bytes[at]);
        long argument = argument(bytes, at, length);
        int major = major(bytes, at);
        if (major == CborHead.TEXT && argument > 0) {
            int from = at + 1 + length;
            return Utf8.decode(bytes, from, from + (int) argument);
        }
        if (major <= CborHead.NEGATIVE) {
            return major == CborHead.UNSIGNED ? argument : -1 - argument;
        }
        return read(bytes, new DagCborReader(bytes, at, behind(bytes, at)));
    }

    /** What JSON has no form for looks as dag-json has it. The reader bounds how deep this goes. */
    private static Object read(byte[] bytes, DagCborReader reader) {
        switch (reader.peek()) {
            case INTEGER -> {
                boolean isShort = (bytes[reader.position()] & INFORMATION) < LONGEST;
                return isShort ? (Object) reader.readLong() : Values.of(reader.readInteger());
            }
            case FLOAT -> {
                return Values.of(reader.readDouble());
            }
            case TEXT -> {
                return reader.readText();
            }
            case BOOLEAN -> {
                return reader.readBoolean();
            }
            case NULL -> {
                reader.readNull();
                return Values.NULL;
            }
            case LINK -> {
                return Map.of(LINK, reader.readLink().toString());
            }
            case BYTES -> {
                byte[] found = reader.readBytes();
                return found.length == 0 ? NO_BYTES : new InBase64(found);
            }
            case ARRAY -> {
                int items = reader.readArray();
                if (items == 0) {
                    return List.of();
                }
                List<Object> list = new ArrayList<>(Math.min(items, FEW));
                for (; items > 0; items--) {
                    list.add(read(bytes, reader));
                }
                return list;
            }
            case MAP -> {
                int pairs = reader.readMap();
                if (pairs == 0) {
                    return Map.of();
                }
                if (pairs == 1) {
                    return Map.of(reader.readText(), read(bytes, reader));
                }
                Map<String, Object> map = new LinkedHashMap<>();
                for (; pairs > 0; pairs--) {
                    map.put(reader.readText(), read(bytes, reader));
                }
                return map;
            }
            default -> throw new IllegalStateException("a kind of item that is not known");
        }
    }
}
