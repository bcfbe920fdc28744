package dev.pail.ipld;

import dev.pail.bytes.CborHead;
import dev.pail.bytes.Utf8;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;

/**
 * A strict reader of dag-cbor, item by item. It accepts only the form that a {@link DagCborWriter} writes: spec rules C1 to C8.
 * {@link #readArray} and {@link #readMap} enter a container; the reader leaves it after its last item.
 *
 * <p>The reader never allocates by a declared length, and does not recurse. Every method throws {@link MalformedDataException}
 * if the next item has another kind or breaks a rule. Not for use by several threads at once.
 *
 * <pre>{@code
 * byte[] bytes = new DagCborWriter().map(1).text("size").integer(7).toByteArray();
 * DagCborReader reader = new DagCborReader(bytes);
 * Map<String, Long> counts = new TreeMap<>();
 * for (int left = reader.readMap(); left > 0; left--) {
 *     counts.put(reader.readText(), reader.readLong());
 * }
 * reader.end(); // or throws MalformedDataException: nothing may follow
 * }</pre>
 */
public final class DagCborReader {
    /** The kind of an item. */
    public enum Kind {
        INTEGER,
        BYTES,
        TEXT,
        ARRAY,
        MAP,
        LINK,
        BOOLEAN,
        NULL,
        FLOAT
    }

    private static final int FALSE = 20;
    private static final int TRUE = 21;
    private static final int NULL = 22;
    private static final int FLOAT64 = 27;

    private final byte[] bytes;
    private final int end;
    private final Nesting nesting = new Nesting();
    private int position;

    /** Set by {@link #head}. */
    private int major;

    /** Set by {@link #head}: unsigned. For floats the bits, for other simple values their number. */
    private long argument;

    /** Reads from an array that must not change meanwhile. */
    public DagCborReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    /** Reads from a range of an array that must not change meanwhile. Offsets count from the start of the array. */
    public DagCborReader(byte[] bytes, int from, int to) {
        Objects.checkFromToIndex(from, to, bytes.length);
        this.bytes = bytes;
        this.position = from;
        this.end = to;
    }

    /** Returns the index of the next byte. */
    public int position() {
        return position;
    }

    /** Returns the kind of the next item. */
    public Kind peek() {
        need(position, 1);
        int initial = bytes[position] & 0xff;
        return switch (initial >> 5) {
            case CborHead.UNSIGNED, CborHead.NEGATIVE -> Kind.INTEGER;
            case CborHead.BYTES -> Kind.BYTES;
            case CborHead.TEXT -> Kind.TEXT;
            case CborHead.ARRAY -> Kind.ARRAY;
            case CborHead.MAP -> Kind.MAP;
            case CborHead.TAG -> Kind.LINK;
            default ->
                switch (initial & 31) {
                    case FALSE, TRUE -> Kind.BOOLEAN;
                    case NULL -> Kind.NULL;
                    default -> Kind.FLOAT;
                };
        };
    }

    /** Enters an array and returns the number of its items. */
    public int readArray() {
        int at = position;
        head(CborHead.ARRAY, "an array");
        int count = count(at, 1);
        nesting.open(at, false, count);
        return count;
    }

    /** Enters a map and returns the number of its pairs. */
    public int readMap() {
        int at = position;
        head(CborHead.MAP, "a map");
        int count = count(at, 2);
        nesting.open(at, true, 2L * count);
        return count;
    }

    /** Reads a text. */
    public String readText() {
        int from = readTextSpan();
        return Utf8.decode(bytes, from, position);
    }

    /** Reads a text and returns where its bytes start; they end at {@link #position}. */
    public int readTextSpan() {
        boolean key = nesting.isKeyNext();
        int at = position;
        head(CborHead.TEXT, "a text");
        int from = content(at);
        int malformed = Utf8.firstMalformed(bytes, from, position);
        // Rule C4.
        if (malformed >= 0) {
            throw new MalformedDataException(malformed, "text is UTF-8 (C4)");
        }
        if (key) {
            nesting.key(bytes, from, position);
        }
        return from;
    }

    /** Reads a byte string. */
    public byte[] readBytes() {
        int at = position;
        head(CborHead.BYTES, "a byte string");
        int from = content(at);
        return Arrays.copyOfRange(bytes, from, position);
    }

    /** Reads a link. */
    public Cid readLink() {
        int from = readLinkSpan();
        return Cid.fromBytes(bytes, from, position);
    }

    /** Reads a link and returns where the binary form of its CID starts; it ends at {@link #position}. */
    public int readLinkSpan() {
        int at = position;
        head(CborHead.TAG, "a link");
        // Rule C6.
        if (argument != CborHead.LINK_TAG) {
            throw new MalformedDataException(at, "the only tag is " + CborHead.LINK_TAG + " (C6)");
        }
        int string = position;
        readHead();
        if (major != CborHead.BYTES) {
            throw new MalformedDataException(string, "a link is a tagged byte string (C6)");
        }
        int from = content(string);
        if (from == position || bytes[from] != 0) {
            throw new MalformedDataException(from, "the bytes of a link start with 0 (C6)");
        }
        Cid.check(bytes, from + 1, position);
        return from + 1;
    }

    /** Reads an integer that fits into a long. */
    public long readLong() {
        int at = position;
        integerHead();
        if (argument < 0) {
            throw new MalformedDataException(at, "an integer of 64 bits is expected");
        }
        return major == CborHead.UNSIGNED ? argument : -1 - argument;
    }

    /** Reads an integer of any size that dag-cbor has: from -2^64 to 2^64 - 1. */
    public BigInteger readInteger() {
        integerHead();
        BigInteger value = new BigInteger(Long.toUnsignedString(argument));
        return major == CborHead.UNSIGNED ? value : value.not();
    }

