package dev.pail.dag;

import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.function.Consumer;

/**
 * Finds what may be links in CBOR that is not written as dag-cbor has it, whatever else is wrong with it: byte strings behind the
 * tag 42 that are CIDs (spec rule CAR11). It may find some that are none, as in a text with such bytes, and leaves out none.
 */
final class CborLinks {
    private static final int TAG = 42;
    private static final int BYTE_STRING = 0x40;

    /** From here on the length is not in the first byte, but in one, two or four more. */
    private static final int LENGTH_IN_BYTE = 0x58;

    private static final int LENGTH_IN_FOUR = 0x5a;

    private CborLinks() {}

    static void forEach(byte[] bytes, Consumer<Cid> action) {
        // The number of a tag may be written in more bytes than it needs: its last byte is the same.
        for (int at = 1; at < bytes.length - 1; at++) {
            if (bytes[at] == TAG) {
                read(bytes, at + 1, action);
            }
        }
    }

    private static void read(byte[] bytes, int at, Consumer<Cid> action) {
        int head = bytes[at] & 0xff;
        long length = (long) head - BYTE_STRING;
        int from = at + 1;
        if (head >= LENGTH_IN_BYTE) {
            int width = 1 << (head - LENGTH_IN_BYTE);
            if (head > LENGTH_IN_FOUR || width > bytes.length - from) {
                return;
            }
            length = 0;
            for (int end = from + width; from < end; from++) {
                length = (length << Byte.SIZE) | (bytes[from] & 0xff);
            }
        }
        if (length > 1 && length <= bytes.length - from && bytes[from] == 0) {
            Cid cid;
            try {
                cid = Cid.fromBytes(bytes, from + 1, from + (int) length);
            } catch (MalformedDataException e) {
                // These bytes stand there by chance.
                return;
            }
            action.accept(cid);
        }
    }
}
