package dev.pail.s3;

import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pack as commits name it: a CAR of version 2 in one object, with an index of its blocks at the end. (OS3).
 *
 * @param name never given again; greater than those of packs that were there when it was made
 * @param size of the object, in bytes
 * @param index where the index begins
 * @param blocks how many it has
 * @param stamp when its blocks were put last
 * @param checksum the raw CID of the index
 * @param condemned when it was condemned; null for a live one
 */
record Pack(
        String name,
        long size,
        long index,
        long blocks,
        Instant stamp,
        Cid checksum,
        @Nullable Instant condemned) {
    private static final int FIELDS = 7;

    boolean isLive() {
        return condemned == null;
    }

    Pack condemned(Instant now) {
        return new Pack(name, size, index, blocks, stamp, checksum, now);
    }

    /** When its blocks were put, or condemned. */
    Instant since() {
        return condemned == null ? stamp : condemned;
    }

    void write(DagCborWriter out) {
        out.array(FIELDS).text(name).integer(size).integer(index).integer(blocks);
        out.integer(stamp.toEpochMilli()).link(checksum);
        if (condemned == null) {
            out.nothing();
        } else {
            out.integer(condemned.toEpochMilli());
        }
    }

    static Pack read(DagCborReader in) {
        Frame.expect(in, FIELDS);
        String name = name(in);
        long size = in.readLong();
        long index = in.readLong();
        long blocks = in.readLong();
        if (size < 0 || size > Bucket.MAX_SIZE || index < 0 || index > size || blocks < 0 || blocks > size) {
            throw new MalformedDataException(in.position(), "a pack of an impossible size");
        }
        Instant stamp = Instant.ofEpochMilli(in.readLong());
        Cid checksum = in.readLink();
        if (in.peek() == DagCborReader.Kind.NULL) {
            in.readNull();
            return new Pack(name, size, index, blocks, stamp, checksum, null);
        }
        return new Pack(name, size, index, blocks, stamp, checksum, Instant.ofEpochMilli(in.readLong()));
    }

    /** A name, which becomes part of a key. */
    static String name(DagCborReader in) {
        String name = in.readText();
        if (!Keys.isPackName(name)) {
            throw new MalformedDataException(in.position(), "no name of a pack");
        }
        return name;
    }
}
