package dev.pail.table.index;

import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import dev.pail.table.TableException;

/**
 * Bytes as printable ASCII, so that a key of a pail of any format can hold them (Rule B1): order is kept, and so are
 * prefixes. Most of ASCII stands for itself; any other byte is a lead, {@code !}, <code>}</code> or {@code ~}, and a character
 * behind it.
 */
public final class EscapedText {
    private static final int PLAIN = 0x22;
    private static final int MIDDLE = 0x7d;
    private static final int HIGH = 0xbf;
    private static final char LOW_LEAD = '!';
    private static final char MIDDLE_LEAD = '}';
    private static final char HIGH_LEAD = '~';
    private static final char FIRST = '0';

    private EscapedText() {}

    public static String of(byte[] bytes) {
        StringBuilder out = new StringBuilder(bytes.length + 16);
        append(out, bytes);
        return out.toString();
    }

    /** A text in UTF-8. */
    public static String of(String text) {
        return of(Utf8.encode(text));
    }

    public static void append(StringBuilder out, byte[] bytes) {
        for (byte one : bytes) {
            int b = one & 0xff;
            if (b >= PLAIN && b < MIDDLE) {
                out.append((char) b);
            } else if (b < PLAIN) {
                out.append(LOW_LEAD).append((char) (FIRST + b));
            } else if (b < HIGH) {
                out.append(MIDDLE_LEAD).append((char) (FIRST + b - MIDDLE));
            } else {
                out.append(HIGH_LEAD).append((char) (FIRST + b - HIGH));
            }
        }
    }

    /**
     * The bytes that a text stands for.
     *
     * @throws TableException if it stands for none
     */
    public static byte[] bytes(String text, int from) {
        byte[] bytes = new byte[length(text, from)];
        int to = 0;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isLead(c)) {
                i++;
                bytes[to++] = (byte) escaped(c, i < text.length() ? text.charAt(i) : 0, text, i);
            } else if (c >= PLAIN && c < MIDDLE) {
                bytes[to++] = (byte) c;
            } else {
                throw malformed(text, i);
            }
        }
        return bytes;
    }

    /** Whether what is behind an index stands for itself: each character for one byte of ASCII. */
    public static boolean isPlain(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < PLAIN || c >= MIDDLE) {
                return false;
            }
        }
        return true;
    }

    private static int length(String text, int from) {
        int length = 0;
        for (int i = from; i < text.length(); i++) {
            i += isLead(text.charAt(i)) ? 1 : 0;
            length++;
        }
        return length;
    }

    private static boolean isLead(char c) {
        return c == LOW_LEAD || c == MIDDLE_LEAD || c == HIGH_LEAD;
    }

    private static int escaped(char lead, char c, String text, int at) {
        int least = lead == LOW_LEAD ? 0 : lead == MIDDLE_LEAD ? MIDDLE : HIGH;
        int behind = lead == LOW_LEAD ? PLAIN : lead == MIDDLE_LEAD ? HIGH : 0x100;
        int b = least + c - FIRST;
        if (c < FIRST || b >= behind) {
            throw malformed(text, at);
        }
        return b;
    }

    private static TableException malformed(String text, int at) {
        return new TableException(
                TableException.Reason.KEY,
                "the key " + Escapes.brief(text) + " is no table key: what is at index " + at
                        + " stands for no byte (B1)");
    }
}
