package dev.pail.ipld;

import dev.pail.bytes.Utf8;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Multibase texts: the first character names the base of the rest. Reads the bases of {@code ipfs cid bases} except identity, base2
 * and base256emoji, in which no tool writes CIDs by default. Refuses all texts but the canonical one. Ignores the case of letters if
 * the base does. Rule I6.
 */
final class Multibases {
    private static final String BASE16 = "0123456789abcdef";
    private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
    private static final String BASE32HEX = "0123456789abcdefghijklmnopqrstuv";
    private static final String BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz";
    private static final String BASE58BTC = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    private static final String BASE58FLICKR = "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final String BASE64 = LETTERS + "+/";
    private static final String BASE64URL = LETTERS + "-_";

    private static final byte[] BASE32_DIGITS = Utf8.encode(BASE32);
    private static final byte[] BASE32UPPER_DIGITS = Utf8.encode(BASE32.toUpperCase(Locale.ROOT));

    private Multibases() {}

    static String base32(byte[] bytes) {
        return ofBits('b', bytes, BASE32_DIGITS, 5);
    }

    static String base32Upper(byte[] bytes) {
        return ofBits('B', bytes, BASE32UPPER_DIGITS, 5);
    }

    static String base58btc(byte[] bytes) {
        return 'z' + ofNumber(bytes, BASE58BTC);
    }

    /** @throws MalformedDataException if the base is not known or the rest is not written in it */
    static byte[] decode(String text) {
        if (text.length() < 2) {
            throw new MalformedDataException(0, "a multibase text is the character of its base, and digits (I6)");
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                throw new MalformedDataException(i, "a multibase text is ASCII (I6)");
            }
        }
        String digits = text.substring(1);
        String small = digits.toLowerCase(Locale.ROOT);
        byte[] bytes = switch (text.charAt(0)) {
            case 'f', 'F' -> toBits(small, BASE16, 4);
            case 'b', 'B' -> toBits(small, BASE32, 5);
            case 'c', 'C' -> toBits(unpadded(small, 8), BASE32, 5);
            case 'v', 'V' -> toBits(small, BASE32HEX, 5);
            case 't', 'T' -> toBits(unpadded(small, 8), BASE32HEX, 5);
            case 'm' -> toBits(digits, BASE64, 6);
            case 'M' -> toBits(unpadded(digits, 4), BASE64, 6);
            case 'u' -> toBits(digits, BASE64URL, 6);
            case 'U' -> toBits(unpadded(digits, 4), BASE64URL, 6);
            case 'k', 'K' -> toNumber(small, BASE36);
            case 'z' -> toNumber(digits, BASE58BTC);
            case 'Z' -> toNumber(digits, BASE58FLICKR);
            default -> null;
        };
        return known(bytes, text.charAt(0));
    }

    private static byte[] known(byte @Nullable [] bytes, char base) {
        if (bytes == null) {
            throw new MalformedDataException(0, "no multibase is known by '" + base + "' (I6)");
        }
        return bytes;
    }

    /** The digits without the padding that fills the last group. */
    private static String unpadded(String digits, int group) {
        int end = digits.length();
        while (end > 0 && digits.charAt(end - 1) == '=') {
            end--;
        }
        if (digits.length() % group != 0 || digits.length() - end >= group) {
            throw new MalformedDataException(
                    end + 1, "the text is padded to whole groups of " + group + " digits (I6)");
        }
        return digits.substring(0, end);
    }

    /** Writes bytes as digits of {@code bitsPerDigit} bits, the first byte first. */
    private static String ofBits(char base, byte[] bytes, byte[] alphabet, int bitsPerDigit) {
        byte[] digits = new byte[1 + (bytes.length * 8 + bitsPerDigit - 1) / bitsPerDigit];
        digits[0] = (byte) base;
        int at = 1;
        int bits = 0;
        int held = 0;
        for (byte b : bytes) {
            bits = (bits << 8) | (b & 0xff);
            held += 8;
            while (held >= bitsPerDigit) {
                held -= bitsPerDigit;
                digits[at++] = alphabet[bits >> held];
                bits &= (1 << held) - 1;
            }
        }
        if (held > 0) {
            digits[at] = alphabet[bits << (bitsPerDigit - held)];
        }
        return Utf8.decode(digits, 0, digits.length);
    }

    private static byte[] toBits(String digits, String alphabet, int bitsPerDigit) {
        byte[] bytes = new byte[digits.length() * bitsPerDigit / 8];
        int bits = 0;
        int held = 0;
        int at = 0;
        for (int i = 0; i < digits.length(); i++) {
            bits = (bits << bitsPerDigit) | digit(digits, i, alphabet);
            held += bitsPerDigit;
            if (held >= 8) {
                held -= 8;
                bytes[at++] = (byte) (bits >> held);
                bits &= (1 << held) - 1;
            }
        }
        if (bits != 0 || held >= bitsPerDigit) {
            throw new MalformedDataException(digits.length(), "the last digit has bits beyond the last byte (I6)");
        }
        return bytes;
    }

    /** Writes bytes as one number, with a zero digit for each zero byte at the front. */
    private static String ofNumber(byte[] bytes, String alphabet) {
        byte[] rest = bytes.clone();
        int from = 0;
        while (from < rest.length && rest[from] == 0) {
            from++;
        }
        StringBuilder digits = new StringBuilder(alphabet.substring(0, 1).repeat(from));
        int zeros = from;
        while (from < rest.length) {
            int remainder = 0;
            for (int i = from; i < rest.length; i++) {
                int dividend = (remainder << 8) | (rest[i] & 0xff);
                rest[i] = (byte) (dividend / alphabet.length());
                remainder = dividend % alphabet.length();
            }
            digits.append(alphabet.charAt(remainder));
            from += rest[from] == 0 ? 1 : 0;
        }
        return digits.substring(0, zeros) + new StringBuilder(digits.substring(zeros)).reverse();
    }

    private static byte[] toNumber(String digits, String alphabet) {
        byte[] number = new byte[digits.length()];
        int from = number.length;
        int zeros = 0;
        for (int i = 0; i < digits.length(); i++) {
            int carry = digit(digits, i, alphabet);
            for (int k = number.length - 1; k >= from || carry > 0; k--) {
                carry += (number[k] & 0xff) * alphabet.length();
                number[k] = (byte) carry;
                carry >>>= 8;
                from = Math.min(from, k);
            }
            zeros += from == number.length ? 1 : 0;
        }
        byte[] bytes = new byte[zeros + number.length - from];
        System.arraycopy(number, from, bytes, zeros, number.length - from);
        return bytes;
    }

    private static int digit(String digits, int i, String alphabet) {
        int digit = alphabet.indexOf(digits.charAt(i));
        if (digit < 0) {
            throw new MalformedDataException(i + 1, "'" + digits.charAt(i) + "' is no digit of this base (I6)");
        }
        return digit;
    }
}