    /** Reads true or false. */
    public boolean readBoolean() {
        simple(Kind.BOOLEAN, "a boolean");
        return argument == TRUE;
    }

    /** Reads null. */
    public void readNull() {
        simple(Kind.NULL, "null");
    }

    /** Reads a floating point number. It is finite and not a negative zero. */
    public double readDouble() {
        simple(Kind.FLOAT, "a floating point number");
        return Double.longBitsToDouble(argument);
    }

    /** Reads and checks an item of any kind, with all items in it. */
    public void skip() {
        int level = nesting.depth();
        do {
            skipOne();
        } while (nesting.depth() > level);
    }

    /**
     * Skips an item of any kind, with all items in it. Checks only that it ends within the bytes. This is a plain loop, since a short
     * command skips large items before the JIT has compiled anything.
     */
    public void pass() {
        long left = 1;
        int at = position;
        while (left > 0) {
            need(at, 1);
            int initial = bytes[at++] & 0xff;
            int information = initial & 31;
            int length = information < 24 ? 0 : 1 << (information - 24);
            if (information >= 28 || end - at < length) {
                throw new MalformedDataException(
                        at - 1, "a head has a known length, and ends within the bytes (C2, C8)");
            }
            long value = length == 0 ? information : 0;
            for (int i = 0; i < length; i++) {
                value = (value << 8) | (bytes[at++] & 0xff);
            }
            int kind = initial >> 5;
            if (kind == CborHead.TAG) {
                continue;
            }
            left--;
            if (kind == CborHead.SIMPLE || kind <= CborHead.NEGATIVE) {
                continue;
            }
            if (value < 0 || value > end - at) {
                throw new MalformedDataException(at, "a declared length is within the bytes (C8)");
            }
            if (kind == CborHead.BYTES || kind == CborHead.TEXT) {
                at += (int) value;
            } else {
                left += kind == CborHead.MAP ? 2 * value : value;
            }
        }
        position = at;
        nesting.item(at, CborHead.ARRAY);
    }

    private void skipOne() {
        switch (peek()) {
            case ARRAY -> readArray();
            case MAP -> readMap();
            case TEXT -> readTextSpan();
            case LINK -> readLinkSpan();
            case INTEGER -> integerHead();
            case BYTES -> {
                int at = position;
                head(CborHead.BYTES, "a byte string");
                content(at);
            }
            default -> head(CborHead.SIMPLE, "a simple value");
        }
    }

    /** Checks that no bytes are left. Rule C1. */
    public void end() {
        if (!nesting.isComplete()) {
            throw new MalformedDataException(position, "an item is missing (C1)");
        }
        if (position != end) {
            throw new MalformedDataException(position, "a block is one item and nothing behind it (C1)");
        }
    }

    private void integerHead() {
        int at = position;
        readHead();
        if (major > CborHead.NEGATIVE) {
            throw new MalformedDataException(at, "an integer is expected");
        }
        nesting.item(at, major);
    }

    /** Reads a simple value of this kind: its argument does not tell the bits of a number from the number of another value. */
    private void simple(Kind expected, String what) {
        if (peek() != expected) {
            throw new MalformedDataException(position, what + " is expected");
        }
        head(CborHead.SIMPLE, what);
    }

    private void head(int expected, String what) {
        int at = position;
        readHead();
        if (major != expected) {
            throw new MalformedDataException(at, what + " is expected");
        }
        nesting.item(at, major);
    }

    private void readHead() {
        int at = position;
        need(at, 1);
        int initial = bytes[at] & 0xff;
        major = initial >> 5;
        int information = initial & 31;
        position = at + 1;
        if (major == CborHead.SIMPLE) {
            simple(at, information);
        } else if (information < 24) {
            argument = information;
        } else if (information < 28) {
            int length = 1 << (information - 24);
            argument = bigEndian(length);
            // Rule C2.
            if (CborHead.length(argument) != length + 1) {
                throw new MalformedDataException(at, "integers and lengths are in their shortest form (C2)");
            }
        } else {
            throw new MalformedDataException(
                    // Rule C3: 31 stands for an indefinite length.
                    at, information == 31 ? "lengths are definite (C3)" : "a head has a known length (C2)");
        }
    }

    private void simple(int at, int information) {
        if (information == FLOAT64) {
            argument = bigEndian(8);
            double value = Double.longBitsToDouble(argument);
            // Rule C7.
            if (!Double.isFinite(value) || argument == Long.MIN_VALUE) {
                throw new MalformedDataException(at, "numbers are finite and zero has no sign (C7)");
            }
        } else if (information >= FALSE && information <= NULL) {
            argument = information;
        } else {
            throw new MalformedDataException(
                    at, "simple values are false, true, null and floating point numbers of 64 bits (C7)");
        }
    }

    private long bigEndian(int length) {
        need(position, length);
        long value = 0;
        for (int i = 0; i < length; i++) {
            value = (value << 8) | (bytes[position + i] & 0xff);
        }
        position += length;
        return value;
    }

    /** The argument as a number of items of at least this many bytes each. Rule C8. */
    private int count(int at, int leastBytes) {
        if (argument < 0 || argument > (end - position) / leastBytes) {
            throw new MalformedDataException(at, "a declared length is within the bytes (C8)");
        }
        return (int) argument;
    }

    /** Skips as many bytes as the argument of the item says and returns where they start. */
    private int content(int at) {
        int length = count(at, 1);
        int from = position;
        position += length;
        return from;
    }

    private void need(int at, int length) {
        if (end - at < length) {
            throw new MalformedDataException(at, "the bytes end inside an item (C8)");
        }
    }
}
