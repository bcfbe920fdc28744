package dev.pail.unixfs;

import dev.pail.bytes.Utf8;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node of dag-pb: links, and a range of its bytes that are data. */
final class DagPb {
    private final byte[] bytes;
    private final int from;
    private final int to;
    private final List<Link> links;

    private DagPb(byte[] bytes, int from, int to, List<Link> links) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        this.links = links;
    }

    /** The whole node. Not to be changed. */
    byte[] bytes() {
        return bytes;
    }

    /** Where in it the data start. */
    int from() {
        return from;
    }

    /** Where in it the data end. */
    int to() {
        return to;
    }

    List<Link> links() {
        return links;
    }

    private static final int DATA = 1;
    private static final int LINK = 2;
    private static final int HASH = 1;
    private static final int NAME = 2;
    private static final int TREE_SIZE = 3;

    /**
     * A link.
     *
     * @param name empty where it has none
     * @param treeSize the size of the block that it leads to and of all below, as far as the node says
     */
    record Link(Cid cid, String name, long treeSize) {}

    /** Writes a node: its links, in this order, and then its data. */
    static byte[] encode(List<Link> links, byte[] data) {
        Protobuf.Writer node = new Protobuf.Writer();
        for (Link link : links) {
            node.bytes(
                    LINK,
                    new Protobuf.Writer()
                            .bytes(HASH, link.cid.toBytes())
                            .bytes(NAME, Utf8.encode(link.name))
                            .number(TREE_SIZE, link.treeSize)
                            .toByteArray());
        }
        return node.bytes(DATA, data).toByteArray();
    }

    /** @throws MalformedDataException if it is no node with data, or a name is no UTF-8 */
    static DagPb decode(byte[] bytes) {
        List<Link> links = new ArrayList<>();
        int from = -1;
        int to = -1;
        for (Protobuf.Reader node = new Protobuf.Reader(bytes, 0, bytes.length); node.next(); ) {
            if (node.field() == LINK) {
                links.add(link(bytes, node.from(), node.to()));
            } else if (node.field() == DATA && from < 0) {
                from = node.from();
                to = node.to();
            } else {
                throw new MalformedDataException(0, "a node of dag-pb has links, and data once");
            }
        }
        if (from < 0) {
            throw new MalformedDataException(0, "a node of UnixFS has data");
        }
        return new DagPb(bytes, from, to, links);
    }

    private static Link link(byte[] bytes, int from, int to) {
        @Nullable Cid cid = null;
        String name = "";
        long treeSize = 0;
        for (Protobuf.Reader link = new Protobuf.Reader(bytes, from, to); link.next(); ) {
            switch (link.field()) {
                case HASH -> cid = Cid.fromBytes(bytes, link.from(), link.to());
                case NAME -> name = name(bytes, link.from(), link.to());
                case TREE_SIZE -> treeSize = link.number();
                default -> {}
            }
        }
        if (cid == null) {
            throw new MalformedDataException(from, "a link of dag-pb has a CID");
        }
        return new Link(cid, name, treeSize);
    }

    private static String name(byte[] bytes, int from, int to) {
        int malformed = Utf8.firstMalformed(bytes, from, to);
        if (malformed >= 0) {
            throw new MalformedDataException(malformed, "the name of a link is UTF-8");
        }
        return Utf8.decode(bytes, from, to);
    }
}
