package dev.pail.table.index;

import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import dev.pail.table.document.DagCbor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The value of an entry of a covering index (Rule T13): a CID that holds the CID of the document, and the values of the fields that the index
 * has.
 *
 * @param values in the order of the fields, as {@link dev.pail.table.document.Values} has them; null for an absent one
 */
public record Cover(Cid document, List<@Nullable Object> values) {
    /** The most bytes. If there are more, the entry has the CID of the document alone. */
    private static final int MAX_LENGTH = 1024;

    private static final int MAX_DEPTH = 64;

    /** What an entry has: the document alone, if dag-cbor or the bound does not take the values. */
    static Cid of(Cid document, List<@Nullable Object> values) {
        DagCborWriter writer = new DagCborWriter().array(1 + values.size()).bytes(document.toBytes());
        for (Object value : values) {
            if (value == null) {
                writer.array(0);
            } else if (DagCbor.holds(value, MAX_DEPTH)) {
                DagCbor.write(writer.array(1), value);
            } else {
                return document;
            }
        }
        byte[] bytes = writer.toByteArray();
        return bytes.length <= MAX_LENGTH ? IndexKeys.inline(bytes) : document;
    }

    /**
     * Reads what an entry has.
     *
     * @param count how many fields there are
     * @return null, if it has a document alone, or something else
     */
    public static @Nullable Cover read(Cid link, int count) {
        if (!isInline(link)) {
            return null;
        }
        byte[] bytes = link.digest();
        try {
            DagCborReader reader = new DagCborReader(bytes);
            int items = reader.readArray();
            Cid document = Cid.fromBytes(reader.readBytes());
            List<@Nullable Object> values = new ArrayList<>();
            for (; items > 1; items--) {
                values.add(reader.readArray() == 0 ? null : DagCbor.read(bytes, reader));
            }
            reader.end();
            return values.size() == count ? new Cover(document, values) : null;
        } catch (MalformedDataException e) {
            return null;
        }
    }

    static boolean isInline(Cid link) {
        return link.hashFunction() == Cid.IDENTITY && link.codec() == Cid.RAW;
    }

    /** The document that an entry links to. */
    static Cid document(Cid link) {
        if (!isInline(link)) {
            return link;
        }
        try {
            DagCborReader reader = new DagCborReader(link.digest());
            int unused = reader.readArray();
            return Cid.fromBytes(reader.readBytes());
        } catch (MalformedDataException e) {
            return link;
        }
    }
}
