package dev.pail.table;

import dev.pail.bytes.Utf8;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import java.math.BigInteger;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Documents in dag-cbor. */
final class DagCbor {
    private static final String LINK = "/";
    private static final String BYTES = "bytes";

    /** As many as a list has room for that does not know how long it gets. */
    private static final int FEW = 10;

    private static final Map<String, Object> NO_BYTES = new InBase64(new byte[0]);
    private static final Scalar NO_TEXT = Scalar.of("");

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
            return Set.of(Map.entry(LINK, Map.of(BYTES, Scalar.of(text))));
        }
    }

    private DagCbor() {}

    /**
     * Whether dag-cbor has a form for a value, from which the value can be read back. Rule D2.
     *
     * @param depth how deep lists and maps may be nested
     */
    static boolean holds(Object tree, int depth) {
        if (tree instanceof Scalar scalar) {
            return scalar.kind == Scalar.Kind.NUMBER
                    ? scalar.isLong() || scalar.isDouble()
                    : !scalar.isText() || Utf8.loneSurrogate(scalar.text()) < 0;
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

    static byte[] encode(Object tree) {
        DagCborWriter writer = new DagCborWriter();
        write(writer, tree);
        return writer.toByteArray();
    }

    private static void write(DagCborWriter writer, Object tree) {
        if (tree instanceof Scalar scalar) {
            write(writer, scalar);
        } else if (tree instanceof List<?> list) {
            writer.array(list.size());
            list.forEach(item -> write(writer, item));
        } else {
            Map<?, ?> map = (Map<?, ?>) tree;
            writer.map(map.size());
            for (Map.Entry<?, ?> field : map.entrySet()) {
                writer.text((String) field.getKey());
                write(writer, field.getValue());
            }
        }
    }

    private static void write(DagCborWriter writer, Scalar scalar) {
        switch (scalar.kind) {
            case NULL -> writer.nothing();
            case FALSE -> writer.bool(false);
            case TRUE -> writer.bool(true);
            case TEXT -> writer.text(scalar.text());
            case NUMBER -> {
                if (scalar.isLong()) {
                    writer.integer(scalar.number().longValue());
                } else {
                    writer.number(scalar.number().doubleValue());
                }
            }
        }
    }

    /** @throws MalformedDataException if the bytes are not dag-cbor */
    static Object decode(byte[] bytes) {
        DagCborReader reader = new DagCborReader(bytes);
        Object tree = read(reader);
        reader.end();
        return tree;
    }

    /** What JSON has no form for looks as dag-json has it. The reader bounds how deep this goes. */
    private static Object read(DagCborReader reader) {
        switch (reader.peek()) {
            case INTEGER -> {
                BigInteger number = reader.readInteger();
                return Scalar.of(number);
            }
            case FLOAT -> {
                return Scalar.of(reader.readDouble());
            }
            case TEXT -> {
                String text = reader.readText();
                return text.isEmpty() ? NO_TEXT : Scalar.of(text);
            }
            case BOOLEAN -> {
                return Scalar.of(reader.readBoolean());
            }
            case NULL -> {
                reader.readNull();
                return Scalar.NULL;
            }
            case LINK -> {
                return Map.of(LINK, Scalar.of(reader.readLink().toString()));
            }
            case BYTES -> {
                byte[] bytes = reader.readBytes();
                return bytes.length == 0 ? NO_BYTES : new InBase64(bytes);
            }
            case ARRAY -> {
                int items = reader.readArray();
                if (items == 0) {
                    return List.of();
                }
                List<Object> list = new ArrayList<>(Math.min(items, FEW));
                for (; items > 0; items--) {
                    list.add(read(reader));
                }
                return list;
            }
            case MAP -> {
                int pairs = reader.readMap();
                if (pairs == 0) {
                    return Map.of();
                }
                if (pairs == 1) {
                    return Map.of(reader.readText(), read(reader));
                }
                Map<String, Object> map = new LinkedHashMap<>();
                for (; pairs > 0; pairs--) {
                    map.put(reader.readText(), read(reader));
                }
                return map;
            }
            default -> throw new IllegalStateException("a kind of item that is not known");
        }
    }
}
