package dev.pail.dag;

import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.function.Consumer;

/**
 * Finds the links of dag-pb, as files and folders of UnixFS have them: field 2 of the block is a link, of which field 1 is the CID.
 * Passes over all other fields, and over a field 1 that is no CID.
 */
final class DagPbLinks {
    private static final int LINK = 2;
    private static final int HASH = 1;

    private final byte[] bytes;
    private final Consumer<Cid> action;
    private int at;

    private DagPbLinks(byte[] bytes, Consumer<Cid> action) {
        this.bytes = bytes;
        this.action = action;
    }

    /** Gives the links in their order; of bytes that are no dag-pb, those before the first byte that shows it. */
    static void forEach(byte[] bytes, Consumer<Cid> action) {
        try {
            new DagPbLinks(bytes, action).read(bytes.length, LINK);
        } catch (MalformedDataException e) {
            // The links before that byte are found.
            return;
        }
    }

    /** Reads the fields up to a place, of which those with one number are looked into. */
    private void read(int end, int wanted) {
        while (at < end) {
            long key = varint(end);
            int kind = (int) (key & 7);
            if (kind == 2) {
                int to = at(varint(end), end);
                if (key >>> 3 == wanted) {
                    found(to, wanted);
                }
                at = to;
            } else if (kind == 0) {
                varint(end);
            } else if (kind == 1 || kind == 5) {
                at = at(kind == 1 ? Long.BYTES : Integer.BYTES, end);
            } else {
                throw new MalformedDataException(at, "a field of protobuf has kind 0, 1, 2 or 5");
            }
        }
    }

    private void found(int to, int number) {
        if (number == LINK) {
            read(to, HASH);
        } else {
            addCid(to);
        }
    }

    private void addCid(int to) {
        Cid cid;
        try {
            cid = Cid.fromBytes(bytes, at, to);
        } catch (MalformedDataException e) {
            // The other links count all the same.
            return;
        }
        action.accept(cid);
    }

    private int at(long length, int end) {
        if (length < 0 || length > end - at) {
            throw new MalformedDataException(at, "a field ends within what it is in");
        }
        return at + (int) length;
    }

    private long varint(int end) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (at == end) {
                throw new MalformedDataException(at, "a number ends within what it is in");
            }
            byte next = bytes[at++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new MalformedDataException(at, "a number has at most 64 bits");
    }
}
