package dev.pail.table.index;

import dev.pail.bytes.Utf8;
import dev.pail.table.Bytes;
import dev.pail.table.TableException;
import dev.pail.table.document.Decimal;
import dev.pail.table.document.Values;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Values as bytes whose order is that of the values (Rule B6), unlike that of their form in JSON. No byte of them is
 * {@link KeyText#SEPARATOR} or less, so that what is behind a separator does not disturb the order.
 */
public final class OrderedValue {
    /** The longest form that an index takes, in bytes. */
    public static final int MAX_LENGTH = 128;

    public static final byte NULL = '1';
    public static final byte FALSE = '2';
    public static final byte TRUE = '3';
    public static final byte NUMBER = '4';
    public static final byte TEXT = '5';

    private static final byte NEGATIVE = '-';
    private static final byte ZERO = '0';
    private static final byte POSITIVE = '1';
    private static final int NEGATIVE_END = ':';

    /** An exponent is two of 64 characters. The first of the 64 is {@code 0}. */
    private static final int EXPONENT_BITS = 6;

    private static final int EXPONENT_BIAS = 2048;
    private static final int EXPONENT_MASK = (1 << EXPONENT_BITS) - 1;
    private static final int NUMBER_HEAD = 4;

    private static final byte ESCAPE = ' ';

    private OrderedValue() {}

    /** Whether a scalar has a form that is no longer than an index takes. */
    public static boolean isIndexable(Object value) {
        return indexable(value) != null;
    }

    /** The form of a scalar; null if it has none, or one that is longer than an index takes. */
    public static byte @Nullable [] indexable(Object value) {
        if (value instanceof Number number) {
            Decimal decimal = Values.decimal(number);
            int length = NUMBER_HEAD + decimal.digits().length() + (decimal.negative() ? 1 : 0);
            return hasExponent(decimal) && length <= MAX_LENGTH ? number(decimal) : null;
        }
        if (value instanceof String text && (text.length() >= MAX_LENGTH || Utf8.loneSurrogate(text) >= 0)) {
            return null;
        }
        byte[] form = encode(value);
        return form.length <= MAX_LENGTH ? form : null;
    }

    /** What to say of a value that is not indexable. */
    public static String notIndexable(Object value) {
        if (!Values.isWellFormed(value)) {
            return "a text with a lone surrogate";
        }
        return value instanceof String
                ? "a text of more than " + (MAX_LENGTH - 1) + " bytes (spaces and control characters count twice)"
                : "a number with too many digits or too large an exponent";
    }

    /** Whether the exponent of a number has a form. */
    public static boolean hasExponent(Decimal decimal) {
        return decimal.exponent() >= -EXPONENT_BIAS && decimal.exponent() < EXPONENT_BIAS;
    }

    /**
     * The ordered form of a scalar.
     *
     * @param value one with an exponent from -2,048 to 2,047, if it is a number, and without lone surrogates, if it is a text
     */
    public static byte[] encode(Object value) {
        return switch (Values.kind(value)) {
            case NULL -> new byte[] {NULL};
            case FALSE -> new byte[] {FALSE};
            case TRUE -> new byte[] {TRUE};
            case NUMBER -> number(Values.decimal((Number) value));
            case TEXT -> text((String) value);
        };
    }

    private static byte[] number(Decimal decimal) {
        String digits = decimal.digits();
        if (digits.isEmpty()) {
            return new byte[] {NUMBER, ZERO};
        }
        boolean negative = decimal.negative();
        byte[] bytes = new byte[NUMBER_HEAD + digits.length() + (negative ? 1 : 0)];
        int exponent = decimal.exponent() + EXPONENT_BIAS;
        if (exponent < 0 || exponent >= 2 * EXPONENT_BIAS) {
            throw new IllegalArgumentException("an exponent out of range: " + decimal.exponent());
        }
        if (negative) {
            exponent = 2 * EXPONENT_BIAS - 1 - exponent;
        }
        bytes[0] = NUMBER;
        bytes[1] = negative ? NEGATIVE : POSITIVE;
        bytes[2] = (byte) ('0' + (exponent >> EXPONENT_BITS));
        bytes[3] = (byte) ('0' + (exponent & EXPONENT_MASK));
        for (int i = 0; i < digits.length(); i++) {
            char digit = digits.charAt(i);
            bytes[NUMBER_HEAD + i] = (byte) (negative ? '0' + '9' - digit : digit);
        }
        if (negative) {
            bytes[bytes.length - 1] = NEGATIVE_END;
        }
        return bytes;
    }

    /** A text, or the start of one: the form of a text starts with the forms of what it starts with. */
    public static byte[] text(String text) {
        byte[] utf8 = Utf8.encode(text);
        int escapes = 0;
        for (byte b : utf8) {
            escapes += b >= 0 && b <= ESCAPE ? 1 : 0;
        }
        byte[] bytes = new byte[1 + utf8.length + escapes];
        bytes[0] = TEXT;
        int to = 1;
        for (byte b : utf8) {
            if (b >= 0 && b <= ESCAPE) {
                bytes[to++] = ESCAPE;
                bytes[to++] = (byte) ('0' + b);
            } else {
                bytes[to++] = b;
            }
        }
        return bytes;
    }

    /**
     * The value with this form.
     *
     * @throws TableException if there is none
     */
    public static Object decode(byte[] bytes) {
        // First of all: of many digits it takes long to make a number.
        if (bytes.length > MAX_LENGTH) {
            throw malformed(bytes, "it is longer than " + MAX_LENGTH + " bytes");
        }
        Object value = value(bytes);
        if (!Arrays.equals(bytes, encode(value))) {
            throw malformed(bytes, "it is not in its canonical form");
        }
        return value;
    }

    private static Object value(byte[] bytes) {
        if (bytes.length == 0) {
            throw malformed(bytes, "it is empty");
        }
        if (bytes.length > 1 && bytes[0] < NUMBER) {
            throw malformed(bytes, "something is behind it");
        }
        return switch (bytes[0]) {
            case NULL -> Values.NULL;
            case FALSE -> false;
            case TRUE -> true;
            case NUMBER -> Values.of(decimal(bytes).toBigDecimal());
            case TEXT -> decodedText(bytes);
            default -> throw malformed(bytes, "its first byte stands for no kind of value");
        };
    }

    private static Decimal decimal(byte[] bytes) {
        if (bytes.length == 2 && bytes[1] == ZERO) {
            return Decimal.ZERO;
        }
        boolean negative = bytes.length > 1 && bytes[1] == NEGATIVE;
        int end = negative ? bytes.length - 1 : bytes.length;
        if (bytes.length < 2
                || (!negative && bytes[1] != POSITIVE)
                || end <= NUMBER_HEAD
                || (negative && bytes[end] != NEGATIVE_END)) {
            throw malformed(bytes, "a number has a sign, an exponent and digits");
        }
        int exponent = (sixBits(bytes, 2) << EXPONENT_BITS) | sixBits(bytes, 3);
        StringBuilder digits = new StringBuilder(end - NUMBER_HEAD);
        for (int i = NUMBER_HEAD; i < end; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                throw malformed(bytes, "a digit is expected at index " + i);
            }
            digits.append((char) (negative ? '0' + '9' - bytes[i] : bytes[i]));
        }
        // A number without them may have an exponent that has no form.
        if (digits.charAt(0) == '0' || digits.charAt(digits.length() - 1) == '0') {
            throw malformed(bytes, "neither the first digit nor the last is 0");
        }
        return new Decimal(
                negative, digits.toString(), (negative ? 2 * EXPONENT_BIAS - 1 - exponent : exponent) - EXPONENT_BIAS);
    }

    private static int sixBits(byte[] bytes, int at) {
        int bits = bytes[at] - '0';
        if (bits < 0 || bits > EXPONENT_MASK) {
            throw malformed(bytes, "an exponent is expected at index 2");
        }
        return bits;
    }

    /** The text of a form of any length, which starts with {@link #TEXT}. */
    static String decodedText(byte[] bytes) {
        ByteArrayOutputStream utf8 = new ByteArrayOutputStream(bytes.length);
        int next = 1;
        while (next < bytes.length) {
            byte b = bytes[next++];
            if (b == ESCAPE) {
                b = (byte) (next < bytes.length ? bytes[next++] - '0' : -1);
                if (b < 0 || b > ESCAPE) {
                    throw malformed(bytes, "an escaped byte is expected before index " + next);
                }
            }
            utf8.write(b);
        }
        String text = KeyText.text(utf8.toByteArray());
        if (text == null) {
            throw malformed(bytes, "a text is UTF-8");
        }
        return text;
    }

    private static TableException malformed(byte[] bytes, String why) {
        return new TableException(TableException.Reason.KEY, "no value is " + Bytes.of(bytes) + ": " + why + " (B6)");
    }
}
