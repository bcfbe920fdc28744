package dev.pail.ipld;

import java.math.BigInteger;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The text bases that are read, each with an encoder of its own, by the names of the table of multibases. */
final class TextBases {
    static final Map<String, Function<byte[], String>> ENCODERS = new LinkedHashMap<>();

    private static final String BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
    private static final String BASE32HEX = "0123456789abcdefghijklmnopqrstuv";
    private static final String BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz";
    private static final String BASE58BTC = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    private static final String BASE58FLICKR = "123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";

    static {
        addBothCases("base16", bytes -> "f" + HexFormat.of().formatHex(bytes));
        addBothCases("base32", bytes -> "b" + ofBits(bytes, BASE32));
        addBothCases("base32pad", bytes -> "c" + padded(ofBits(bytes, BASE32)));
        addBothCases("base32hex", bytes -> "v" + ofBits(bytes, BASE32HEX));
        addBothCases("base32hexpad", bytes -> "t" + padded(ofBits(bytes, BASE32HEX)));
        addBothCases("base36", bytes -> "k" + asNumber(bytes, BASE36));
        add("base58btc", bytes -> "z" + asNumber(bytes, BASE58BTC));
        add("base58flickr", bytes -> "Z" + asNumber(bytes, BASE58FLICKR));
        add("base64", bytes -> "m" + Base64.getEncoder().withoutPadding().encodeToString(bytes));
        add("base64pad", bytes -> "M" + Base64.getEncoder().encodeToString(bytes));
        add("base64url", bytes -> "u" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        add("base64urlpad", bytes -> "U" + Base64.getUrlEncoder().encodeToString(bytes));
    }

    private TextBases() {}

    /** The text of a CID of version 0. */
    static String version0(byte[] bytes) {
        return asNumber(bytes, BASE58BTC);
    }

    private static void add(String name, Function<byte[], String> encoder) {
        ENCODERS.put(name, encoder);
    }

    private static void addBothCases(String name, Function<byte[], String> encoder) {
        add(name, encoder);
        add(name + "upper", encoder.andThen(text -> text.toUpperCase(Locale.ROOT)));
    }

    /** For alphabets of a power of two digits, up to 32. */
    private static String ofBits(byte[] bytes, String alphabet) {
        int radix = alphabet.length();
        int bitsPerDigit = Integer.numberOfTrailingZeros(radix);
        int digits = (bytes.length * 8 + bitsPerDigit - 1) / bitsPerDigit;
        String plain = new BigInteger(1, bytes)
                .shiftLeft(digits * bitsPerDigit - bytes.length * 8)
                .toString(radix);
        StringBuilder text = new StringBuilder("0".repeat(digits - plain.length()) + plain);
        text.setLength(digits);
        for (int i = 0; i < digits; i++) {
            text.setCharAt(i, alphabet.charAt(Character.digit(text.charAt(i), radix)));
        }
        return text.toString();
    }

    private static String padded(String text) {
        return text + "=".repeat(-text.length() & 7);
    }

    private static String asNumber(byte[] bytes, String alphabet) {
        BigInteger radix = BigInteger.valueOf(alphabet.length());
        StringBuilder digits = new StringBuilder();
        for (BigInteger rest = new BigInteger(1, bytes); rest.signum() > 0; rest = rest.divide(radix)) {
            digits.append(alphabet.charAt(rest.mod(radix).intValue()));
        }
        for (int i = 0; i < bytes.length && bytes[i] == 0; i++) {
            digits.append(alphabet.charAt(0));
        }
        return digits.reverse().toString();
    }
}
