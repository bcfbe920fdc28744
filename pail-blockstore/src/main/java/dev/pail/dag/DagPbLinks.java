package dev.pail.dag;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsafeBlocks;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the links of a block in dag-pb, as files and folders of UnixFS have them: field 2 of the block is a link, of which field
 * 1 is the CID. All else is passed over, also what is no CID there.
 */
public final class DagPbLinks {
    private static final int LINK = 2;
    private static final int HASH = 1;

    private final byte[] bytes;
    private final List<Cid> found = new ArrayList<>();
    private int at;

    private DagPbLinks(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The links of a block, in order; of one that is no dag-pb, those before the place where that shows. */
    public static List<Cid> of(Block block) {
        DagPbLinks links = new DagPbLinks(UnsafeBlocks.bytes(block));
        try {
            links.read(links.bytes.length, LINK);
        } catch (MalformedDataException e) {
            // It is what somebody has put, whatever it is called.
            return links.found;
        }
        return links.found;
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
            // What the others link to must not be lost for that.
            return;
        }
        found.add(cid);
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
