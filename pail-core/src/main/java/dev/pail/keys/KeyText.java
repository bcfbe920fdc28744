package dev.pail.keys;

import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.MalformedDataException;

/**
 * An encoding of bytes in digits and small letters, which every pail takes in a key. Texts are in the order of their bytes: for
 * unsigned bytes, {@code a < b} is {@code encode(a).compareTo(encode(b)) < 0}, and a prefix comes first (Rule N1). Each sequence of
 * bytes has one text, and every other text is refused (Rule N2).
 *
 * <pre>{@code
 * byte[] id = {0, (byte) 0xff};
 * Pail next = pail.put("orders/" + KeyText.HEX.encode(id), value); // orders/00ff
 * byte[] same = KeyText.HEX.decode("00ff");
 * }</pre>
 */
public enum KeyText {
    /**
     * Two characters a byte, {@code 0-9a-f}. Where bytes start with other bytes, their text starts with the text of
     * those, so a range of all keys with some prefix is one of texts with a prefix.
     */
    HEX("0123456789abcdef", 4),

    /**
     * Eight characters for five bytes, {@code 0-9a-v}, and no padding. The text of bytes starts with the text of their
     * first bytes only where these are a multiple of five: a range of all bytes with a prefix is from the text of the
     * prefix to before the text of the least bytes beyond it.
     */
    BASE32HEX("0123456789abcdefghijklmnopqrstuv", 5);

    private final String digits;
    private final int bits;

    KeyText(String digits, int bits) {
        this.digits = digits;
        this.bits = bits;
    }

    /** Returns the number of characters in the text of a number of bytes. */
    public long length(long bytes) {
        return (bytes * Byte.SIZE + bits - 1) / bits;
    }

    /**
     * Encodes bytes.
     *
     * @throws ArithmeticException if the text would have more than 2^31 - 1 characters
     */
    public String encode(byte[] bytes) {
        return encode(bytes, 0);
    }

    /**
     * What the greatest texts start with of bytes that start with a prefix: its text, with one bits and not zeros to fill the
     * last digit.
     */
    String last(byte[] prefix) {
        return encode(prefix, -1);
    }

    private String encode(byte[] bytes, int fill) {
        byte[] text = new byte[Math.toIntExact(length(bytes.length))];
        int at = 0;
        int buffer = 0;
        int held = 0;
        for (byte b : bytes) {
            buffer = (buffer << Byte.SIZE) | (b & 0xff);
            held += Byte.SIZE;
            while (held >= bits) {
                held -= bits;
                text[at++] = (byte) digits.charAt(buffer >> held);
                buffer &= (1 << held) - 1;
            }
        }
        if (held > 0) {
            int free = bits - held;
            text[at] = (byte) digits.charAt((buffer << free) | (fill & ((1 << free) - 1)));
        }
        return Utf8.decode(text, 0, text.length);
    }

    /**
     * Decodes a text.
     *
     * @throws MalformedDataException if a character is no digit, the text ends within a byte, or the last digit has more bits than the
     *     last byte takes
     */
    public byte[] decode(String text) {
        byte[] bytes = new byte[(int) ((long) text.length() * bits / Byte.SIZE)];
        int at = 0;
        int buffer = 0;
        int held = 0;
        for (int i = 0; i < text.length(); i++) {
            buffer = (buffer << bits) | digit(text, i);
            held += bits;
            if (held >= Byte.SIZE) {
                held -= Byte.SIZE;
                bytes[at++] = (byte) (buffer >> held);
                buffer &= (1 << held) - 1;
            }
        }
        if (held >= bits) {
            throw MalformedDataException.ofKey(text, text.length(), "the text ends within a byte (N2)");
        }
        if (buffer != 0) {
            throw MalformedDataException.ofKey(
                    text, text.length() - 1, "the last digit has bits beyond the last byte (N2)");
        }
        return bytes;
    }

    /** Whether a character is one of the digits. */
    boolean isDigit(char c) {
        return value(c) >= 0;
    }

    /** What a digit counts for, or -1. */
    private int value(char c) {
        int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : -1;
        return value < digits.length() ? value : -1;
    }

    private int digit(String text, int i) {
        int value = value(text.charAt(i));
        if (value < 0) {
            String shown = Escapes.quote(Character.toString(text.codePointAt(i)));
            throw MalformedDataException.ofKey(text, i, shown + " is none of the digits " + alphabet() + " (N2)");
        }
        return value;
    }

    private String alphabet() {
        return "0-9a-" + digits.charAt(digits.length() - 1);
    }
}
