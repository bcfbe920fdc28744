package dev.pail.table.document;

import dev.pail.bytes.CborHead;
import dev.pail.bytes.PlainItems;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import java.util.AbstractMap;
import java.util.ArrayList;
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

    /** The bits of the first byte of an item that tell of its argument. */
    private static final int INFORMATION = 31;

    /** Stands for an argument of eight bytes. */
    private static final int LONGEST = 27;

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

    /** Writes a value as an item of its own. */
    public static void write(DagCborWriter writer, Object tree) {
        if (tree instanceof String text) {
            writer.text(text);
        } else if (tree instanceof Long number) {
            writer.integer(number);
        } else if (tree instanceof Double number) {
            writer.number(number);
        } else if (tree instanceof Boolean truth) {
            writer.bool(truth);
        } else if (tree == Values.NULL) {
            writer.nothing();
        } else if (tree instanceof Map<?, ?> map) {
            writer.map(map.size());
            for (Map.Entry<?, ?> field : map.entrySet()) {
                writer.text((String) field.getKey());
                write(writer, field.getValue());
            }
        } else {
            List<?> list = (List<?>) tree;
            writer.array(list.size());
            list.forEach(item -> write(writer, item));
        }
    }

    /**
     * Decodes a document.
     *
     * @throws MalformedDataException if the bytes are not dag-cbor
     */
    public static Object decode(byte[] bytes) {
        DagCborReader reader = new DagCborReader(bytes);
        Object tree = read(bytes, reader);
        reader.end();
        return tree;
    }

    /**
     * What is at a path in the tree of some bytes, found without the tree; null if nothing is.
     *
     * @param bytes those of a {@link PlainItems#isPlainMap plain map}
     * @param path names in UTF-8
     */
    public static @Nullable Object find(byte[] bytes, byte[][] path) {
        int at = PlainItems.find(bytes, path);
        if (at < 0) {
            return null;
        }
        long argument = PlainItems.argument(bytes, at);
        int major = PlainItems.major(bytes, at);
        if (major == CborHead.TEXT) {
            int from = PlainItems.content(bytes, at);
            return Utf8.decode(bytes, from, from + (int) argument);
        }
        if (major <= CborHead.NEGATIVE) {
            return major == CborHead.UNSIGNED ? argument : -1 - argument;
        }
        return read(bytes, new DagCborReader(bytes, at, PlainItems.behind(bytes, at)));
    }

    /**
     * Reads an item. What JSON has no form for looks as dag-json has it. The reader bounds how deep this goes.
     *
     * @param bytes those of the reader
     */
    public static Object read(byte[] bytes, DagCborReader reader) {
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
