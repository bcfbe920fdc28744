package dev.pail.ipld;

import com.apicatalog.multibase.Multibase;
import com.apicatalog.multibase.MultibaseDecoder;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Text that says in its first character which base it is written in. Only the one canonical text of some bytes is read,
 * in capitals or small letters where the base has no use for the difference.
 *
 * <p>Base58btc and the bases of 2, 16 and 64 digits are copper-multibase's. Those of 32 digits are not: its version 4.1.0
 * writes bytes from 0x80 wrongly in them.
 */
final class Multibases {
    private static final String BASE8 = "01234567";
    private static final String BASE10 = "0123456789";
    private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
    private static final String BASE32UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final String BASE32HEX = "0123456789abcdefghijklmnopqrstuv";
    private static final String BASE32Z = "ybndrfg8ejkmcpqxot1uwisza345h769";
    private static final String BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz";
    private static final String BASE58FLICKR = "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
    private static final int PADDED_GROUP = 8;

    private Multibases() {}

    static String base32(byte[] bytes) {
        return 'b' + ofBits(bytes, BASE32, 5);
    }

    static String base32Upper(byte[] bytes) {
        return 'B' + ofBits(bytes, BASE32UPPER, 5);
    }

    static String base58btc(byte[] bytes) {
        return Multibase.BASE_58_BTC.encode(bytes);
    }

    /** @throws MalformedDataException if the base is not known or the rest is not written in it */
    static byte[] decode(String text) {
        if (text.length() < 2) {
            throw new MalformedDataException(0, "a multibase text is the character of its base, and digits");
        }
        String digits = text.substring(1);
        String caseless = digits.toLowerCase(Locale.ROOT);
        return switch (text.charAt(0)) {
            case 'b', 'B' -> toBits(caseless, BASE32, 5);
            case 'c', 'C' -> toBits(unpadded(caseless), BASE32, 5);
            case 'v', 'V' -> toBits(caseless, BASE32HEX, 5);
            case 't', 'T' -> toBits(unpadded(caseless), BASE32HEX, 5);
            case 'h' -> toBits(digits, BASE32Z, 5);
            case '7' -> toBits(digits, BASE8, 3);
            case '9' -> toNumber(digits, BASE10);
            case 'k', 'K' -> toNumber(caseless, BASE36);
            case 'Z' -> toNumber(digits, BASE58FLICKR);
            default -> ofLibrary(text);
        };
    }

    private static byte[] ofLibrary(String text) {
        char prefix = text.charAt(0);
        Multibase base = MultibaseDecoder.getInstance()
                .getBase(prefix)
                .orElseThrow(() -> new MalformedDataException(0, "no multibase is known by '" + prefix + "'"));
        byte[] bytes;
        try {
            bytes = base.decode(text);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new MalformedDataException(1, "the text is not " + base.name());
        }
        String canonical = bytes.length == 0 ? "" : base.encode(bytes);
        if (base.length() <= 16 ? !canonical.equalsIgnoreCase(text) : !canonical.equals(text)) {
            throw new MalformedDataException(1, "the text is not canonical " + base.name());
        }
        return bytes;
    }

    private static String unpadded(String digits) {
        int end = digits.length();
        while (end > 0 && digits.charAt(end - 1) == '=') {
            end--;
        }
        if (digits.length() % PADDED_GROUP != 0 || digits.length() - end >= PADDED_GROUP) {
            throw new MalformedDataException(end + 1, "the text is padded to whole groups of eight digits");
        }
        return digits.substring(0, end);
    }

    /** Writes bytes as digits of so many bits, the first byte first. */
    private static String ofBits(byte[] bytes, String alphabet, int bitsPerDigit) {
        byte[] digits = new byte[(bytes.length * 8 + bitsPerDigit - 1) / bitsPerDigit];
        int bits = 0;
        int held = 0;
        int at = 0;
        for (byte b : bytes) {
            bits = (bits << 8) | (b & 0xff);
            held += 8;
            while (held >= bitsPerDigit) {
                held -= bitsPerDigit;
                digits[at++] = (byte) alphabet.charAt(bits >> held);
                bits &= (1 << held) - 1;
            }
        }
        if (held > 0) {
            digits[at] = (byte) alphabet.charAt(bits << (bitsPerDigit - held));
        }
        return new String(digits, StandardCharsets.ISO_8859_1);
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
            throw new MalformedDataException(digits.length(), "the last digit has bits beyond the last byte");
        }
        return bytes;
    }

    /** Bases that write the bytes as one number, with a zero digit for each zero byte at the front. */
    private static byte[] toNumber(String digits, String alphabet) {
        BigInteger radix = BigInteger.valueOf(alphabet.length());
        BigInteger number = BigInteger.ZERO;
        int zeros = 0;
        for (int i = 0; i < digits.length(); i++) {
            number = number.multiply(radix).add(BigInteger.valueOf(digit(digits, i, alphabet)));
            zeros += number.signum() == 0 ? 1 : 0;
        }
        byte[] magnitude = number.toByteArray();
        int sign = magnitude[0] == 0 ? 1 : 0;
        byte[] bytes = new byte[zeros + magnitude.length - sign];
        System.arraycopy(magnitude, sign, bytes, zeros, magnitude.length - sign);
        return bytes;
    }

    private static int digit(String digits, int i, String alphabet) {
        int digit = alphabet.indexOf(digits.charAt(i));
        if (digit < 0) {
            throw new MalformedDataException(i + 1, "'" + digits.charAt(i) + "' is no digit of this base");
        }
        return digit;
    }
}
