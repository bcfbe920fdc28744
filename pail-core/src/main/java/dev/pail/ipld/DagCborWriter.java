package dev.pail.ipld;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.pail.bytes.CborHead;
import dev.pail.bytes.Utf8;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * A writer of dag-cbor in its one canonical form (spec rules C1 to C8), item by item. {@link #array} and {@link #map} open a
 * container; it closes with its last item.
 *
 * <p>The writer refuses items without a canonical form with a {@link MalformedDataException}: map keys out of order, numbers that
 * are not finite, text with lone surrogates, a container without all its items. After a refusal, the writer cannot be used any
 * more. Not for use by several threads at once.
 *
 * <pre>{@code
 * byte[] bytes = new DagCborWriter()
 *         .map(2)
 *         .text("size").integer(7)
 *         .text("title").text("milk") // keys in the order of dag-cbor: shorter ones first
 *         .toByteArray();
 * Block block = Block.of(Cid.DAG_CBOR, bytes);
 * }</pre>
 */
public final class DagCborWriter {
    private static final BigInteger MIN = BigInteger.ONE.shiftLeft(64).negate();
    private static final BigInteger MAX = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    private final Nesting nesting = new Nesting();
    private byte[] bytes = new byte[128];
    private int length;

    /** Starts a block. */
    public DagCborWriter() {}

    /** Opens an array of a number of items. */
    @CanIgnoreReturnValue
    public DagCborWriter array(int items) {
        int at = length;
        head(CborHead.ARRAY, items);
        nesting.open(at, false, items);
        return this;
    }

    /** Opens a map of a number of pairs. */
    @CanIgnoreReturnValue
    public DagCborWriter map(int pairs) {
        int at = length;
        head(CborHead.MAP, pairs);
        nesting.open(at, true, 2L * pairs);
        return this;
    }

    /** Writes a text. If a key of a map is due, the text is the key. */
    @CanIgnoreReturnValue
    public DagCborWriter text(String text) {
        int surrogate = Utf8.loneSurrogate(text);
        if (surrogate >= 0) {
            throw new MalformedDataException(surrogate, "text has no lone surrogates (C4)");
        }
        boolean key = nesting.isKeyNext();
        byte[] utf8 = Utf8.encode(text);
        head(CborHead.TEXT, utf8.length);
        append(utf8);
        if (key) {
            nesting.key(bytes, length - utf8.length, length);
        }
        return this;
    }

    /** Writes a byte string. */
    @CanIgnoreReturnValue
    public DagCborWriter bytes(byte[] content) {
        head(CborHead.BYTES, content.length);
        append(content);
        return this;
    }

    /** Writes a link. */
    @CanIgnoreReturnValue
    public DagCborWriter link(Cid cid) {
        head(CborHead.TAG, CborHead.LINK_TAG);
        reserve(9);
        length = CborHead.write(bytes, length, CborHead.BYTES, cid.byteLength() + 1L);
        append(new byte[1]);
        append(cid.toBytes());
        return this;
    }

    /** Writes an integer. */
    @CanIgnoreReturnValue
    public DagCborWriter integer(long value) {
        if (value >= 0) {
            head(CborHead.UNSIGNED, value);
        } else {
            head(CborHead.NEGATIVE, ~value);
        }
        return this;
    }

    /** Writes an integer from -2^64 to 2^64 - 1. */
    @CanIgnoreReturnValue
    public DagCborWriter integer(BigInteger value) {
        if (value.compareTo(MIN) < 0 || value.compareTo(MAX) > 0) {
            throw new MalformedDataException(length, "an integer is within 64 bits and a sign (C2)");
        }
        if (value.signum() >= 0) {
            head(CborHead.UNSIGNED, value.longValue());
        } else {
            head(CborHead.NEGATIVE, value.not().longValue());
        }
        return this;
    }

    /** Writes true or false. */
    @CanIgnoreReturnValue
    public DagCborWriter bool(boolean value) {
        head(CborHead.SIMPLE, value ? 21 : 20);
        return this;
    }

    /** Writes null. */
    @CanIgnoreReturnValue
    public DagCborWriter nothing() {
        head(CborHead.SIMPLE, 22);
        return this;
    }

    /** Writes a floating point number, which must be finite. A negative zero is written as zero. */
    @CanIgnoreReturnValue
    public DagCborWriter number(double value) {
        if (!Double.isFinite(value)) {
            throw new MalformedDataException(length, "numbers are finite (C7)");
        }
        nesting.item(length, CborHead.SIMPLE);
        reserve(9);
        bytes[length++] = (byte) ((CborHead.SIMPLE << 5) | 27);
        long bits = Double.doubleToRawLongBits(value == 0 ? 0.0 : value);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes[length++] = (byte) (bits >> shift);
        }
        return this;
    }

    /** Returns a copy of the encoded item. */
    public byte[] toByteArray() {
        if (!nesting.isComplete()) {
            throw new MalformedDataException(length, "an item is missing (C1)");
        }
        return Arrays.copyOf(bytes, length);
    }

    private void head(int major, long argument) {
        nesting.item(length, major);
        reserve(9);
        length = CborHead.write(bytes, length, major, argument);
    }

    private void append(byte[] content) {
        reserve(content.length);
        System.arraycopy(content, 0, bytes, length, content.length);
        length += content.length;
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(length, more)));
        }
    }
}
