package dev.pail.table.index;

import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import dev.pail.table.TableException;
import org.jspecify.annotations.Nullable;

/** The letters that keys of tables start with, the separator between their parts, and what texts in them may be (spec rules B2 to B4). */
public final class KeyText {
    public static final byte TABLE = 'T';
    public static final byte POSITION = 'P';
    public static final byte FIELD = 'F';
    public static final byte REVERSE = 'R';

    /** The unit separator. */
    public static final byte SEPARATOR = 0x1f;

    /** What the keys of all tables start with. */
    public static final String TABLES = "T";

    /** What the keys of all rows start with. */
    public static final String ROWS = "P";

    /** The greatest number of a table. */
    public static final int MAX_TABLE = 0xffff;

    /** The longest id of a row, in bytes. */
    public static final int MAX_ID = 1024;

    private KeyText() {}

    /** Checks a text that is to be a part of a key. */
    public static void check(String what, String part) {
        if (Utf8.loneSurrogate(part) >= 0) {
            throw new TableException(
                    TableException.Reason.NAME,
                    "no " + what + " has a lone surrogate: " + Escapes.brief(part) + " (B4)");
        }
        if (part.indexOf(SEPARATOR) >= 0) {
            throw separated(what, Escapes.brief(part));
        }
    }

    public static TableException separated(String what, String part) {
        return new TableException(
                TableException.Reason.NAME, "no " + what + " has the separator 0x1f in it: " + part + " (B4)");
    }

    /** The id of a row as escaped text. Rule T4. */
    public static String escapedId(String id) {
        check("row id", id);
        byte[] bytes = Utf8.encode(id);
        if (bytes.length > MAX_ID) {
            throw new TableException(
                    TableException.Reason.NAME,
                    "the id of a row has " + MAX_ID + " bytes at most, not " + bytes.length + " (T4)");
        }
        return EscapedText.of(bytes);
    }

    /** The text that a part of a key stands for, or null if its bytes are not UTF-8. */
    public static @Nullable String text(byte[] part) {
        return Utf8.firstMalformed(part, 0, part.length) < 0 ? Utf8.decode(part, 0, part.length) : null;
    }

    /** The number of the table that a key is one of a row of; less than 0, if it is none. */
    public static int number(String key) {
        if (!key.startsWith(ROWS)) {
            return -1;
        }
        try {
            byte[] bytes = EscapedText.bytes(key, ROWS.length());
            return bytes.length < 2 ? -1 : (bytes[0] & 0xff) | ((bytes[1] & 0xff) << Byte.SIZE);
        } catch (TableException e) {
            return -1;
        }
    }

    /** What the keys of all rows of the table with a number start with. */
    public static String rows(int number) {
        return EscapedText.of(new byte[] {POSITION, (byte) number, (byte) (number >> Byte.SIZE)});
    }
}
