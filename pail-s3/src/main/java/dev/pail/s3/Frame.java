package dev.pail.s3;

import dev.pail.PailException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.RepositoryException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The content of an object of the log: the CID of some DAG-CBOR, and then this (OS2). */
final class Frame {
    private Frame() {}

    static byte[] of(DagCborWriter content) {
        Block block = Block.of(Cid.DAG_CBOR, content.toByteArray());
        byte[] name = block.cid().toBytes();
        byte[] frame = new byte[name.length + block.size()];
        System.arraycopy(name, 0, frame, 0, name.length);
        System.arraycopy(block.bytes(), 0, frame, name.length, block.size());
        return frame;
    }

    /**
     * Decodes an object.
     *
     * @param where the object, for messages
     */
    static <T> T read(byte[] frame, String where, Function<DagCborReader, T> reading) {
        try {
            int length = Cid.lengthAt(frame, 0, frame.length);
            Cid cid = Cid.fromBytes(frame, 0, length);
            byte[] content = new byte[frame.length - length];
            System.arraycopy(frame, length, content, 0, content.length);
            DagCborReader in = new DagCborReader(Block.verified(cid, content).bytes());
            T result = reading.apply(in);
            in.end();
            return result;
        } catch (PailException e) {
            throw damaged("a damaged object: " + where + ": " + e.getMessage(), e);
        }
    }

    static RepositoryException damaged(String what, @Nullable PailException cause) {
        return RepositoryException.damaged(
                what, "restore an older version of the object, if the bucket keeps them", cause);
    }

    /** Reads the beginning of an array, which must have this number of items. */
    static void expect(DagCborReader in, int items) {
        if (in.readArray() != items) {
            throw new MalformedDataException(in.position(), "another number of fields than " + items);
        }
    }
}
