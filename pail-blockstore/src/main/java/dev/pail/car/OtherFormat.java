package dev.pail.car;

import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Recognizes what people give in place of a CAR, by its first bytes. */
final class OtherFormat {
    /** How many bytes it takes to recognize a format. */
    static final int BYTES = 512;

    private static final String UTF_16 =
            "each second byte is zero, as in UTF-16, which PowerShell writes with >: write the file again without that";

    private static final Map<String, String> MAGIC = Map.of(
            "1f8b", "this is gzip: unpack it with gunzip first",
            "28b52ffd", "this is Zstandard: unpack it with zstd -d first",
            "fd377a585a00", "this is xz: unpack it with xz -d first",
            "425a68", "this is bzip2: unpack it with bunzip2 first",
            "504b0304", "this is a ZIP archive: unpack it first",
            "0d0aa1677665", TextDamage.TRANSLATED,
            "fffe", UTF_16,
            "feff", UTF_16);

    /** Where the name of a file ends in tar, and where the magic is, which the oldest form lacks. */
    private static final int TAR_NAME = 100;

    private static final int TAR_MAGIC = 257;
    private static final byte[] TAR = Utf8.encode("ustar");

    /** Shorter text is no sign of anything. */
    private static final int LEAST_TEXT = 4;

    private static final Pattern HEXADECIMAL = Pattern.compile("(?i)(?:[0-9a-f]{2}|\\s){16,}[0-9a-f]?\\s*");
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/_-]{32,}[A-Za-z0-9+/_=\\s-]*");
    private static final Pattern HTML = Pattern.compile("(?is)<(?:!doctype|html|head|body|title|h1|meta|script|!--).*");

    private OtherFormat() {}

    /** What the bytes are, for a message, with what to do; null if that is not known. */
    static @Nullable String of(byte[] begin) {
        String hex = HexFormat.of().formatHex(begin, 0, Math.min(begin.length, 6));
        for (Map.Entry<String, String> magic : MAGIC.entrySet()) {
            if (hex.startsWith(magic.getKey())) {
                return magic.getValue();
            }
        }
        if (begin.length >= TAR_MAGIC + TAR.length
                && Arrays.equals(begin, TAR_MAGIC, TAR_MAGIC + TAR.length, TAR, 0, TAR.length)) {
            return "this is a tar archive: unpack it with tar -x first";
        }
        if (begin.length == BYTES && isName(begin)) {
            return "this begins with a name and zeros, as a tar archive does: unpack it with tar -x first";
        }
        if (isWide(begin)) {
            return UTF_16;
        }
        String text = text(begin);
        return text == null ? null : ofText(text);
    }

    /** Whether each second byte is zero, and not all bytes are. */
    private static boolean isWide(byte[] begin) {
        boolean isZero = true;
        for (int i = 0; i + 1 < begin.length; i += 2) {
            if (begin[i + 1] != 0) {
                return false;
            }
            isZero &= begin[i] == 0;
        }
        return begin.length >= LEAST_TEXT && !isZero;
    }

    /** Whether printable ASCII comes first, and then zeros up to where the name of a file ends in tar. */
    private static boolean isName(byte[] begin) {
        int end = 0;
        while (end < begin.length && begin[end] > ' ' && begin[end] < 0x7f) {
            end++;
        }
        if (end < 1 || end > TAR_NAME) {
            return false;
        }
        for (int i = end; i < TAR_NAME; i++) {
            if (begin[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static String ofText(String text) {
        if (HTML.matcher(text).matches()) {
            return "this is an HTML page, perhaps the error of a server: ask for the file again, of a gateway with ?format=car";
        }
        if (text.startsWith("{") || text.startsWith("[")) {
            return "this is JSON, perhaps the error of a server: " + Escapes.brief(text);
        }
        if (HEXADECIMAL.matcher(text).matches()) {
            return "this is hexadecimal text: decode it with xxd -r -p first";
        }
        if (BASE64.matcher(text).matches()) {
            return "this is text in base64: decode it with base64 -d first";
        }
        return "this is text, perhaps the error of a server: " + Escapes.brief(text);
    }

    /** The text without a byte-order mark and white space before it; null if the bytes are none. */
    static @Nullable String text(byte[] begin) {
        // A character may be cut at the end.
        int malformed = Utf8.firstMalformed(begin, 0, begin.length);
        int end = malformed >= 0 && malformed > begin.length - 4 && begin.length == BYTES ? malformed : begin.length;
        if (end < LEAST_TEXT || (malformed >= 0 && end == begin.length)) {
            return null;
        }
        String text = new String(begin, 0, end, StandardCharsets.UTF_8);
        if (text.chars().anyMatch(c -> c < ' ' && c != '\t' && c != '\n' && c != '\r')) {
            return null;
        }
        String stripped = (text.charAt(0) == 0xfeff ? text.substring(1) : text).strip();
        return stripped.isEmpty() ? null : stripped;
    }
}
