package dev.pail.dag;

import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborReader;
import dev.pail.ipld.MalformedDataException;
import java.util.function.Consumer;

/**
 * Finds the links of dag-jose: the payload of a signature (JWS), whose bytes are a CID, and the links of dag-cbor in all other fields.
 *
 * <p>Neither depth nor size of the input decides what this takes.
 */
final class JoseLinks {
    private static final String PAYLOAD = "payload";

    private JoseLinks() {}

    /** Gives the links in their order; of bytes that are no CBOR, those before the first byte that shows it. */
    static void forEach(byte[] bytes, Consumer<Cid> action) {
        int at = 0;
        try {
            DagCborReader reader = new DagCborReader(bytes);
            for (int pairs = reader.readMap(); pairs > 0; pairs--) {
                // Each item has a reader of its own: programs write the fields in several orders.
                at = reader.position();
                reader = from(at, bytes);
                boolean isPayload = reader.readText().equals(PAYLOAD);
                at = reader.position();
                reader = from(at, bytes);
                if (isPayload && reader.peek() == DagCborReader.Kind.BYTES) {
                    accept(reader.readBytes(), action);
                } else {
                    reader.skip();
                    CborLinks.forEach(bytes, at, reader.position(), action);
                }
                at = reader.position();
            }
        } catch (MalformedDataException e) {
            CborLinks.forEach(bytes, at, bytes.length, action);
        }
    }

    private static DagCborReader from(int at, byte[] bytes) {
        return new DagCborReader(bytes, at, bytes.length);
    }

    /** Gives the CID that a payload is. If it is none, it is no link. */
    private static void accept(byte[] payload, Consumer<Cid> action) {
        Cid cid;
        try {
            cid = Cid.fromBytes(payload);
        } catch (MalformedDataException e) {
            return;
        }
        action.accept(cid);
    }
}
