package dev.pail.table;

import dev.pail.table.document.JsonReader;
import dev.pail.table.document.Values;
import dev.pail.table.index.KeyText;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Parts of keys, put together with separators and taken apart again. */
final class KeyParts {
    private KeyParts() {}

    static byte[] join(byte prefix, Bytes... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(prefix);
        for (Bytes part : parts) {
            out.write(KeyText.SEPARATOR);
            out.writeBytes(part.array);
        }
        return out.toByteArray();
    }

    static byte[] concat(byte[] start, byte[] rest) {
        byte[] both = Arrays.copyOf(start, start.length + rest.length);
        System.arraycopy(rest, 0, both, start.length, rest.length);
        return both;
    }

    static Bytes[] split(byte prefix, String kind, String what, int count, byte[] key) {
        checkPrefix(prefix, kind, key);
        Bytes bytes = Bytes.owned(key);
        Bytes[] parts = new Bytes[count];
        int from = 1;
        for (int i = 0; i < count; i++) {
            if (from >= key.length || key[from] != KeyText.SEPARATOR) {
                throw malformed(key, "it has " + what + ", each behind a separator 0x1f (B4)");
            }
            int end = bytes.indexOf(KeyText.SEPARATOR, from + 1);
            if (end >= 0 && i == count - 1) {
                throw malformed(key, "there is a separator 0x1f in the last part (B4)");
            }
            end = end < 0 ? key.length : end;
            parts[i] = bytes.range(from + 1, end);
            from = end;
        }
        return parts;
    }

    static void checkPrefix(byte prefix, String kind, byte[] key) {
        if (key.length == 0 || key[0] != prefix) {
            throw new TableException(
                    TableException.Reason.KEY,
                    Bytes.of(key) + " is no " + kind + " key: it does not start with " + (char) prefix
                            + " (B2, B3, B4)");
        }
    }

    static TableException malformed(byte[] key, String why) {
        return new TableException(TableException.Reason.KEY, Bytes.of(key) + " is no key of a table: " + why);
    }

    /** A part of a key that was read, as text. */
    static String text(byte[] key, String what, Bytes part) {
        if (!part.isText()) {
            throw malformed(key, what + " is not UTF-8 (B4)");
        }
        return part.text();
    }

    static Scalar scalar(byte[] key, String json) {
        Object tree;
        try {
            tree = JsonReader.value(json);
        } catch (DocumentException e) {
            throw malformed(key, "the value is not JSON: " + e.what() + " (B5)");
        }
        if (!Values.isScalar(tree)) {
            throw malformed(key, "the value is a list or an object, and no index takes these (B5)");
        }
        return new Scalar(tree);
    }

    /** Checks a part of a key that is to be made. */
    static void part(String what, Bytes part) {
        if (part.indexOf(KeyText.SEPARATOR, 0) >= 0) {
            throw KeyText.separated(what, part.toString());
        }
    }
}
