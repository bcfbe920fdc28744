package dev.pail.dag;

import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.function.Consumer;

/**
 * Finds the links of CBOR: tags 42 whose byte string is a zero byte and a CID. Takes every form that RFC 8949 allows: numbers in more
 * bytes than they need, items of indefinite length, floats, keys of any kind.
 *
 * <p>Reads the headers of items one after another, and ignores which item is in which. So neither depth nor size of the input
 * decides what this takes.
 */
final class CborLinks {
    private static final int BYTE_STRING = 2;
    private static final int TEXT = 3;
    private static final int TAG = 6;
    private static final int LINK_TAG = 42;

    private static final int LENGTH_IN_NEXT_BYTE = 24;
    private static final int LENGTH_IN_EIGHT_BYTES = 27;
    private static final int INDEFINITE = 31;
    private static final int BREAK = 0xff;

    private final byte[] bytes;
    private final int end;
    private final Consumer<Cid> action;

    /** A link that is written in chunks. */
    private final byte[] joined = new byte[1 + Cid.MAX_BYTES];

    private int at;

    /** The argument of the last header. */
    private long argument;

    private CborLinks(byte[] bytes, int from, int end, Consumer<Cid> action) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
        this.action = action;
    }

    /** Gives the links in their order; of bytes that are no CBOR, those before the first byte that shows it. */
    static void forEach(byte[] bytes, Consumer<Cid> action) {
        forEach(bytes, 0, bytes.length, action);
    }

    /** The same for a range of bytes. */
    static void forEach(byte[] bytes, int from, int end, Consumer<Cid> action) {
        new CborLinks(bytes, from, end, action).run();
    }

    private void run() {
        boolean isTagged = false;
        while (at < end) {
            int initial = bytes[at] & 0xff;
            int major = initial >> 5;
            if (!readHead(initial)) {
                return;
            }
            boolean isIndefinite = (initial & INDEFINITE) == INDEFINITE;
            if (isTagged && major == BYTE_STRING && isIndefinite) {
                readChunks();
            } else if ((major == BYTE_STRING || major == TEXT) && !isIndefinite) {
                if (argument < 0 || argument > end - at) {
                    return;
                }
                int to = at + (int) argument;
                if (isTagged && major == BYTE_STRING) {
                    link(bytes, at, to);
                }
                at = to;
            }
            isTagged = major == TAG && argument == LINK_TAG;
        }
    }

    /** Reads the header of an item and its argument. False if there is no such header. */
    private boolean readHead(int initial) {
        int info = initial & INDEFINITE;
        at++;
        argument = info;
        if (info < LENGTH_IN_NEXT_BYTE) {
            return true;
        }
        if (info > LENGTH_IN_EIGHT_BYTES) {
            // Numbers and tags have no indefinite length.
            int major = initial >> 5;
            return info == INDEFINITE && major >= BYTE_STRING && major != TAG;
        }
        int width = 1 << (info - LENGTH_IN_NEXT_BYTE);
        if (width > end - at) {
            return false;
        }
        argument = 0;
        for (int last = at + width; at < last; at++) {
            argument = (argument << Byte.SIZE) | (bytes[at] & 0xff);
        }
        return true;
    }

    /** Reads the CID of a link that is written in chunks. What is longer than any CID is passed over. */
    private void readChunks() {
        int length = 0;
        while (at < end && bytes[at] >> 5 == BYTE_STRING && (bytes[at] & INDEFINITE) != INDEFINITE) {
            int before = at;
            boolean isChunk = readHead(bytes[at] & 0xff) && argument >= 0 && argument <= end - at;
            if (!isChunk || argument > joined.length - length) {
                at = before;
                return;
            }
            System.arraycopy(bytes, at, joined, length, (int) argument);
            length += (int) argument;
            at += (int) argument;
        }
        if (at < end && (bytes[at] & 0xff) == BREAK) {
            link(joined, 0, length);
        }
    }

    /** Gives what a byte string behind the tag names. If that is no CID, it is no link. */
    private void link(byte[] in, int from, int to) {
        if (to - from < 2 || in[from] != 0) {
            return;
        }
        Cid cid;
        try {
            cid = Cid.fromBytes(in, from + 1, to);
        } catch (MalformedDataException e) {
            return;
        }
        action.accept(cid);
    }
}
