package dev.pail.dag;

import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.function.Consumer;

/**
 * Finds the links of dag-pb, the codec of files and folders of UnixFS. Field 2 of the block is a link; field 1 of the link is the CID.
 * Skips all other fields, and a field 1 that is no CID.
 */
final class DagPbLinks {
    private static final int LINK = 2;
    private static final int HASH = 1;

    private DagPbLinks() {}

    /** Gives the links in their order; of bytes that are no dag-pb, those before the first byte that shows it. */
    static void forEach(byte[] bytes, Consumer<Cid> action) {
        try {
            for (Protobuf.Reader node = new Protobuf.Reader(ByteSpan.of(bytes)); node.next(); ) {
                if (node.field() == LINK && node.isBytes()) {
                    readLink(node.bytes(), action);
                }
            }
        } catch (MalformedDataException e) {
            // The links before that byte are found.
            return;
        }
    }

    private static void readLink(ByteSpan bytes, Consumer<Cid> action) {
        for (Protobuf.Reader link = new Protobuf.Reader(bytes); link.next(); ) {
            if (link.field() == HASH && link.isBytes()) {
                addCid(link.bytes(), action);
            }
        }
    }

    private static void addCid(ByteSpan bytes, Consumer<Cid> action) {
        Cid cid;
        try {
            cid = bytes.cid();
        } catch (MalformedDataException e) {
            // The other links count all the same.
            return;
        }
        action.accept(cid);
    }
}
