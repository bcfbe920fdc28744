package dev.pail.dag;

import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.function.Consumer;

/**
 * Finds the links of dag-json: objects with one entry, whose key is {@code "/"} and whose value is the text of a CID. Bytes, whose value
 * is an object, are no link.
 *
 * <p>Reads one token after another and does not look at which value is in which. So neither depth nor size of the input decides what
 * this takes.
 */
final class DagJsonLinks {
    /** How many tokens of a link were read: brace, key, colon, text of a CID, brace. */
    private enum Part {
        NONE,
        OPEN,
        KEY,
        COLON,
        VALUE
    }

    private final byte[] bytes;
    private final Consumer<Cid> action;
    private final StringBuilder text = new StringBuilder();

    /** Whether the string that was read last is longer than any CID, or not a string of JSON. */
    private boolean isOther;

    private int at;

    private DagJsonLinks(byte[] bytes, Consumer<Cid> action) {
        this.bytes = bytes;
        this.action = action;
    }

    /** Gives the links in their order; of bytes that are no JSON, those before the first byte that no token has. */
    static void forEach(byte[] bytes, Consumer<Cid> action) {
        new DagJsonLinks(bytes, action).run();
    }

    private void run() {
        Part part = Part.NONE;
        while (at < bytes.length) {
            byte next = bytes[at++];
            switch (next) {
                case ' ', '\t', '\n', '\r' -> {
                    continue;
                }
                case '{' -> part = Part.OPEN;
                case '"' -> {
                    if (!readString()) {
                        return;
                    }
                    part = afterString(part);
                }
                case ':' -> part = part == Part.KEY ? Part.COLON : Part.NONE;
                case '}' -> {
                    if (part == Part.VALUE) {
                        link();
                    }
                    part = Part.NONE;
                }
                default -> {
                    if (!isToken(next)) {
                        return;
                    }
                    part = Part.NONE;
                }
            }
        }
    }

    private Part afterString(Part before) {
        if (before == Part.OPEN && !isOther && text.length() == 1 && text.charAt(0) == '/') {
            return Part.KEY;
        }
        return before == Part.COLON && !isOther ? Part.VALUE : Part.NONE;
    }

    /** Whether a byte may stand outside of strings: in brackets, numbers, {@code true}, {@code false} and {@code null}. */
    private static boolean isToken(byte next) {
        return (next >= 'a' && next <= 'z') || (next >= '0' && next <= '9') || "[],+-.E".indexOf(next) >= 0;
    }

    /** Reads a string to its end and keeps at most as much of it as a CID has. False if there is no end. */
    private boolean readString() {
        text.setLength(0);
        isOther = false;
        while (at < bytes.length) {
            byte next = bytes[at++];
            if (next == '"') {
                return true;
            }
            add(next == '\\' ? escaped() : next);
        }
        return false;
    }

    /** Adds a character. All characters of a CID are ASCII. */
    private void add(int character) {
        if (character <= 0 || character >= 0x80 || text.length() == Cid.MAX_TEXT) {
            isOther = true;
        } else if (!isOther) {
            text.append((char) character);
        }
    }

    /** The character that an escape stands for; -1 if it is none that a CID has. */
    private int escaped() {
        byte next = at < bytes.length ? bytes[at++] : 0;
        if (next == '/' || next == '"' || next == '\\') {
            return next;
        }
        if (next != 'u' || bytes.length - at < 4) {
            return -1;
        }
        int code = 0;
        for (int end = at + 4; at < end; at++) {
            int digit = Character.digit(bytes[at], 16);
            if (digit < 0) {
                return -1;
            }
            code = code << 4 | digit;
        }
        return code;
    }

    private void link() {
        Cid cid;
        try {
            cid = Cid.parse(text.toString());
        } catch (MalformedDataException e) {
            return;
        }
        action.accept(cid);
    }
}
